package starcatalog

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

// The columns of the dictionary other than a field's own attributes.
const (
	descriptionColumn = "description"
	nullColumn        = "null"
)

// inCSV writes the first table as a table of its rows and one of its fields, the dictionary.
func inCSV(p struct{ Document, To, Fields, Rest string }) exact.Steps {
	return catalogs.Rewrite(p.Document, p.Rest, func(doc *catalog) (vfs.Files, error) {
		g := doc.grids()[0]
		dictionary, err := dictionaryOf(g.Remove(xml.Named("FIELD")))
		if err != nil {
			return nil, err
		}
		var names []string
		for _, entry := range dictionary[1:] {
			names = append(names, entry[0])
		}
		rows := [][]string{names}
		for _, r := range placed(g.takeRows()) {
			if err := isPlainRow(r); err != nil {
				return nil, err
			}
			rows = append(rows, texts(r.Node))
		}
		return vfs.Files{p.To: plain.WriteCSV(rows), p.Fields: plain.WriteCSV(dictionary)}, nil
	}, func(doc *catalog, files vfs.Files) error {
		records, err := readCSV(files, p.To)
		if err != nil {
			return err
		}
		dictionary, err := readCSV(files, p.Fields)
		if err != nil {
			return err
		}
		g := doc.grids()[0]
		var fields, rows []*xml.Node
		for _, entry := range dictionary[1:] {
			fields = append(fields, g.newField(dictionary[0], entry))
		}
		g.putFields(fields)
		for _, cells := range records[1:] {
			rows = append(rows, g.newRow(cells))
		}
		g.putRows(rows)
		return nil
	})
}

// dictionaryOf is what fields say, one in each line, with the names of the columns above.
func dictionaryOf(fields []*xml.Node) ([][]string, error) {
	if len(fields) == 0 {
		return nil, errors.New("the first table has no fields")
	}
	columns := []string{"name"}
	for _, f := range fields {
		for _, a := range f.Attrs {
			if !slices.Contains(columns, a.Name) {
				columns = append(columns, a.Name)
			}
		}
	}
	columns = append(columns, nullColumn, descriptionColumn)
	dictionary := [][]string{columns}
	for _, f := range fields {
		entry, err := dictionaryEntry(f, columns)
		if err != nil {
			return nil, err
		}
		dictionary = append(dictionary, entry)
	}
	return dictionary, nil
}

// dictionaryEntry is what a field says, in columns.
func dictionaryEntry(f *xml.Node, columns []string) ([]string, error) {
	cannot := fmt.Errorf("field %s has more than a line of a table holds", attribute(f, "name"))
	entry := make([]string, len(columns))
	for _, a := range f.Attrs {
		at := slices.Index(columns, a.Name)
		if a.Value == "" || a.Name == nullColumn || a.Name == descriptionColumn || a.IsDeclaration() {
			return nil, cannot
		}
		entry[at] = a.Value
	}
	for _, c := range f.Children {
		column, text := descriptionColumn, squash(c.Content())
		switch {
		case c.Is("VALUES") && len(c.Children) == 0 && len(c.Attrs) == 1 && c.Attrs[0].Name == "null":
			column, text = nullColumn, c.Attrs[0].Value
		case c.Kind != xml.Element || !isDescription(c) || hasMarkup(c):
			return nil, cannot
		}
		at := slices.Index(columns, column)
		if text == "" || entry[at] != "" {
			return nil, cannot
		}
		entry[at] = text
	}
	return entry, nil
}

// readCSV reads a CSV file with a header that an oracle needs.
func readCSV(files vfs.Files, name string) ([][]string, error) {
	text, err := plain.File(files, name)
	if err != nil {
		return nil, err
	}
	records, err := plain.ReadCSV(text)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	if len(records) == 0 {
		return nil, errors.New(name + " is empty")
	}
	return records, nil
}

// newField makes a field of an entry of the dictionary.
func (g grid) newField(columns, entry []string) *xml.Node {
	f := g.NewChild("FIELD")
	for n, text := range entry[:min(len(entry), len(columns))] {
		switch column := strings.TrimSpace(columns[n]); {
		case text == "":
		case column == descriptionColumn:
			d := g.NewChild("DESCRIPTION")
			d.SetContent(text)
			f.Children = append([]*xml.Node{d}, f.Children...)
		case column == nullColumn:
			v := g.NewChild("VALUES")
			v.Attrs = []xml.Attr{{Name: "null", Value: text}}
			f.Children = append(f.Children, v)
		case xml.NameLength(column) == len(column):
			f.Attrs = append(f.Attrs, xml.Attr{Name: column, Value: text})
		}
	}
	return f
}
