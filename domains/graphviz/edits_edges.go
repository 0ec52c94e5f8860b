package graphviz

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	numberedFile = "numbered.dot"
	idsTable     = "ids.csv"
)

// numberNodes renames nodes in a topological order.
func numberNodes(files vfs.Files) (vfs.Files, error) {
	d, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	order := inTopologicalOrder(d.first())
	table := [][]string{{"number", "id"}}
	names := map[string]string{}
	width := max(2, len(strconv.Itoa(len(order))))
	for i, id := range order {
		names[id] = fmt.Sprintf("n%0*d", width, i+1)
		table = append(table, []string{names[id], id})
	}
	d.rename(names)
	return vfs.Files{numberedFile: d.print(), idsTable: plain.WriteCSV(table)}, nil
}

func nameNodes(files vfs.Files) (vfs.Files, error) {
	d, err := readNamed(files, numberedFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, idsTable, "number", "id")
	if err != nil {
		return nil, err
	}
	names := map[string]string{}
	for _, row := range rows {
		names[row[0]] = row[1]
	}
	d.rename(names)
	return d.asDocument(), nil
}

func (d *document) rename(names map[string]string) {
	d.first().walk(func(s *statement) {
		s.eachNode(func(n *node) {
			if name, ok := names[n.id.text()]; ok {
				n.id = idWord(name)
			}
		})
	})
}

// inTopologicalOrder lists ids so that each comes after those that edges lead
// from to it, and else in the order of the file. Edges that do not constrain the
// layout count for nothing; a cycle is broken at the node that comes first.
func inTopologicalOrder(b *body) []string {
	var ids []string
	place := map[string]int{}
	b.walk(func(s *statement) {
		s.eachNode(func(n *node) {
			id := n.id.text()
			if _, met := place[id]; !met {
				place[id] = len(ids)
				ids = append(ids, id)
			}
		})
	})
	next, waiting := make([][]int, len(ids)), make([]int, len(ids))
	b.walkEdges(nil, func(s *statement, inForce settings) {
		if overridden(inForce, normalAttributes(s.attributes))["constraint"] == "false" {
			return
		}
		for i := 1; i < len(s.ends); i++ {
			for _, from := range s.ends[i-1].ids() {
				for _, to := range s.ends[i].ids() {
					if from != to {
						next[place[from]] = append(next[place[from]], place[to])
						waiting[place[to]]++
					}
				}
			}
		}
	})
	order := make([]string, 0, len(ids))
	done := make([]bool, len(ids))
	for len(order) < len(ids) {
		at := slices.IndexFunc(ids, func(id string) bool { return !done[place[id]] && waiting[place[id]] == 0 })
		if at < 0 {
			at = slices.Index(done, false)
		}
		done[at] = true
		order = append(order, ids[at])
		for _, to := range next[at] {
			waiting[to]--
		}
	}
	return order
}

// ids are the nodes at an end of an edge.
func (e *end) ids() []string {
	var ids []string
	(&statement{ends: []end{*e}}).eachNode(func(n *node) { ids = append(ids, n.id.text()) })
	return ids
}

const (
	singleFile  = "single_edges.dot"
	chainsTable = "chains.csv"
)

// breakChains makes a statement of each edge in a chain.
func breakChains(files vfs.Files) (vfs.Files, error) {
	d, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	b := chainBreaker{table: [][]string{{"first", "last"}}}
	b.body(d.first())
	return vfs.Files{singleFile: d.print(), chainsTable: plain.WriteCSV(b.table)}, nil
}

type chainBreaker struct {
	edges int // so far
	table [][]string
}

func (c *chainBreaker) body(b *body) {
	var single []*statement
	for _, s := range b.statements {
		if s.kind == groupStatement && s.group.body != nil {
			c.body(s.group.body)
		}
		if s.kind != edgeStatement {
			single = append(single, s)
			continue
		}
		for i := 1; i < len(s.ends); i++ {
			part := *s
			part.ends = s.ends[i-1 : i+1]
			if i > 1 {
				part.above, part.gap = nil, false
			}
			single = append(single, &part)
		}
		first := c.edges + 1
		if c.edges += len(s.ends) - 1; c.edges > first {
			c.table = append(c.table, []string{strconv.Itoa(first), strconv.Itoa(c.edges)})
		}
	}
	b.statements = single
}

