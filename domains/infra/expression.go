package infra

import "strings"

// nodeKind is what an expression is made of.
type nodeKind uint8

const (
	numberNode  nodeKind = iota
	wordNode             // a name; text is the name
	literalNode          // true, false or null
	quotedNode           // a quoted template; kids are its parts
	heredocNode          // text is its source, from << to the closing marker
	tupleNode
	objectNode // kids are keys and values by turns
	callNode   // text is the function
	parensNode
	unaryNode       // text is the operator
	binaryNode      // text is the operator
	conditionalNode // condition, then, else
	indexNode       // of kids[0], in brackets
	dotIndexNode    // of kids[0], after a point
	attributeNode   // of kids[0]
	splatNode       // of kids[0]; text is .* or [*]
	// The text of for expressions is their variables, as in "k, v".
	forTupleNode  // kids are collection, value and, if there is one, condition
	forObjectNode // kids are collection, key, value and, if there is one, condition

	// Parts of templates.
	chunkNode         // text as written
	interpolationNode // ${…}
	directiveNode     // %{…}; text is what stands before its expression, as in "for k, v in"
)

// node is an expression or a part of one.
type node struct {
	kind       nodeKind
	text       string
	kids       []*node
	start, end int // of its source
	// expanded is true of a call whose last argument, or a for expression whose value, has dots after it.
	expanded bool
	// trimBefore and trimAfter are true of a part of a template that takes the blanks before or after it away.
	trimBefore, trimAfter bool
}

// each calls do with a node and all below it, parents first.
func (n *node) each(do func(*node)) {
	do(n)
	for _, kid := range n.kids {
		kid.each(do)
	}
}

// levels are the binary operators by how tightly they bind, loosest first.
var levels = [][]string{{"||"}, {"&&"}, {"==", "!="}, {"<=", ">=", "<", ">"}, {"+", "-"}, {"*", "/", "%"}}

// expression reads an expression; nil if there is none, with the reason in err.
func (p *parser) expression() *node {
	defer p.leave()
	if !p.enter() {
		return nil
	}
	p.blank()
	start := p.at
	condition := p.binary(0)
	if p.err != nil {
		return nil
	}
	mark, ok := p.operator("?")
	if !ok {
		return condition
	}
	p.at = mark.end
	p.gap()
	then := p.expression()
	p.gap()
	if p.sees("::") || !p.take(":") {
		p.fail("no : in a conditional")
		return nil
	}
	p.gap()
	otherwise := p.expression()
	return p.node(conditionalNode, "", start, condition, then, otherwise)
}

// node makes a node of what was read since start.
func (p *parser) node(kind nodeKind, text string, start int, kids ...*node) *node {
	if p.err != nil {
		return nil
	}
	return &node{kind: kind, text: text, kids: kids, start: start, end: p.at}
}

// operator is a binary operator at hand.
type operator struct {
	text  string
	level int
	end   int
}

// operator looks for one of the given operators, any binary one if none is given. The published reading takes one line
// end or comment, not several, as a part of the operator after it, unless that is a minus; and a minus before more than
// one digit is a sign to it wherever it stands.
func (p *parser) operator(wanted ...string) (operator, bool) {
	before := ""
	if p.published {
		breaks := p.breaks()
		if len(breaks) > 1 {
			return operator{}, false
		}
		before = p.joined(breaks)
	} else {
		p.blank()
	}
	at := afterBlanks(p.text, p.at)
	if before != "" {
		at = afterBlanks(p.text, at+len(before))
	}
	o, ok := operatorAt(p.text[at:])
	if len(wanted) > 0 {
		o, ok = operator{text: wanted[0]}, strings.HasPrefix(p.text[at:], wanted[0])
	}
	if !ok || o.text == "-" && (before != "" || p.published && p.digits(at) > at) {
		return operator{}, false
	}
	o.end = at + len(o.text)
	o.text = strings.TrimLeft(before, "\n \t") + o.text
	return o, true
}

func operatorAt(text string) (operator, bool) {
	if text == "" || !strings.ContainsRune("|&=!<>+-*/%", rune(text[0])) ||
		strings.HasPrefix(text, "//") || strings.HasPrefix(text, "/*") {
		return operator{}, false
	}
	for level, texts := range levels {
		for _, o := range texts {
			if strings.HasPrefix(text, o) {
				return operator{text: o, level: level}, true
			}
		}
	}
	return operator{}, false
}

// binary reads operands and the operators between them that bind at least that tightly.
func (p *parser) binary(loosest int) *node {
	start := p.at
	left := p.unary()
	tightest := len(levels)
	for steps := 0; p.err == nil; steps++ {
		o, ok := p.operator()
		if !ok || o.level < loosest || o.level > tightest {
			break
		}
		if steps == mostChained {
			p.fail("too many operators")
		}
		p.at, tightest = o.end, o.level
		p.gap()
		p.blank()
		right := p.binary(o.level + 1)
		left = p.node(binaryNode, o.text, start, left, right)
		if p.published && p.err == nil {
			p.trailing.raw, p.trailing.of = p.takeTrailing(), left
		}
	}
	return left
}

// takeTrailing passes the line ends and comments after a binary expression, which the published grammar counts to it,
// except the one that the next operator takes.
func (p *parser) takeTrailing() string {
	breaks := p.breaks()
	if n := len(breaks); n > 0 {
		after := p.text[afterBlanks(p.text, breaks[n-1].end):]
		if o, ok := operatorAt(after); ok && o.text != "-" || strings.HasPrefix(after, "?") {
			breaks = breaks[:n-1]
		}
	}
	if len(breaks) == 0 {
		return ""
	}
	raw := p.pass(breaks)
	if raw[0] != '\n' {
		p.note(raw)
	}
	return raw
}

