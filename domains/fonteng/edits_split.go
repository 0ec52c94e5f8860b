package fonteng

import (
	"cmp"
	"slices"
	"strconv"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	classesFile = "10_classes.fea"
	layoutFile  = "20_layout.fea"
	tablesFile  = "30_tables.fea"
	indexFile   = "index.csv"
)

var moduleFiles = []string{classesFile, layoutFile, tablesFile}

// toModules splits a document by what statements are for.
func toModules(files vfs.Files) (vfs.Files, error) {
	d, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	modules := map[string]*document{}
	for _, name := range moduleFiles {
		modules[name] = &document{}
	}
	index := [][]string{{"position", "file"}}
	for i, e := range d.entries {
		name := e.module()
		modules[name].entries = append(modules[name].entries, e)
		index = append(index, []string{strconv.Itoa(i + 1), name})
	}
	modules[tablesFile].below = d.below
	made := vfs.Files{indexFile: plain.WriteCSV(index)}
	for name, module := range modules {
		made[name] = module.print()
	}
	return made, nil
}

func (e *entry) module() string {
	_, isClass := e.className()
	switch {
	case isClass || e.text(0) == "languagesystem" || isDefinition(e.text(0)):
		return classesFile
	case e.isBlock("table"):
		return tablesFile
	}
	return layoutFile
}

func fromModules(files vfs.Files) (vfs.Files, error) {
	index, err := plain.Table(files, indexFile, "position", "file")
	if err != nil {
		return nil, err
	}
	rest := map[string][]*entry{}
	d := &document{}
	for _, name := range moduleFiles {
		text, err := plain.File(files, name)
		if err != nil {
			return nil, err
		}
		module := read(text)
		rest[name] = module.entries
		d.below += module.below
	}
	slices.SortStableFunc(index, plain.ByNumber)
	for _, row := range index {
		if queue := rest[row[1]]; len(queue) > 0 {
			d.entries = append(d.entries, queue[0])
			rest[row[1]] = queue[1:]
		}
	}
	for _, name := range moduleFiles {
		d.entries = append(d.entries, rest[name]...)
	}
	if _, err := d.withStatements(); err != nil {
		return nil, err
	}
	return d.asDocument(), nil
}

const (
	sortedFile = "alphabetical.fea"
	orderFile  = "order.csv"
)

// features are the places of the features among the entries.
func (d *document) features() []int {
	var places []int
	for i, e := range d.entries {
		if e.isBlock("feature") {
			places = append(places, i)
		}
	}
	return places
}

// sortFeatures sorts features by their tags, in the places that features have.
func sortFeatures(files vfs.Files) (vfs.Files, error) {
	d, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	places := d.features()
	order := make([]int, len(places))
	for i := range order {
		order[i] = i
	}
	before := make([]*entry, len(places))
	for i, place := range places {
		before[i] = d.entries[place]
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(before[a].text(1), before[b].text(1)) })
	table := [][]string{{"feature", "position"}}
	for i, was := range order {
		d.entries[places[i]] = before[was]
		table = append(table, []string{before[was].text(1), strconv.Itoa(was + 1)})
	}
	return vfs.Files{sortedFile: d.print(), orderFile: plain.WriteCSV(table)}, nil
}

// unsortFeatures gives the features the positions of the table: the first of a
// tag the position in the first row of it. Those that are in no row come last.
func unsortFeatures(files vfs.Files) (vfs.Files, error) {
	d, err := readNamed(files, sortedFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, orderFile, "feature", "position")
	if err != nil {
		return nil, err
	}
	notes := plain.NotesBy(rows, func(row []string) string { return row[0] })
	type placed struct {
		entry    *entry
		position int
	}
	places := d.features()
	var all []placed
	for _, place := range places {
		position := len(rows) + 1
		if row := notes.Take(d.entries[place].text(1)); row != nil {
			position = plain.LineNumber(row[1])
		}
		all = append(all, placed{d.entries[place], position})
	}
	slices.SortStableFunc(all, func(a, b placed) int { return cmp.Compare(a.position, b.position) })
	for i, place := range places {
		d.entries[place] = all[i].entry
	}
	return d.asDocument(), nil
}
