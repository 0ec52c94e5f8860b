package accounting

import (
	"slices"
	"strings"

	"agentd/domains"
	"agentd/vfs"
)

const counted = "transaction"

// elements flattens files of any name by Ledger's own rules. Lines before the
// first entry have an order; those after it may change places with entries.
func elements(files vfs.Files) []domains.Element {
	var all []domains.Element
	place, started := 1, false
	outside := func(lines []string) {
		for _, text := range lines {
			if text = folded(text); text == "" {
				continue
			}
			all = append(all, domains.Element{
				Kind: "line", Key: "line outside entries", Fields: []domains.Field{{Value: text}}, Position: place,
			})
			if !started {
				place++
			}
		}
	}
	for _, name := range files.Names() {
		j := read(files[name])
		outside(j.opening)
		all = slices.Grow(all, len(j.entries))
		for i := range j.entries {
			started = true
			outside(j.entries[i].above)
			all = append(all, j.entries[i].element())
			outside(j.entries[i].margins())
		}
		outside(j.closing)
	}
	return all
}

// element lists postings and comments in a sorted way, so that entries that
// differ only in their order are recognised as identical.
func (e *entry) element() domains.Element {
	date, payee := normalDate(e.date), folded(e.payee)
	texts := 0
	for i := range e.lines {
		if e.lines[i].text != "" {
			texts++
		}
	}
	const words = 6 // of a header
	fields := make([]domains.Field, 0, words+len(e.lines)+texts)
	add := func(name, value string) {
		if value != "" {
			fields = append(fields, domains.Field{Name: name, Value: value})
		}
	}
	add("date", date)
	add("mark", e.mark)
	add("code", folded(e.code))
	add("payee", payee)
	add("note", folded(e.note))
	postings := len(fields)
	for i := range e.lines {
		if l := &e.lines[i]; l.kind == postingLine {
			add(postingField, l.posting())
		}
	}
	comments := len(fields)
	add("comment", folded(e.comment))
	for i := range e.lines {
		if l := &e.lines[i]; l.kind != marginLine {
			add("comment", folded(l.text))
		}
	}
	sortByValue(fields[postings:comments])
	sortByValue(fields[comments:])
	return domains.Element{Kind: counted, Key: date + " " + payee, Fields: fields}
}

func sortByValue(fields []domains.Field) {
	slices.SortFunc(fields, func(a, b domains.Field) int { return strings.Compare(a.Value, b.Value) })
}

func (l *line) posting() string {
	account := folded(l.markedAccount())
	if l.amount == "" {
		return account
	}
	return account + postingGap + normalAmount(l.amount)
}

func (e *entry) margins() []string {
	var texts []string
	for i := range e.lines {
		if e.lines[i].kind == marginLine {
			texts = append(texts, e.lines[i].text)
		}
	}
	return texts
}
