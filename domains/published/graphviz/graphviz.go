// Package graphviz is the published reading and score of the domain graphviz.
//
// Node key: id lower-cased, trimmed. Edge key: ends lower-cased, src|dst, in an undirected graph sorted. Among equal
// keys the last one represents them. Attribute text: nil → empty; lower-cased, trimmed, quotes " ' at the ends removed,
// blanks collapsed. False/True of Directed: false/true.
//
// Renaming. If fewer than half of the reference ids occur (exactly) among the candidate's: build candidate → reference,
// never using a reference id twice: (1) candidate attribute id equals a reference id, ignoring case; stop here if at
// least half of the candidate ids are mapped; (2) candidate id equals a reference label or tooltip; (3) if still under
// half, candidate label or tooltip equals a reference one (later ones win on both sides). Then rename nodes, edge ends
// (whole strings, ports included), members. A candidate node with a valueless id key crashes step (1), if it is
// reached.
//
//   - NC = Jaccard of node keys; EC = Jaccard of edge keys (sets). Both empty 1, one empty 0.
//   - NA = mean over shared nodes of Σ earned / Σ weights over the attributes filled on either side (none → 1): equal →
//     full; both filled, different → colours 0, others weight × 0.7 × SequenceMatcher(ref, cand) ratio (characters);
//     one missing → 0. Weights: label 2, shape 1.5, fillcolor 1, color 1, url 1, fontcolor 0.5, fontsize 0.5, style
//     0.5, tooltip 0.5, row 0.5, width 0.3, height 0.3, fixedsize 0.3. Both node maps empty 1; one empty or nothing
//     shared 0.
//   - EA likewise: directed 1.5, arrowhead 1, color 1, label 1, arrowsize 0.5, style 0.5, weight 0.5.
//   - SG: no subgraphs on either side → 1. Map each member (lower-cased) to its subgraph name (lower-cased, cluster_
//     removed; later subgraphs win). Both maps empty → 1; no common member → 0; else share of common members with equal
//     names.
//   - GS: both empty 1; else mean over the union of global keys: equal 1; both filled 0.5 × ratio; else 0.
//
// score = NC² × NA × EC × √((EA + SG)/2); 0 if that mean is 0. If GS < 0.5: score × (0.8 + 0.2·GS). No rounding.
package graphviz

import (
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/internal/lazyregexp"
	"agentd/vfs"
)

// Model is a document as the published evaluator reads it.
type Model struct {
	nodes     ordered[attributes] // by id; only those with a statement
	edges     []edge
	subgraphs ordered[[]string] // the ids that stand directly in each, by name
	settings  attributes        // key=value statements at top level
}

type edge struct {
	from, to   string // with ports
	attributes attributes
}

// attributes are values by keys.
type attributes = Settings

const (
	directedKey = "directed" // says whether an edge is directed
	idKey       = "id"       // may say which node of the reference a node is
)

// ordered is a map that knows the order in which its keys came first.
type ordered[V any] struct {
	keys   []string
	values map[string]V
}

func (o *ordered[V]) set(key string, value V) {
	if o.values == nil {
		o.values = map[string]V{}
	}
	if _, known := o.values[key]; !known {
		o.keys = append(o.keys, key)
	}
	o.values[key] = value
}

// take sets what others has, which is not used any more.
func (o *ordered[V]) take(others ordered[V]) {
	if len(o.keys) == 0 {
		*o = others
		return
	}
	for _, key := range others.keys {
		o.set(key, others.values[key])
	}
}

// Parse reads a document as the published evaluator does. It has no errors: a file that pydot does not read counts for
// nothing. Of several files the later one decides, only edges add up.
func Parse(files vfs.Files) (*Model, error) {
	whole := &Model{settings: attributes{}}
	var g grammar
	for _, name := range files.Names() {
		if ext := path.Ext(name); ext != ".dot" && ext != ".gv" {
			continue
		}
		if graph, directed := g.parse(repair(files[name])); graph != nil {
			whole.take(modelOf(graph, directed))
		}
	}
	return whole, nil
}

func (m *Model) take(part *Model) {
	m.nodes.take(part.nodes)
	m.subgraphs.take(part.subgraphs)
	maps.Copy(m.settings, part.settings)
	m.edges = append(m.edges, part.edges...)
}

