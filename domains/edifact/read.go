package edifact

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/shopspring/decimal"

	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	published "agentd/domains/published/edifact"
)

// transmission is a file as it is read by the format's own rules, in parts that print puts together again without loss.
type transmission struct {
	parts     []part
	continued bool // segments follow each other without line breaks
}

// part is a message, or a segment outside of messages.
type part struct {
	*message
	outside published.Segment
}

// message is a message in an interchange. One that lost its UNH has a head without it.
type message struct {
	head  []published.Segment // from UNH to the first line item
	lines []line
	tail  []published.Segment // UNS, CNT and what else follows the last line item
}

// line is a line item.
type line struct {
	above    []published.Segment // a packing level that begins between two line items
	segments []published.Segment // LIN and what follows it
}

// read takes in any text. What is no segment is kept as it is.
func read(text string) transmission {
	r := reader{marks: published.Standard}
	for _, block := range blocks(plain.Lines(text)) {
		r.block(block)
	}
	return r.transmission
}

// blocks divides a text before the lines that begin with a UNA, so that damage before one does not reach after it.
func blocks(lines []string) []string {
	var all []string
	start := 0
	for i, line := range lines {
		// A UNA may have the line end for its terminator.
		if _, _, _, ok := announced(strings.TrimLeft(line, blank) + "\n"); ok && i > start {
			all = append(all, strings.Join(lines[start:i], "\n"))
			start = i
		}
	}
	return append(all, strings.Join(lines[start:], "\n"))
}

// reader puts segments into messages.
type reader struct {
	transmission
	marks published.Marks
	open  *message
}

func (r *reader) block(text string) {
	stray := 0 // bytes at the start of text that are no segment
	for {
		rest := strings.TrimLeft(text[stray:], blank)
		if rest == "" {
			r.takeStray(text[:stray])
			return
		}
		if m, una, after, ok := announced(rest); ok {
			r.takeStray(text[:stray])
			r.take(published.Segment{Tag: published.Service, Text: una})
			r.marks, text, stray = m, after, 0
			continue
		}
		raw, after, terminated := published.CutSegment(rest, r.marks)
		switch {
		case terminated && beginsSegment(raw, r.marks):
			r.takeStray(text[:stray])
			r.continued = r.continued || r.marks.Terminator != '\n' && goesOn(after)
			elements := published.Split(raw, r.marks)
			r.take(published.Segment{Tag: elements[0][0], Elements: elements[1:]})
			text, stray = after, 0
		case terminated && nextSegment(raw, r.marks) > 0:
			stray = len(text) - len(rest) + nextSegment(raw, r.marks)
		default:
			stray = len(text) - len(after)
		}
	}
}

// takeStray takes text that is no segment, up to where one begins.
func (r *reader) takeStray(text string) {
	if text = strings.Trim(text, blank); text != "" {
		r.take(published.Segment{Text: text})
	}
}

// announced reads a UNA as published.CutService does, but takes no word for one, such as
// UNABLE; a blank in the place of the release character means that there is none.
func announced(text string) (m published.Marks, una, rest string, ok bool) {
	m, una, rest, ok = published.CutService(text)
	isOfWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	if strings.ContainsFunc(strings.TrimPrefix(una, published.Service), isOfWord) {
		return published.Standard, "", text, false
	}
	if m.Release == ' ' {
		m.Release = unreleasable
	}
	return m, una, rest, ok
}

// blank are the characters passed over between segments.
const blank = " \t\r\n\ufeff"

func beginsSegment(raw string, m published.Marks) bool {
	if len(raw) < 3 || !validTag(raw[:3]) || raw[0] < 'A' {
		return false
	}
	return len(raw) == 3 || strings.HasPrefix(raw[3:], string(m.Element))
}

// nextSegment looks for the first line after text that is no segment on which one begins; 0 if there is none.
func nextSegment(raw string, m published.Marks) int {
	for at := 0; ; {
		end := strings.IndexByte(raw[at:], '\n')
		if end < 0 {
			return 0
		}
		at += end + 1
		start := at + len(raw[at:]) - len(strings.TrimLeft(raw[at:], " \t"))
		if beginsSegment(raw[start:], m) {
			return start
		}
	}
}

