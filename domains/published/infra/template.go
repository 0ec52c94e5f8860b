package infra

import (
	"strings"
	"unicode/utf8"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/internal/lazyregexp"
)

// quoted reads a template in quotes. By the format it ends on its line, except
// inside an interpolation; the published grammar lets it go on.
func (p *Parser) quoted() *Node {
	n := &Node{Kind: quotedNode, Start: p.At}
	p.At++
	for p.Err == nil && p.Next() != '"' {
		if part := p.part(true); part != nil {
			n.Kids = append(n.Kids, part)
		}
	}
	p.take(`"`)
	n.End = p.At
	return n
}

// part reads a part of a template, up to the end of which it stands before a quote or the end of the text.
func (p *Parser) part(quoted bool) *Node {
	start := p.At
	switch {
	case p.At >= len(p.Text):
		p.fail("a text without an end")
		return nil
	case p.Sees("$${") || p.Sees("%%{"):
		p.At += 3
		if p.published {
			end := p.find("}", p.At)
			if end < 0 {
				p.fail("an escaped interpolation without an end")
				return nil
			}
			p.At = end + 1
		}
		return p.node(chunkNode, p.Text[start:p.At], start)
	case p.take("${"):
		return p.interpolation(start)
	case p.take("%{"):
		return p.directive(start)
	}
	p.chunk(quoted)
	if p.At == start {
		p.fail("a text without an end")
	}
	return p.node(chunkNode, p.Text[start:p.At], start)
}

// chunk passes text as it stands.
func (p *Parser) chunk(quoted bool) {
	for p.At < len(p.Text) {
		switch c := p.Text[p.At]; {
		case c == '"' && quoted, c == '\n' && quoted && !p.published:
			return
		case c == '\\' && quoted:
			if p.At+1 == len(p.Text) || p.Text[p.At+1] == '\n' {
				return
			}
			_, size := utf8.DecodeRuneInString(p.Text[p.At+1:])
			p.At += 1 + size
			continue
		case c == '$' && (p.Sees("${") || p.Sees("$${")), c == '%' && (p.Sees("%{") || p.Sees("%%{")):
			return
		}
		p.At++
	}
}

// interpolation reads an expression and the brace after it. Strip marks the published grammar does not know.
func (p *Parser) interpolation(start int) *Node {
	n := &Node{Kind: interpolationNode, Start: start}
	p.inside(func() {
		n.trimBefore = !p.published && p.take("~")
		n.Kids = []*Node{p.Expression()}
		p.blank()
		n.trimAfter = !p.published && p.take("~")
		p.need("}")
	})
	n.End = p.At
	return n
}

// inside calls read as within brackets, where comments are not noted.
func (p *Parser) inside(read func()) {
	brackets := p.Brackets
	p.Brackets = 1
	p.Muted++
	read()
	p.Muted--
	p.Brackets = brackets
}

// directive reads %{if c}, %{else}, %{endif}, %{for k, v in x} or %{endfor}.
func (p *Parser) directive(start int) *Node {
	n := &Node{Kind: directiveNode, Start: start}
	p.inside(func() {
		n.trimBefore = p.take("~")
		p.blank()
		switch n.Text = p.Name(); n.Text {
		case "if":
			n.Kids = []*Node{p.Expression()}
		case "for":
			n.Text += " " + p.variables() + " in"
			if p.blank(); !p.word("in") {
				p.fail("no collection of a directive")
			}
			n.Kids = []*Node{p.Expression()}
		case "else", "endif", "endfor":
		default:
			p.fail("an unknown directive")
		}
		p.blank()
		n.trimAfter = p.take("~")
		p.need("}")
	})
	n.End = p.At
	return n
}

// heredoc reads from << to the closing marker. The published reading counts the line end to it; it wants at least two
// letters and takes the first line that begins, after white space, with the marker and ends there.
func (p *Parser) heredoc() *Node {
	start := p.At
	p.At += 2
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
	p.At = end
	n := p.node(HeredocNode, p.Text[start:end], start)
	if p.published {
		p.At++
	}
	return n
}

// publishedMarker is a marker of a heredoc as the published grammar has it.
var publishedMarker = lazyregexp.New(`^[a-zA-Z][a-zA-Z0-9._-]+`)

func (p *Parser) marker() string {
	if !p.published {
		return p.Name()
	}
	name := publishedMarker.FindString(p.Text[p.At:])
	p.At += len(name)
	return name
}

