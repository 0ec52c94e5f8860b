package accounting

import (
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/pytext"
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
			if text = pytext.Collapse(text); text == "" {
				continue
			}
			if text[0] == ';' || text[0] == '#' {
				text = remark(text)
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
	date, payee := normalDate(e.date), pytext.Collapse(e.payee)
	const words = 6 // of a header
	fields := make([]domains.Field, 0, words+2*len(e.lines))
	add := func(name, value string) {
		if value != "" {
			fields = append(fields, domains.Field{Name: name, Value: value})
		}
	}
	add("date", date)
	add("mark", e.mark)
	add("code", pytext.Collapse(e.code))
	add("payee", payee)
	add("note", pytext.Collapse(e.note))
	postings := len(fields)
	for i := range e.lines {
		if l := &e.lines[i]; l.kind == postingLine {
			add(postingField, l.posting())
		}
	}
	comments := len(fields)
	add("comment", remark(e.comment))
	for i := range e.lines {
		if l := &e.lines[i]; l.kind != marginLine {
			add("comment", remark(l.text))
		}
	}
	sortByValue(fields[postings:comments])
	sortByValue(fields[comments:])
	return domains.Element{Kind: counted, Key: date + " " + payee, Fields: fields}
}

// remark is a comment without letter case and with one kind of quotes, which mean nothing in it.
func remark(text string) string {
	return strings.ReplaceAll(strings.ToLower(pytext.Collapse(text)), `"`, "'")
}

func sortByValue(fields []domains.Field) {
	slices.SortFunc(fields, func(a, b domains.Field) int { return strings.Compare(a.Value, b.Value) })
}

func (l *line) posting() string {
	account := pytext.Collapse(l.markedAccount())
	if l.amount == "" {
		return account
	}
	return account + postingGap + normalAmount(l.amount)
}

// isPosted reports whether an element is a transaction that posts an amount, or to two
// accounts. A line of a log that begins with a date looks like the header of a
// transaction, and what is indented below it like an account.
func isPosted(e *domains.Element) bool {
	postings := 0
	for _, f := range e.Fields {
		if f.Name != postingField {
			continue
		}
		if postings++; postings > 1 || strings.Contains(f.Value, postingGap) {
			return true
		}
	}
	return false
}

// without leaves out entries; the lines around them stay.
func without(_, text string, leave func() bool) string {
	j := read(text)
	entries := j.entries
	j.entries = nil
	var above []string
	for _, e := range entries {
		above = append(above, e.above...)
		if !leave() {
			e.above, above = above, nil
			j.entries = append(j.entries, e)
		}
	}
	j.closing = append(above, j.closing...)
	return j.print()
}

func (e *entry) margins() []string {
	return lists.Found(e.lines, func(l *line) (string, bool) { return l.text, l.kind == marginLine })
}