// modelOf takes first what stands at top level, where the last statement of a
// node decides, then what stands in subgraphs, where statements add up.
func modelOf(graph *parsedBody, directed bool) *Model {
	m := &Model{settings: normalKeys(graph.settings)}
	for _, n := range inGroups(graph.nodes, func(n *parsedNode) string { return n.name }) {
		if id, ok := nodeID(n.name); ok {
			m.nodes.set(id, normalKeys(n.attributes))
		}
	}
	m.takeEdges(graph, directed)
	m.takeSubgraphs(graph, directed)
	return m
}

func (m *Model) takeEdges(body *parsedBody, directed bool) (ends []string) {
	for _, e := range inGroups(body.edges, func(e *parsedEdge) string { return e.from + "\xff" + e.to }) {
		from, to := strings.Trim(e.from, `"`), strings.Trim(e.to, `"`)
		list := normalKeys(e.attributes)
		if list == nil {
			list = attributes{}
		}
		list[directedKey] = strconv.FormatBool(directed)
		m.edges = append(m.edges, edge{from, to, list})
		ends = append(ends, from, to)
	}
	return ends
}

func (m *Model) takeSubgraphs(body *parsedBody, directed bool) {
	for _, sub := range inGroups(body.subgraphs, func(b **parsedBody) string { return (*b).name }) {
		var members []string
		for _, n := range inGroups(sub.nodes, func(n *parsedNode) string { return n.name }) {
			id, ok := nodeID(n.name)
			if !ok {
				continue
			}
			m.nodes.set(id, Overridden(m.nodes.values[id], normalKeys(n.attributes)))
			members = append(members, id)
		}
		members = append(members, m.takeEdges(sub, directed)...)
		m.subgraphs.set(strings.Trim(sub.name, `"`), members)
		m.takeSubgraphs(sub, directed)
	}
}

// inGroups brings together what has the same label, as pydot keeps it.
func inGroups[T any](list []T, label func(*T) string) []T {
	groups := make(map[string][]T, len(list))
	var labels []string
	for i := range list {
		key := label(&list[i])
		if groups[key] == nil {
			labels = append(labels, key)
		}
		groups[key] = append(groups[key], list[i])
	}
	if len(labels) == len(list) {
		return list
	}
	grouped := make([]T, 0, len(list))
	for _, key := range labels {
		grouped = append(grouped, groups[key]...)
	}
	return grouped
}

// nodeID is the id of a node; false if the published evaluator leaves it out.
func nodeID(name string) (string, bool) {
	id := strings.Trim(name, `"`)
	return id, !slices.Contains([]string{"", "node", "edge", "graph", `\n`}, id)
}

// normalKeys lowers keys and takes the quotes off values. A missing value is like an empty one, but for idKey. Of keys
// that differ only in letter case, the one that first stood last wins.
func normalKeys(raw rawAttributes) attributes {
	if len(raw.keys) == 0 {
		return nil
	}
	normal := make(attributes, len(raw.keys))
	for _, written := range raw.keys {
		key, value := pytext.Lower(written), raw.values[written]
		if key != idKey || value != noValue {
			value = strings.Trim(value, `"`)
		}
		normal[key] = value
	}
	return normal
}

// repair mends the slips that the published evaluator expects of models, in its
// order, wherever they stand: most rules do not know strings.
func repair(text string) string {
	if strings.Contains(text, "subgraph") {
		text = eachLine(text, splitOpening)
	}
	text = openColour.ReplaceAllString(text, `$1"$2`)
	text = renameNames(text)
	text = dollarWord.ReplaceAllString(text, "$1=")
	text = dropEmptyValues(text)
	text = squeezeCommas(text)
	closeList := listCloser()
	return eachLine(text, func(line string) string { return closeParenthesis(closeList(commasForSemicolons(line))) })
}

// eachLine mends every line.
func eachLine(text string, mend func(string) string) string {
	return strings.Join(lists.Map(strings.Split(text, "\n"), mend), "\n")
}

// opening is a line that opens a subgraph, with something after the brace.
var opening = lazyregexp.New(`^(.*\bsubgraph\s+(?:"[^"]*"|[^\s{"]+)\s*\{)([^{}]+)$`)