// goesOn reports whether there is more on the line.
func goesOn(text string) bool {
	text = strings.TrimLeft(text, " \t")
	return text != "" && text[0] != '\n'
}

func (r *reader) take(s published.Segment) {
	enveloping := slices.Contains([]string{published.Service, "UNB", "UNG", "UNE", "UNZ"}, s.Tag)
	if enveloping || s.Tag == "UNH" {
		r.open = nil
	}
	if enveloping || s.Tag == "" && r.open == nil {
		r.parts = plain.Append(r.parts, part{outside: s})
		return
	}
	if r.open == nil {
		r.open = &message{}
		r.parts = plain.Append(r.parts, part{message: r.open})
	}
	r.open.add(s)
	if s.Tag == "UNT" {
		r.open = nil
	}
}

// add puts a segment after the others. UNS, CNT and UNT end the line items; a
// packing level ends one, and belongs to the one that follows.
func (m *message) add(s published.Segment) {
	ends := s.Tag == "UNS" || s.Tag == "CNT" || s.Tag == "UNT"
	switch {
	case s.Tag == "LIN":
		m.lines = plain.Append(m.lines, line{above: m.tail, segments: []published.Segment{s}})
		m.tail = nil
	case ends || len(m.tail) > 0:
		m.tail = append(m.tail, s)
	case len(m.lines) == 0:
		m.head = append(m.head, s)
	case s.Tag == "CPS":
		m.tail = append(m.tail, s)
	default:
		last := &m.lines[len(m.lines)-1]
		last.segments = append(last.segments, s)
	}
}

// each calls do with every segment, in order.
func (m *message) each(do func(*published.Segment)) {
	visit := func(segments []published.Segment) {
		for i := range segments {
			do(&segments[i])
		}
	}
	visit(m.head)
	for i := range m.lines {
		visit(m.lines[i].above)
		visit(m.lines[i].segments)
	}
	visit(m.tail)
}

// find returns the first segment of a tag before the line items; nil if there is none.
func (m *message) find(tag string) *published.Segment {
	return lists.First(m.head, func(s *published.Segment) bool { return s.Tag == tag })
}

// first returns the first component of a place of that segment, such as the document number, BGM 2.
func (m *message) first(tag string, element int) string {
	if s := m.find(tag); s != nil {
		return s.At(element, 1)
	}
	return ""
}

func (m *message) reference() string { return m.first("UNH", 1) }
func (m *message) kind() string      { return m.first("UNH", 2) }
func (m *message) number() string    { return m.first("BGM", 2) }

// messages are the messages of the transmission, in order.
func (t *transmission) messages() []*message {
	return lists.Found(t.parts, func(p *part) (*message, bool) { return p.message, p.message != nil })
}

// print is the reverse of read.
func (t transmission) print() string {
	var b strings.Builder
	m := published.Standard
	t.each(func(s *published.Segment) {
		if s.Tag == published.Service {
			m, _, _, _ = announced(s.Text)
		}
		write(m, &b, s)
		if !t.continued && !strings.HasSuffix(b.String(), "\n") {
			b.WriteByte('\n')
		}
	})
	return b.String()
}

func (t *transmission) each(do func(*published.Segment)) {
	for i := range t.parts {
		if p := &t.parts[i]; p.message != nil {
			p.message.each(do)
		} else {
			do(&p.outside)
		}
	}
}

// What CNT counts, by its qualifier.
const (
	totalQuantity = "1"
	totalLines    = "2"
)

// due is the count that a UNT or CNT of the message should state; false if it states something else.
func (m *message) due(s *published.Segment) (count string, ok bool) {
	switch {
	case s.Tag == "UNT":
		n := 0
		m.each(func(s *published.Segment) {
			if s.Tag != "" {
				n++
			}
		})
		return strconv.Itoa(n), true
	case s.Tag == "CNT" && s.At(1, 1) == totalLines:
		return strconv.Itoa(len(m.lines)), true
	case s.Tag == "CNT" && s.At(1, 1) == totalQuantity:
		return m.totalQuantity().String(), true
	}
	return "", false
}

