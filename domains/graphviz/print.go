package graphviz

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"agentd/domains/internal/lists"
	"agentd/vfs"
)

// print is the reverse of read: a statement on each line, an attribute on each where they would make too long a line.
func (d *document) print() string {
	var p printer
	for _, line := range d.outside {
		p.line(line)
	}
	for _, g := range d.graphs {
		p.graph(g)
	}
	p.lines(d.closing)
	return p.String()
}

type printer struct {
	strings.Builder
	indent int
}

func (p *printer) line(parts ...string) {
	p.WriteString(strings.Repeat("    ", p.indent))
	for _, part := range parts {
		p.WriteString(part)
	}
	p.WriteByte('\n')
}

func (p *printer) lines(lines []string) {
	for _, line := range lines {
		p.line(line)
	}
}

func (p *printer) graph(g *graph) {
	p.lines(g.above)
	p.line(g.header(), " {")
	p.body(g.body)
	p.line("}")
}

func (g *graph) header() string {
	header := g.kind()
	if g.name.isSet() {
		header += " " + g.name.raw
	}
	return header
}

func (g *graph) kind() string {
	kind := "graph"
	if g.directed {
		kind = "digraph"
	}
	if g.strict {
		kind = "strict " + kind
	}
	return kind
}

func (p *printer) body(b *body) {
	p.indent++
	for n, s := range b.statements {
		if s.gap && n > 0 {
			p.WriteByte('\n')
		}
		p.lines(s.above)
		p.statement(s)
	}
	p.lines(b.closing)
	p.indent--
}

func (p *printer) statement(s *statement) {
	if s.kind == groupStatement && s.group.body != nil && !s.group.isShort() {
		p.line(s.group.opening(), "{")
		p.body(s.group.body)
		p.line("}")
		return
	}
	const widest = 110
	line := s.print()
	if len(s.attributes) < 2 || 4*p.indent+utf8.RuneCountInString(line) <= widest {
		p.line(line)
		return
	}
	p.line(s.subject(), " [")
	p.indent++
	for n := range s.attributes {
		comma := ","
		if n == len(s.attributes)-1 {
			comma = ""
		}
		p.line(s.attributes[n].print(), comma)
	}
	p.indent--
	p.line("];")
}

// print is the statement on one line.
func (s *statement) print() string {
	if s.kind == strayStatement {
		return s.text
	}
	if s.kind == groupStatement {
		return s.group.print()
	}
	if len(s.attributes) == 0 && s.kind != defaultStatement {
		return s.subject() + ";"
	}
	return s.subject() + " [" + strings.Join(lists.Each(s.attributes, (*attribute).print), ", ") + "];"
}

// subject is what stands in front of the attributes.
func (s *statement) subject() string {
	switch s.kind {
	case defaultStatement:
		return s.word.raw
	case settingStatement:
		return s.word.raw + "=" + cmp.Or(s.value.raw, `""`)
	}
	return strings.Join(lists.Each(s.ends, (*end).print), " "+s.operator+" ")
}

func (a *attribute) print() string {
	if !a.value.isSet() {
		return a.name.raw
	}
	return a.name.raw + "=" + a.value.raw
}

func (e *end) print() string {
	if e.group != nil {
		return e.group.print()
	}
	return strings.Join(lists.Each(e.nodes, (*node).print), ", ")
}

func (n *node) print() string {
	printed := n.id.raw
	for _, port := range n.ports {
		printed += ":" + port.raw
	}
	return printed
}

// opening is what stands in front of a group's brace.
func (g *group) opening() string {
	switch {
	case g.name.isSet():
		return "subgraph " + g.name.raw + " "
	case g.keyword:
		return "subgraph "
	}
	return ""
}

// isShort holds for a group without a name that is printed on one line.
func (g *group) isShort() bool {
	if g.name.isSet() || len(g.body.closing) > 0 || len(g.body.statements) > 12 {
		return false
	}
	for _, s := range g.body.statements {
		if len(s.above) > 0 || len(s.attributes) > 0 ||
			s.kind == groupStatement || s.kind == strayStatement || s.kind == defaultStatement {
			return false
		}
	}
	return true
}

// print is the group on one line.
func (g *group) print() string {
	if g.body == nil {
		return strings.TrimSuffix(g.opening(), " ")
	}
	var b strings.Builder
	b.WriteString(g.opening() + "{ ")
	for _, s := range g.body.statements {
		if len(s.above) > 0 {
			b.WriteString(strings.Join(s.above, "\n") + "\n")
		}
		b.WriteString(s.print() + " ")
	}
	if len(g.body.closing) > 0 {
		b.WriteString(strings.Join(g.body.closing, "\n") + "\n")
	}
	return b.String() + "}"
}

// without leaves out nodes, with every statement of theirs, and edges; a chain falls into the parts that are left of
// it. Edges to a node that is left out stay, and so does a subgraph with nothing in it.
func without(files vfs.Files, leave func() bool) vfs.Files {
	left := vfs.Files{}
	t := thinner{leave: leave, gone: map[string]bool{}}
	for _, name := range files.Names() {
		d := read(files[name])
		if len(d.graphs) == 0 {
			left[name] = files[name]
			continue
		}
		for _, g := range d.graphs {
			t.body(g.body)
		}
		left[name] = d.print()
	}
	return left
}

type thinner struct {
	leave func() bool
	gone  map[string]bool // by the ids of the nodes so far
}

func (t *thinner) body(b *body) {
	var kept []*statement
	for _, s := range b.statements {
		switch s.kind {
		case nodeStatement:
			if s.ends[0].nodes = t.nodes(s.ends[0].nodes); len(s.ends[0].nodes) > 0 {
				kept = append(kept, s)
			}
		case edgeStatement:
			kept = append(kept, t.chain(s)...)
		case groupStatement:
			t.group(s.group)
			kept = append(kept, s)
		default:
			kept = append(kept, s)
		}
	}
	b.statements = kept
}

func (t *thinner) group(g *group) {
	if g != nil && g.body != nil {
		t.body(g.body)
	}
}

func (t *thinner) nodes(nodes []node) []node {
	var kept []node
	for _, n := range nodes {
		id := n.id.text()
		gone, met := t.gone[id]
		if !met {
			gone = t.leave()
			t.gone[id] = gone
		}
		if !gone {
			kept = append(kept, n)
		}
	}
	return kept
}

// chain returns the statements that are left of an edge statement. A group without edges stands on its own.
func (t *thinner) chain(s *statement) []*statement {
	for i := range s.ends {
		t.group(s.ends[i].group)
	}
	var kept []*statement
	keep := func(ends []end) {
		part := *s
		part.ends = ends
		switch {
		case len(ends) > 1:
		case ends[0].group != nil:
			part = statement{kind: groupStatement, group: ends[0].group}
		default:
			return
		}
		if len(kept) > 0 {
			part.above, part.gap = nil, false
		}
		kept = append(kept, &part)
	}
	start := 0
	for i := 1; i < len(s.ends); i++ {
		if t.leave() {
			keep(s.ends[start:i])
			start = i
		}
	}
	keep(s.ends[start:])
	return kept
}
