package aviation

import (
	"slices"
	"strings"

	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
)

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
	if rest != "" && !hasPrefixFold(rest, "NOTAM") || identifierLength(strings.ToUpper(word)) != len(word) {
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
	return len(text) >= typeLength && beginsWithType(strings.ToUpper(text[:typeLength])) &&
		(len(text) == typeLength || !pytext.IsWord(rune(text[typeLength])))
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
	case hasPrefixFold(line[at:], created):
		return itemCreated, at + len(created)
	case hasPrefixFold(line[at:], source):
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
