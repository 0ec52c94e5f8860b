package graphviz

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

const environment = "graphviz1"

const documentFile = "wastewater_flow.dot"

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "graphviz1") }

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain:   demonstration(t),
		Seed:     domaintest.Seed(t, environment),
		Generate: rapid.Custom(drawDocument),
	}.Run(t)
}

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, demonstration(f), domaintest.Seed(f, environment))
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, environment))
}

// drawDocument draws a graph in which no end of an edge is a group, since the
// published score does not give such a graph 1 against itself, and with sizes
// without idle zeros.
func drawDocument(t *rapid.T) vfs.Files {
	d := &drawer{T: t, arrow: " -> ", stated: map[string]bool{}}
	head := "digraph"
	if d.sometimes("undirected") {
		head, d.arrow = "graph", " -- "
	}
	if d.sometimes("strict") {
		head = "strict " + head
	}
	if d.sometimes("comment above") {
		d.line("/* drawn by hand,\n   twice */")
	}
	d.line(head + d.one("name", "", " G", ` "plan B, draft"`) + " {")
	d.body(2)
	d.line("}")
	return vfs.Files{documentFile: d.text.String()}
}

type drawer struct {
	*rapid.T
	arrow  string
	text   strings.Builder
	indent int
	groups int
	stated map[string]bool // ids
}

func (d *drawer) upTo(most int, label string) int { return rapid.IntRange(0, most).Draw(d.T, label) }
func (d *drawer) sometimes(label string) bool     { return d.upTo(3, label) == 0 }
func (d *drawer) one(label string, among ...string) string {
	return rapid.SampledFrom(among).Draw(d.T, label)
}

func (d *drawer) line(text string) {
	d.text.WriteString(strings.Repeat("  ", d.indent) + text + "\n")
}

func (d *drawer) id() string {
	return d.one("id", "a", "b", "c", "Pump_2", "x1", `"flu-a"`, `"say \"no\""`, `"ø 3"`, "7", "n02")
}

// body draws statements; the last one is never one after whose semicolon the
// published reading might find a node.
func (d *drawer) body(deeper int) {
	d.indent++
	for range 1 + d.upTo(6, "statements") {
		if d.sometimes("comment") {
			d.line(d.one("comment text", "// between the houses", "# to do: [check]", "/* a; b */"))
		}
		d.statement(deeper)
	}
	d.line(d.node())
	d.indent--
}

func (d *drawer) statement(deeper int) {
	kind := d.upTo(9, "kind")
	switch {
	case kind < 3:
		d.line(d.node() + d.one("end", "", ";"))
	case kind < 6:
		ends := []string{d.end(), d.end()}
		for range d.upTo(2, "more ends") {
			ends = append(ends, d.end())
		}
		d.line(strings.Join(ends, d.arrow) + d.attributes("edge") + d.one("end", "", ";"))
	case kind == 6:
		d.line(d.one("default", "node", "edge", "graph") + " [" + d.attribute("node") + d.one("end", "]", "];"))
	case kind == 7:
		d.line(d.one("setting", "rankdir=LR", "label=\"a, b\"", "ranksep=0.5;", "fontsize = 9"))
	case kind == 8 && deeper > 0:
		d.groups++
		d.line(fmt.Sprintf("subgraph %s%d {", d.one("group", "cluster_", "part"), d.groups))
		d.body(deeper - 1)
		d.line("}")
	default:
		d.line("{ rank=" + d.one("rank", "same", "max") + "; " + d.node() + "; " + d.node() + "; }")
	}
}

// node draws a node statement. Only the first of a node has attributes.
func (d *drawer) node() string {
	id := d.id()
	if d.stated[id] {
		return id
	}
	d.stated[id] = true
	return id + d.attributes("node")
}

func (d *drawer) end() string {
	return d.id() + d.one("port", "", "", "", "", ":p", ":p:sw", `:"in 1"`)
}

func (d *drawer) attributes(of string) string {
	var all []string
	for range d.upTo(4, "attributes") {
		all = append(all, d.attribute(of))
	}
	if len(all) == 0 {
		return ""
	}
	return " [" + strings.Join(all, d.one("separator", ", ", ",")) + "]"
}

