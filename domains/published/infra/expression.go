package infra

import "strings"

// NodeKind is what an expression is made of.
type NodeKind uint8

// The kinds of nodes.
const (
	numberNode  NodeKind = iota
	WordNode             // a name; text is the name
	literalNode          // true, false or null
	quotedNode           // a quoted template; kids are its parts
	HeredocNode          // text is its source, from << to the closing marker
	TupleNode
	ObjectNode // kids are keys and values by turns
	CallNode   // text is the function
	parensNode
	unaryNode       // text is the operator
	binaryNode      // text is the operator
	conditionalNode // condition, then, else
	indexNode       // of kids[0], in brackets
	dotIndexNode    // of kids[0], after a point
	AttributeNode   // of kids[0]
	splatNode       // of kids[0]; text is .* or [*]
	// The text of for expressions is their variables, as in "k, v".
	forTupleNode  // kids are collection, value and, if there is one, condition
	forObjectNode // kids are collection, key, value and, if there is one, condition

	// Parts of templates.
	chunkNode         // text as written
	interpolationNode // ${…}
	directiveNode     // %{…}; text is what stands before its expression, as in "for k, v in"
)

// Node is an expression or a part of one.
type Node struct {
	Kind       NodeKind
	Text       string
	Kids       []*Node
	Start, End int // of its source
	// expanded is true of a call whose last argument, or a for expression whose value, has dots after it.
	Expanded bool
	// trimBefore and trimAfter are true of a part of a template that takes the blanks before or after it away.
	trimBefore, trimAfter bool
}

// levels are the binary operators by how tightly they bind, loosest first.
var levels = [][]string{{"||"}, {"&&"}, {"==", "!="}, {"<=", ">=", "<", ">"}, {"+", "-"}, {"*", "/", "%"}}

// Expression reads an expression; nil if there is none, with the reason in err.
func (p *Parser) Expression() *Node {
	defer p.leave()
	if !p.enter() {
		return nil
	}
	p.blank()
	start := p.At
	condition := p.binary(0)
	if p.Err != nil {
		return nil
	}
	mark, ok := p.operator("?")
	if !ok {
		return condition
	}
	p.At = mark.end
	p.gap()
	then := p.Expression()
	p.gap()
	if p.Sees("::") || !p.take(":") {
		p.fail("no : in a conditional")
		return nil
	}
	p.gap()
	otherwise := p.Expression()
	return p.node(conditionalNode, "", start, condition, then, otherwise)
}

