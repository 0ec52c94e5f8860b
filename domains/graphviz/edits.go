package graphviz

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/exact"
)

// graphs says how files of graphs are taken apart and put together. Their parts are the
// statements of the first graph that are in no subgraph.
var graphs = exact.Format[document, *statement]{
	Patterns: []string{"*.dot", "*.gv"},
	Read:     read,
	Print:    func(d document) string { return d.print() },
	Parts:    func(d *document) *[]*statement { return &d.first().statements },
	Join: func(all []document) (joined document) {
		for _, d := range all {
			joined.take(d)
		}
		return joined
	},
	Shell: func(d document) document {
		g := *d.graphs[0]
		g.above, g.body = nil, &body{}
		return document{graphs: []*graph{&g}}
	},
	Empty: errors.New("no .dot file with a graph that has a statement"),
}

func edits() []domains.Edit {
	return []domains.Edit{
		domains.Taking("tables", tables),
		domains.Taking("split_by_subgraph", splitBySubgraph),
		domains.Taking("attributes_aside", attributesAside),
		domains.Taking("layout_aside", layoutAside),
		domains.Taking("number_nodes", numberNodes),
		domains.Taking("single_edges", singleEdges),
		domains.Taking("reverse_edges", reverseEdges),
		domains.Taking("resize", resize),
	}
}

// take appends another document. The first graph of each goes into one.
func (d *document) take(other document) {
	d.outside = append(d.outside, other.outside...)
	d.closing = append(d.closing, other.closing...)
	if len(d.graphs) == 0 || len(other.graphs) == 0 {
		d.graphs = append(d.graphs, other.graphs...)
		return
	}
	into, from := d.graphs[0].body, other.graphs[0].body
	into.statements = append(into.statements, from.statements...)
	into.closing = append(into.closing, from.closing...)
	d.graphs = append(d.graphs, other.graphs[1:]...)
}

// first is the body of the first graph, the one that is edited.
func (d *document) first() *body {
	if len(d.graphs) == 0 {
		return &body{}
	}
	return d.graphs[0].body
}

// walk calls do with every statement of a body and of the subgraphs in it that
// are statements, each before what stands in it.
func (b *body) walk(do func(*statement)) {
	for _, s := range b.statements {
		do(s)
		if s.kind == groupStatement && s.group.body != nil {
			s.group.body.walk(do)
		}
	}
}

// walkEdges calls do with every edge statement and the edge defaults in force
// there.
func (b *body) walkEdges(inForce settings, do func(s *statement, inForce settings)) {
	for _, s := range b.statements {
		switch {
		case s.kind == edgeStatement:
			do(s, inForce)
		case s.kind == defaultStatement && s.word.raw == "edge":
			inForce = overridden(inForce, normalAttributes(s.attributes))
		case s.kind == groupStatement && s.group.body != nil:
			s.group.body.walkEdges(inForce, do)
		}
	}
}

// eachNode calls do with every node that a statement names, also in groups at
// the ends of edges.
func (s *statement) eachNode(do func(*node)) {
	for i := range s.ends {
		for k := range s.ends[i].nodes {
			do(&s.ends[i].nodes[k])
		}
		if g := s.ends[i].group; g != nil && g.body != nil {
			g.body.walk(func(inner *statement) { inner.eachNode(do) })
		}
	}
}

// attribute returns the value of an attribute, not set if there is none.
func (s *statement) attribute(name string) word {
	for i := range s.attributes {
		if s.attributes[i].name.text() == name {
			return s.attributes[i].value
		}
	}
	return word{}
}

// statementOf reads a single statement.
func statementOf(text string) (*statement, bool) {
	d := read("digraph {\n" + text + "\n}")
	if len(d.first().statements) == 0 {
		return nil, false
	}
	return d.first().statements[0], true
}

// plainID is an id that needs no quotes unless it is a keyword.
var plainID = regexp.MustCompile(`^(?:[0-9]+|[A-Za-z_][A-Za-z0-9_]*)$`)

// idWord is the word for an id, in quotes if it needs them.
func idWord(id string) word {
	isHTML := len(id) > 1 && id[0] == '<' && id[len(id)-1] == '>'
	keywords := []string{"graph", "subgraph", "digraph", "node", "edge", "strict"}
	if isHTML || plainID.MatchString(id) && !slices.Contains(keywords, strings.ToLower(id)) {
		return word{id}
	}
	return quotedWord(id)
}
