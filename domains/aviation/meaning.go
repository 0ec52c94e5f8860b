package aviation

import (
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	published "agentd/domains/published/aviation"
	"agentd/vfs"
)

// elements flattens files by the format's own rules: an element for each notice
// and for each line outside of them. Only those lines have an order.
func elements(files vfs.Files) []domains.Element {
	var all []domains.Element
	lines := 0
	for _, name := range files.Names() {
		entries := readEntries(files[name])
		for i := range entries {
			switch e := &entries[i]; e.kind {
			case noticeEntry:
				all = plain.Append(all, domains.Element{Kind: counted, Key: e.notice.id, Fields: e.fields()})
			case textEntry:
				lines++
				all = plain.Append(all, domains.Element{
					Kind: "line", Key: "line outside NOTAMs", Position: lines,
					Fields: []domains.Field{{Value: normal(e.lines[0])}},
				})
			}
		}
	}
	return all
}

// normal is a text in capitals, with single blanks.
func normal(text string) string { return plain.SingleBlanks(strings.ToUpper(text)) }

// fieldList collects the fields of a notice. Those without a value are left out.
type fieldList []domains.Field

func (l *fieldList) add(name, value string) {
	if value != "" {
		*l = append(*l, domains.Field{Name: name, Value: value})
	}
}

// numbered adds the parts of a value under numbered names. The matcher compares
// each field with each, so what is beyond many counts as one.
func (l *fieldList) numbered(name string, parts []string) {
	const most = 100
	for i, part := range parts[:min(most, len(parts))] {
		l.add(name+" "+strconv.Itoa(i+1), part)
	}
	if len(parts) > most {
		l.add(name+", the rest", strings.Join(parts[most:], " "))
	}
}

func (e *entry) fields() []domains.Field {
	n := e.notice
	const heading, item = 4, 3 // fields, as a rule
	fields := make(fieldList, 0, heading+item*len(n.items))
	fields.add("number", n.id)
	fields.add("type", n.kind)
	fields.add("replaces", n.replaces)
	fields.add("other text of the first line", n.other)
	fields.add("marks", n.marks)
	for i := range n.items {
		fields.item(n.items[i].name, n.items[i].text(e.lines))
	}
	return fields
}

func (l *fieldList) item(name itemName, text string) {
	switch name {
	case itemNone:
		l.add("text before the items", normal(text))
	case itemQ:
		l.qLine(normal(text))
	case itemA:
		l.words("location", "other locations", normal(text))
	case itemB:
		l.words("valid from", "text after valid from", normal(text))
	case itemC:
		end, flag := estimated(normal(text))
		l.words("valid to", "text after valid to", end)
		l.add("estimated", flag)
	case itemD:
		l.numbered("schedule", cutAfter(normal(text), ","))
	case itemE:
		l.numbered("text", cutAfter(normal(text), "."))
	case itemF:
		l.add("lower limit", limit(text))
	case itemG:
		l.add("upper limit", limit(text))
	case itemCreated:
		l.add("created", normal(text))
	case itemSource:
		l.add("source", normal(text))
	}
}

// words adds the first word of a value and what is after it.
func (l *fieldList) words(first, after, text string) {
	word, rest := cutWord(text)
	l.add(first, word)
	l.add(after, rest)
}

// estimated cuts the flag of an end of validity that is only estimated.
func estimated(text string) (end, flag string) {
	const mark = "EST"
	if end, found := strings.CutSuffix(text, mark); found {
		return strings.TrimSpace(end), mark
	}
	return text, ""
}

// limit is a vertical limit without blanks: 15000 FT AMSL is 15000FT AMSL.
func limit(text string) string { return strings.Join(strings.Fields(strings.ToUpper(text)), "") }

// cutAfter divides a text after the words with that end.
func cutAfter(text, end string) []string {
	var parts []string
	for {
		n := strings.Index(text, end+" ")
		if n < 0 {
			return plain.Append(parts, text)
		}
		parts = plain.Append(parts, text[:n+len(end)])
		text = text[n+len(end)+1:]
	}
}

// qNames are the names of the parts of a Q line.
var qNames = []string{"FIR", "Q code", "traffic", "purpose", "scope", "lower level", "upper level", "centre"}

func (l *fieldList) qLine(text string) {
	if strings.Count(text, "/")+1 != len(qNames) {
		l.add("Q line", text)
		return
	}
	parts := strings.Split(strings.ReplaceAll(text, " ", ""), "/")
	last := len(parts) - 1
	for i, part := range parts[:last] {
		l.add(qNames[i], part)
	}
	centre, radius := cutRadius(parts[last])
	l.add(qNames[last], centre)
	l.add("radius", radius)
}