func (d *drawer) attribute(of string) string {
	among := []string{
		`label="Réception\n\"hold\""`, "label=<<i>x</i> y>", "color=red", `color="#a0b1c2"`, "style=invis",
		`style="rounded,filled"`, "fontsize=11", "penwidth=1.5", `tooltip="SOP 3; then 4"`, "weight = 2", `comment=""`,
	}
	if of == "node" {
		among = append(among, "shape=box", `URL="https://example.org/a?b"`, "fillcolor=white", "width=0.75")
	} else {
		among = append(among, "dir=both", "arrowhead=none", "lhead=cluster_1", "taillabel=1", "constraint=false")
	}
	return d.one("attribute", among...)
}

func TestWithoutCopiesText(t *testing.T) {
	t.Parallel()
	for text, c := range map[string]struct{ left, gone string }{ // blanks in gone stand for what is kept
		"  a [x=1] ; // one\n  b;\n":             {"  // one\n  b;\n", "n"},
		"  a [x=1];\n\n  b  ;\n":                 {"\n  b  ;\n", "n"},
		"a, b , c;":                              {"a, c;", " n"},
		"a -> b -> c [ x=1 ]":                    {"b -> c [ x=1 ]", "e"},
		"a -> b->c -> d [x=1];":                  {"a -> b [x=1]; c -> d [x=1];", " e"},
		"a -> b -> c [x=1];\n":                   {"", "ee"},
		"a -> b -> {c; d} [x=1]":                 {"a -> b [x=1]; {c; d}", "   e"},
		"subgraph cluster_x { a; b } -> c [x=1]": {"subgraph cluster_x { b } -> c [x=1]", "n"},
	} {
		n := 0
		got := without(vfs.Files{"a.dot": "digraph {\n" + text + "}\n"}, func() bool {
			n++
			return n <= len(c.gone) && c.gone[n-1] != ' '
		})["a.dot"]
		if want := "digraph {\n" + c.left + "}\n"; got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

const sample = `digraph "kiln 3" {
  rankdir=LR
  graph [bgcolor=white]
  node [shape=box]
  subgraph cluster_shed {
    label="Shed"
    node [color=red]
    clay [label="Clay & grog", URL="https://k.org"]
    throw
    subgraph cluster_wheel { dry [style="filled,rounded"] }
    clay -> throw [weight=3, label="wet"]
  }
  subgraph yard { wood; ash }
  fire [fontsize=12, tooltip="cone 6"]
  throw -> dry -> fire [arrowhead=vee]
  wood -> { fire ash } [color="#ff0000"]
  { rank=same; fire; wood }
  { rank=same; dry; clay }
  fire -> shelf
}
`

// change is the sample with one text replaced by another.
func change(t *testing.T, was, is string) vfs.Files {
	t.Helper()
	if !strings.Contains(sample, was) {
		t.Fatalf("the sample has no %q", was)
	}
	return vfs.Files{"kiln.dot": strings.Replace(sample, was, is, 1)}
}

func TestStrictSees(t *testing.T) {
	t.Parallel()
	for rule, edit := range map[string][2]string{
		"a node that was lost":                       {"    throw\n", ""},
		"a node that was added":                      {"    throw\n", "    throw\n    glaze\n"},
		"a node in other case":                       {"    throw\n", "    throw\n    Throw\n"},
		"a node that is there twice":                 {"  fire [fontsize=12, tooltip=\"cone 6\"]\n", "  fire [fontsize=12, tooltip=\"cone 6\"]\n  fire [fontsize=12, tooltip=\"cone 6\"]\n"},
		"the attributes of a node that stays":        {"  fire [fontsize=12, tooltip=\"cone 6\"]\n", ""},
		"the case of a label":                        {"Clay & grog", "clay & grog"},
		"an attribute that no score weighs":          {"fontsize=12", "fontsize=12, penwidth=2"},
		"the case of an attribute":                   {"URL=", "Url="},
		"a default of nodes":                         {"node [shape=box]", "node [shape=oval]"},
		"a default of nodes in a subgraph":           {"node [color=red]", ""},
		"a default that comes after the nodes":       {"  node [shape=box]\n", ""},
		"a default that only bare nodes show":        {"  fire -> shelf", "  node [height=2]\n  fire -> shelf"},
		"a default of edges":                         {"  throw ->", "  edge [penwidth=2]\n  throw ->"},
		"attributes of the graph":                    {"bgcolor=white", "bgcolor=black"},
		"a setting of the graph":                     {"rankdir=LR", "rankdir=TB"},
		"the name of the graph":                      {"kiln 3", "kiln 4"},
		"strict":                                     {"digraph", "strict digraph"},
		"the label of a cluster":                     {"label=\"Shed\"", "label=\"Barn\""},
		"a subgraph made a cluster":                  {"subgraph yard", "subgraph cluster_yard"},
		"a nested cluster at top level":              {"    subgraph cluster_wheel { dry [style=\"filled,rounded\"] }\n    clay -> throw [weight=3, label=\"wet\"]\n  }", "    clay -> throw [weight=3, label=\"wet\"]\n  }\n  subgraph cluster_wheel { node [color=red]; dry [style=\"filled,rounded\"] }"},
		"a node in another subgraph":                 {"wood; ash }", "wood }\n  ash"},
		"an empty subgraph that was added":           {"  fire -> shelf", "  subgraph cluster_x {}\n  fire -> shelf"},
		"a rank group that was lost":                 {"  { rank=same; fire; wood }\n", ""},
		"members of rank groups that changed places": {"{ rank=same; fire; wood }\n  { rank=same; dry; clay }", "{ rank=same; fire; dry }\n  { rank=same; wood; clay }"},
		"the rank of a group":                        {"rank=same", "rank=min"},
		"an edge that was lost":                      {"  fire -> shelf\n", ""},
		"an edge that was added":                     {"  fire -> shelf", "  fire -> shelf -> clay"},
		"an edge that is there twice":                {"  fire -> shelf", "  fire -> shelf\n  fire -> shelf"},
		"an edge the other way":                      {"  fire -> shelf", "  shelf -> fire"},
		"a group at the end of an edge":              {"{ fire ash }", "{ fire dry }"},
		"a chain cut short":                          {"throw -> dry -> fire", "throw -> dry"},
		"the weight of an edge":                      {"weight=3", "weight=30"},
		"a port":                                     {"fire -> shelf", "fire:n -> shelf"},
		"a port of a node statement":                 {"    throw\n", "    throw:n\n"},
		"a colour's last digit":                      {"#ff0000", "#ff0001"},
		"how one sees through a colour":              {"#ff0000", "#ff000080"},
		"the operator":                               {"fire -> shelf", "fire -- shelf"},
		"an undirected graph":                        {"digraph", "graph"},
		"HTML for a string":                          {"label=\"wet\"", "label=<wet>"},
		"a second graph":                             {"  fire -> shelf\n}", "  fire -> shelf\n}\ndigraph { x }"},
		"a closing brace that is missing":            {"  fire -> shelf\n}", "  fire -> shelf\n"},
		"prose in front of the graph":                {"digraph", "Here is the graph:\ndigraph"},
		"a closing brace too many":                   {"  fire -> shelf\n}", "  fire -> shelf\n}\n}"},
		"a string that ends too early":               {"\"Clay & grog\"", "\"Clay & \"grog\"\""},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			score := New().Compare(vfs.Files{"kiln.dot": sample}, change(t, edit[0], edit[1]))
			if score.Strict >= 1 || score.Strict < 0.3 {
				t.Errorf("Strict is %v", score.Strict)
			}
		})
	}
}