// splitOpening makes statements of what follows, with commas between, on a line that opens a subgraph.
func splitOpening(line string) string {
	if !strings.Contains(line, "subgraph") || !strings.Contains(line, ",") {
		return line
	}
	match := opening.FindStringSubmatch(line)
	if match == nil || !strings.Contains(match[2], "=") {
		return line
	}
	parts := []string{match[1]}
	for _, part := range SplitOutside(match[2], '"', '"') {
		if part = pytext.Strip(part); part != "" {
			parts = append(parts, "    "+part)
		}
	}
	return strings.Join(parts, "\n")
}

// SplitOutside divides a text at the commas that do not stand between two marks.
func SplitOutside(text string, open, shut byte) (parts []string) {
	start, depth := 0, 0
	for i := range len(text) {
		switch c := text[i]; {
		case c == ',' && depth == 0:
			parts = append(parts, text[start:i])
			start = i + 1
		case c == shut && (open != shut || depth > 0):
			depth--
		case c == open:
			depth++
		}
	}
	return append(parts, text[start:])
}

// openColour is a colour such as ="#b2d3e4 whose string is not closed before a mark or white space.
var openColour = pytext.Pattern(`(="#[0-9a-fA-F]{3,8})([\];,}\s])`)

// renameNames writes _dot_name= for name= as a whole word, but not straight after one that it wrote.
func renameNames(text string) string {
	const word = "name="
	renamed := false
	return plain.EachMark(text, word, "_dot_"+word, func(before, _ string) (int, int, bool) {
		last, size := utf8.DecodeLastRuneInString(before)
		renamed = size == 0 && !renamed || size > 0 && !pytext.IsWord(last)
		return 0, 0, renamed
	})
}

// dollarWord is a word with a sign that is taken off it.
var dollarWord = pytext.Pattern(`\$(\w+)=`)

// dropEmptyValues takes out word= where a comma, bracket or semicolon follows.
func dropEmptyValues(text string) string {
	return plain.EachMark(text, "=", "", func(before, after string) (int, int, bool) {
		rest := pytext.StripLeft(after)
		word := len(before) - len(strings.TrimRightFunc(before, pytext.IsWord))
		return word, len(after) - len(rest), word > 0 && rest != "" && strings.IndexByte(",];", rest[0]) >= 0
	})
}

// squeezeCommas leaves one comma of two, and none next to a bracket.
func squeezeCommas(text string) string {
	text = plain.EachMark(text, ",", ",", followedBy(","))
	text = plain.EachMark(text, ",", "]", followedBy("]"))
	return plain.EachMark(text, "[", "[", followedBy(","))
}

// followedBy finds the marks in front of another one, which is replaced too, with the white space between.
func followedBy(other string) func(_, after string) (int, int, bool) {
	return func(_, after string) (int, int, bool) {
		rest := pytext.StripLeft(after)
		return 0, len(after) - len(rest) + len(other), strings.HasPrefix(rest, other)
	}
}

// commasForSemicolons writes commas for the semicolons inside brackets.
func commasForSemicolons(line string) string {
	if !strings.Contains(line, ";") || !strings.Contains(line, "[") {
		return line
	}
	mended := []byte(line)
	depth, quoted := 0, false
	for i := range mended {
		switch c := mended[i]; {
		case c == '"' && (i == 0 || mended[i-1] != '\\'):
			quoted = !quoted
		case quoted:
		case c == '[':
			depth++
		case c == ']':
			depth--
		case c == ';' && depth > 0:
			mended[i] = ','
		}
	}
	return string(mended)
}

// listCloser writes, line by line, the bracket for a brace that closes a list of several lines.
func listCloser() func(line string) string {
	open := false
	return func(line string) string {
		switch stripped := pytext.Strip(line); {
		case strings.Contains(line, "]"):
			open = false
		case strings.Contains(line, "["):
			open = true
		case open && (stripped == "}" || stripped == "};"):
			open = false
			return strings.Replace(line, "}", "]", 1)
		}
		return line
	}
}

// closeParenthesis writes the bracket for a parenthesis that closes a list at the end of its line.
func closeParenthesis(line string) string {
	if !strings.Contains(line, "[") {
		return line
	}
	end := strings.TrimRightFunc(line, func(r rune) bool { return r == ';' || pytext.IsSpace(r) })
	if !strings.HasSuffix(end, ")") || strings.Count(end, `"`)%2 != 0 {
		return line
	}
	return end[:len(end)-1] + "]" + line[len(end):]
}