func joinChains(files vfs.Files) (vfs.Files, error) {
	d, err := readNamed(files, singleFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, chainsTable, "first", "last")
	if err != nil {
		return nil, err
	}
	j := chainJoiner{last: map[int]int{}}
	for _, row := range rows {
		first, _ := strconv.Atoi(strings.TrimSpace(row[0]))
		j.last[first], _ = strconv.Atoi(strings.TrimSpace(row[1]))
	}
	j.body(d.first())
	return d.asDocument(), nil
}

type chainJoiner struct {
	edges int         // so far
	last  map[int]int // number of a chain's last edge, by that of its first
	until int         // the last edge of the chain at hand
}

func (j *chainJoiner) body(b *body) {
	var joined []*statement
	for _, s := range b.statements {
		if s.kind == groupStatement && s.group.body != nil {
			j.body(s.group.body)
		}
		if s.kind == edgeStatement {
			if j.edges++; j.edges <= j.until && len(joined) > 0 && joined[len(joined)-1].continues(s) {
				before := joined[len(joined)-1]
				before.ends = append(slices.Clip(before.ends), s.ends[1:]...)
				continue
			}
			j.until = j.last[j.edges]
		}
		joined = append(joined, s)
	}
	b.statements = joined
}

// continues reports whether an edge goes on where a chain ends, with the same
// attributes.
func (s *statement) continues(edge *statement) bool {
	return s.kind == edgeStatement && s.ends[len(s.ends)-1].print() == edge.ends[0].print() &&
		printAttributes(s.attributes) == printAttributes(edge.attributes)
}

const upstreamFile = "upstream.dot"

func turnUpstream(files vfs.Files) (vfs.Files, error) {
	d, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	d.turn()
	return vfs.Files{upstreamFile: d.print()}, nil
}

func turnDownstream(files vfs.Files) (vfs.Files, error) {
	d, err := readNamed(files, upstreamFile)
	if err != nil {
		return nil, err
	}
	d.turn()
	return d.asDocument(), nil
}

// otherEnd names the attribute that says of one end what another says of the
// other.
var otherEnd = map[string]string{
	"lhead": "ltail", "headlabel": "taillabel", "headport": "tailport",
	"ltail": "lhead", "taillabel": "headlabel", "tailport": "headport",
}

// turn lets every edge run the other way.
func (d *document) turn() {
	d.first().walk(func(s *statement) {
		if s.kind != edgeStatement && (s.kind != defaultStatement || s.word.raw != "edge") {
			return
		}
		slices.Reverse(s.ends)
		for i := range s.attributes {
			if other, ok := otherEnd[s.attributes[i].name.text()]; ok {
				s.attributes[i].name = word{other}
			}
		}
	})
}

const posterFile = "poster.dot"

// enlarge makes sizes a quarter larger.
func enlarge(files vfs.Files) (vfs.Files, error) {
	d, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	d.resize(decimal.RequireFromString("1.25"))
	return vfs.Files{posterFile: d.print()}, nil
}

func reduce(files vfs.Files) (vfs.Files, error) {
	d, err := readNamed(files, posterFile)
	if err != nil {
		return nil, err
	}
	d.resize(decimal.RequireFromString("0.8"))
	return d.asDocument(), nil
}

// resize multiplies sizes that are plain numbers.
func (d *document) resize(factor decimal.Decimal) {
	resized := func(name, value word) word {
		switch name.text() {
		case "fontsize", "width", "height", "penwidth", "arrowsize", "nodesep", "ranksep":
			if number, ok := normalNumber(value.text()); ok {
				return word{decimal.RequireFromString(number).Mul(factor).String()}
			}
		}
		return value
	}
	d.first().walk(func(s *statement) {
		s.value = resized(s.word, s.value)
		for i := range s.attributes {
			s.attributes[i].value = resized(s.attributes[i].name, s.attributes[i].value)
		}
	})
}
