package latex

import (
	"errors"
	"fmt"
	"strings"

	"golang.org/x/text/unicode/norm"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

const (
	keyedName = "keyed"
	keysFile  = "keys.csv"
)

// toAuthorYear gives entries keys of author and year, with a letter where
// several would have the same.
func toAuthorYear(files vfs.Files) (vfs.Files, error) {
	text, err := plain.File(files, bibliographyFile)
	if err != nil {
		return nil, err
	}
	var keys []string
	var bases []string
	times := map[string]int{}
	for _, it := range readBib(text) {
		if it.kind != entryItem {
			continue
		}
		base := authorYear(&it)
		keys, bases = append(keys, it.key), append(bases, base)
		times[base]++
	}
	if len(keys) == 0 {
		return nil, errNoEntries
	}
	names := map[string]string{}
	next := map[string]byte{}
	table := [][]string{{"key", "renamed"}}
	for i, key := range keys {
		name := bases[i]
		if times[name] > 1 {
			if next[name] == 26 {
				return nil, fmt.Errorf("more than 26 entries of %s", name)
			}
			next[name]++
			name += string('a' + next[name] - 1)
		}
		if key == "" || names[key] != "" {
			return nil, fmt.Errorf("the key %q occurs twice", key)
		}
		names[key] = name
		table = append(table, []string{key, name})
	}
	results, err := renameKeys(files, names, step{paperFile, bibliographyFile, documentName}, step{keyedName + ".tex", keyedName + ".bib", keyedName})
	if err != nil {
		return nil, err
	}
	results[keysFile] = plain.WriteCSV(table)
	return results, nil
}

// authorYear is the last name of the first author, or otherwise editor, and the year.
func authorYear(it *item) string {
	w := works{}
	person := w.plain(it.value("author"))
	if person == "" {
		person = w.plain(it.value("editor"))
	}
	person, _, _ = strings.Cut(person, " and ")
	last, _, _ := strings.Cut(lastFirst(person), ",")
	name, year := letters(last), digits(w.plain(it.value("year")))
	if name == "" {
		name = "anon"
	}
	if year == "" {
		year = "nd"
	}
	return name + year
}

// letters are the letters of a name, in lower case and without accents.
func letters(name string) string {
	return strings.Map(func(r rune) rune {
		if r < 'a' || r > 'z' {
			return -1
		}
		return r
	}, norm.NFD.String(pytext.Lower(name)))
}

func digits(year string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, year)
}

// step is the state of the files before or after a step.
type step struct{ paper, bibliography, name string }

// renameKeys renames entries, and the citations of them.
func renameKeys(files vfs.Files, names map[string]string, from, to step) (vfs.Files, error) {
	s, err := readSource(files, from.paper)
	if err != nil {
		return nil, err
	}
	text, err := plain.File(files, from.bibliography)
	if err != nil {
		return nil, err
	}
	isNew := map[string]bool{}
	for _, name := range names {
		isNew[name] = true
	}
	var changes []change
	s.cited(func(_ string, keys []place) {
		for _, key := range keys {
			if name := names[key.name]; name != "" {
				changes = append(changes, key.renamed(name))
			} else if isNew[key.name] {
				err = fmt.Errorf("a citation leads to %s, which is another entry's new key", key.name)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	bib, err := renamedEntries(text, names)
	if err != nil {
		return nil, err
	}
	paper, err := s.withBibliographyName(from.name, to.name, changes...)
	if err != nil {
		return nil, err
	}
	return vfs.Files{to.paper: paper, to.bibliography: bib}, nil
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

func fromAuthorYear(files vfs.Files) (vfs.Files, error) {
	rows, err := plain.Table(files, keysFile, "renamed", "key")
	if err != nil {
		return nil, err
	}
	names := map[string]string{}
	for _, row := range rows {
		names[row[0]] = row[1]
	}
	return renameKeys(files, names, step{keyedName + ".tex", keyedName + ".bib", keyedName}, step{paperFile, bibliographyFile, documentName})
}
