package graphviz

import "testing"

func TestEdges(t *testing.T) {
	t.Parallel()
	for part, want := range map[string]string{
		"a -> b -> c [label=\"x -> y\"];":                 "2",
		"subgraph s { a -- b; // c -- d\n\"e->f\" -- g }": "2",
		"node [shape=box];":                               "",
		"a [label=<b>-->]; a:w -> b:e":                    "2",
	} {
		if got := edges(part); got != want {
			t.Errorf("%s: %q, want %q", part, got, want)
		}
	}
}