// node makes a node of what was read since start.
func (p *Parser) node(kind NodeKind, text string, start int, kids ...*Node) *Node {
	if p.Err != nil {
		return nil
	}
	return &Node{Kind: kind, Text: text, Kids: kids, Start: start, End: p.At}
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
func (p *Parser) operator(wanted ...string) (operator, bool) {
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
	at := AfterBlanks(p.Text, p.At)
	if before != "" {
		at = AfterBlanks(p.Text, at+len(before))
	}
	o, ok := operatorAt(p.Text[at:])
	if len(wanted) > 0 {
		o, ok = operator{text: wanted[0]}, strings.HasPrefix(p.Text[at:], wanted[0])
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
func (p *Parser) binary(loosest int) *Node {
	start := p.At
	left := p.unary()
	tightest := len(levels)
	for steps := 0; p.Err == nil; steps++ {
		o, ok := p.operator()
		if !ok || o.level < loosest || o.level > tightest {
			break
		}
		if steps == mostChained {
			p.fail("too many operators")
		}
		p.At, tightest = o.end, o.level
		p.gap()
		p.blank()
		right := p.binary(o.level + 1)
		left = p.node(binaryNode, o.text, start, left, right)
		if p.published && p.Err == nil {
			p.trailing.raw, p.trailing.of = p.takeTrailing(), left
		}
	}
	return left
}

// takeTrailing passes the line ends and comments after a binary expression, which the published grammar counts to it,
// except the one that the next operator takes.
func (p *Parser) takeTrailing() string {
	breaks := p.breaks()
	if n := len(breaks); n > 0 {
		after := p.Text[AfterBlanks(p.Text, breaks[n-1].end):]
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

func (p *Parser) unary() *Node {
	p.blank()
	start := p.At
	switch c := p.Next(); {
	case c == '-' && p.published && p.digits(p.At) > p.At:
		return p.postfix(p.number(), start)
	case c == '-' || c == '!' && !p.Sees("!="):
		defer p.leave()
		if !p.enter() {
			return nil
		}
		p.At++
		p.blank()
		if p.published {
			return p.node(unaryNode, string(c), start, p.term())
		}
		return p.node(unaryNode, string(c), start, p.unary())
	}
	return p.term()
}

// term reads an operand with the accesses after it.
func (p *Parser) term() *Node {
	if p.Err != nil {
		return nil
	}
	start := p.At
	switch c := p.Next(); {
	case c == '"':
		return p.postfix(p.quoted(), start)
	case c == '(':
		p.At++
		p.Brackets++
		p.gap()
		inner := p.Expression()
		p.gap()
		p.need(")")
		p.Brackets--
		return p.postfix(p.node(parensNode, "", start, inner), start)
	case c == '[':
		return p.postfix(p.tuple(), start)
	case c == '{':
		return p.postfix(p.object(), start)
	case c == '<' && p.Sees("<<"):
		return p.postfix(p.heredoc(), start)
	case p.digits(p.At) > p.At:
		return p.postfix(p.number(), start)
	}
	name := p.Name()
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
func (p *Parser) digits(at int) int {
	from := at
	if p.published && at < len(p.Text) && p.Text[at] == '-' {
		from++
	}
	end := p.afterDigits(from)
	if end == from || from > at && end == from+1 && p.fraction(end) == end && p.exponent(end) == end {
		return at
	}
	return end
}

func (p *Parser) fraction(at int) int {
	if end := p.afterDigits(at + 1); end > at+1 && p.Text[at] == '.' {
		return end
	}
	return at
}

// afterDigits is where the digits end that stand at a place.
func (p *Parser) afterDigits(at int) int {
	for at < len(p.Text) && p.Text[at] >= '0' && p.Text[at] <= '9' {
		at++
	}
	return at
}

func (p *Parser) exponent(at int) int {
	if at >= len(p.Text) || p.Text[at] != 'e' && p.Text[at] != 'E' {
		return at
	}
	from := at + 1
	if from < len(p.Text) && (p.Text[from] == '+' || p.Text[from] == '-') {
		from++
	}
	if end := p.afterDigits(from); end > from {
		return end
	}
	return at
}

func (p *Parser) number() *Node {
	start := p.At
	p.At = p.exponent(p.fraction(p.digits(p.At)))
	return p.node(numberNode, p.Text[start:p.At], start)
}

// reference reads what follows a name: the arguments of a function, or nothing.
func (p *Parser) reference(name string, start int) *Node {
	afterName := p.At
	for p.Sees("::") {
		p.At += 2
		name += "::" + p.Name()
	}
	p.BlankInLine()
	if p.Next() != '(' {
		p.At = afterName
		return p.node(WordNode, name, start)
	}
	p.At++
	p.Brackets++
	p.gap()
	call := &Node{Kind: CallNode, Text: name, Start: start}
	for p.Next() != ')' && p.Err == nil {
		call.Kids = append(call.Kids, p.Expression())
		p.blank()
		if call.Expanded = p.take("..."); call.Expanded {
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
	p.Brackets--
	call.End = p.At
	return call
}

// BlankInLine passes blanks only.
func (p *Parser) BlankInLine() { p.At = AfterBlanks(p.Text, p.At) }

// postfix reads the accesses after an operand.
func (p *Parser) postfix(n *Node, start int) *Node {
	muted := false
	defer func() {
		if muted {
			p.Muted--
		}
	}()
	for steps := 0; p.Err == nil; steps++ {
		if steps == mostChained {
			p.fail("too many accesses")
		}
		p.blank()
		switch {
		case p.Sees("..."):
			return n
		case p.Sees(".*") || p.Sees("[*]"):
			text := ".*"
			if p.Next() == '[' {
				text = "[*]"
			}
			p.At += len(text)
			n = p.node(splatNode, text, start, n)
			if !muted {
				muted = true
				p.Muted++
			}
		case p.take("."):
			n = p.access(n, start)
		case p.take("["):
			p.Brackets++
			p.gap()
			key := p.Expression()
			p.gap()
			p.need("]")
			p.Brackets--
			n = p.node(indexNode, "", start, n, key)
		default:
			return n
		}
	}
	return n
}

// access reads the name or number after a point.
func (p *Parser) access(n *Node, start int) *Node {
	p.blank()
	from := p.At
	if p.At = p.afterDigits(from); p.At > from {
		return p.node(dotIndexNode, p.Text[from:p.At], start, n)
	}
	name := p.Name()
	if name == "" {
		p.fail("no name after a point")
	}
	return p.node(AttributeNode, name, start, n)
}
