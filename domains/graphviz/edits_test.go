package graphviz

import (
	"strings"
	"testing"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

// documentFile is the document of the built-in environment.
const documentFile = "wastewater_flow.dot"

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), environment) }

const kiln = `// the kiln
digraph kiln {
    rankdir=LR;
    node [shape=box, fontsize=12];
    subgraph cluster_shed {
        label=Shed;
        clay [URL="https://k.org/clay", tooltip="lot \"B\"", width=0.4];
        // needs two
        throw [label="Throw"];
        clay -> throw -> "bisque-1" [penwidth=1.2];
    }
    fire [label="Fire|{<in>in}", tooltip="cone 6"];
    "bisque-1" -> fire:in [lhead=cluster_shed];
    fire -> clay [constraint=false];
    { rank=same; throw; fire; }
    edge [style=invis];
    clay -> fire;
}
`

// inKiln is the kiln with some texts replaced, given in pairs.
func inKiln(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(kiln) }

var forwardResults = map[string]vfs.Files{
	"tables": {
		"nodes.csv": `position,in,id,attributes,comment
5,3,clay,"URL=""https://k.org/clay"", tooltip=""lot \""B\"""", width=0.4",
6,3,throw,"label=""Throw""",// needs two
8,0,fire,"label=""Fire|{<in>in}"", tooltip=""cone 6""",
13,11,throw,,
14,11,fire,,
`,
		"edges.csv": `position,in,path,attributes,comment
7,3,"clay -> throw -> ""bisque-1""",penwidth=1.2,
9,0,"""bisque-1"" -> fire:in",lhead=cluster_shed,
10,0,fire -> clay,constraint=false,
16,0,clay -> fire,,
`,
		"others.csv": `position,in,statement,comment
0,,digraph kiln,// the kiln
1,0,rankdir=LR,
2,0,"node [shape=box, fontsize=12]",
3,0,subgraph cluster_shed,
4,3,label=Shed,
11,0,{},
12,11,rank=same,
15,0,edge [style=invis],
`,
	},
	"split_by_cluster": {
		"cluster_shed.dot": `digraph kiln {
    subgraph cluster_shed {
        label=Shed;
        clay [URL="https://k.org/clay", tooltip="lot \"B\"", width=0.4];
        // needs two
        throw [label="Throw"];
        clay -> throw -> "bisque-1" [penwidth=1.2];
    }
}
`,
		"rest.dot": `// the kiln
digraph kiln {
    rankdir=LR;
    node [shape=box, fontsize=12];
    fire [label="Fire|{<in>in}", tooltip="cone 6"];
    "bisque-1" -> fire:in [lhead=cluster_shed];
    fire -> clay [constraint=false];
    { rank=same; throw; fire; }
    edge [style=invis];
    clay -> fire;
}
`,
		"order.csv": `position,file
1,rest.dot
2,rest.dot
3,cluster_shed.dot
4,rest.dot
5,rest.dot
6,rest.dot
7,rest.dot
8,rest.dot
9,rest.dot
`,
	},
	"links_out": {
		"unlinked.dot": inKiln(`URL="https://k.org/clay", tooltip="lot \"B\"", `, "", `, tooltip="cone 6"`, ""),
		"links.csv": `id,URL,tooltip
clay,https://k.org/clay,"lot ""B"""
fire,,cone 6
`,
	},
	"layout_out": {
		"meant.dot": inKiln("    { rank=same; throw; fire; }\n", "", "    clay -> fire;\n", ""),
		"layout.json": `[
  {"in":"","place":7,"statement":"{ rank=same; throw; fire; }","comments":[]},
  {"in":"","place":9,"statement":"clay -> fire;","comments":[]}
]
`,
	},
	"topological_ids": {
		"numbered.dot": `// the kiln
digraph kiln {
    rankdir=LR;
    node [shape=box, fontsize=12];
    subgraph cluster_shed {
        label=Shed;
        n01 [URL="https://k.org/clay", tooltip="lot \"B\"", width=0.4];
        // needs two
        n02 [label="Throw"];
        n01 -> n02 -> n03 [penwidth=1.2];
    }
    n04 [label="Fire|{<in>in}", tooltip="cone 6"];
    n03 -> n04:in [lhead=cluster_shed];
    n04 -> n01 [constraint=false];
    { rank=same; n02; n04; }
    edge [style=invis];
    n01 -> n04;
}
`,
		"ids.csv": "number,id\nn01,clay\nn02,throw\nn03,bisque-1\nn04,fire\n",
	},
	"single_edges": {
		"single_edges.dot": inKiln(`clay -> throw -> "bisque-1" [penwidth=1.2];`,
			"clay -> throw [penwidth=1.2];\n        throw -> \"bisque-1\" [penwidth=1.2];"),
		"chains.csv": "first,last\n1,2\n",
	},
	"upstream": {
		"upstream.dot": inKiln(`clay -> throw -> "bisque-1"`, `"bisque-1" -> throw -> clay`,
			`"bisque-1" -> fire:in [lhead=`, `fire:in -> "bisque-1" [ltail=`,
			"fire -> clay", "clay -> fire", "clay -> fire", "fire -> clay"),
	},
	"poster_sizes": {
		"poster.dot": inKiln("fontsize=12", "fontsize=15", "width=0.4", "width=0.5", "penwidth=1.2", "penwidth=1.5"),
	},
}

