package playlist

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
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
	if slices.ContainsFunc(n.Children, func(c *xml.Node) bool { return c.Kind != xml.Text }) {
		return "", "", false
	}
	attributes := 0
	if purpose(n) != "" {
		rel, _ := n.Attribute("rel")
		if rel == "" || pytext.Strip(rel) != rel {
			return "", "", false
		}
		attributes = 1
	}
	return nameOf(n), content(n), len(n.Attrs) == attributes
}

// newSimple builds the element that simple takes apart; nil if the name is that
// of none.
func newSimple(parent *xml.Node, name, text string) *xml.Node {
	name, rel, _ := strings.Cut(name, " ")
	if !isText(name) {
		return nil
	}
	n := parent.NewChild(name)
	if rel != "" {
		n.Attrs = []xml.Attr{{Name: "rel", Value: rel}}
	}
	n.SetContent(text)
	return n
}

// trackTable puts the tracks in a table.
func trackTable(p struct{ Document, To, Table string }) exact.Steps {
	change := func(d *playlist) (vfs.Files, error) {
		records, err := tableOf(d.items)
		d.items = nil
		return vfs.Files{p.Table: plain.WriteCSV(records)}, err
	}
	return lists.Rewrite(p.Document, p.To, change, func(d *playlist, files vfs.Files) error {
		text, err := plain.File(files, p.Table)
		if err != nil {
			return err
		}
		records, err := plain.ReadCSV(text)
		if err != nil {
			return fmt.Errorf("reading %s: %w", p.Table, err)
		}
		if len(records) == 0 || strings.TrimSpace(records[0][0]) != seqColumn {
			return errors.New(p.Table + " does not begin with the column " + seqColumn)
		}
		header, rows := records[0], records[1:]
		slices.SortStableFunc(rows, plain.ByNumber)
		for _, row := range rows {
			d.items = append(d.items, newItem(d.list, header, row))
		}
		return nil
	})
}

// tableOf has a row for each track and a column for each name of a simple element.
func tableOf(items []item) ([][]string, error) {
	header := []string{seqColumn}
	columns := map[string]int{}
	var rows [][]string
	var rests []string
	for n, i := range items {
		if len(i.Attrs) > 0 {
			return nil, fmt.Errorf("track %d has attributes", n+1)
		}
		row := []string{strconv.Itoa(n + 1)}
		rest := inOne(i.comments...)
		for _, c := range i.Children {
			name, text, ok := simple(c)
			at, known := columns[name]
			if !ok || known && at < len(row) && row[at] != "" {
				rest += inOne(c)
				continue
			}
			if text == "" {
				continue
			}
			if !known {
				at = len(header)
				columns[name] = at
				header = append(header, name)
			}
			row = append(row, make([]string, max(0, at+1-len(row)))...)
			row[at] = text
		}
		rows = append(rows, row)
		rests = append(rests, rest)
	}
	records := [][]string{append(header, xmlColumn)}
	for n, row := range rows {
		row = append(row, make([]string, len(header)-len(row))...)
		records = append(records, append(row, rests[n]))
	}
	return records, nil
}

// inOne writes nodes on one line.
func inOne(nodes ...*xml.Node) string {
	var b strings.Builder
	for _, n := range nodes {
		b.WriteString(n.InOne())
	}
	return b.String()
}

// newItem builds the track of a row.
func newItem(list *xml.Node, header, row []string) item {
	i := item{Node: list.NewChild("track")}
	for at := 1; at < min(len(header), len(row)); at++ {
		name := strings.TrimSpace(header[at])
		switch {
		case row[at] == "":
		case name == xmlColumn:
			i.addXML(row[at])
		default:
			if n := newSimple(i.Node, name, row[at]); n != nil {
				i.Children = append(i.Children, n)
			}
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
