package graphviz

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/vfs"
)

// published writes what parse makes of files, one word a part.
func published(files vfs.Files) string {
	m, _ := Parse(files)
	var parts []string
	list := func(of attributes) string {
		var all []string
		for _, key := range slices.Sorted(maps.Keys(of)) {
			if key != directedKey {
				all = append(all, key+"="+of[key])
			}
		}
		if len(all) == 0 {
			return ""
		}
		return "[" + strings.Join(all, " ") + "]"
	}
	for _, id := range m.nodes.keys {
		parts = append(parts, id+list(m.nodes.values[id]))
	}
	for _, e := range m.edges {
		arrow := "--"
		if e.attributes[directedKey] == "true" {
			arrow = "->"
		}
		parts = append(parts, shown(e.from)+arrow+shown(e.to)+list(e.attributes))
	}
	for _, name := range m.subgraphs.keys {
		members := make([]string, len(m.subgraphs.values[name]))
		for i, id := range m.subgraphs.values[name] {
			members[i] = shown(id)
		}
		parts = append(parts, name+"{"+strings.Join(members, " ")+"}")
	}
	if s := list(m.settings); s != "" {
		parts = append(parts, s)
	}
	return strings.Join(parts, " | ")
}

func shown(end string) string {
	if strings.HasPrefix(end, groupEnd) {
		return "GROUP"
	}
	return end
}

