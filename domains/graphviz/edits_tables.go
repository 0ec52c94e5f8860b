package graphviz

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

var (
	nodeColumns  = []string{"position", "in", "id", "attributes", "comment"}
	edgeColumns  = []string{"position", "in", "path", "attributes", "comment"}
	otherColumns = []string{"position", "in", "statement", "comment"}
)

// tableFiles are the names of the tables.
type tableFiles struct{ Document, Nodes, Edges, Others string }

// tables makes a row of each statement, numbered through the file. The head of the graph has
// position 0 and is in nothing.
func tables(p tableFiles) exact.Steps { return graphs.Whole(p.Document, p.write, p.read) }

func (p *tableFiles) write(d document) (vfs.Files, error) {
	g := d.graphs[0]
	nodes, edges := [][]string{nodeColumns}, [][]string{edgeColumns}
	others := [][]string{otherColumns, {"0", "", g.header(), strings.Join(g.above, "\n")}}
	position := 0
	var table func(b *body, in string)
	table = func(b *body, in string) {
		for _, s := range b.statements {
			position++
			number, comment := strconv.Itoa(position), strings.Join(s.above, "\n")
			switch s.kind {
			case nodeStatement:
				nodes = append(nodes, []string{number, in, s.subject(), printAttributes(s.attributes), comment})
			case edgeStatement:
				edges = append(edges, []string{number, in, s.subject(), printAttributes(s.attributes), comment})
			case groupStatement:
				others = append(others, []string{number, in, s.group.head(), comment})
				if s.group.body != nil {
					table(s.group.body, number)
				}
			default:
				others = append(others, []string{number, in, strings.TrimSuffix(s.print(), ";"), comment})
			}
		}
	}
	table(g.body, "0")
	return vfs.Files{
		p.Nodes: plain.WriteCSV(nodes), p.Edges: plain.WriteCSV(edges), p.Others: plain.WriteCSV(others),
	}, nil
}

// head is a group without what stands in it.
func (g *group) head() string {
	if !g.name.isSet() {
		return "{}"
	}
	return strings.TrimSuffix(g.opening(), " ")
}

func (p *tableFiles) read(files vfs.Files) (document, error) {
	rows, err := p.rows(files)
	g := &graph{directed: true, body: &body{}}
	bodies := map[string]*body{}
	for _, row := range rows {
		position, in, text, comment := row[0], row[1], row[2], commentLines(row[3])
		if in == "" {
			if head := read(text + " {}"); len(head.graphs) == 1 {
				g = head.graphs[0]
			}
			g.above = comment
			bodies[position] = g.body
			continue
		}
		s, ok := statementOf(text)
		if !ok {
			continue
		}
		if s.kind == groupStatement {
			s.group.body = &body{}
			bodies[position] = s.group.body
		}
		s.above = comment
		into := cmp.Or(bodies[in], g.body)
		into.statements = append(into.statements, s)
	}
	return document{graphs: []*graph{g}}, err
}

// rows are those of all tables, in their order, each with the columns of otherColumns.
func (p *tableFiles) rows(files vfs.Files) (rows [][]string, err error) {
	for _, table := range []struct {
		file    string
		columns []string
	}{{p.Nodes, nodeColumns}, {p.Edges, edgeColumns}, {p.Others, otherColumns}} {
		cells, err := plain.Table(files, table.file, table.columns...)
		if err != nil {
			return nil, err
		}
		for _, c := range cells {
			if len(c) == len(nodeColumns) {
				if c[3] != "" {
					c[2] += " [" + c[3] + "]"
				}
				c = slices.Delete(c, 3, 4)
			}
			rows = append(rows, c)
		}
	}
	slices.SortStableFunc(rows, plain.ByNumber)
	return rows, nil
}

func commentLines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}
