package infra

import (
	"slices"
	"strings"

	"agentd/domains/internal/plain"
)

// keywords are words that the published grammar knows by their place.
var keywords = []string{"in", "for", "if", "for_each", "else", "endif", "endfor"}

// tuple reads [a, b] or [for …].
func (p *parser) tuple() *node {
	start := p.at
	p.at++
	p.brackets++
	defer func() { p.brackets-- }()
	p.gap()
	if p.word("for") {
		n := p.iteration(forTupleNode)
		n.kids = append(n.kids, p.generated())
		p.condition(n)
		p.need("]")
		n.start, n.end = start, p.at
		return n
	}
	n := &node{kind: tupleNode, start: start}
	for p.next() != ']' && p.err == nil {
		n.kids = plain.Append(n.kids, p.expression())
		p.gap()
		if !p.take(",") {
			break
		}
		p.gap()
	}
	p.need("]")
	n.end = p.at
	return n
}

// object reads {a = b} or {for …}. By the format a line end or comma divides
// its elements; the published grammar asks for neither.
func (p *parser) object() *node {
	start := p.at
	p.at++
	brackets := p.brackets
	defer func() { p.brackets = brackets }()
	p.brackets = 1
	p.gap()
	if p.word("for") {
		n := p.iteration(forObjectNode)
		n.kids = append(n.kids, p.expression())
		p.need("=>")
		p.gap()
		n.kids = append(n.kids, p.generated())
		p.gap()
		if n.expanded = p.take("..."); n.expanded {
			p.gap()
		}
		p.condition(n)
		p.need("}")
		n.start, n.end = start, p.at
		return n
	}
	n := &node{kind: objectNode, start: start}
	for comma := true; p.next() != '}' && p.err == nil; {
		if keyword := p.text[p.at:p.nameEnd()]; p.published && !comma && slices.Contains(keywords, keyword) {
			p.fail("a key word as a key without a comma before")
		}
		p.element(n)
		comma = p.separator()
	}
	if !p.take("}") {
		p.fail("no }")
	}
	n.end = p.at
	return n
}

// element reads a key and its value.
func (p *parser) element(n *node) {
	p.muted++
	p.brackets = 0
	key := p.expression()
	p.blank()
	if p.sees("==") || p.sees("=>") || p.sees("::") || !p.take("=") && !p.take(":") {
		p.fail("no value of a key")
	}
	n.kids = append(n.kids, key, p.expression())
	p.muted--
}

// separator passes what divides the elements of an object.
func (p *parser) separator() (comma bool) {
	if p.published {
		p.gap()
		if comma = p.take(","); comma {
			p.gap()
		}
		return comma
	}
	p.blank()
	comma = p.take(",")
	before := p.at
	p.brackets = 1
	p.blank()
	if !comma && p.at == before && p.next() != '}' {
		p.fail("elements on one line without a comma")
	}
	return comma
}

// generated reads the value of a for expression, as which the published program
// cannot take a bare number.
func (p *parser) generated() *node {
	n := p.expression()
	if p.published && p.err == nil && n.kind == numberNode && !strings.ContainsAny(n.text, "eE") {
		p.fail("a number as the value of a for expression")
	}
	return n
}

// iteration reads what stands before the value of a for expression, after
// the word for.
func (p *parser) iteration(kind nodeKind) *node {
	n := &node{kind: kind}
	p.gap()
	n.text = p.variables()
	p.gap()
	if !p.word("in") {
		p.fail("no collection of a for expression")
	}
	p.gap()
	n.kids = append(n.kids, p.expression())
	p.gap()
	if p.sees("::") || !p.take(":") {
		p.fail("no : in a for expression")
	}
	p.gap()
	return n
}

// variables reads one name or two.
func (p *parser) variables() string {
	p.blank()
	first := p.name()
	if first == "" {
		p.fail("no variable")
	}
	if p.blank(); !p.take(",") {
		return first
	}
	p.blank()
	second := p.name()
	if second == "" {
		p.fail("no variable")
	}
	return first + ", " + second
}

// condition reads what may stand at the end of a for expression.
func (p *parser) condition(n *node) {
	p.gap()
	if p.word("if") {
		p.gap()
		n.kids = append(n.kids, p.expression())
		p.gap()
	}
}
