package graphviz

import (
	"slices"
	"strconv"

	"github.com/shopspring/decimal"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// numberNodes renames nodes in a topological order: n01, n02 and so on.
func numberNodes(p struct{ Document, To, First, Table string }) exact.Steps {
	change := func(d *document) (vfs.Files, error) {
		codes, names := exact.Codes{New: exact.Counting(p.First)}, map[string]string{}
		for _, id := range inTopologicalOrder(d.first()) {
			names[id] = codes.Of(id)
		}
		d.rename(names)
		return vfs.Files{p.Table: codes.CSV("number", "id")}, nil
	}
	return graphs.Rewrite(p.Document, p.To, change, func(d *document, files vfs.Files) error {
		names, err := exact.ReadRegister(files, p.Table, "number", "id")
		d.rename(names)
		return err
	})
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

// singleEdges makes a statement of each edge in a chain.
func singleEdges(p struct{ Document, To, Table string }) exact.Steps {
	change := func(d *document) (vfs.Files, error) {
		table, edges := [][]string{{"first", "last"}}, 0
		d.first().regroup(func(s *statement, single []*statement) []*statement {
			if s.kind != edgeStatement {
				return append(single, s)
			}
			first := edges + 1
			if edges += len(s.ends) - 1; edges > first {
				table = append(table, []string{strconv.Itoa(first), strconv.Itoa(edges)})
			}
			for i := 1; i < len(s.ends); i++ {
				part := *s
				part.ends = s.ends[i-1 : i+1]
				if i > 1 {
					part.above, part.gap = nil, false
				}
				single = append(single, &part)
			}
			return single
		})
		return vfs.Files{p.Table: plain.WriteCSV(table)}, nil
	}
	return graphs.Rewrite(p.Document, p.To, change, func(d *document, files vfs.Files) error {
		rows, err := plain.Table(files, p.Table, "first", "last")
		last := map[int]int{}
		for _, row := range rows {
			last[plain.LineNumber(row[0])] = plain.LineNumber(row[1])
		}
		edges, until := 0, 0 // the last edge of the chain at hand
		d.first().regroup(func(s *statement, joined []*statement) []*statement {
			if s.kind == edgeStatement {
				if edges++; edges <= until && len(joined) > 0 && joined[len(joined)-1].continues(s) {
					before := joined[len(joined)-1]
					before.ends = append(slices.Clip(before.ends), s.ends[1:]...)
					return joined
				}
				until = last[edges]
			}
			return append(joined, s)
		})
		return err
	})
}

// regroup puts others in the place of statements: put adds what a statement becomes to those of its
// body before it. Those within a subgraph come before itself.
func (b *body) regroup(put func(s *statement, before []*statement) []*statement) {
	var all []*statement
	for _, s := range b.statements {
		if s.kind == groupStatement && s.group.body != nil {
			s.group.body.regroup(put)
		}
		all = put(s, all)
	}
	b.statements = all
}

// continues reports whether an edge goes on where a chain ends, with the same
// attributes.
func (s *statement) continues(edge *statement) bool {
	return s.kind == edgeStatement && s.ends[len(s.ends)-1].print() == edge.ends[0].print() &&
		printAttributes(s.attributes) == printAttributes(edge.attributes)
}

// reverseEdges lets every edge run the other way.
func reverseEdges(p struct{ Document, To string }) exact.Steps {
	turn := func(d *document) { d.first().walk((*statement).turn) }
	return graphs.Change(p.Document, p.To, turn, turn)
}

// otherEnd names the attribute that says of one end what another says of the
// other.
var otherEnd = map[string]string{
	"lhead": "ltail", "headlabel": "taillabel", "headport": "tailport",
	"ltail": "lhead", "taillabel": "headlabel", "tailport": "headport",
}

// turn lets an edge, or defaults of edges, run the other way.
func (s *statement) turn() {
	if s.kind != edgeStatement && (s.kind != defaultStatement || s.word.raw != "edge") {
		return
	}
	slices.Reverse(s.ends)
	for i := range s.attributes {
		if other, ok := otherEnd[s.attributes[i].name.text()]; ok {
			s.attributes[i].name = word{other}
		}
	}
}

// resize multiplies the values of some attributes that are plain numbers.
func resize(p struct {
	Document, To string
	Attributes   []string
	Factor       decimal.Decimal
}) exact.Steps {
	if !p.Factor.IsPositive() {
		return exact.Refuse("the factor must be above zero")
	}
	each := func(d *document, compute func(decimal.Decimal) decimal.Decimal) {
		change := func(name word, value *word) {
			if number, ok := normalNumber(value.text()); ok && slices.Contains(p.Attributes, name.text()) {
				value.raw = compute(decimal.RequireFromString(number)).String()
			}
		}
		d.first().walk(func(s *statement) {
			change(s.word, &s.value)
			for i := range s.attributes {
				change(s.attributes[i].name, &s.attributes[i].value)
			}
		})
	}
	return graphs.Change(p.Document, p.To, func(d *document) { each(d, p.Factor.Mul) }, func(d *document) {
		each(d, func(n decimal.Decimal) decimal.Decimal { return n.Div(p.Factor) })
	})
}
