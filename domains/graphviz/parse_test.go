package graphviz

import (
	"fmt"
	"math"
	"testing"

	"agentd/vfs"
)

func TestPublishedScore(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		ref, got string
		want     float64
	}{
		"nodes missing count twice":            {"a b", "a", 1.0 / 4},
		"ids match in any case":                {"a b", "A b", 1},
		"an edge twice":                        {"a->b", "a->b a->b", 1},
		"an unknown attribute":                 {"a [len=1]", "a [len=2]", 1},
		"a wrong colour earns nothing":         {"a [color=red label=x]", "a [color=blue label=x]", 2.0 / 3},
		"a text earns part of its weight":      {"a [label=abcd]", "a [label=abcx]", 0.7 * 0.75},
		"a missing attribute earns nothing":    {"a [label=x shape=box]", "a [label=x]", 2 / 3.5},
		"labels match in any case":             {`a [label="X  y"]`, "a [label=\" x\ny\"]", 1},
		"nothing shared":                       {"a", "b", 0},
		"no nodes, half of the edges":          {"a->b b->c", "a->b", 0.5},
		"a prefix of clusters does not matter": {"subgraph cluster_a {x}", "subgraph A {x}", 1},
		"a member elsewhere":                   {"subgraph a {x} subgraph b {y}", "subgraph a {x y}", math.Sqrt(0.75)},
		"subgraphs on one side only":           {"subgraph a {x}", "x", math.Sqrt(0.5)},
		"settings of which half are the same":  {"a=1 b=2 x", "a=1 b=1 x", 1},
		"settings of which less are the same":  {"a=1 b=2 c=3 x", "a=1 x", 0.8 + 0.2/3},
		"a group as an end is never the same":  {"a->{b}", "a->{b}", 0},
		"ids renamed, the attribute id tells":  {"a b", "x [id=A] y [id=b]", 1},
		"ids renamed, ids are labels":          {"a [label=pump] b [label=tank]", "pump [label=pump] tank [label=tank]", 1},
		"ids renamed, labels tell":             {"a [label=pump] b [label=tank] a->b", "x [label=pump] y [tooltip=x label=tank] x->y", 0.9},
		"not where half of the ids are there":  {"a b [label=x]", "a c [label=x]", 1.0 / 9},
		"ends with ports are not renamed":      {"a [label=p] a->b b [label=q]", "x [label=p] x:n->y y [label=q]", 0},
		"two graphs without anything":          {"", "", 1},
	} {
		score := New().Compare(vfs.Files{"g.dot": "digraph {" + c.ref + "}"}, vfs.Files{"g.dot": "digraph {" + c.got + "}"})
		if math.Abs(score.RS-c.want) > 1e-12 {
			t.Errorf("%s: %v, want %v: %s", rule, score.RS, c.want, fmt.Sprint(score.Components))
		}
	}
}
