package quantum

import (
	"math/big"
	"strconv"
	"strings"

	"agentd/domains/internal/pytext"
)

// printed is an expression in canonical spelling.
type printed struct {
	text  string
	level int8 // how tightly its outermost operator binds
	unary bool // the outermost operator is unary
	zero  bool // it is the integer 0
	// size is a call of sizeof, which as an operand cannot be printed.
	size bool
	// depth is how many calls deep the published program goes on it.
	depth int
}

// Levels of expressions: what binds tighter is higher.
const (
	unaryLevel = 11
	powerLevel = 12
	indexLevel = 13
	atomLevel  = 14
)

var binaryLevels = map[string]int8{
	"||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, "<=": 7, ">": 7, ">=": 7,
	"<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10, "**": powerLevel,
}

// How many calls deep the published program goes for a part, and for all. Beyond
// that it gives up on the file.
const (
	deepestCall  = 975
	operandDepth = 4
	callDepth    = 5
	indexDepth   = 8
	blockDepth   = 8
	scopeDepth   = 20
	mostDigits   = 4300
)

// unindented stands for a line feed after which no line is indented.
const unindented = "\v"

// expression reads an expression whose operators bind at least as tightly as least.
func (g *grammar) expression(least int8) printed {
	defer g.nested()()
	left := g.operand()
	for !g.failed {
		mark := g.mark()
		if mark == "[" && indexLevel >= least {
			left = g.index(left)
			continue
		}
		level, ok := binaryLevels[mark]
		if !ok || level < least {
			return left
		}
		g.at++
		next := level + 1
		if level == powerLevel {
			next = level
		}
		right := g.expression(next)
		g.operands(left, right)
		left = printed{
			text:  bracketed(left, left.level < level) + " " + mark + " " + bracketed(right, right.level <= level),
			level: level, depth: max(left.depth, right.depth) + operandDepth,
		}
		g.checkDepth(left.depth)
	}
	return left
}

// operands notes that expressions are operands.
func (g *grammar) operands(all ...printed) {
	for _, p := range all {
		g.unprintable = g.unprintable || p.size
	}
}

func bracketed(p printed, brackets bool) string {
	if brackets {
		return "(" + p.text + ")"
	}
	return p.text
}

// operand reads what stands between binary operators.
func (g *grammar) operand() printed {
	t := g.token()
	switch t.kind {
	case lexName:
		return g.named()
	case lexMark:
		return g.marked()
	}
	g.at++
	text, ok := literal(t)
	if !ok {
		g.fail()
	}
	return printed{text: text, level: atomLevel, depth: operandDepth, zero: t.kind == lexInteger && text == "0"}
}

// named reads an operand that begins with a word.
func (g *grammar) named() printed {
	word := g.token().text
	switch {
	case word == "durationof":
		g.at++
		g.want("(")
		body := g.block(inScope)
		g.want(")")
		return printed{text: "durationof(" + body.text + ")", level: indexLevel, depth: body.depth + scopeDepth}
	case isClassicalType(word):
		kind := g.anyType()
		g.want("(")
		argument := g.anyExpression()
		g.want(")")
		text := kind.text + "(" + argument.text + ")"
		return printed{text: fixed(text), level: indexLevel, depth: max(kind.depth, argument.depth) + callDepth}
	}
	name := g.identifier()
	if word == "true" || word == "false" {
		return printed{text: word, level: atomLevel, depth: operandDepth}
	}
	if !g.is("(") {
		return printed{text: name, level: atomLevel, depth: operandDepth}
	}
	list := g.arguments()
	if name == "sizeof" && (list.count == 0 || list.count > 2) {
		g.fail()
	}
	return printed{text: name + "(" + list.text + ")", level: indexLevel, size: name == "sizeof", depth: list.depth + callDepth}
}

// marked reads an operand that begins with a bracket or an operator.
func (g *grammar) marked() printed {
	switch mark := g.mark(); mark {
	case "(":
		g.at++
		inner := g.anyExpression()
		g.want(")")
		inner.depth += operandDepth
		return inner
	case "-", "!", "~":
		g.at++
		of := g.expression(unaryLevel)
		g.operands(of)
		return printed{text: mark + bracketed(of, of.level <= unaryLevel), level: unaryLevel, unary: true, depth: of.depth + operandDepth}
	}
	g.fail()
	return printed{}
}

// index reads an index after an expression.
func (g *grammar) index(base printed) printed {
	g.operands(base)
	inner := g.indices()
	p := printed{
		text: bracketed(base, base.level < indexLevel) + inner.text, level: indexLevel,
		depth: max(base.depth+operandDepth, inner.depth+indexDepth),
	}
	g.checkDepth(p.depth)
	return p
}

