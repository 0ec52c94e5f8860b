package graphviz

import (
	"strconv"
	"strings"
)

// graph reads [strict] graph|digraph [name] {…}.
func (g *grammar) graph(at int) (parsedGraph, int) {
	at = g.optional(at, "strict")
	var read parsedGraph
	after := g.literal(at, "digraph")
	if read.directed = after > 0; !read.directed {
		if after = g.literal(at, "graph"); after == 0 {
			return parsedGraph{}, 0
		}
	}
	if _, end := g.identifier(after); end > 0 {
		after = end
	}
	read.body, after = g.braces(after)
	return read, after
}

// braces reads a body in braces. A body that was not readable is not tried
// again, so that the time is linear in spite of the alternatives.
func (g *grammar) braces(at int) (*parsedBody, int) {
	at = g.literal(at, "{")
	switch {
	case at == 0 || g.fatal != nil || g.broken[at]:
		return nil, 0
	case g.depth == deepest:
		g.fatal = errDeep
		return nil, 0
	}
	g.depth++
	defer func() { g.depth-- }()
	start := at
	body := &parsedBody{}
	for next := at; next > 0; {
		at = next
		if next = g.statement(body, at); next > 0 {
			next = g.optional(next, ";")
		}
	}
	if at = g.literal(at, "}"); at == 0 || g.fatal != nil {
		if g.broken == nil {
			g.broken = map[int]bool{}
		}
		g.broken[start] = true
		return nil, 0
	}
	return body, g.optional(at, ";")
}

// statement reads a statement into a body.
func (g *grammar) statement(body *parsedBody, at int) int {
	if g.fatal != nil {
		return 0
	}
	if end := g.setting(body, at); end > 0 {
		return end
	}
	first, end := g.point(at)
	if end > 0 {
		if after := g.chain(body, first, end); after > 0 {
			return after
		}
	}
	if end := g.defaults(at); end > 0 {
		return end
	}
	if end > 0 && first.group != nil {
		body.subgraphs = append(body.subgraphs, first.group)
		return end
	}
	if end == 0 {
		return 0
	}
	return g.node(body, first, end)
}

// setting reads key=value.
func (g *grammar) setting(body *parsedBody, at int) int {
	key, at := g.identifier(at)
	if at == 0 {
		return 0
	}
	if at = g.literal(at, "="); at == 0 {
		return 0
	}
	value, end := g.value(at)
	if end > 0 {
		body.settings.set(key, value)
	}
	return end
}

// defaults passes over a graph, node or edge statement, which the published
// score does not look at.
func (g *grammar) defaults(at int) int {
	for _, word := range [...]string{"graph", "node", "edge"} {
		if after := g.literal(at, word); after > 0 {
			list, end := g.lists(after)
			g.refuse(list, "self", "obj_dict", "name")
			return end
		}
	}
	return 0
}

// refuse fails, as pydot does, at keys that are names of its parameters.
func (g *grammar) refuse(list rawAttributes, keys ...string) {
	for _, a := range list {
		for _, key := range keys {
			if a.key == key {
				g.fatal = errKey
			}
		}
	}
}

// point is an end of an edge: a node with ports, or a group.
type point struct {
	parts []string // the node and its ports
	group *parsedBody
}

// name is the parts with colons between.
func (p point) name() string { return strings.Join(p.parts, ":") }

func (g *grammar) point(at int) (point, int) {
	var name string
	after := at
	if word := g.literal(at, "subgraph"); word > 0 {
		after = word
		if text, end := g.identifier(word); end > 0 {
			name, after = text, end
		}
	}
	if body, end := g.braces(after); end > 0 {
		body.name = name
		return point{group: body}, end
	}
	return g.nodeID(at)
}

// mostParts is how many identifiers a node has at most, with its ports.
const mostParts = 3

// nodeID reads an identifier with ports, which stand after colons.
func (g *grammar) nodeID(at int) (point, int) {
	text, end := g.identifier(at)
	if end == 0 {
		return point{}, 0
	}
	p := point{parts: []string{text}}
	for len(p.parts) < mostParts {
		colon := g.literal(end, ":")
		if colon == 0 {
			break
		}
		port, after := g.identifier(colon)
		if after == 0 {
			break
		}
		p.parts = append(p.parts, port)
		end = after
	}
	return p, end
}

// chain reads the rest of an edge statement and adds an edge for each pair.
func (g *grammar) chain(body *parsedBody, first point, at int) int {
	ends := []string{g.end(first)}
	for {
		after := g.literal(at, "--")
		if after == 0 {
			if after = g.literal(at, "->"); after == 0 {
				break
			}
		}
		p, after := g.point(after)
		if after == 0 {
			break
		}
		ends = append(ends, g.end(p))
		at = after
	}
	if len(ends) == 1 {
		return 0
	}
	list, end := g.lists(at)
	if end == 0 {
		end = at
	}
	g.refuse(list, "src", "dst", "obj_dict", "self")
	for i := range ends[1:] {
		body.edges = append(body.edges, parsedEdge{ends[i], ends[i+1], list})
	}
	return end
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
	return p.name()
}

// node reads the rest of a node statement. A port is cut off, unless the name begins
// with a quote.
func (g *grammar) node(body *parsedBody, p point, at int) int {
	list, end := g.lists(at)
	if end == 0 {
		end = at
	}
	g.refuse(list, "name", "obj_dict", "self")
	name := p.name()
	if at := strings.IndexByte(name, ':'); at > 0 && at+1 < len(name) && name[0] != '"' {
		name = name[:at]
	}
	body.nodes = append(body.nodes, parsedNode{name, list})
	return g.optional(end, ";")
}