func TestStrictForgives(t *testing.T) {
	t.Parallel()
	for rule, edit := range map[string][2]string{
		"indentation by tabs":                   {"    clay [", "\t\tclay ["},
		"a list on several lines":               {"[weight=3, label=\"wet\"]", "[\n weight=3;\n label=\"wet\",\n]"},
		"semicolons and none":                   {"    throw\n", "    throw;;\n"},
		"statements on one line":                {"    throw\n", "    throw "},
		"the order of attributes":               {"weight=3, label=\"wet\"", "label=\"wet\", weight=3"},
		"the order of node statements":          {"wood; ash", "ash; wood"},
		"the order of rank groups":              {"  { rank=same; fire; wood }\n  { rank=same; dry; clay }\n", "  { rank=same; clay; dry }\n  { rank=same; wood; fire }\n"},
		"comments":                              {"    throw\n", "    throw // by hand\n # or by foot\n /* not\n at all */\n"},
		"single quotes":                         {"label=\"Clay & grog\", URL=\"https://k.org\"", "label='Clay & grog', URL='https://k.org'"},
		"single quotes in front of a bracket":   {"label=\"wet\"]", "label='wet' ]"},
		"single quotes at a line's end":         {"label=\"Shed\"", "label='Shed'"},
		"a double quote and a single one":       {"label=\"wet\"]", "label=\"wet']"},
		"a single quote and a double one":       {"tooltip=\"cone 6\"", "tooltip='cone 6\""},
		"a colour in single quotes":             {"\"#ff0000\"", "'#ff0000'"},
		"a comment in a list":                   {"[weight=3,", "[weight=3, // three\n"},
		"a chain in single edges":               {"throw -> dry -> fire [arrowhead=vee]", "throw -> dry [arrowhead=vee]\n dry -> fire [arrowhead=vee]"},
		"a group in single edges":               {"wood -> { fire ash } [color=\"#ff0000\"]", "wood -> fire [color=\"#ff0000\"]; wood -> ash [color=\"#ff0000\"]"},
		"nodes with commas between":             {"wood -> { fire ash }", "wood -> fire, ash"},
		"node statements with commas":           {"wood; ash", "wood, ash"},
		"braces around statements":              {"    throw\n", "    { throw }\n"},
		"a default that is written out":         {"    node [color=red]\n    clay [label=\"Clay & grog\", URL=\"https://k.org\"]\n    throw\n    subgraph cluster_wheel { dry [style=\"filled,rounded\"] }", "    clay [label=\"Clay & grog\", URL=\"https://k.org\", color=red]\n    throw [color=red]\n    subgraph cluster_wheel { dry [style=\"filled,rounded\", color=red] }"},
		"a list in two":                         {"weight=3, label=\"wet\"", "weight=3][label=\"wet\""},
		"attributes in a second statement":      {"fire [fontsize=12, tooltip=\"cone 6\"]", "fire [fontsize=12]\n  fire [tooltip=\"cone 6\"]"},
		"a string in parts":                     {"\"Clay & grog\"", "\"Clay \" + \"& grog\""},
		"quotes":                                {"    throw\n", "    \"throw\"\n"},
		"quotes around a name":                  {"weight=3", "\"weight\"=\"3\""},
		"a setting in a list":                   {"  rankdir=LR\n", "  graph [rankdir=LR]\n"},
		"a colour by name":                      {"\"#ff0000\"", "RED"},
		"a colour in hue, saturation and value": {"\"#ff0000\"", "\"0.000 1.000 1.000\""},
		"an opaque colour":                      {"\"#ff0000\"", "\"#FF0000ff\""},
		"gray by per cent":                      {"bgcolor=white", "bgcolor=grey100"},
		"idle zeros":                            {"fontsize=12", "fontsize=12.0"},
		"the order of styles":                   {"\"filled,rounded\"", "\"rounded, filled\""},
		"href for URL":                          {"URL=", "href="},
		"keywords in capitals":                  {"node [shape", "NODE [shape"},
		"an empty list":                         {"fire -> shelf", "fire -> shelf []"},
		"a brace that closes a list":            {"fire [fontsize=12, tooltip=\"cone 6\"]", "fire [\n fontsize=12,\n tooltip=\"cone 6\"\n  }"},
		"a parenthesis that closes a list":      {"tooltip=\"cone 6\"]", "tooltip=\"cone 6\")"},
		"a name without value":                  {"fontsize=12", "fontsize=12, width=, height="},
		"a colour without its last quote":       {"color=\"#ff0000\"]", "color= \"#ff0000]"},
		"a colour without quotes":               {"\"#ff0000\"", "#ff0000"},
		"an address without quotes":             {"\"https://k.org\"", "https://k.org"},
		"a code fence":                          {"digraph", "```dot\ndigraph"},
		"a byte order mark":                     {"digraph", "\ufeffdigraph"},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			reference := vfs.Files{"kiln.dot": sample}
			candidate := change(t, edit[0], edit[1])
			if score := New().Compare(reference, candidate); score.Strict != 1 {
				t.Errorf("Strict is %v: %v", score.Strict, New().Differences(reference, candidate))
			}
		})
	}
}

