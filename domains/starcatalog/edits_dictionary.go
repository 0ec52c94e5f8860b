package starcatalog

import (
	"errors"
	"fmt"
	"slices"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
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
		rows := [][]string{lists.Map(dictionary[1:], func(entry []string) string { return entry[0] })}
		for _, r := range placed(g.takeRows()) {
			if err := isPlainRow(r); err != nil {
				return nil, err
			}
			rows = append(rows, texts(r.Node))
		}
		return vfs.Files{p.To: plain.WriteCSV(rows), p.Fields: plain.WriteCSV(dictionary)}, nil
	}, func(doc *catalog, files vfs.Files) error {
		records, err := plain.ReadSparse(files, p.To)
		if err != nil {
			return err
		}
		dictionary, err := plain.ReadSparse(files, p.Fields)
		if err != nil {
			return err
		}
		g := doc.grids()[0]
		newField := func(entry []string) *xml.Node { return g.newField(dictionary.Header, entry) }
		g.putFields(lists.Map(dictionary.Rows, newField))
		g.putRows(lists.Map(records.Rows, g.newRow))
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
	cannot := fmt.Errorf("field %s has more than a line of a table holds", f.Value("name"))
	entry := make([]string, len(columns))
	for _, a := range f.Attrs {
		at := slices.Index(columns, a.Name)
		if a.Value == "" || a.Name == nullColumn || a.Name == descriptionColumn || a.IsDeclaration() {
			return nil, cannot
		}
		entry[at] = a.Value
	}
	for _, c := range f.Children {
		column, text := descriptionColumn, pytext.Collapse(c.Content())
		switch {
		case c.Is("VALUES") && len(c.Children) == 0 && len(c.Attrs) == 1 && c.Attrs[0].Name == "null":
			column, text = nullColumn, c.Attrs[0].Value
		case c.Kind != xml.Element || !isDescription(c) || c.HasMarkup():
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

// newField makes a field of an entry of the dictionary.
func (g grid) newField(columns, entry []string) *xml.Node {
	f := g.NewChild("FIELD")
	for n, text := range entry[:min(len(entry), len(columns))] {
		switch column := columns[n]; {
		case text == "":
		case column == descriptionColumn:
			f.Children = append([]*xml.Node{g.NewChild("DESCRIPTION").With(text)}, f.Children...)
		case column == nullColumn:
			f.Append(g.NewChild("VALUES").With("", "null", text))
		case xml.NameLength(column) == len(column):
			f.With("", column, text)
		}
	}
	return f
}
