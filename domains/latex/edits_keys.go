package latex

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/text/unicode/norm"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// authorYearKeys gives entries keys of author and year, with a letter where
// several would have the same.
func authorYearKeys(p struct{ Document, Bibliography, To, Entries, Table string }) exact.Steps {
	forward := func(s *source, bibliography string, files vfs.Files) (r revision, err error) {
		table, err := authorYears(bibliography)
		if err != nil {
			return r, err
		}
		names := map[string]string{}
		for _, row := range table[1:] {
			names[row[0]] = row[1]
		}
		r, err = s.renamedKeys(bibliography, names)
		r.files = vfs.Files{p.Table: plain.WriteCSV(table)}
		return r, err
	}
	backward := func(s *source, bibliography string, files vfs.Files) (r revision, err error) {
		names, err := exact.ReadRegister(files, p.Table, "renamed", "key")
		if err != nil {
			return r, err
		}
		return s.renamedKeys(bibliography, names)
	}
	return revise(papers{p.Document, p.Bibliography}, papers{p.To, p.Entries}, forward, backward)
}

// authorYears is the table of the keys of entries and their new ones.
func authorYears(text string) ([][]string, error) {
	table := [][]string{{"key", "renamed"}}
	times, next, met := map[string]int{}, map[string]int{}, map[string]bool{}
	for _, it := range readBib(text) {
		if it.kind != entryItem {
			continue
		}
		if it.key == "" || met[it.key] {
			return nil, fmt.Errorf("the key %q occurs twice", it.key)
		}
		met[it.key] = true
		base := authorYear(&it)
		times[base]++
		table = append(table, []string{it.key, base})
	}
	if len(table) == 1 {
		return nil, errNoEntries
	}
	for _, row := range table[1:] {
		if base := row[1]; times[base] > 1 {
			if next[base] == 26 {
				return nil, fmt.Errorf("more than 26 entries of %s", base)
			}
			row[1] += string(rune('a' + next[base]))
			next[base]++
		}
	}
	return table, nil
}

// authorYear is the last name of the first author, or otherwise editor, in small letters without
// accents, and the year.
func authorYear(it *item) string {
	w := works{}
	person, _, _ := strings.Cut(cmp.Or(w.plain(it.value("author")), w.plain(it.value("editor"))), " and ")
	last, _, _ := strings.Cut(lastFirst(person), ",")
	name, year := only('a', 'z', norm.NFD.String(pytext.Lower(last))), only('0', '9', w.plain(it.value("year")))
	return cmp.Or(name, "anon") + cmp.Or(year, "nd")
}

// only are the characters of a text from one to another.
func only(from, to rune, text string) string {
	return strings.Map(func(r rune) rune {
		if r < from || r > to {
			return -1
		}
		return r
	}, text)
}

// renamedKeys renames entries, and the citations of them.
func (s *source) renamedKeys(text string, names map[string]string) (r revision, err error) {
	isNew := values(names)
	s.cited(func(_ string, keys []place) {
		for _, key := range keys {
			if name := names[key.name]; name != "" {
				r.changes = append(r.changes, key.renamed(name))
			} else if isNew[key.name] {
				err = fmt.Errorf("a citation leads to %s, which is another entry's new key", key.name)
			}
		}
	})
	if err == nil {
		r.bibliography, err = renamedEntries(text, names)
	}
	return r, err
}

func renamedEntries(text string, names map[string]string) (string, error) {
	var changes []change
	for _, it := range readBib(text) {
		switch {
		case it.kind != entryItem:
		case it.value("crossref") != "":
			return "", errors.New("an entry has a crossref")
		case names[it.key] == "":
			return "", fmt.Errorf("no other key for the entry %q", it.key)
		default:
			changes = append(changes, place{it.keyAt, it.key}.renamed(names[it.key]))
		}
	}
	return withChanges(text, changes), nil
}
