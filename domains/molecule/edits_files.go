package molecule

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	indexFile   = "library_index.csv"
	classFile   = "classes.csv"
	bareFile    = "structures.sdf"
	fieldsFile  = "properties.csv"
	classIonic  = "ionic.sdf"
	classSulfur = "sulfur.sdf"
	classNitro  = "nitrogen.sdf"
	classOther  = "other.sdf"
)

// splitRecords writes each record to a file of its own, and an index.
func splitRecords(files vfs.Files) (vfs.Files, error) {
	entries, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	index := [][]string{{"position", "id", "title", "file"}}
	split := vfs.Files{}
	for n, e := range entries {
		id, err := e.id()
		if err != nil {
			return nil, err
		}
		name := "standard_" + id + ".sdf"
		if _, taken := split[name]; taken {
			return nil, fmt.Errorf("two records have the ID %s", id)
		}
		split[name] = e.print()
		index = append(index, []string{strconv.Itoa(n + 1), id, e.title(), name})
	}
	split[indexFile] = plain.WriteCSV(index)
	return split, nil
}

func mergeRecords(files vfs.Files) (vfs.Files, error) {
	return mergeListed(files, indexFile)
}

// mergeListed puts records together in the order in which a table lists their
// files by position. Records of one file follow each other; what it does not
// list comes last.
func mergeListed(files vfs.Files, table string) (vfs.Files, error) {
	rows, err := plain.Table(files, table, "position", "file")
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(rows, plain.ByNumber)
	files = files.Match(patterns)
	left := map[string][]*entry{}
	for _, name := range files.Names() {
		if left[name], err = readEntries(name, files[name]); err != nil {
			return nil, err
		}
	}
	var all []*entry
	for _, row := range rows {
		if name := strings.TrimSpace(row[1]); len(left[name]) > 0 {
			all = append(all, left[name][0])
			left[name] = left[name][1:]
		}
	}
	for _, name := range files.Names() {
		all = append(all, left[name]...)
	}
	if len(all) == 0 {
		return nil, errNoEntries
	}
	return asDocument(all), nil
}

// splitClasses divides records by what they are made of.
func splitClasses(files vfs.Files) (vfs.Files, error) {
	entries, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	table := [][]string{{"position", "title", "file"}}
	classes := map[string][]*entry{}
	for n, e := range entries {
		class := e.class()
		classes[class] = append(classes[class], e)
		table = append(table, []string{strconv.Itoa(n + 1), e.title(), class})
	}
	split := vfs.Files{classFile: plain.WriteCSV(table)}
	for name, members := range classes {
		split[name] = printAll(members)
	}
	return split, nil
}

func mergeClasses(files vfs.Files) (vfs.Files, error) {
	return mergeListed(files, classFile)
}

func (e *entry) class() string {
	t := e.table()
	charged, elements := false, map[string]bool{}
	for i := range t.atoms {
		charged = charged || t.atoms[i].charge != 0
		elements[t.symbols[i]] = true
	}
	switch {
	case charged:
		return classIonic
	case elements["S"]:
		return classSulfur
	case elements["N"]:
		return classNitro
	}
	return classOther
}

// takeFields moves all data fields to a table.
func takeFields(files vfs.Files) (vfs.Files, error) {
	entries, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	table := [][]string{{"record", "name", "value"}}
	for n, e := range entries {
		for i := range e.data {
			d := &e.data[i]
			if err := d.isPlain(); err != nil {
				return nil, err
			}
			table = append(table, []string{strconv.Itoa(n + 1), d.name(), strings.Join(d.lines, "\n")})
		}
		e.data = nil
	}
	return vfs.Files{bareFile: printAll(entries), fieldsFile: plain.WriteCSV(table)}, nil
}

// isPlain refuses headers that say more than the name of the field.
func (d *datum) isPlain() error {
	if d.name() == "" || d.note() != "" {
		return fmt.Errorf("the header %q is not only a name", d.header)
	}
	return nil
}

func giveFields(files vfs.Files) (vfs.Files, error) {
	entries, err := readNamed(files, bareFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, fieldsFile, "record", "name", "value")
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		if n := number(strings.TrimSpace(row[0])); n >= 1 && n <= len(entries) {
			entries[n-1].add(row[1], row[2])
		}
	}
	return asDocument(entries), nil
}