// cutRadius divides the last part of a Q line after the letter of its longitude.
func cutRadius(text string) (centre, radius string) {
	at := strings.LastIndexAny(text, "EW") + 1
	return text[:at], text[at:]
}

// without leaves out notices; all other lines stay.
func without(_, text string, leave func() bool) string {
	return printed(slices.DeleteFunc(readEntries(text), func(e entry) bool { return e.kind == noticeEntry && leave() }))
}

// entry is a line of a bulletin, or the lines of one notice. Printed one after the other, entries give the file back.
type entry struct {
	kind   entryKind
	lines  []string
	notice *notice // nil of other lines
}

type entryKind uint8

const (
	blankEntry entryKind = iota
	rulerEntry
	noticeEntry
	textEntry // what is no part of the format
)

// notice is a NOTAM by the format's own rules.
type notice struct {
	id, kind, replaces string // in capitals
	other              string // what else the first line says
	marks              string // of lists and emphasis, which are no part of the format
	items              []item // in their order
}

// item is where the value of an item stands in the lines of its notice.
type item struct {
	name        itemName
	first, last int // lines
	start, end  int // bytes, in the first line and in the last
}

// itemName names an item. Items stand in the order of their names, each once.
type itemName uint8

const (
	itemNone itemName = iota // text before the first item
	itemQ
	itemA
	itemB
	itemC
	itemD
	itemE
	itemF
	itemG
	itemCreated
	itemSource
)

func (i *item) text(lines []string) string {
	if i.first == i.last {
		return lines[i.first][i.start:i.end]
	}
	var b strings.Builder
	b.WriteString(lines[i.first][i.start:])
	for _, line := range lines[i.first+1 : i.last] {
		b.WriteByte('\n')
		b.WriteString(line)
	}
	b.WriteByte('\n')
	b.WriteString(lines[i.last][:i.end])
	return b.String()
}

// readEntries reads a file by the format's own rules: a notice begins with its identifier and goes on to its last item.
func readEntries(text string) []entry {
	var entries []entry
	lines := plain.Lines(text)
	for at := 0; at < len(lines); {
		if !opensNotice(lines, at) {
			entries = plain.Append(entries, entry{kind: kindOf(lines[at]), lines: lines[at : at+1 : at+1]})
			at++
			continue
		}
		next := at + 1
		for next < len(lines) && !opensNotice(lines, next) {
			next++
		}
		r := noticeReader{lines: lines[at:next], notice: &notice{}}
		end := at + r.read()
		entries = plain.Append(entries, entry{kind: noticeEntry, lines: lines[at:end:end], notice: r.notice})
		for at = end; at < next; at++ {
			entries = plain.Append(entries, entry{kind: kindOf(lines[at]), lines: lines[at : at+1 : at+1]})
		}
	}
	return entries
}

func kindOf(line string) entryKind {
	switch line = strings.TrimSpace(line); {
	case line == "":
		return blankEntry
	case strings.Trim(line, "=-*~_ ") == "":
		return rulerEntry
	}
	return textEntry
}

// opensNotice reports whether a line names a notice: its number and type, or its number where an item follows.
func opensNotice(lines []string, at int) bool {
	word, rest := cutWord(lines[at][marksLength(lines[at]):])
	if strings.IndexFunc(word, isFigure) < 0 {
		return false
	}
	if isType(rest) {
		return true
	}
	if rest != "" && !published.HasPrefixFold(rest, "NOTAM") || published.IdentifierLength(strings.ToUpper(word)) != len(word) {
		return false
	}
	for at++; at < len(lines); at++ {
		if kindOf(lines[at]) != blankEntry {
			name, _ := itemAt(lines[at], marksLength(lines[at]))
			return name == itemQ || name == itemA
		}
	}
	return false
}

// isType reports whether a text begins with the type of a notice as a word.
func isType(text string) bool {
	return len(text) >= published.TypeLength && published.BeginsWithType(strings.ToUpper(text[:published.TypeLength])) &&
		(len(text) == published.TypeLength || !pytext.IsWord(rune(text[published.TypeLength])))
}

func isFigure(r rune) bool { return r >= '0' && r <= '9' }

// marksLength is the length of the blanks, list marks and emphasis with which a line begins.
func marksLength(line string) int { return len(line) - len(strings.TrimLeft(line, " \t*_#>-`")) }

// cutWord divides a text after its first word.
func cutWord(text string) (word, rest string) {
	if end := strings.IndexAny(text, " \t"); end >= 0 {
		return text[:end], strings.TrimSpace(text[end:])
	}
	return text, ""
}