func TestPublishedReading(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct{ body, want string }{
		"only statements make nodes":                          {"a; a -> b", "a | a->b"},
		"the operator does not matter":                        {"a -- b", "a->b"},
		"a chain has an edge for each pair":                   {"a -> b -> c [x=1]", "a->b[x=1] | b->c[x=1]"},
		"a group as second end is one end":                    {"a -> {b c} -> d", "a->GROUP | GROUP->d"},
		"a group in a chain":                                  {"a -> b -> {c d} -> e", "a->b | b->GROUP | GROUP->e"},
		"a group as first end":                                {"{a b} -> c -> d", "GROUP->c | c->d"},
		"ports belong to ends":                                {`a:p:n -> "b c":q`, `a:p:n->b c":q`},
		"defaults are passed over":                            {"node [a=1] edge [b=2] graph [c=3]", ""},
		"nodes named node are too":                            {"node; edge; graph; a", "a"},
		"settings count at top level only":                    {"x=1; subgraph s {y=2 a}", `a | s{a} | [x=1]`},
		"members stand directly in a subgraph":                {"subgraph s {a subgraph t {b} c -> d}", "a | b | c->d | s{a c d} | t{b}"},
		"subgraphs without a name are one":                    {"{a} {b}", "a | b | {b}"},
		"a name seen twice starts over":                       {"subgraph s {a} subgraph s {b}", "a | b | s{b}"},
		"the later statement decides at top level":            {"a [x=1]; a [y=2]", "a[y=2]"},
		"statements add up in subgraphs":                      {"a [x=1]; {a [y=2]} {a [z=3]}", "a[x=1 y=2 z=3] | {a}"},
		"top level comes first":                               {"{a [x=1]} a [x=2]", "a[x=1] | {a}"},
		"later lists win":                                     {"a [x=1 z=0][y=2 x=3]", "a[x=3 y=2 z=0]"},
		"an empty list is none":                               {"a [][x=1]", "a[x=1]"},
		"a port is cut off":                                   {`a:p [x=1] "b":q <c:d>`, `a[x=1] | b":q | <c`},
		"two lists of an edge count":                          {"a -> b [x=1][y=2]", "a->b[x=1 y=2]"},
		"src as attribute of an edge breaks all":              {"c; a -> b [src=1]", ""},
		"name as attribute is given another name":             {"a [name=x]", "a[_dot_name=x]"},
		"with a blank it breaks all":                          {"a [name =x]", ""},
		"keys are lowered":                                    {"a [URL=X]", "a[url=X]"},
		"quoted keys keep their quotes":                       {`a ["label"=x]`, `a["label"=x]`},
		"escapes stay":                                        {`a [label="x\n\"y\""]`, `a[label=x\n\"y\]`},
		"a number glued to letters":                           {"a [x=3d_view]", "a[d_view= x=3]"},
		"and as a setting":                                    {"x=3d", "d | [x=3]"},
		"a value without quotes that is no identifier":        {"a [x=#ff0000]", ""},
		"strings add up":                                      {`a [x="1" + /* c */ "2" y=z]`, "a[x=12 y=z]"},
		"a word and a string do not":                          {`a [x=z + "2"]`, ""},
		"HTML after a blank":                                  {"a [x= <b>]", "a[x=<b>]"},
		"HTML stays as it is":                                 {`a [x=<i  "j" <k> >]`, `a[x=<i  "j" <k> >]`},
		"a comma is no node":                                  {"a, b", ""},
		"statements need nothing between":                     {"a b c -> d e", "a | b | e | c->d"},
		"letters of any script":                               {"kø -> 日本 x²", "x² | kø->日本"},
		"other characters are errors":                         {"k½ -> b", ""},
		"a dangling operator is an error":                     {"a -> ", ""},
		"two semicolons after a node":                         {"a;; b", "a | b"},
		"but not after an edge":                               {"a -> b;; c", ""},
		"of keys in two letter cases the one first seen last": {"a [X=1 x=2 X=3]", "a[x=2]"},
		"a backslash at a line end vanishes":                  {"a [x=\"1\\\n2\"]", "a[x=12]"},
		"keywords in any case":                                {"NODE [x=1] SUBGRAPH s {a}", "a | s{a}"},
		"a word that begins like a keyword":                   {"nodes [x=1] subgraphs", "nodes[x=1] | subgraphs"},
		"comments":                                            {"a // b\n # c\n /* d */ e", "a | e"},
		"a line feed after a semicolon is no node":            {"a -> b;\n", "a->b"},
		"a comma on the line that opens a subgraph":           {"subgraph s { x=1, y=2\n a }", "a | s{a}"},
		"a colour whose string is not closed":                 {`a [x="#fff, y=1]`, "a[x=#fff y=1]"},
		"a dollar sign":                                       {"a [$x=1]", "a[x=1]"},
		"a name without value":                                {"a [x=, y=1, z= ]", "a[y=1]"},
		"semicolons in a list":                                {`a [x=1; y="b;c"]`, "a[x=1 y=b;c]"},
		"a brace that closes a list of several lines":         {"a [\nx=1\n};\nb", "a[x=1] | b"},
		"a parenthesis that closes a list":                    {"a [x=1)\nb", "a[x=1] | b"},
		"a node is not known by attributes of another":        {"a [x=1] b [y=2]", "a[x=1] | b[y=2]"},
		"a second graph is passed over":                       {"a } digraph { b", "a"},
		"but not where pydot fails on it":                     {"a } digraph { b [name =x] }", ""},
		"what follows the graph is passed over":               {"a } and so on {", "a"},
		"an end that is a group is a member of a subgraph":    {"subgraph s { a -> {b} }", "a->GROUP | s{a GROUP}"},
	} {
		if diff := cmp.Diff(c.want, published(vfs.Files{"g.dot": "digraph {" + c.body + "}"})); diff != "" {
			t.Errorf("%s: %s", rule, diff)
		}
	}
}

func TestPublishedReadingOfFiles(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		files vfs.Files
		want  string
	}{
		"a later file replaces nodes, edges add up": {
			vfs.Files{"b.gv": "graph {a [y=2]; a -- b}", "a.dot": "digraph {a [x=1]; a -> b}"}, "a[y=2] | a->b | a--b"},
		"a file that cannot be read counts for nothing": {
			vfs.Files{"a.dot": "digraph {a", "b.dot": "digraph {b}"}, "b"},
		"other extensions are not read":     {vfs.Files{"a.txt": "digraph {a}", "b.DOT": "digraph {b}"}, ""},
		"text in front of the graph":        {vfs.Files{"a.dot": "Here:\ndigraph {a}"}, ""},
		"comments in front of the graph":    {vfs.Files{"a.dot": "# x\n// y\n/* z */ strict graph G {a}"}, "a"},
		"a graph that is named like a kind": {vfs.Files{"a.dot": "digraph graph {a}"}, "a"},
		"a byte order mark":                 {vfs.Files{"a.dot": "\ufeffdigraph {a}"}, ""},
	} {
		if diff := cmp.Diff(c.want, published(c.files)); diff != "" {
			t.Errorf("%s: %s", rule, diff)
		}
	}
}