func TestUndirectedEdgesHaveNoFirstEnd(t *testing.T) {
	t.Parallel()
	reference := vfs.Files{"a.gv": `graph { b:n -- a [headlabel=1, arrowtail=dot] }`}
	for candidate, same := range map[string]bool{
		`graph { a -- b:n [taillabel=1, arrowhead=dot] }`:                true,
		`graph { a -- b [taillabel=1, arrowhead=dot, headport="n"] }`:    true,
		`graph { a -- b:n [taillabel=1, arrowtail=dot] }`:                true, // no arrow is drawn
		`graph { a -- b:n [taillabel=1] }`:                               false,
		`graph { a -- b:n [headlabel=1, arrowtail=dot] }`:                false,
		`graph { a:n -- b [taillabel=1, arrowhead=dot] }`:                false,
		`graph { a -- b:n [taillabel=1, arrowhead=dot, dir="forward"] }`: false,
	} {
		if score := New().Compare(reference, vfs.Files{"a.gv": candidate}); (score.Strict == 1) != same {
			t.Errorf("%s: Strict %v", candidate, score.Strict)
		}
	}
}

func TestStrictReadsFilesOfAnyNameAndNumber(t *testing.T) {
	t.Parallel()
	first, second, _ := strings.Cut(sample, "  throw -> dry")
	for rule, candidate := range map[string]vfs.Files{
		"another extension": {"kiln.txt": sample},
		"no extension":      {"out/kiln": sample},
		"CRLF":              {"kiln.dot": strings.ReplaceAll(sample, "\n", "\r\n")},
		"two files":         {"a.dot": first + "}\n", "b.dot": "digraph rest {\n  throw -> dry" + second},
	} {
		if score := New().Compare(vfs.Files{"kiln.dot": sample}, candidate); score.Strict != 1 {
			t.Errorf("%s: Strict is %v: %v", rule, score.Strict, New().Differences(vfs.Files{"kiln.dot": sample}, candidate))
		}
	}
}