// itemAt returns the item whose marker stands at that place of a line and where
// its value begins, itemNone if there is no marker.
func itemAt(line string, at int) (name itemName, value int) {
	if at+1 < len(line) && line[at+1] == ')' {
		return lettered(line[at]), at + 2
	}
	const created, source = "CREATED:", "SOURCE:"
	switch {
	case published.HasPrefixFold(line[at:], created):
		return itemCreated, at + len(created)
	case published.HasPrefixFold(line[at:], source):
		return itemSource, at + len(source)
	}
	return itemNone, 0
}

func lettered(letter byte) itemName {
	switch letter &^= 0x20; {
	case letter == 'Q':
		return itemQ
	case letter >= 'A' && letter <= 'G':
		return itemA + itemName(letter-'A')
	}
	return itemNone
}

// noticeReader reads the lines from one notice to the next.
type noticeReader struct {
	lines  []string
	notice *notice
}

// read returns how many of the lines belong to the notice.
func (r *noticeReader) read() int {
	r.heading()
	const usual = 8 // with the text before the items
	r.notice.items = append(make([]item, 0, min(usual, 2*len(r.lines)-1)), item{first: 1, last: 1})
	marked := 0 // the last line with a marker
	for n := 1; n < len(r.lines); n++ {
		line := r.lines[n]
		from := marksLength(line)
		if name, value := itemAt(line, from); name > r.open().name {
			r.notice.marks += strings.TrimSpace(line[:from])
			r.begin(name, n, 0, value)
			marked = n
		}
		for name, at := r.inside(n); name != itemNone; name, at = r.inside(n) {
			r.begin(name, n, at, at+len("F)"))
			marked = n
		}
		r.open().last, r.open().end = n, len(line)
	}
	return r.end(marked)
}

// heading reads the first line.
func (r *noticeReader) heading() {
	line := r.lines[0]
	from := marksLength(line)
	r.notice.marks = strings.TrimSpace(line[:from])
	words := strings.Fields(strings.ToUpper(line[from:]))
	bare := strings.TrimRight(words[len(words)-1], "*_`")
	r.notice.marks += words[len(words)-1][len(bare):]
	words[len(words)-1] = bare
	for i, part := range []*string{&r.notice.id, &r.notice.kind, &r.notice.replaces} {
		if i < len(words) {
			*part = words[i]
		}
	}
	r.notice.other = strings.Join(words[min(3, len(words)):], " ")
}

func (r *noticeReader) open() *item { return &r.notice.items[len(r.notice.items)-1] }

// begin ends the item that is open before a place of a line, and opens another.
func (r *noticeReader) begin(name itemName, line, at, value int) {
	if open := r.open(); open.first == line || at > 0 {
		open.last, open.end = line, at
	}
	r.notice.items = append(r.notice.items, item{name: name, first: line, last: line, start: value, end: len(r.lines[line])})
}

// inside returns the next item that begins inside of a line, after the open
// one, and where its marker stands. In texts, only limits are found so.
func (r *noticeReader) inside(n int) (name itemName, at int) {
	line, open := r.lines[n], r.open()
	if open.name == itemNone || open.name >= itemG {
		return itemNone, 0
	}
	from := 0
	if open.first == n {
		from = open.start
	}
	upper := -1 // where the last upper limit stands
	if open.name == itemE || open.name == itemF {
		upper = max(strings.LastIndex(line, " G)"), strings.LastIndex(line, " g)"))
	}
	for {
		next := strings.IndexByte(line[from:], ')')
		if next < 0 {
			return itemNone, 0
		}
		from += next + 1
		at = from - len("F)")
		if at < 1 || line[at-1] != ' ' && line[at-1] != '\t' {
			continue
		}
		name = lettered(line[at])
		switch {
		case name <= open.name:
		case open.name < itemE && name <= itemE, open.name == itemF && name == itemG,
			open.name == itemE && name == itemF && at < upper:
			return name, at
		}
	}
}

// end is after the last line of the notice, given the last one with a marker:
// the next blank one, or, where that marker is CREATED or SOURCE, at once.
func (r *noticeReader) end(marked int) int {
	end := marked + 1
	at := r.open()
	for at.name < itemCreated && end < len(r.lines) && kindOf(r.lines[end]) != blankEntry {
		end++
	}
	switch {
	case end <= at.first: // there is no line after the first
		r.notice.items = nil
	case at.last >= end:
		at.last, at.end = end-1, len(r.lines[end-1])
	}
	return end
}

func printed(entries []entry) string {
	return plain.Text(slices.Concat(lists.Each(entries, func(e *entry) []string { return e.lines })...))
}

const counted = "NOTAM"