func TestForwardResults(t *testing.T) {
	t.Parallel()
	domaintest.Results(t, demonstration(t), vfs.Files{documentFile: kiln}, forwardResults, domaintest.InMeaning)
}

// Groups at the ends of edges keep their meaning too, though the published score
// does not see it.
func TestEditsKeepGroupsAtTheEndsOfEdges(t *testing.T) {
	t.Parallel()
	files := vfs.Files{documentFile: "digraph {\n  a -> {b; c [shape=box]} -> d [weight=2]\n  x, y -> subgraph s { z } [style=invis]\n}\n"}
	for _, edit := range demonstration(t).Edits() {
		there, err := edit.Forward(files)
		if err != nil {
			t.Fatal(err)
		}
		got, err := edit.Backward(there)
		if err != nil {
			t.Fatal(err)
		}
		if differences := New().Differences(files, got); len(differences) > 0 {
			t.Errorf("%s: %v\n%v", edit.Name, differences, there)
		}
	}
}

func TestTopologicalOrder(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct{ text, want string }{
		"what is led from comes first":           {"c; b; a; a -> b -> c", "a b c"},
		"else the order of the file":             {"c; b; a", "c b a"},
		"a number as soon as it is possible":     {"a; b; c; d; d -> a; b -> c", "b c d a"},
		"edges that do not constrain":            {"b -> a [constraint=false]; b", "b a"},
		"edges that do not constrain by default": {"x; a; edge [constraint=false]; a -> x", "x a"},
		"invisible edges count":                  {"x; a; a -> x [style=invis]", "a x"},
		"groups stand for their nodes":           {"{x y} -> {a b}; a -> x [constraint=false]", "x y a b"},
		"ports do not matter":                    {"b:p -> a:q; b", "b a"},
		"a cycle is broken at its first node":    {"b -> c -> b; a -> b", "a b c"},
		"an edge to itself is no cycle":          {"a -> a; b -> a", "b a"},
	} {
		d := read("digraph {" + c.text + "}")
		if got := strings.Join(inTopologicalOrder(d.first()), " "); got != c.want {
			t.Errorf("%s: %s, want %s", rule, got, c.want)
		}
	}
}

func TestOraclesNameWhatIsWrong(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		edit  string
		files vfs.Files
		want  string
	}{
		{"tables", vfs.Files{"nodes.csv": "position,in,id,attributes,comment\n"}, "edges.csv is missing"},
		{"split_by_cluster", vfs.Files{"rest.dot": kiln}, "order.csv is missing"},
		{"split_by_cluster", vfs.Files{"order.csv": "position,file\n1,rest.dot\n"}, "no .dot file with a graph"},
		{"links_out", vfs.Files{"unlinked.dot": kiln, "links.csv": "id\nclay\n"}, `reading links.csv: no column "URL"`},
		{"layout_out", vfs.Files{"meant.dot": kiln, "layout.json": "none"}, "reading layout.json"},
		{"topological_ids", vfs.Files{"ids.csv": "number,id\n"}, "numbered.dot is missing"},
		{"single_edges", vfs.Files{"single_edges.dot": "no graph", "chains.csv": "first,last\n"}, "no .dot file with a graph"},
	} {
		edit := domaintest.Edit(t, demonstration(t), c.edit)
		if _, err := edit.Backward(c.files); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.edit, err, c.want)
		}
	}
}

// Damage between the steps is carried over, not multiplied.
func TestBackwardStepsTakeDamagedFiles(t *testing.T) {
	t.Parallel()
	domaintest.DamagedSteps(t, demonstration(t), domaintest.Seed(t, environment), 0.75, "Norovirus", "Rotavirus")
}

func TestEditsTakeOtherParameters(t *testing.T) {
	t.Parallel()
	const shop = "digraph shop {\n    till [label=Till, width=0.6, color=red];\n    door -> till;\n}\n"
	domaintest.Parameters(t, New(), vfs.Files{"shop.gv": shop}, domaintest.InMeaning,
		domaintest.Made{
			Edit: "attributes_aside", Parameters: `{"document": "shop.gv", "to": "bare.gv", "attributes": ["color"], "table": "colors.csv"}`,
			Want: vfs.Files{"bare.gv": strings.Replace(shop, ", color=red", "", 1), "colors.csv": "id,color\ntill,red\n"},
		},
		domaintest.Made{
			Edit: "number_nodes", Parameters: `{"document": "shop.gv", "to": "steps.gv", "first": "S8", "table": "steps.csv"}`,
			Want: vfs.Files{"steps.gv": strings.NewReplacer("till", "S9", "door", "S8").Replace(shop), "steps.csv": "number,id\nS8,door\nS9,till\n"},
		},
		domaintest.Made{
			Edit: "resize", Parameters: `{"document": "shop.gv", "to": "small.gv", "attributes": ["width"], "factor": 3}`,
			Want: vfs.Files{"small.gv": strings.Replace(shop, "0.6", "1.8", 1)},
		},
	)
	domaintest.Refuses(t, New(), "resize",
		`{"document": "a.dot", "to": "b.dot", "attributes": [], "factor": 0}`, "the factor must be above zero")
}
