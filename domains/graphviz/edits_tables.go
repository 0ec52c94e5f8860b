package graphviz

import (
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	nodesTable  = "nodes.csv"
	edgesTable  = "edges.csv"
	othersTable = "others.csv"
)

var (
	nodeColumns  = []string{"position", "in", "id", "attributes", "comment"}
	edgeColumns  = []string{"position", "in", "path", "attributes", "comment"}
	otherColumns = []string{"position", "in", "statement", "comment"}
)

// toTables makes a row of each statement, numbered through the file. The head
// of the graph has position 0 and is in nothing.
func toTables(files vfs.Files) (vfs.Files, error) {
	d, err := readDocument(files)
	if err != nil {
		return nil, err
	}
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
		nodesTable: plain.WriteCSV(nodes), edgesTable: plain.WriteCSV(edges), othersTable: plain.WriteCSV(others),
	}, nil
}

// head is a group without what stands in it.
func (g *group) head() string {
	if !g.name.isSet() {
		return "{}"
	}
	return strings.TrimSuffix(g.opening(), " ")
}

// tableRow is a row of any of the tables.
type tableRow struct{ position, in, statement, comment string }

func fromTables(files vfs.Files) (vfs.Files, error) {
	rows, err := tableRows(files)
	if err != nil {
		return nil, err
	}
	g := &graph{directed: true, body: &body{}}
	bodies := map[string]*body{}
	for _, row := range rows {
		if row.in == "" {
			if head := read(row.statement + " {}"); len(head.graphs) == 1 {
				g = head.graphs[0]
			}
			g.above = commentLines(row.comment)
			bodies[row.position] = g.body
			continue
		}
		s, ok := statementOf(row.statement)
		if !ok {
			continue
		}
		if s.kind == groupStatement {
			s.group.body = &body{}
			bodies[row.position] = s.group.body
		}
		s.above = commentLines(row.comment)
		into := bodies[row.in]
		if into == nil {
			into = g.body
		}
		into.statements = append(into.statements, s)
	}
	d := document{graphs: []*graph{g}}
	return d.asDocument(), nil
}

func tableRows(files vfs.Files) ([]tableRow, error) {
	var rows []tableRow
	for _, table := range []struct {
		file    string
		columns []string
	}{{nodesTable, nodeColumns}, {edgesTable, edgeColumns}} {
		cells, err := plain.Table(files, table.file, table.columns...)
		if err != nil {
			return nil, err
		}
		for _, c := range cells {
			statement := c[2]
			if c[3] != "" {
				statement += " [" + c[3] + "]"
			}
			rows = append(rows, tableRow{position: c[0], in: c[1], statement: statement, comment: c[4]})
		}
	}
	cells, err := plain.Table(files, othersTable, otherColumns...)
	if err != nil {
		return nil, err
	}
	for _, c := range cells {
		rows = append(rows, tableRow{position: c[0], in: c[1], statement: c[2], comment: c[3]})
	}
	slices.SortStableFunc(rows, func(a, b tableRow) int {
		return plain.ByNumber([]string{a.position}, []string{b.position})
	})
	return rows, nil
}

func commentLines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}
