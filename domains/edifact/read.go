package edifact

import (
	"slices"
	"strings"
	"unicode"

	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
)

// transmission is a file as it is read by the format's own rules, in parts that
// print puts together again without loss.
type transmission struct {
	parts     []part
	continued bool // segments follow each other without line breaks
}

// part is a message, or a segment outside of messages.
type part struct {
	*message
	outside segment
}

// message is a message in an interchange. One that lost its UNH has a head
// without it.
type message struct {
	head  []segment // from UNH to the first line item
	lines []line
	tail  []segment // UNS, CNT and all else after the last line item
}

// line is a line item.
type line struct {
	above    []segment // a packing level that begins between two line items
	segments []segment // LIN and what follows it
}

// read takes in any text. What is no segment is kept as it is.
func read(text string) transmission {
	r := reader{marks: standard}
	for _, block := range blocks(plain.Lines(text)) {
		r.block(block)
	}
	return r.transmission
}

// blocks divides a text before the lines that begin with a UNA, so that damage
// before one does not reach after it.
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
	marks marks
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
			r.take(segment{tag: service, text: una})
			r.marks, text, stray = m, after, 0
			continue
		}
		raw, after, terminated := cutSegment(rest, r.marks)
		switch {
		case terminated && beginsSegment(raw, r.marks):
			r.takeStray(text[:stray])
			r.continued = r.continued || r.marks.terminator != '\n' && goesOn(after)
			elements := split(raw, r.marks)
			r.take(segment{tag: elements[0][0], elements: elements[1:]})
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
		r.take(segment{text: text})
	}
}

// announced reads a UNA as cutService does, but takes no word for one, such as
// UNABLE; a blank in the place of the release character means that there is none.
func announced(text string) (m marks, una, rest string, ok bool) {
	m, una, rest, ok = cutService(text)
	isOfWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	if strings.ContainsFunc(strings.TrimPrefix(una, service), isOfWord) {
		return standard, "", text, false
	}
	if m.release == ' ' {
		m.release = unreleasable
	}
	return m, una, rest, ok
}

// blank are the characters passed over between segments.
const blank = " \t\r\n\ufeff"

func beginsSegment(raw string, m marks) bool {
	if len(raw) < 3 || !validTag(raw[:3]) || raw[0] < 'A' {
		return false
	}
	return len(raw) == 3 || strings.HasPrefix(raw[3:], string(m.element))
}

// nextSegment looks for the first line after text that is no segment on which
// one begins; 0 if there is none.
func nextSegment(raw string, m marks) int {
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

func (r *reader) take(s segment) {
	enveloping := slices.Contains([]string{service, "UNB", "UNG", "UNE", "UNZ"}, s.tag)
	if enveloping || s.tag == "UNH" {
		r.open = nil
	}
	if enveloping || s.tag == "" && r.open == nil {
		r.parts = plain.Append(r.parts, part{outside: s})
		return
	}
	if r.open == nil {
		r.open = &message{}
		r.parts = plain.Append(r.parts, part{message: r.open})
	}
	r.open.add(s)
	if s.tag == "UNT" {
		r.open = nil
	}
}

// add puts a segment after the others. UNS, CNT and UNT end the line items; a
// packing level ends one, and belongs to the one that follows.
func (m *message) add(s segment) {
	ends := s.tag == "UNS" || s.tag == "CNT" || s.tag == "UNT"
	switch {
	case s.tag == "LIN":
		m.lines = plain.Append(m.lines, line{above: m.tail, segments: []segment{s}})
		m.tail = nil
	case ends || len(m.tail) > 0:
		m.tail = append(m.tail, s)
	case len(m.lines) == 0:
		m.head = append(m.head, s)
	case s.tag == "CPS":
		m.tail = append(m.tail, s)
	default:
		last := &m.lines[len(m.lines)-1]
		last.segments = append(last.segments, s)
	}
}

// each calls do with every segment, in order.
func (m *message) each(do func(*segment)) {
	visit := func(segments []segment) {
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

// find returns the first segment of a tag before the line items; nil if there
// is none.
func (m *message) find(tag string) *segment {
	return lists.First(m.head, func(s *segment) bool { return s.tag == tag })
}

// first returns the first component of a place of that segment, such as the
// document number, BGM 2.
func (m *message) first(tag string, element int) string {
	if s := m.find(tag); s != nil {
		return s.at(element, 1)
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
	m := standard
	t.each(func(s *segment) {
		if s.tag == service {
			m, _, _, _ = announced(s.text)
		}
		m.write(&b, s)
		if !t.continued && !strings.HasSuffix(b.String(), "\n") {
			b.WriteByte('\n')
		}
	})
	return b.String()
}

func (t *transmission) each(do func(*segment)) {
	for i := range t.parts {
		if p := &t.parts[i]; p.message != nil {
			p.message.each(do)
		} else {
			do(&p.outside)
		}
	}
}