func (p *parser) unary() *node {
	p.blank()
	start := p.at
	switch c := p.next(); {
	case c == '-' && p.published && p.digits(p.at) > p.at:
		return p.postfix(p.number(), start)
	case c == '-' || c == '!' && !p.sees("!="):
		defer p.leave()
		if !p.enter() {
			return nil
		}
		p.at++
		p.blank()
		if p.published {
			return p.node(unaryNode, string(c), start, p.term())
		}
		return p.node(unaryNode, string(c), start, p.unary())
	}
	return p.term()
}

// term reads an operand with the accesses after it.
func (p *parser) term() *node {
	if p.err != nil {
		return nil
	}
	start := p.at
	switch c := p.next(); {
	case c == '"':
		return p.postfix(p.quoted(), start)
	case c == '(':
		p.at++
		p.brackets++
		p.gap()
		inner := p.expression()
		p.gap()
		p.need(")")
		p.brackets--
		return p.postfix(p.node(parensNode, "", start, inner), start)
	case c == '[':
		return p.postfix(p.tuple(), start)
	case c == '{':
		return p.postfix(p.object(), start)
	case c == '<' && p.sees("<<"):
		return p.postfix(p.heredoc(), start)
	case p.digits(p.at) > p.at:
		return p.postfix(p.number(), start)
	}
	name := p.name()
	switch name {
	case "":
		p.fail("no expression")
		return nil
	case "true", "false", "null":
		return p.postfix(p.node(literalNode, name, start), start)
	}
	return p.postfix(p.reference(name, start), start)
}

// digits is where the digits end that stand at a place, with a sign that the published reading counts to a number: one
// of two digits or more, or of a fraction or exponent.
func (p *parser) digits(at int) int {
	from := at
	if p.published && at < len(p.text) && p.text[at] == '-' {
		from++
	}
	end := p.afterDigits(from)
	if end == from || from > at && end == from+1 && p.fraction(end) == end && p.exponent(end) == end {
		return at
	}
	return end
}

func (p *parser) fraction(at int) int {
	if end := p.afterDigits(at + 1); end > at+1 && p.text[at] == '.' {
		return end
	}
	return at
}

// afterDigits is where the digits end that stand at a place.
func (p *parser) afterDigits(at int) int {
	for at < len(p.text) && p.text[at] >= '0' && p.text[at] <= '9' {
		at++
	}
	return at
}

func (p *parser) exponent(at int) int {
	if at >= len(p.text) || p.text[at] != 'e' && p.text[at] != 'E' {
		return at
	}
	from := at + 1
	if from < len(p.text) && (p.text[from] == '+' || p.text[from] == '-') {
		from++
	}
	if end := p.afterDigits(from); end > from {
		return end
	}
	return at
}

func (p *parser) number() *node {
	start := p.at
	p.at = p.exponent(p.fraction(p.digits(p.at)))
	return p.node(numberNode, p.text[start:p.at], start)
}

// reference reads what follows a name: the arguments of a function, or nothing.
func (p *parser) reference(name string, start int) *node {
	afterName := p.at
	for p.sees("::") {
		p.at += 2
		name += "::" + p.name()
	}
	p.blankInLine()
	if p.next() != '(' {
		p.at = afterName
		return p.node(wordNode, name, start)
	}
	p.at++
	p.brackets++
	p.gap()
	call := &node{kind: callNode, text: name, start: start}
	for p.next() != ')' && p.err == nil {
		call.kids = append(call.kids, p.expression())
		p.blank()
		if call.expanded = p.take("..."); call.expanded {
			p.gap()
			break
		}
		p.gap()
		if !p.take(",") {
			break
		}
		p.gap()
	}
	p.need(")")
	p.brackets--
	call.end = p.at
	return call
}

// blankInLine passes blanks only.
func (p *parser) blankInLine() { p.at = afterBlanks(p.text, p.at) }

// postfix reads the accesses after an operand.
func (p *parser) postfix(n *node, start int) *node {
	muted := false
	defer func() {
		if muted {
			p.muted--
		}
	}()
	for steps := 0; p.err == nil; steps++ {
		if steps == mostChained {
			p.fail("too many accesses")
		}
		p.blank()
		switch {
		case p.sees("..."):
			return n
		case p.sees(".*") || p.sees("[*]"):
			text := ".*"
			if p.next() == '[' {
				text = "[*]"
			}
			p.at += len(text)
			n = p.node(splatNode, text, start, n)
			if !muted {
				muted = true
				p.muted++
			}
		case p.take("."):
			n = p.access(n, start)
		case p.take("["):
			p.brackets++
			p.gap()
			key := p.expression()
			p.gap()
			p.need("]")
			p.brackets--
			n = p.node(indexNode, "", start, n, key)
		default:
			return n
		}
	}
	return n
}

// access reads the name or number after a point.
func (p *parser) access(n *node, start int) *node {
	p.blank()
	from := p.at
	if p.at = p.afterDigits(from); p.at > from {
		return p.node(dotIndexNode, p.text[from:p.at], start, n)
	}
	name := p.name()
	if name == "" {
		p.fail("no name after a point")
	}
	return p.node(attributeNode, name, start, n)
}
