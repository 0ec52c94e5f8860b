package dns

import (
	"slices"
	"strings"

	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
)

func (f *zoneFile) print() string {
	return plain.Text(lists.Each(f.entries, func(e *entry) string { return e.text }))
}

// splice is a change of an entry's text.
type splice struct {
	start, end int
	text       string
}

// splice changes an entry in places that are in order, and reads it again. What
// would make something else of it than it is, such as an owner of two words, is
// not done.
func (e *entry) splice(changes ...splice) {
	if len(changes) == 0 {
		return
	}
	parts := func(c splice) (start, end int, text string) { return c.start, c.end, c.text }
	changed := readEntry(plain.Splice(e.text, changes, parts))
	if changed.kind != e.kind {
		return
	}
	changed.origin, changed.name, changed.seconds = e.origin, e.name, e.seconds
	*e = changed
}

// replace is the splice that puts a text in place of a word.
func (e *entry) replace(n int, text string) splice {
	return splice{int(e.words[n].start), int(e.words[n].end), text}
}

// setOwner writes an owner, or takes it away if it is empty.
func (e *entry) setOwner(text string) {
	switch {
	case e.kind != recordEntry:
	case e.owner >= 0 && text == "" && len(e.words) > 1:
		end := int(e.words[0].end)
		e.splice(splice{0, end, blankAfter(e.text, end)})
	case e.owner >= 0:
		e.splice(e.replace(e.owner, text))
	case text != "":
		e.splice(splice{0, 0, text})
	}
}

// blankAfter is what an indentation needs if no blank follows.
func blankAfter(text string, at int) string {
	if at < len(text) && (text[at] == ' ' || text[at] == '\t') {
		return ""
	}
	return "\t"
}

// setTTL writes a TTL before the class, or takes it away if it is empty.
func (e *entry) setTTL(text string) {
	switch {
	case e.kind != recordEntry:
	case e.ttl >= 0 && text == "":
		e.splice(splice{int(e.words[e.ttl].start), int(e.words[e.ttl+1].start), ""})
	case e.ttl >= 0:
		e.splice(e.replace(e.ttl, text))
	case text != "":
		next := int(e.words[e.owner+1].start)
		e.splice(splice{next, next, text + " "})
	}
}

// settle writes out the owners and TTLs that records no longer inherit, after
// entries were left out or moved.
func settle(entries []entry, origin string) {
	was := slices.Clone(entries)
	resolveEntries(entries, origin)
	for i := range entries {
		e := &entries[i]
		if e.kind != recordEntry {
			continue
		}
		if !strings.EqualFold(e.name, was[i].name) {
			e.setOwner(was[i].name)
		}
		if e.seconds != was[i].seconds && was[i].seconds != noTTL {
			e.setTTL(decimal(was[i].seconds))
		}
	}
	for i := range entries {
		entries[i].name, entries[i].seconds = was[i].name, was[i].seconds
	}
}
