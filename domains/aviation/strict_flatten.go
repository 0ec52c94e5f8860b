package aviation

import (
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
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
func normal(text string) string { return strings.Join(strings.Fields(strings.ToUpper(text)), " ") }

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
