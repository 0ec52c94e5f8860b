package graphviz

import (
	"errors"
	"strconv"
	"strings"
)

// errFails is no crash of the published evaluator, for which the file is then empty.
var errFails = errors.New("a statement on which pydot fails")

// graph reads [strict] graph|digraph [name] {…}.
func (g *grammar) graph(at int) (parsedGraph, int) {
	at = g.optional(at, "strict")
	var read parsedGraph
	start := at
	if at = g.literal(start, "graph"); at == 0 {
		read.directed = true
		if at = g.literal(start, "digraph"); at == 0 {
			return parsedGraph{}, 0
		}
	}
	name, at := g.optionalIdentifier(at)
	read.body, at = g.braces(at)
	if at == 0 {
		return parsedGraph{}, 0
	}
	if len(name) > 0 && (name[0] == "graph" || name[0] == "digraph") {
		read.body = &parsedBody{} // pydot takes the name for the word that opens another graph
	}
	return read, at
}

func (g *grammar) optionalIdentifier(at int) (tokens []string, end int) {
	if tokens, end = g.identifier(at); end > 0 {
		return tokens, end
	}
	return nil, g.comments(at)
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
	for next := g.skip(at); next > 0; {
		at = next
		if next = g.statement(body, g.comments(at)); next > 0 {
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
	if tokens, end := g.assignment(at); end > 0 {
		if body.attributes == nil {
			body.attributes = attributes{}
		}
		keyed(tokens, body.attributes)
		return end
	}
	first, end := g.point(g.skip(at))
	if end > 0 {
		if behind := g.chain(body, first, end); behind > 0 {
			return behind
		}
	}
	if end := g.defaults(at); end > 0 {
		return end
	}
	if end > 0 && first.group != nil {
		body.subgraphs = append(body.subgraphs, first.group)
		return end
	}
	return g.node(body, at)
}

// defaults passes over a graph, node or edge statement, which the published
// score does not look at.
func (g *grammar) defaults(at int) int {
	for _, word := range [...]string{"graph", "node", "edge"} {
		behind := g.literal(at, word)
		if behind == 0 {
			continue
		}
		lists, end := g.lists(behind)
		if end > 0 && len(lists) > 0 {
			g.refuse(lists[0], "name", "obj_dict", "self")
		}
		return end
	}
	return 0
}

// refuse fails, as pydot does, at keys that are names of its parameters.
func (g *grammar) refuse(list attributes, keys ...string) {
	for _, key := range keys {
		if _, has := list[key]; has {
			g.fatal = errFails
		}
	}
}

// point is an end of an edge: a node with ports, or a group.
type point struct {
	tokens []string // of the identifier
	ports  []string // as written, with colons
	ported bool
	odd    bool // ports that pydot reads but cannot handle
	group  *parsedBody
}

func (g *grammar) point(at int) (point, int) {
	start := at
	var name []string
	if at = g.literal(start, "subgraph"); at > 0 {
		name, at = g.optionalIdentifier(at)
	} else {
		at = start
	}
	body, end := g.braces(at)
	if end == 0 {
		return g.ported(start)
	}
	if len(name) > 0 {
		body.name = name[0]
	}
	return point{group: body}, end
}

// ported reads an identifier with ports, which stand behind colons or an at
// sign.
func (g *grammar) ported(at int) (point, int) {
	var p point
	if p.tokens, at = g.identifier(at); at == 0 {
		return point{}, 0
	}
	p.odd = len(p.tokens) > 1
	at, angled := g.angle(&p, g.skip(at))
	for {
		port, end := g.port(at)
		if end == 0 {
			break
		}
		p.odd = p.odd || len(port) > 1
		p.ports = append(p.ports, ":"+port[0])
		at = end
	}
	if len(p.ports) == 0 {
		at = g.coordinates(&p, at)
	}
	if p.ported = p.ported || len(p.ports) > 0; p.ported && !angled {
		at, _ = g.angle(&p, g.skip(at))
	}
	return p, g.skip(at)
}

// port reads a colon and an identifier.
func (g *grammar) port(at int) (tokens []string, end int) {
	if at = g.literal(at, ":"); at == 0 {
		return nil, 0
	}
	return g.identifier(at)
}

// angle reads an at sign and an identifier.
func (g *grammar) angle(p *point, at int) (end int, found bool) {
	if behind := g.literal(at, "@"); behind > 0 {
		if _, end := g.identifier(behind); end > 0 {
			p.odd, p.ported = true, true
			return end, true
		}
	}
	return at, false
}

// coordinates reads a port given as two identifiers in parentheses.
func (g *grammar) coordinates(p *point, at int) int {
	end := g.literal(at, ":")
	for _, mark := range []string{"(", ","} {
		if end == 0 {
			return at
		}
		if end = g.literal(end, mark); end > 0 {
			_, end = g.identifier(end)
		}
	}
	if end == 0 {
		return at
	}
	if end = g.literal(end, ")"); end == 0 {
		return at
	}
	p.odd, p.ported = true, true
	return end
}

// chain reads the rest of an edge statement and adds its edges. Of a group only
// the edge to it is kept if it is the second end; a later one is passed over.
func (g *grammar) chain(body *parsedBody, first point, at int) int {
	if at = g.skip(at); at == len(g.text) || g.text[at] != '-' {
		return 0
	}
	ends := []point{first}
	for {
		behind := g.literal(at, "--")
		if behind == 0 {
			if behind = g.literal(at, "->"); behind == 0 {
				break
			}
		}
		end, behind := g.point(g.comments(behind))
		if behind == 0 {
			break
		}
		ends = append(ends, end)
		at = behind
	}
	if len(ends) == 1 {
		return 0
	}
	lists, end := g.lists(at)
	if end == 0 {
		end = g.skip(at)
	}
	var list attributes
	if len(lists) > 0 {
		list = attributes{}
	}
	for _, l := range lists {
		for key, value := range l {
			list[key] = value
		}
	}
	g.refuse(list, "src", "dst", "obj_dict", "self")
	if ends[1].group != nil {
		ends = ends[:2]
	}
	from := g.end(first)
	for _, p := range ends[1:] {
		if p.group != nil && len(ends) > 2 {
			continue
		}
		to := g.end(p)
		body.edges = append(body.edges, parsedEdge{from, to, list})
		from = to
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
	if p.odd {
		g.fatal = errFails
	}
	return quoteIfNecessary(p.tokens[0] + strings.Join(p.ports, ""))
}

// node reads a node statement. Its attributes are lost where it has a port, or
// not exactly one list.
func (g *grammar) node(body *parsedBody, at int) int {
	p, at := g.ported(at)
	if at == 0 {
		return 0
	}
	lists, end := g.lists(at)
	if end == 0 {
		end = g.skip(at)
	}
	extra := len(lists) + len(p.tokens) - 1
	if p.ported {
		extra++
	}
	var list attributes
	if extra == 1 {
		if len(lists) == 0 {
			g.fatal = errFails
			return 0
		}
		list = lists[0]
		g.refuse(list, "name", "obj_dict", "self")
	}
	name := p.tokens[0]
	if at := strings.IndexByte(name, ':'); at > 0 && at+1 < len(name) && name[0] != '"' {
		name = name[:at]
	}
	body.nodes = append(body.nodes, parsedNode{quoteIfNecessary(name), list})
	return g.optional(end, ";")
}

// quoteIfNecessary is the function of that name in pydot.
func quoteIfNecessary(name string) string {
	if name == "" || !needsQuotes(name) {
		return name
	}
	return `"` + strings.NewReplacer(`"`, `\"`, "\n", `\n`, "\r", `\r`).Replace(name) + `"`
}

func needsQuotes(s string) bool {
	switch s {
	case "graph", "subgraph", "digraph", "node", "edge", "strict":
		return false
	}
	// A final line feed counts for nothing where Python's patterns end.
	body := strings.TrimSuffix(s, "\n")
	enclosed := func(first, last byte) bool {
		return len(body) >= 2 && body[0] == first && body[len(body)-1] == last ||
			len(s) >= 2 && s[0] == first && s[len(s)-1] == last
	}
	quoted, html := enclosed('"', '"'), enclosed('<', '>')
	if strings.ContainsFunc(s, func(r rune) bool { return r > 0x7f || r == 0 }) && !quoted && !html {
		return true
	}
	if quoted || html || isPlainName(body) || body != "" && strings.Trim(body, "0123456789,") == "" {
		return false
	}
	before, after, ported := strings.Cut(s, ":")
	if ported && !strings.Contains(after, ":") {
		return needsQuotes(before) || needsQuotes(after)
	}
	return true
}

// isPlainName reports whether a name is made of ASCII letters, digits,
// underscores and commas, or of colons and quotes too if no colon ends it.
func isPlainName(s string) bool {
	if s == "" || !isIdentifier(s[0]) || s[0] == '.' || s[0] >= '0' && s[0] <= '9' {
		return false
	}
	for i := 1; i < len(s); i++ {
		c := s[i]
		switch {
		case isIdentifier(c) && c != '.' || c == ',' || c == '"':
		case c == ':' && i+1 < len(s):
		default:
			return false
		}
	}
	return true
}
