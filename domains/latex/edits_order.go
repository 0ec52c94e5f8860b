package latex

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// sortByCitations sorts the entries by how often they are cited.
func sortByCitations(p struct{ Document, Bibliography, To, Entries, Table string }) exact.Steps {
	forward := func(s *source, _ string, files vfs.Files) (r revision, err error) {
		l, err := readLibrary(files, p.Bibliography)
		if err != nil {
			return r, err
		}
		times := map[string]int{}
		s.cited(func(command string, keys []place) {
			for _, key := range keys {
				if command != "nocite" {
					times[key.name]++
				}
			}
		})
		table := [][]string{{"key", "citations"}}
		for _, u := range l.units {
			table = append(table, []string{u.key, strconv.Itoa(times[u.key])})
		}
		slices.SortStableFunc(l.units, func(a, b unit) int {
			return cmp.Or(-cmp.Compare(times[a.key], times[b.key]), cmp.Compare(a.key, b.key))
		})
		return revision{bibliography: l.print(), files: vfs.Files{p.Table: plain.WriteCSV(table)}}, nil
	}
	backward := func(_ *source, _ string, files vfs.Files) (r revision, err error) {
		l, err := readLibrary(files, p.Entries)
		if err != nil {
			return r, err
		}
		rows, err := plain.Table(files, p.Table, "key")
		if err == nil {
			err = l.order(slices.Concat(rows...))
		}
		return revision{bibliography: l.print()}, err
	}
	return revise(papers{p.Document, p.Bibliography}, papers{p.To, p.Entries}, forward, backward)
}

// splitByType gives groups of entry types files of their own, which the paper names in the order
// of the groups.
func splitByType(p struct {
	Document, Bibliography, To string
	Groups                     []struct {
		File  string
		Types []string
	}
	Others  string // the file for other types
	Strings string // the file for what stands above all entries
	Table   string
}) exact.Steps {
	order := []string{p.Strings}
	fileOf := map[string]string{}
	for _, group := range p.Groups {
		order = append(order, group.File)
		for _, t := range group.Types {
			fileOf[t] = group.File
		}
	}
	order = append(order, p.Others)
	forward := func(files vfs.Files) (vfs.Files, error) {
		s, err := readSource(files, p.Document)
		if err != nil {
			return nil, err
		}
		l, err := readLibrary(files, p.Bibliography)
		if err != nil {
			return nil, err
		}
		if l.tail != "" {
			return nil, errBetween
		}
		parts, table := l.divided(func(kind string) string { return cmp.Or(fileOf[kind], p.Others) })
		if l.head != "" {
			parts[p.Strings] = &library{head: l.head}
		}
		made := vfs.Files{p.Table: plain.WriteCSV(table)}
		var names []string
		for _, name := range order {
			if part := parts[name]; part != nil {
				names = append(names, stem(name))
				made[name] = part.print()
			}
		}
		changes, err := s.withBibliographyName(nil, p.Bibliography, strings.Join(names, ",")+".bib")
		made[p.To] = withChanges(s.text, changes)
		return made, err
	}
	backward := func(files vfs.Files) (vfs.Files, error) {
		s, err := readSource(files, p.To)
		if err != nil {
			return nil, err
		}
		name, err := s.bibliographyName()
		if err != nil {
			return nil, err
		}
		whole, err := joinedLibrary(files, p.Table)
		if err != nil {
			return nil, err
		}
		whole.head = files[p.Strings]
		text := withChanges(s.text, []change{name.renamed(stem(p.Bibliography))})
		return vfs.Files{p.Document: text, p.Bibliography: whole.print()}, nil
	}
	return exact.Steps{Forward: forward, Backward: backward}
}

// divided gives each file the entries whose type leads to it, and says in a table which.
func (l *library) divided(file func(kind string) string) (parts map[string]*library, table [][]string) {
	parts, table = map[string]*library{}, [][]string{{"position", "file"}}
	for n, u := range l.units {
		name := file(strings.ToLower(u.name))
		if parts[name] == nil {
			parts[name] = &library{}
		}
		parts[name].units = append(parts[name].units, u)
		table = append(table, []string{strconv.Itoa(n + 1), name})
	}
	return parts, table
}

// joinedLibrary takes the entries from the files that a table names.
func joinedLibrary(files vfs.Files, table string) (*library, error) {
	rows, err := plain.Table(files, table, "position", "file")
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(rows, plain.ByNumber)
	whole, parts := &library{}, map[string]*library{}
	for _, row := range rows {
		file := row[1]
		if parts[file] == nil {
			if parts[file], err = readLibrary(files, file); err != nil {
				return nil, err
			}
		}
		part := parts[file]
		if len(part.units) == 0 {
			return nil, errors.New(file + " has no more entries")
		}
		whole.units = append(whole.units, part.units[0])
		part.units = part.units[1:]
	}
	return whole, nil
}
