package graphviz

import (
	"strconv"

	"agentd/domains/edit"
	"agentd/internal/lazyregexp"
)

// vocabulary makes parts of the statements that are in the graph but in no subgraph.
func vocabulary() edit.Format {
	return edit.Format{
		Document: "graph", Part: "top-level statement", Parts: "top-level statements",
		Remark: "  // Computed: {}", RemarkAt: edit.End,
		Tree: edit.Nested(`[\[{][ \t]*$`, `^[ \t]*[\]}]`),
		Cut: edit.Whole(edit.Headed(`^[ \t]*(?://|#)`, edit.Statements(1, ";\n",
			edit.RestOfLine("//"), edit.RestOfLine("#"), edit.Remark("/*", "*/"), edit.Apart{Open: `"`, Close: `"`, Escaped: true}))),
		Attributes: []edit.Attribute{
			edit.Key("first word", "first words", `\A(?:[ \t]*(?://|#).*\n)*[ \t]*(\w+|"[^"\n]*")`),
			edit.Key("subgraph", "subgraphs", `\A(?:[ \t]*(?://|#).*\n)*[ \t]*subgraph[ \t]+(\w+)`),
			edit.Has("label", "labels", `\blabel[ \t]*=[ \t]*"([^"\n]+)"`),
			edit.Has("shape", "shapes", `\bshape[ \t]*=[ \t]*"?(\w+)`),
			edit.Has("style", "styles", `\bstyle[ \t]*=[ \t]*("[^"\n]+"|\w+)`),
			edit.Has("color", "colors", `\b(?:fill|font|pen|bg)?color[ \t]*=[ \t]*("[^"\n]+"|\w+)`),
			edit.HasNumber("weight", "weights", `\bweight[ \t]*=[ \t]*"?(\d+(?:\.\d+)?)\b`),
			edit.HasNumber("size", "sizes", `\b(?:fontsize|penwidth|nodesep|ranksep|arrowsize|width|height)[ \t]*=[ \t]*(\d+(?:\.\d+)?)\b`),
			edit.Has("tooltip", "tooltips", `\btooltip[ \t]*=[ \t]*"([^"\n]+)"`),
			edit.ComputedNumber("number of edges", "numbers of edges", edges),
			edit.Has("target node", "target nodes", `-[->][ \t]*("[^"\n]+"|\w+)`),
		},
	}
}

var (
	quoted = lazyregexp.New(`"(?:[^"\\]|\\(?s:.))*"|//.*|/\*(?s:.*?)\*/`)
	arrow  = lazyregexp.New(`-[->]`)
)

// edges is how many edges a statement draws between single nodes, comments aside; a chain of three nodes
// has two. Empty for none.
func edges(part string) string {
	n := len(arrow.FindAllStringIndex(quoted.ReplaceAllString(part, "x"), -1))
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}
