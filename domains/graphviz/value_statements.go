package graphviz

import (
	"slices"
	"strconv"
	"strings"
)

// graph reads [strict] graph|digraph [name] {…}.
func (g *grammar) graph() (body *parsedBody, directed bool) {
	g.literal("strict")
	directed = g.literal("digraph")
	if !directed && !g.literal("graph") {
		return nil, false
	}
	g.identifier()
	return g.braces(), directed
}

// braces reads a body in braces, and may have passed over some of it in vain. A body that was
// not readable is not tried again, so that the time is linear in spite of the alternatives.
func (g *grammar) braces() *parsedBody {
	if !g.literal("{") || g.fatal || g.broken[g.at] {
		return nil
	}
	if g.depth == deepest {
		g.fatal = true
		return nil
	}
	g.depth++
	defer func() { g.depth-- }()
	start := g.at
	body := &parsedBody{}
	for g.statement(body) {
		g.literal(";")
	}
	if !g.literal("}") || g.fatal {
		g.broken[start] = true
		return nil
	}
	g.literal(";")
	return body
}

// statement reads a statement into a body.
func (g *grammar) statement(body *parsedBody) bool {
	if g.fatal {
		return false
	}
	start := g.at
	if g.setting(body) {
		return true
	}
	g.at = start
	first := g.point()
	after := g.at
	if first != (point{}) && g.chain(body, first) {
		return true
	}
	if g.at = start; g.defaults() {
		return true
	}
	g.at = after
	switch {
	case first.group != nil:
		body.subgraphs = append(body.subgraphs, first.group)
	case first.name != "":
		g.node(body, first.name)
	default:
		return false
	}
	return true
}

// setting reads key=value, or passes over some of it in vain.
func (g *grammar) setting(body *parsedBody) bool {
	key := g.identifier()
	if key == "" || !g.literal("=") {
		return false
	}
	value := g.value()
	if value != "" {
		body.settings.set(key, value)
	}
	return value != ""
}

// defaults passes over a graph, node or edge statement, which the published
// score does not look at, or over its word in vain.
func (g *grammar) defaults() bool {
	if !slices.ContainsFunc([]string{"graph", "node", "edge"}, g.literal) {
		return false
	}
	list, found := g.lists()
	g.refuse(list, "self", "obj_dict", "name")
	return found
}

// refuse fails, as pydot does, at keys that are names of its parameters.
func (g *grammar) refuse(list rawAttributes, keys ...string) {
	for _, key := range keys {
		_, has := list.values[key]
		g.fatal = g.fatal || has
	}
}

// point is an end of an edge: a node with ports, or a group.
type point struct {
	name  string
	group *parsedBody
}

func (g *grammar) point() point {
	start := g.at
	name := ""
	if g.literal("subgraph") {
		name = g.identifier()
	}
	if body := g.braces(); body != nil {
		body.name = name
		return point{group: body}
	}
	g.at = start
	return point{name: g.nodeID()}
}

// mostPorts is how many identifiers follow that of a node at most.
const mostPorts = 2

// nodeID reads an identifier with ports, which stand after colons.
func (g *grammar) nodeID() string {
	id := g.identifier()
	for n := 0; n < mostPorts && id != ""; n++ {
		port := g.after(":", g.identifier)
		if port == "" {
			break
		}
		id += ":" + port
	}
	return id
}

// chain reads the rest of an edge statement and adds an edge for each pair.
func (g *grammar) chain(body *parsedBody, first point) bool {
	ends := []string{g.end(first)}
	before := g.at
	for g.literal("--") || g.literal("->") {
		next := g.point()
		if next == (point{}) {
			break
		}
		ends = append(ends, g.end(next))
		before = g.at
	}
	if g.at = before; len(ends) == 1 {
		return false
	}
	list, _ := g.lists()
	g.refuse(list, "src", "dst", "obj_dict", "self")
	for i := range ends[1:] {
		body.edges = append(body.edges, parsedEdge{ends[i], ends[i+1], list})
	}
	return true
}

// groupEnd begins the name of an end that is a group: a noncharacter, which no
// text has.
const groupEnd = "\ufdd0"

// end is the name of an end. That of a group is unlike any other of the document.
func (g *grammar) end(p point) string {
	if p.group != nil {
		g.groups++
		return groupEnd + strconv.Itoa(g.groups)
	}
	return p.name
}

// node reads the rest of a node statement. A port is cut off, unless the name begins
// with a quote.
func (g *grammar) node(body *parsedBody, name string) {
	list, _ := g.lists()
	g.refuse(list, "name", "obj_dict", "self")
	if at := strings.IndexByte(name, ':'); at > 0 && at+1 < len(name) && name[0] != '"' {
		name = name[:at]
	}
	body.nodes = append(body.nodes, parsedNode{name, list})
	g.literal(";")
}
