package playlist

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

const (
	seqColumn = "seq"
	// xmlColumn has what does not fit into a cell of its own.
	xmlColumn = "xml"
)

// simple returns the name and the text of an element that is no more than that;
// false of any other node. A meta's or link's name tells its rel.
func simple(n *xml.Node) (name, text string, ok bool) {
	if n.Kind != xml.Element || n.Foreign || !isText(xml.Local(n.Name)) {
		return "", "", false
	}
	if n.HasMarkup() {
		return "", "", false
	}
	attributes := 0
	if purpose(n) != "" {
		if rel := n.Value("rel"); rel == "" || pytext.Strip(rel) != rel {
			return "", "", false
		}
		attributes = 1
	}
	return nameOf(n), content(n), len(n.Attrs) == attributes
}

// addSimple adds the element that simple takes apart, unless the text is empty or the name is that
// of none.
func addSimple(parent *xml.Node, name, text string) {
	name, rel, _ := strings.Cut(name, " ")
	if text == "" || !isText(name) {
		return
	}
	n := parent.NewChild(name).With(text)
	if rel != "" {
		n.With("", "rel", rel)
	}
	parent.Append(n)
}

// trackTable puts the tracks in a table.
func trackTable(p struct{ Document, To, Table string }) exact.Steps {
	change := func(d *playlist) (vfs.Files, error) {
		table, err := tableOf(d.items)
		d.items = nil
		return vfs.Files{p.Table: table.CSV()}, err
	}
	return playlists.Rewrite(p.Document, p.To, change, func(d *playlist, files vfs.Files) error {
		table, err := plain.ReadSparse(files, p.Table)
		if err != nil {
			return err
		}
		if table.Header[0] != seqColumn {
			return errors.New(p.Table + " does not begin with the column " + seqColumn)
		}
		slices.SortStableFunc(table.Rows, plain.ByNumber)
		items := lists.Map(table.Rows, func(row []string) item { return newItem(d.list, table.Header, row) })
		d.items = append(d.items, items...)
		return nil
	})
}

// tableOf has a row for each track and a column for each name of a simple element.
func tableOf(items []item) (plain.Sparse, error) {
	table := plain.Sparse{Header: []string{seqColumn}}
	var rests []string
	for n, i := range items {
		if len(i.Attrs) > 0 {
			return table, fmt.Errorf("track %d has attributes", n+1)
		}
		table.Add(strconv.Itoa(n + 1))
		rest := inOne(i.comments...)
		for _, c := range i.Children {
			name, text, ok := simple(c)
			if !ok || table.Cell(table.Rows[n], name) != "" || text != "" && !table.Set(name, text) {
				rest += inOne(c)
			}
		}
		rests = append(rests, rest)
	}
	table.Header = append(table.Header, xmlColumn)
	for n, row := range table.Rows {
		row = append(row, make([]string, len(table.Header)-1-len(row))...)
		table.Rows[n] = append(row, rests[n])
	}
	return table, nil
}

// inOne writes nodes on one line.
func inOne(nodes ...*xml.Node) string {
	return strings.Join(lists.Map(nodes, (*xml.Node).InOne), "")
}

// newItem builds the track of a row.
func newItem(list *xml.Node, header, row []string) item {
	i := item{Node: list.NewChild("track")}
	for at := 1; at < min(len(header), len(row)); at++ {
		if header[at] == xmlColumn {
			i.addXML(row[at])
		} else {
			addSimple(i.Node, header[at], row[at])
		}
	}
	return i
}

// addXML takes in what inOne wrote: comments before the track, all else into it.
func (i *item) addXML(text string) {
	for _, n := range fragment(text) {
		if n.Kind == xml.Comment {
			i.comments = append(i.comments, n)
		} else {
			i.Children = append(i.Children, n)
		}
	}
}

// fragment reads what inOne wrote.
func fragment(text string) []*xml.Node {
	x := xml.Read("<track>" + text + "</track>")
	if root := x.Root(); root != nil {
		return root.Children
	}
	return nil
}
