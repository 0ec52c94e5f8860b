package graphviz

import (
	"strings"

	"agentd/domains/internal/plain"
	published "agentd/domains/published/graphviz"
)

// body is what stands in braces.
type body struct {
	statements []*statement
	closing    []string // comments after the last statement
}

type statementKind uint8

const (
	nodeStatement statementKind = iota
	edgeStatement
	defaultStatement // node [shape=box]
	settingStatement // rankdir=LR
	groupStatement
	strayStatement // text that is no statement
)

type statement struct {
	kind  statementKind
	above []string // comments above it or on its line
	span
	ends       []end  // of an edge statement two or more, of a node statement one
	operator   string // of an edge statement
	word       word   // of a default node, edge or graph, of a setting its name
	value      word   // of a setting
	group      *group
	attributes []attribute
	text       string // of what is stray
}

// end is what stands on one side of an edge: nodes with commas between, or a group.
type end struct {
	span
	nodes []node
	group *group
}

type node struct {
	span
	id    word
	ports []word
}

// group is a subgraph, or only braces. One without a body refers to a subgraph.
type group struct {
	keyword bool
	name    word
	body    *body
}

type attribute struct{ name, value word }

// body reads statements up to the closing brace.
func (r *reader) body() (b *body, unclosed bool) {
	b = &body{}
	r.depth++
	defer func() { r.depth-- }()
	for {
		switch c := r.peek(); {
		case c == 0:
			b.closing = r.taken()
			return b, true
		case c == '}':
			r.at++
			b.closing = r.taken()
			return b, false
		case c == ';' || c == ',':
			r.at++
		default:
			above, from := r.taken(), r.at
			s := r.statement()
			s.span = span{from, r.at}
			r.beside()
			s.above = append(above, r.taken()...)
			b.statements = plain.Append(b.statements, s)
		}
	}
}

// beside takes in a comment that stands after a statement on its line.
func (r *reader) beside() {
	rest := strings.TrimLeft(r.text[r.at:], " \t;,")
	if rest == "" {
		return
	}
	if at := r.at; rest[0] == '#' || rest[0] == '/' {
		r.at = len(r.text) - len(rest)
		if r.isComment() {
			r.comments = append(r.comments, strings.TrimSpace(r.comment()))
			return
		}
		r.at = at
	}
}

func (r *reader) statement() *statement {
	start := r.at
	e, ok := r.end()
	switch {
	case !ok:
		return r.stray(start)
	case r.isOperator():
		return r.chain(e)
	case e.group != nil:
		return &statement{kind: groupStatement, group: e.group}
	}
	first := e.nodes[0].id
	if len(e.nodes) == 1 && len(e.nodes[0].ports) == 0 {
		if r.mark("=") {
			return &statement{kind: settingStatement, word: first, value: r.value()}
		}
		if keyword := strings.ToLower(first.raw); isDefaultWord(keyword) && r.sees("[") {
			return &statement{kind: defaultStatement, word: word{keyword}, attributes: r.lists()}
		}
	}
	return &statement{kind: nodeStatement, ends: []end{e}, attributes: r.lists()}
}

func isDefaultWord(w string) bool { return w == "node" || w == "edge" || w == "graph" }

// stray takes in the rest of the line as text that is no statement, at most up to the brace that ends the body.
func (r *reader) stray(start int) *statement {
	r.at = start
	line := r.line()
	if end := strings.IndexByte(line[1:], '}'); end >= 0 {
		r.at = start + 1 + end
		line = line[:1+end]
	}
	return &statement{kind: strayStatement, text: strings.TrimSpace(line)}
}

func (r *reader) isOperator() bool { return r.sees("->") || r.sees("--") }

// chain reads the rest of an edge statement.
func (r *reader) chain(first end) *statement {
	s := &statement{kind: edgeStatement, ends: []end{first}}
	for r.isOperator() {
		s.operator = r.text[r.at : r.at+2]
		r.at += 2
		e, ok := r.end()
		if !ok {
			break
		}
		s.ends = append(s.ends, e)
	}
	s.attributes = r.lists()
	if len(s.ends) == 1 {
		s.kind = nodeStatement
		if first.group != nil {
			return &statement{kind: groupStatement, group: first.group}
		}
	}
	return s
}

// end reads nodes with commas between, or a group.
func (r *reader) end() (end, bool) {
	if r.peek() == '{' {
		return r.group(&group{}, r.at)
	}
	from := r.at
	w := r.word()
	if !w.isSet() {
		return end{}, false
	}
	if strings.EqualFold(w.raw, "subgraph") {
		g := &group{keyword: true}
		if !r.sees("{") {
			g.name = r.word()
		}
		if r.sees("{") {
			return r.group(g, from)
		}
		return end{span: span{from, r.at}, group: g}, g.name.isSet()
	}
	e := end{nodes: []node{r.node(w, from)}}
	for r.sees(",") {
		after, comments := r.at, len(r.comments)
		r.at++
		r.skip()
		from := r.at
		if w = r.word(); !w.isSet() || r.sees("=") {
			r.at, r.comments = after, r.comments[:comments]
			break
		}
		e.nodes = append(e.nodes, r.node(w, from))
	}
	e.span = span{from, e.nodes[len(e.nodes)-1].to}
	return e, true
}

// node reads the ports of a node whose id stands at a place.
func (r *reader) node(id word, from int) node {
	n := node{id: id, ports: r.ports()}
	n.span = span{from, r.at}
	return n
}

func (r *reader) group(g *group, from int) (end, bool) {
	if r.depth >= published.Deepest {
		return end{}, false
	}
	r.at++
	g.body, _ = r.body() // where its brace is missing, so is that of the graph
	return end{span: span{from, r.at}, group: g}, true
}

func (r *reader) ports() []word {
	var ports []word
	for r.mark(":") {
		if w := r.word(); w.isSet() {
			ports = append(ports, w)
		}
	}
	return ports
}

// lists reads attribute lists. A brace or parenthesis may close one, and a name
// with an equals sign but no value is passed over.
func (r *reader) lists() []attribute {
	var all []attribute
	for r.mark("[") {
		for open := true; open; {
			switch c := r.peek(); {
			case c == 0:
				open = false
			case c == ']' || c == '}' || c == ')':
				r.at++
				open = false
			case c == ',' || c == ';':
				r.at++
			default:
				if a := r.attribute(); a.name.isSet() {
					all = plain.Append(all, a)
				}
			}
		}
	}
	return all
}

func (r *reader) attribute() attribute {
	a := attribute{name: r.word()}
	if !a.name.isSet() { // an odd mark
		a.name = word{`"` + r.text[r.at:r.at+1] + `"`}
		if r.text[r.at] == '"' {
			a.name = word{`"\""`}
		}
		r.at++
		return a
	}
	if r.peek() != '=' {
		return a
	}
	r.at++
	if a.value = r.value(); !a.value.isSet() {
		return attribute{}
	}
	return a
}
