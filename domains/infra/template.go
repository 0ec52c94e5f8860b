package infra

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
)

// quoted reads a template in quotes. By the format it ends on its line, except
// inside an interpolation; the published grammar lets it go on.
func (p *parser) quoted() *node {
	n := &node{kind: quotedNode, start: p.at}
	p.at++
	for p.err == nil && p.next() != '"' {
		if part := p.part(true); part != nil {
			n.kids = append(n.kids, part)
		}
	}
	p.take(`"`)
	n.end = p.at
	return n
}

// part reads a part of a template, up to the end of which it stands before a quote or the end of the text.
func (p *parser) part(quoted bool) *node {
	start := p.at
	switch {
	case p.at >= len(p.text):
		p.fail("a text without an end")
		return nil
	case p.sees("$${") || p.sees("%%{"):
		p.at += 3
		if p.published {
			end := p.find("}", p.at)
			if end < 0 {
				p.fail("an escaped interpolation without an end")
				return nil
			}
			p.at = end + 1
		}
		return p.node(chunkNode, p.text[start:p.at], start)
	case p.take("${"):
		return p.interpolation(start)
	case p.take("%{"):
		return p.directive(start)
	}
	p.chunk(quoted)
	if p.at == start {
		p.fail("a text without an end")
	}
	return p.node(chunkNode, p.text[start:p.at], start)
}

// chunk passes text as it stands.
func (p *parser) chunk(quoted bool) {
	for p.at < len(p.text) {
		switch c := p.text[p.at]; {
		case c == '"' && quoted, c == '\n' && quoted && !p.published:
			return
		case c == '\\' && quoted:
			if p.at+1 == len(p.text) || p.text[p.at+1] == '\n' {
				return
			}
			_, size := utf8.DecodeRuneInString(p.text[p.at+1:])
			p.at += 1 + size
			continue
		case c == '$' && (p.sees("${") || p.sees("$${")), c == '%' && (p.sees("%{") || p.sees("%%{")):
			return
		}
		p.at++
	}
}

// interpolation reads an expression and the brace after it. Strip marks the published grammar does not know.
func (p *parser) interpolation(start int) *node {
	n := &node{kind: interpolationNode, start: start}
	p.inside(func() {
		n.trimBefore = !p.published && p.take("~")
		n.kids = []*node{p.expression()}
		p.blank()
		n.trimAfter = !p.published && p.take("~")
		p.need("}")
	})
	n.end = p.at
	return n
}

// inside calls read as within brackets, where comments are not noted.
func (p *parser) inside(read func()) {
	brackets := p.brackets
	p.brackets = 1
	p.muted++
	read()
	p.muted--
	p.brackets = brackets
}

// directive reads %{if c}, %{else}, %{endif}, %{for k, v in x} or %{endfor}.
func (p *parser) directive(start int) *node {
	n := &node{kind: directiveNode, start: start}
	p.inside(func() {
		n.trimBefore = p.take("~")
		p.blank()
		switch n.text = p.name(); n.text {
		case "if":
			n.kids = []*node{p.expression()}
		case "for":
			n.text += " " + p.variables() + " in"
			if p.blank(); !p.word("in") {
				p.fail("no collection of a directive")
			}
			n.kids = []*node{p.expression()}
		case "else", "endif", "endfor":
		default:
			p.fail("an unknown directive")
		}
		p.blank()
		n.trimAfter = p.take("~")
		p.need("}")
	})
	n.end = p.at
	return n
}

// heredoc reads from << to the closing marker. The published reading counts the line end to it; it wants at least two
// letters and takes the first line that begins, after white space, with the marker and ends there.
func (p *parser) heredoc() *node {
	start := p.at
	p.at += 2
	p.take("-")
	name := p.marker()
	if name == "" || !p.take("\n") {
		p.fail("no heredoc")
		return nil
	}
	end := p.heredocEnd(name)
	if end < 0 {
		p.fail("a heredoc without an end")
		return nil
	}
	p.at = end
	n := p.node(heredocNode, p.text[start:end], start)
	if p.published {
		p.at++
	}
	return n
}

// publishedMarker is a marker of a heredoc as the published grammar has it.
var publishedMarker = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9._-]+`)

func (p *parser) marker() string {
	if !p.published {
		return p.name()
	}
	name := publishedMarker.FindString(p.text[p.at:])
	p.at += len(name)
	return name
}

// heredocEnd is where the closing marker ends, -1 if there is none.
func (p *parser) heredocEnd(name string) int {
	line := "\n" + name // how it is remembered that no such line follows
	if since, known := p.endless[line]; known && p.at >= since {
		return -1
	}
	for from := p.at; ; {
		at := p.find(name, from)
		if at < 0 {
			p.missed(line, p.at)
			return -1
		}
		end := at + len(name)
		atEnd := end == len(p.text) || p.text[end] == '\n'
		if !p.published {
			atEnd = afterBlanks(p.text, end) == len(p.text) || p.text[afterBlanks(p.text, end)] == '\n'
		}
		if atEnd && p.opensLine(at) {
			return end
		}
		from = at + 1
	}
}

// opensLine reports whether only white space stands before a place on its line.
// The published grammar wants a line end inside the heredoc before it.
func (p *parser) opensLine(at int) bool {
	before := p.text[p.at:at]
	if p.published {
		return strings.Contains(before[len(pytext.StripRight(before)):], "\n")
	}
	line := strings.TrimRight(before, " \t")
	return line == "" || line[len(line)-1] == '\n'
}

// tuple reads [a, b] or [for …].
func (p *parser) tuple() *node {
	start := p.at
	p.at++
	p.brackets++
	defer func() { p.brackets-- }()
	p.gap()
	if p.word("for") {
		n := p.iteration(forTupleNode)
		n.kids = append(n.kids, p.expression())
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
		n.kids = append(n.kids, p.expression())
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
	for p.next() != '}' && p.err == nil {
		p.element(n)
		p.separator()
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
func (p *parser) separator() {
	if p.published {
		p.gap()
		if p.take(",") {
			p.gap()
		}
		return
	}
	p.blank()
	comma := p.take(",")
	before := p.at
	p.brackets = 1
	p.blank()
	if !comma && p.at == before && p.next() != '}' {
		p.fail("elements on one line without a comma")
	}
}

// iteration reads what stands before the value of a for expression, after the word for.
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