// indices reads an index with its brackets.
func (g *grammar) indices() printed {
	g.want("[")
	if g.is("{") {
		set := g.set()
		g.want("]")
		return printed{text: "[" + set.text + "]", depth: set.depth}
	}
	list := g.list("]", g.rangeOrExpression)
	if list.count == 0 {
		g.fail()
	}
	g.want("]")
	return printed{text: "[" + list.text + "]", depth: list.depth}
}

// rangeOrExpression reads `a`, `a:b` or `a:s:b`, of which each part of a range may
// be missing save the last of three.
func (g *grammar) rangeOrExpression() printed {
	var p printed
	part := func() bool {
		if g.is(":") || g.is("]") || g.is(",") {
			return false
		}
		e := g.anyExpression()
		p.text += e.text
		p.depth = max(p.depth, e.depth)
		return true
	}
	found := part()
	if !g.is(":") {
		if !found {
			g.fail()
		}
		return p
	}
	g.at++
	p.text += ":"
	stepped := part()
	if g.is(":") {
		g.at++
		if stepped {
			p.text += ":"
		}
		if !part() {
			g.fail()
		}
	}
	return p
}

// set reads `{a, b}` with at least one value.
func (g *grammar) set() printed {
	g.want("{")
	list := g.list("}", g.anyExpression)
	if list.count == 0 {
		g.fail()
	}
	g.want("}")
	return printed{text: "{" + list.text + "}", depth: list.depth + operandDepth}
}

// arrayLiteral reads `{a, {b, c}}`.
func (g *grammar) arrayLiteral() printed {
	defer g.nested()()
	g.want("{")
	list := g.list("}", func() printed {
		if g.is("{") {
			return g.arrayLiteral()
		}
		return g.anyExpression()
	})
	g.want("}")
	return printed{text: "{" + list.text + "}", depth: list.depth + operandDepth}
}

// printedList is a list of expressions.
type printedList struct {
	printed
	count int
}

// list reads items between commas up to an end, which it leaves. A last comma is
// free.
func (g *grammar) list(end string, item func() printed) printedList {
	var texts []string
	var list printedList
	for !g.failed && !g.is(end) {
		p := item()
		texts = append(texts, p.text)
		list.depth = max(list.depth, p.depth)
		if !g.is(",") {
			break
		}
		g.at++
	}
	list.text, list.count = strings.Join(texts, ", "), len(texts)
	return list
}

// brackets reads a list of items in round brackets.
func (g *grammar) brackets(item func() printed) printedList {
	g.want("(")
	list := g.list(")", item)
	g.want(")")
	return list
}

// arguments reads the arguments of a call.
func (g *grammar) arguments() printedList { return g.brackets(g.anyExpression) }

// anyExpression reads an expression of any level.
func (g *grammar) anyExpression() printed { return g.expression(0) }

// literal is a number or the like in canonical spelling.
func literal(t lexeme) (string, bool) {
	switch t.kind {
	case lexInteger:
		return wholeNumber(t.text)
	case lexFloat:
		return doubleText(t.text), true
	case lexImaginary:
		return doubleText(strings.TrimRight(t.text[:len(t.text)-2], " \t")) + "im", true
	case lexTiming:
		return timing(t.text), true
	case lexBits:
		return strings.ReplaceAll(t.text, "_", ""), true
	case lexHardware:
		return t.text, true
	}
	return "", false
}

func wholeNumber(text string) (string, bool) {
	text = strings.ReplaceAll(text, "_", "")
	base := 10
	if len(text) > 2 {
		switch text[1] {
		case 'x', 'X':
			base = 16
		case 'b', 'B':
			base = 2
		case 'o':
			base = 8
		}
	}
	if base != 10 {
		text = text[2:]
	}
	if len(text) > mostDigits {
		return "", false
	}
	n, ok := new(big.Int).SetString(text, base)
	if !ok {
		return "", false
	}
	return n.String(), true
}

// decimal is a number as Python prints the double of it.
func doubleText(text string) string {
	value, _ := strconv.ParseFloat(strings.ReplaceAll(text, "_", ""), 64)
	return pytext.FloatText(value)
}

func timing(text string) string {
	unit := "dt"
	number, found := strings.CutSuffix(text, unit)
	if !found {
		for _, of := range []struct{ suffix, unit string }{{"ns", "ns"}, {"us", "us"}, {"µs", "us"}, {"ms", "ms"}, {"s", "s"}} {
			if number, found = strings.CutSuffix(text, of.suffix); found {
				unit = of.unit
				break
			}
		}
	}
	return doubleText(strings.TrimRight(number, " \t")) + unit
}

// fixed is a text whose lines are not indented with what is around.
func fixed(text string) string { return strings.ReplaceAll(text, "\n", unindented) }
