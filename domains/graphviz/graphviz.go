// Package graphviz is the domain of graphs in the DOT language: node and edge statements, attributes, defaults and
// nested subgraphs. Nodes that have a statement and edges are counted, an edge for each pair of a chain.
//
// The published score reads files as pydot 4.0.1 does and weighs some twenty attributes; it passes over defaults,
// attributes of graphs, nesting, groups at the ends of edges, repeated edges and the case of labels. Strict looks at
// what Graphviz makes of the text: defaults are written out at the nodes and edges they hold for, a group stands for
// all of its nodes, colours are compared by value, numbers without idle zeros. Next to nodes and edges it looks at the
// graph (type, name, attributes), at subgraphs (name, attributes, where they are nested), at the members of each, at
// who is with whom in groups without a name, at comments that are lost, and at text that is no statement. The order of
// statements and comments that were added mean nothing to it, nor do the slips that models make in attribute lists. Several files are one graph.
package graphviz

import (
	"agentd/domains"
	"agentd/domains/internal/element"
	published "agentd/domains/published/graphviz"
)

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[*published.Model]{
		Info: domains.Info{
			Name:     "graphviz",
			Title:    "Graphviz graph",
			Category: "Code & Configuration",
			Patterns: []string{"*.dot", "*.gv"},
			Element:  counted,
			Example:  "intake -> screen -> pump;",
			Components: []string{
				"node_coverage", "node_accuracy", "edge_coverage", "edge_accuracy", "subgraph", "global",
			},
		},
		Parse:      published.Parse,
		Score:      domains.Noting(published.Score),
		Stats:      published.Stats,
		Form:       wellFormed,
		Elements:   elements,
		Comments:   []string{"#", "//", "/*"},
		Forgives:   element.Harmless{}.Forgive,
		WithoutIn:  without,
		Sampling:   domains.Sampling{Not: "a graph is one whole: edges, groups and defaults need their nodes"},
		Vocabulary: vocabulary,
	})
}