func TestStrictFallsInProportion(t *testing.T) {
	t.Parallel()
	seed := domaintest.Seed(t, environment)
	one := vfs.Files{documentFile: strings.Replace(seed[documentFile], "45 cycles", "40 cycles", 1)}
	score := New().Compare(seed, one)
	if score.Strict < 0.995 || score.Strict >= 1 {
		t.Errorf("one wrong label of 162 nodes and edges leaves Strict at %v", score.Strict)
	}
	want := []domains.Difference{{
		Kind: domains.Changed, Where: "node cycler, label", Was: `QuantStudio 7\n45 cycles`, Is: `QuantStudio 7\n40 cycles`,
	}}
	if diff := cmp.Diff(want, New().Differences(seed, one)); diff != "" {
		t.Error(diff)
	}
}

// What is not Graphviz gives a score, and the published reading says why not.
func TestBadInput(t *testing.T) {
	t.Parallel()
	seed := domaintest.Seed(t, environment)
	for label, text := range map[string]string{
		"empty":                "",
		"truncated":            seed[documentFile][:4000],
		"prose":                "I have split the graph { as you asked.\n",
		"binary":               "digraph \x00\xff\xfe{ \x80 -> [",
		"nested braces":        "digraph " + strings.Repeat("{", 10_000),
		"nested subgraphs":     "digraph {" + strings.Repeat("subgraph a {", 10_000),
		"nested angles":        "digraph { a [label=" + strings.Repeat("<", 10_000) + strings.Repeat(">", 9_999),
		"open angles":          "digraph {" + strings.Repeat("<\n", 10_000),
		"open strings":         "digraph {" + strings.Repeat("\"\\\"\n", 10_000),
		"graphs without graph": strings.Repeat("graph <\n", 10_000) + strings.Repeat(">", 10_000),
	} {
		score := New().Compare(seed, vfs.Files{documentFile: text})
		if score.RS != 0 || score.Strict < 0 || score.Strict > 0.5 || score.Problem == "" {
			t.Errorf("%s: Value %v, Strict %v, problem %q", label, score.RS, score.Strict, score.Problem)
		}
	}
}
