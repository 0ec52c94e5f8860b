package latex

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// library is a .bib file as an oracle works on it.
type library struct {
	head  string // up to the last abbreviation or preamble
	units []unit
	tail  string // below the last entry
}

// unit is an entry with the comment lines above it.
type unit struct {
	text string
	item
}

var (
	errNoEntries = errors.New("the bibliography has no entry")
	errLayout    = errors.New("an entry does not stand on lines of its own")
	errOpen      = errors.New("an entry is not closed")
	errBetween   = errors.New("abbreviations, preambles and @comment must stand above the entries")
)

// readLibrary reads the .bib file that an oracle needs.
func readLibrary(files vfs.Files, name string) (*library, error) {
	text, err := plain.File(files, name)
	if err != nil {
		return nil, err
	}
	l, err := divide(strings.TrimPrefix(pytext.UniversalNewlines(text), "\ufeff"))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return l, nil
}

// divide is the reading of a .bib file into entries with what stands above them.
func divide(text string) (*library, error) {
	l := &library{}
	from := 0
	for _, it := range readBib(text) {
		switch {
		case it.kind == lineItem || it.kind == commentItem && strings.HasPrefix(it.text, "%"):
			continue
		case it.open:
			return nil, errOpen
		case it.at > 0 && text[it.at-1] != '\n':
			return nil, errLayout
		}
		end := afterLine(text, it.end)
		if end < 0 {
			return nil, errLayout
		}
		if it.kind != entryItem {
			if len(l.units) > 0 {
				return nil, errBetween
			}
			l.head = text[:end]
		} else {
			l.units = append(l.units, unit{text: trimLines(text[from:end]), item: it})
		}
		from = end
	}
	if len(l.units) == 0 {
		return nil, errNoEntries
	}
	l.tail = trimLines(text[from:])
	return l, nil
}

// afterLine is the place after the line end that follows, -1 if other text
// stands before it.
func afterLine(text string, at int) int {
	rest := strings.TrimLeft(text[at:], " \t")
	switch {
	case rest == "":
		return len(text)
	case rest[0] == '\n':
		return len(text) - len(rest) + 1
	}
	return -1
}

// trimLines is a text without empty lines around it, ended by a line end.
func trimLines(text string) string {
	isBlank := func(line string) bool { return pytext.Strip(line) == "" }
	return plain.Text(lists.Trim(strings.Split(text, "\n"), isBlank))
}

// print writes units with an empty line between them.
func (l *library) print() string {
	units := lists.Map(l.units, func(u unit) string { return u.text })
	parts := slices.Concat([]string{trimLines(l.head)}, units, []string{l.tail})
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), "\n")
}

// order puts the units in the order of their keys, each of which must occur.
func (l *library) order(keys []string) error {
	var ordered []unit
	for _, key := range keys {
		at := slices.IndexFunc(l.units, func(u unit) bool { return u.key == key })
		if at < 0 {
			return fmt.Errorf("the bibliography has no entry %s", key)
		}
		ordered = append(ordered, l.units[at])
		l.units = slices.Delete(l.units, at, at+1)
	}
	if len(l.units) > 0 {
		return fmt.Errorf("no place is given for the entry %s", l.units[0].key)
	}
	l.units = ordered
	return nil
}
