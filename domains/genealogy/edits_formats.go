package genealogy

import (
	"fmt"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// entry is a line in JSON. The levels follow from the nesting.
type entry struct {
	Pointer string  `json:"pointer,omitempty"`
	Tag     string  `json:"tag,omitempty"` // none on a line that is none of GEDCOM
	Value   string  `json:"value,omitempty"`
	Lines   []entry `json:"lines,omitempty"`
}

// inJSON makes an array with an object for each record.
func inJSON(p struct{ Document, To string }) exact.Steps {
	return trees.Whole(p.Document, func(records []*line) (vfs.Files, error) {
		array, err := plain.JSONArray(entriesOf(records))
		return vfs.Files{p.To: strings.ReplaceAll(array, "\n  ", "\n")}, err // texts have no line break in JSON
	}, func(files vfs.Files) ([]*line, error) {
		var entries []entry
		err := plain.JSON(files, p.To, &entries)
		if err == nil && len(entries) == 0 {
			err = fmt.Errorf("%s has no record", p.To)
		}
		return linesOf(entries, 0), err
	})
}

func entriesOf(lines []*line) []entry {
	return lists.Map(lines, func(l *line) entry { return entry{l.pointer, l.tag, l.value, entriesOf(l.lines)} })
}

func linesOf(entries []entry, level int) []*line {
	return lists.Map(entries, func(e entry) *line {
		return &line{level: level, pointer: e.Pointer, tag: e.Tag, value: e.Value, lines: linesOf(e.Lines, level+1)}
	})
}

// isoDates writes dates of day, month and year as in 1836-03-13, with a tag of their own. Only
// those in the one form that can be told from these are rewritten.
func isoDates(p struct{ Document, To, Tag string }) exact.Steps {
	return trees.Change(p.Document, p.To, func(records *[]*line) {
		each(inTree(*records), "DATE", func(l *line) {
			if d, ok := readDay(l.value); ok {
				l.tag, l.value = p.Tag, fmt.Sprintf("%04d-%02d-%02d", d.year, d.month, d.day)
			}
		})
	}, func(records *[]*line) {
		each(inTree(*records), p.Tag, func(l *line) { l.tag, l.value = "DATE", normalDate(l.value) })
	})
}

// codePlaces replaces places by codes, and counts in the table how often each occurs.
func codePlaces(p struct{ Document, To, First, Table string }) exact.Steps {
	return trees.Rewrite(p.Document, p.To, func(records *[]*line) (vfs.Files, error) {
		codes, uses := exact.Codes{New: exact.Counting(p.First)}, map[string]int{}
		each(*records, "PLAC", func(l *line) {
			uses[l.value]++
			l.value = codes.Of(l.value)
		})
		count := func(place string) []string { return []string{strconv.Itoa(uses[place])} }
		return vfs.Files{p.Table: codes.Table(count, "id", "place", "uses")}, nil
	}, func(records *[]*line, files vfs.Files) error {
		places, err := exact.ReadRegister(files, p.Table, "id", "place")
		each(*records, "PLAC", func(l *line) {
			if place, ok := places[strings.TrimSpace(l.value)]; ok {
				l.value = place
			}
		})
		return err
	})
}
