package latex

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	rankedName = "ranked"
	orderFile  = "order.csv"
)

// rank sorts the entries by how often they are cited.
func rank(files vfs.Files) (vfs.Files, error) {
	s, err := readSource(files, paperFile)
	if err != nil {
		return nil, err
	}
	l, err := readLibrary(files, bibliographyFile)
	if err != nil {
		return nil, err
	}
	times := map[string]int{}
	s.cited(func(command string, keys []place) {
		if command == "nocite" {
			return
		}
		for _, key := range keys {
			times[key.name]++
		}
	})
	table := [][]string{{"key", "citations"}}
	for _, u := range l.units {
		table = append(table, []string{u.key, strconv.Itoa(times[u.key])})
	}
	slices.SortStableFunc(l.units, func(a, b unit) int {
		return cmp.Or(-cmp.Compare(times[a.key], times[b.key]), cmp.Compare(a.key, b.key))
	})
	text, err := s.withBibliographyName(documentName, rankedName)
	if err != nil {
		return nil, err
	}
	return vfs.Files{rankedName + ".tex": text, rankedName + ".bib": l.print(), orderFile: plain.WriteCSV(table)}, nil
}

func unrank(files vfs.Files) (vfs.Files, error) {
	l, err := readLibrary(files, rankedName+".bib")
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, orderFile, "key")
	if err != nil {
		return nil, err
	}
	if l.units, err = l.ordered(firstColumn(rows)); err != nil {
		return nil, err
	}
	return withPaper(files, rankedName+".tex", rankedName, l.print())
}

// Names of what types_apart makes.
const (
	typedFile     = "typed.tex"
	positionsFile = "positions.csv"
	stringsName   = "strings"
)

// typeNames are the files by type, in the order in which the paper names them;
// the last takes the types that no other one has.
var typeNames = []struct {
	name  string
	types []string
}{
	{"articles", []string{"article"}},
	{"books", []string{"book", "inbook", "incollection", "booklet"}},
	{"proceedings", []string{"inproceedings", "conference", "proceedings"}},
	{"reports", []string{"techreport", "phdthesis", "mastersthesis", "manual"}},
	{"others", nil},
}

func typeName(kind string) string {
	for _, t := range typeNames {
		if slices.Contains(t.types, strings.ToLower(kind)) {
			return t.name
		}
	}
	return typeNames[len(typeNames)-1].name
}

// splitTypes gives each group of entry types a file of its own.
func splitTypes(files vfs.Files) (vfs.Files, error) {
	s, err := readSource(files, paperFile)
	if err != nil {
		return nil, err
	}
	l, err := readLibrary(files, bibliographyFile)
	if err != nil {
		return nil, err
	}
	if l.tail != "" {
		return nil, errBetween
	}
	parts := map[string]*library{}
	table := [][]string{{"position", "file"}}
	for n, u := range l.units {
		name := typeName(u.name)
		if parts[name] == nil {
			parts[name] = &library{}
		}
		parts[name].units = append(parts[name].units, u)
		table = append(table, []string{strconv.Itoa(n + 1), name + ".bib"})
	}
	results := vfs.Files{positionsFile: plain.WriteCSV(table)}
	var names []string
	if l.head != "" {
		names = append(names, stringsName)
		results[stringsName+".bib"] = trimLines(l.head)
	}
	for _, t := range typeNames {
		if part := parts[t.name]; part != nil {
			names = append(names, t.name)
			results[t.name+".bib"] = part.print()
		}
	}
	results[typedFile], err = s.withBibliographyName(documentName, strings.Join(names, ","))
	return results, err
}

func joinTypes(files vfs.Files) (vfs.Files, error) {
	s, err := readSource(files, typedFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, positionsFile, "position", "file")
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(rows, plain.ByNumber)
	name, err := s.bibliographyName()
	if err != nil {
		return nil, err
	}
	whole := &library{head: files[stringsName+".bib"]}
	parts := map[string]*library{}
	for _, row := range rows {
		file := row[1]
		if parts[file] == nil {
			if parts[file], err = readLibrary(files, file); err != nil {
				return nil, err
			}
		}
		part := parts[file]
		if len(part.units) == 0 {
			return nil, errNoEntries
		}
		whole.units = append(whole.units, part.units[0])
		part.units = part.units[1:]
	}
	return vfs.Files{paperFile: s.changed([]change{name.renamed(documentName)}), bibliographyFile: whole.print()}, nil
}