// heredocEnd is where the closing marker ends, -1 if there is none.
func (p *Parser) heredocEnd(name string) int {
	line := "\n" + name // how it is remembered that no such line follows
	if since, known := p.endless[line]; known && p.At >= since {
		return -1
	}
	for from := p.At; ; {
		at := p.find(name, from)
		if at < 0 {
			p.missed(line, p.At)
			return -1
		}
		end := at + len(name)
		atEnd := end == len(p.Text) || p.Text[end] == '\n'
		if !p.published {
			atEnd = AfterBlanks(p.Text, end) == len(p.Text) || p.Text[AfterBlanks(p.Text, end)] == '\n'
		}
		if atEnd && p.opensLine(at) {
			return end
		}
		from = at + 1
	}
}

// opensLine reports whether only white space stands before a place on its line.
// The published grammar wants a line end inside the heredoc before it.
func (p *Parser) opensLine(at int) bool {
	before := p.Text[p.At:at]
	if p.published {
		return strings.Contains(before[len(pytext.StripRight(before)):], "\n")
	}
	line := strings.TrimRight(before, " \t")
	return line == "" || line[len(line)-1] == '\n'
}

// tuple reads [a, b] or [for …].
func (p *Parser) tuple() *Node {
	start := p.At
	p.At++
	p.Brackets++
	defer func() { p.Brackets-- }()
	p.gap()
	if p.word("for") {
		n := p.iteration(forTupleNode)
		n.Kids = append(n.Kids, p.Expression())
		p.condition(n)
		p.need("]")
		n.Start, n.End = start, p.At
		return n
	}
	n := &Node{Kind: TupleNode, Start: start}
	for p.Next() != ']' && p.Err == nil {
		n.Kids = plain.Append(n.Kids, p.Expression())
		p.gap()
		if !p.take(",") {
			break
		}
		p.gap()
	}
	p.need("]")
	n.End = p.At
	return n
}

// object reads {a = b} or {for …}. By the format a line end or comma divides
// its elements; the published grammar asks for neither.
func (p *Parser) object() *Node {
	start := p.At
	p.At++
	brackets := p.Brackets
	defer func() { p.Brackets = brackets }()
	p.Brackets = 1
	p.gap()
	if p.word("for") {
		n := p.iteration(forObjectNode)
		n.Kids = append(n.Kids, p.Expression())
		p.need("=>")
		p.gap()
		n.Kids = append(n.Kids, p.Expression())
		p.gap()
		if n.Expanded = p.take("..."); n.Expanded {
			p.gap()
		}
		p.condition(n)
		p.need("}")
		n.Start, n.End = start, p.At
		return n
	}
	n := &Node{Kind: ObjectNode, Start: start}
	for p.Next() != '}' && p.Err == nil {
		p.element(n)
		p.separator()
	}
	if !p.take("}") {
		p.fail("no }")
	}
	n.End = p.At
	return n
}

// element reads a key and its value.
func (p *Parser) element(n *Node) {
	p.Muted++
	p.Brackets = 0
	key := p.Expression()
	p.blank()
	if p.Sees("==") || p.Sees("=>") || p.Sees("::") || !p.take("=") && !p.take(":") {
		p.fail("no value of a key")
	}
	n.Kids = append(n.Kids, key, p.Expression())
	p.Muted--
}

// separator passes what divides the elements of an object.
func (p *Parser) separator() {
	if p.published {
		p.gap()
		if p.take(",") {
			p.gap()
		}
		return
	}
	p.blank()
	comma := p.take(",")
	before := p.At
	p.Brackets = 1
	p.blank()
	if !comma && p.At == before && p.Next() != '}' {
		p.fail("elements on one line without a comma")
	}
}

// iteration reads what stands before the value of a for expression, after the word for.
func (p *Parser) iteration(kind NodeKind) *Node {
	n := &Node{Kind: kind}
	p.gap()
	n.Text = p.variables()
	p.gap()
	if !p.word("in") {
		p.fail("no collection of a for expression")
	}
	p.gap()
	n.Kids = append(n.Kids, p.Expression())
	p.gap()
	if p.Sees("::") || !p.take(":") {
		p.fail("no : in a for expression")
	}
	p.gap()
	return n
}

// variables reads one name or two.
func (p *Parser) variables() string {
	p.blank()
	first := p.Name()
	if first == "" {
		p.fail("no variable")
	}
	if p.blank(); !p.take(",") {
		return first
	}
	p.blank()
	second := p.Name()
	if second == "" {
		p.fail("no variable")
	}
	return first + ", " + second
}

// condition reads what may stand at the end of a for expression.
func (p *Parser) condition(n *Node) {
	p.gap()
	if p.word("if") {
		p.gap()
		n.Kids = append(n.Kids, p.Expression())
		p.gap()
	}
}
