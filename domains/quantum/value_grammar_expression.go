package quantum

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/pytext"
)

// operand is an expression in canonical spelling.
type operand struct {
	level int8 // how tightly its outermost operator binds
	unary bool // the outermost operator is unary
	zero  bool // it is the integer 0
	// size is a call of sizeof, which as an operand cannot be printed.
	size bool
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

const mostDigits = 4300

func (g *grammar) printExpression() { g.anyExpression() }

// anyExpression reads an expression of any level.
func (g *grammar) anyExpression() operand { return g.expression(0) }

// expression reads an expression whose operators bind at least as tightly as least.
func (g *grammar) expression(least int8) operand {
	defer g.nested(0)()
	start := len(g.out)
	left := g.operand()
	for !g.failed {
		mark := g.mark()
		level, ok := binaryLevels[mark]
		next := level + 1
		switch {
		case mark == "[" && indexLevel >= least:
			g.operands(left)
			g.bracket(start, left.level < indexLevel)
			g.depth += operandDepth
			g.indices()
			left = operand{level: indexLevel}
			g.checkDepth()
			continue
		case !ok || level < least:
			return left
		case level == powerLevel:
			next = level
		}
		g.at++
		g.bracket(start, left.level < level)
		g.print(" ", mark, " ")
		middle := len(g.out)
		right := g.expression(next)
		g.bracket(middle, right.level <= level)
		g.operands(left, right)
		left = operand{level: level}
		g.depth += operandDepth
		g.checkDepth()
	}
	return left
}

// operands notes that expressions are operands.
func (g *grammar) operands(all ...operand) {
	for _, o := range all {
		g.unprintable = g.unprintable || o.size
	}
}

// bracket puts what was printed from a place on into brackets, if it needs them.
func (g *grammar) bracket(start int, needed bool) {
	if needed {
		g.out = append(slices.Insert(g.out, start, '('), ')')
	}
}

// operand reads what stands between binary operators.
func (g *grammar) operand() operand {
	t := g.token()
	g.depth = operandDepth
	atom := operand{level: atomLevel}
	switch {
	case t.kind == lexMark:
		return g.marked()
	case t.kind != lexName:
		g.at++
		text, ok := literal(t)
		g.allow(ok)
		g.print(text)
		atom.zero = t.kind == lexInteger && text == "0"
		return atom
	case t.text == "durationof":
		g.literal("durationof(")
		g.block(inScope)
		g.literal(")")
		return operand{level: indexLevel}
	case isClassicalType(t.text):
		start := len(g.out)
		g.match("<type>(<expression>)")
		g.depth += callDepth
		g.fix(start)
		return operand{level: indexLevel}
	case g.is("true"), g.is("false"):
		g.literal(t.text)
		return atom
	}
	g.printName()
	if !g.is("(") {
		return atom
	}
	defer g.deeper(callDepth)()
	g.literal("(")
	count := g.list(")", g.printExpression)
	g.literal(")")
	call := operand{level: indexLevel, size: t.text == "sizeof"}
	g.allow(!call.size || count == 1 || count == 2)
	return call
}

// marked reads an operand that begins with a bracket or an operator.
func (g *grammar) marked() operand {
	mark := g.mark()
	switch mark {
	case "(":
		g.at++
		inner := g.anyExpression()
		g.want(")")
		g.depth += operandDepth
		return inner
	case "-", "!", "~":
		g.literal(mark)
		start := len(g.out)
		of := g.expression(unaryLevel)
		g.operands(of)
		g.bracket(start, of.level <= unaryLevel)
		g.depth += operandDepth
		return operand{level: unaryLevel, unary: true}
	}
	g.fail()
	return operand{}
}

// indices reads an index with its brackets.
func (g *grammar) indices() {
	defer g.deeper(indexDepth)()
	g.literal("[")
	if g.is("{") {
		g.set()
	} else {
		g.some("]", func() { g.rangeOrExpression() })
	}
	g.literal("]")
}

// rangeOrExpression reads `a`, `a:b` or `a:s:b`, of which each part of a range may
// be missing save the last of three.
func (g *grammar) rangeOrExpression() (isRange bool) {
	part := func() bool {
		if g.is(":") || g.is("]") || g.is(",") {
			return false
		}
		g.anyExpression()
		return true
	}
	found := part()
	if !g.is(":") {
		g.allow(found)
		return false
	}
	g.literal(":")
	stepped := part()
	if g.accept(":") {
		if stepped {
			g.print(":")
		}
		g.allow(part())
	}
	return true
}

// set reads `{a, b}` with at least one value.
func (g *grammar) set() {
	defer g.deeper(operandDepth)()
	g.literal("{")
	g.some("}", g.printExpression)
	g.literal("}")
}

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
		if of, ok := map[byte]int{'x': 16, 'X': 16, 'b': 2, 'B': 2, 'o': 8}[text[1]]; ok {
			base, text = of, text[2:]
		}
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
	for _, unit := range []string{"dt", "ns", "us", "µs", "ms", "s"} {
		if number, found := strings.CutSuffix(text, unit); found {
			return doubleText(strings.TrimRight(number, " \t")) + strings.Replace(unit, "µ", "u", 1)
		}
	}
	return text
}