func (m *message) totalQuantity() decimal.Decimal {
	total := decimal.Zero
	for i := range m.lines {
		for k := range m.lines[i].segments {
			if s := &m.lines[i].segments[k]; s.Tag == "QTY" {
				quantity, _ := decimalOf(s.At(1, 2)) // zero if it is no number
				total = total.Add(quantity)
			}
		}
	}
	return total
}

// count is the place of the count in a UNT or CNT.
func segmentCount(s *published.Segment) (element, component int) {
	if s.Tag == "CNT" {
		return 1, 2
	}
	return 1, 1
}

// agrees reports whether a UNT or CNT states the count that is due.
func (m *message) agrees(s *published.Segment) bool {
	due, ok := m.due(s)
	return ok && normalNumber(s.At(segmentCount(s))) == due
}

// change calls do to change the message, and then corrects the counts that agreed before.
func (m *message) change(do func()) {
	agreed := map[string]bool{} // by tag and qualifier
	label := func(s *published.Segment) string {
		if s.Tag == "UNT" {
			return s.Tag
		}
		return s.Tag + s.At(1, 1)
	}
	for i := range m.tail {
		if s := &m.tail[i]; m.agrees(s) {
			agreed[label(s)] = true
		}
	}
	do()
	for i := range m.tail {
		if s := &m.tail[i]; agreed[label(s)] {
			due, _ := m.due(s)
			element, component := segmentCount(s)
			set(s, element, component, due)
		}
	}
}

// without leaves out line items and corrects the counts that agreed.
func without(_, text string, leave func() bool) string {
	t := read(text)
	for _, m := range t.messages() {
		m.change(func() { m.leaveOut(leave) })
	}
	return t.print()
}

// leaveOut leaves out line items. A packing level stays.
func (m *message) leaveOut(leave func() bool) {
	var kept []line
	var above []published.Segment
	for _, l := range m.lines {
		above = append(above, l.above...)
		if !leave() {
			l.above, above = above, nil
			kept = append(kept, l)
		}
	}
	m.lines = kept
	m.tail = slices.Concat(above, m.tail)
}

// place is a component in a segment, both counted from 1.
type place struct{ element, component int }

// numeric are the places of numbers, by tag.
var numeric = map[string][]place{
	"APR": {{2, 1}},
	"CNT": {{1, 2}},
	"CUX": {{3, 1}},
	"MEA": {{3, 2}, {3, 3}, {3, 4}},
	"MOA": {{1, 2}},
	"PCD": {{1, 2}},
	"PRI": {{1, 2}, {1, 5}},
	"QTY": {{1, 2}},
	"QVR": {{1, 1}},
	"RNG": {{2, 2}, {2, 3}},
	"RTE": {{1, 2}, {1, 4}},
	"TAX": {{4, 1}, {5, 4}},
	"UNE": {{1, 1}},
	"UNT": {{1, 1}},
	"UNZ": {{1, 1}},
}

// isNumber reports whether a text is a number, with a point or a comma as decimal sign.
func isNumber(text string) bool {
	digits := strings.TrimPrefix(text, "-")
	if at := strings.IndexAny(digits, ".,"); at >= 0 {
		digits = digits[:at] + digits[at+1:]
	}
	return plain.IsDigits(digits)
}

// normalNumber writes equal numbers alike; text that is no number stays as it is.
func normalNumber(text string) string {
	if !isNumber(text) {
		return text
	}
	return plain.Number(strings.Replace(text, ",", ".", 1))
}

// decimalOf reads a number exactly; false if it is none.
func decimalOf(text string) (decimal.Decimal, bool) {
	if !isNumber(text) {
		return decimal.Decimal{}, false
	}
	value, err := decimal.NewFromString(normalNumber(text))
	return value, err == nil
}
