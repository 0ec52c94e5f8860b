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
	defer g.nested()()
	start := len(g.out)
	left := g.operand()
	for n := 0; !g.failed; n++ {
		g.allow(n < deepest)
		mark := g.mark()
		level, ok := binaryLevels[mark]
		next := level + 1
		switch {
		case mark == "[" && indexLevel >= least:
			g.operands(left)
			g.bracket(start, left.level < indexLevel)
			g.indices()
			left = operand{level: indexLevel}
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
		return inner
	case "-", "!", "~":
		g.literal(mark)
		start := len(g.out)
		of := g.expression(unaryLevel)
		g.operands(of)
		g.bracket(start, of.level <= unaryLevel)
		return operand{level: unaryLevel, unary: true}
	}
	g.fail()
	return operand{}
}

// indices reads an index with its brackets.
func (g *grammar) indices() {
	g.literal("[")
	if g.is("{") {
		g.set()
	} else {
		g.some("]", func() { g.rangeOrExpression() })
	}
	g.literal("]")
}

// rangeOrExpression reads `a`, `a:b` or `a:s:b`, of which each part of a range may be missing save the last of three.
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

// place is where a statement may stand.
type place uint8

const (
	anywhere place = iota
	globally
	outsideGates
	inLoops
	inSubroutines
)

// stands reports whether a statement that may stand in a place stands there.
func (g *grammar) stands(where place) bool {
	c := g.context()
	switch where {
	case globally:
		return len(g.contexts) == 1 && c.scopes == 0
	case outsideGates:
		return c.of != "gate"
	case inLoops:
		return c.loops > 0
	case inSubroutines:
		return c.of == "def"
	}
	return true
}

// rule is how a statement is written. A part stands in angle brackets (see partsOfRules). What
// else the rule says stands there as it is, and is printed as it is spaced. How
// statements are printed that stand globally matters only in what they declare.
type rule struct {
	where place
	says  string
}

// statements are those that begin with a word of the language.
var statements = map[string]rule{
	"const":         {says: "const <scalar> <name> = <constant>;"},
	"qubit":         {where: globally, says: "qubit<width> <name>;"},
	"qreg":          {where: globally, says: "qreg <name><size>;"},
	"creg":          {says: "<bits>;"},
	"extern":        {where: globally, says: "extern <name>(<types>)<returns>;"},
	"gate":          {where: globally, says: "gate <name><parameters> <qubits> <gate>"},
	"def":           {where: globally, says: "def <name>(<arguments>)<returns> <def>"},
	"include":       {where: globally, says: "include <path>;"},
	"defcalgrammar": {where: globally, says: "defcalgrammar <path>;"},
	"input":         {where: globally, says: "input <type> <name>;"},
	"output":        {where: globally, says: "output <type> <name>;"},
	"let":           {says: "let <name> = <concatenation>;"},
	"cal":           {says: "<calibration>"},
	"defcal":        {says: "<calibration>"},
	"for":           {says: "for <scalar> <name> in <range> <loop>"},
	"while":         {says: "while (<expression>) <loop>"},
	"box":           {says: "box<designator> <box>"},
	"switch":        {says: "switch (<expression>) {<cases>}"},
	"break":         {where: inLoops, says: "break;"},
	"continue":      {where: inLoops, says: "continue;"},
	"end":           {says: "end;"},
	"return":        {where: inSubroutines, says: "return<returned>;"},
	"measure":       {says: "<measurement>;"},
	"reset":         {where: outsideGates, says: "reset <operand>;"},
	"barrier":       {says: "barrier<operands>;"},
	"delay":         {says: "delay[<expression>]<operands>;"},
}

// The statements that begin with a name, a type or an expression.
var (
	variableRule   = rule{where: outsideGates, says: "<type> <name><initial>;"}
	assignmentRule = rule{where: outsideGates, says: "<indexed> <assigned>;"}
	gateRule       = rule{says: "<modifiers><gate call><operands>;"}
	expressionRule = rule{says: "<expression>;"}
)

// statement reads a statement after its annotations.
func (g *grammar) statement(annotated bool) {
	t := g.token()
	r, listed := statements[t.text]
	switch {
	case t.kind != lexName:
		g.follow(expressionRule)
	case t.text == "if":
		g.branch(annotated)
	case listed:
		g.follow(r)
	case isClassicalType(t.text) && g.declares():
		g.allow(t.text != "array" || g.stands(globally))
		g.follow(variableRule)
	case isModifier(t.text), t.text == "gphase", !isReserved(t.text) && g.callsGate():
		g.follow(gateRule)
	case !isReserved(t.text) && g.assigns():
		g.follow(assignmentRule)
	default:
		g.follow(expressionRule)
	}
}

// follow reads a statement by its rule, and notes what it declares at top level.
func (g *grammar) follow(r rule) {
	g.allow(g.stands(r.where))
	word, operations := g.token().text, len(g.operations)
	parts := g.match(r.says)
	if g.nesting == 1 && !g.failed {
		g.declare(word, parts, g.operations[operations:])
	}
	switch word {
	case "gate", "def":
		g.operations = g.operations[:operations]
	case "measure", "reset":
		g.operations = append(g.operations, word)
	}
}

// match reads what a rule says, and returns where its parts are printed.
func (g *grammar) match(says string) (parts []span) {
	for more := true; more && !g.failed; {
		var literal, name string
		literal, says, more = strings.Cut(says, "<")
		g.literal(literal)
		if !more {
			break
		}
		name, says, _ = strings.Cut(says, ">")
		start := len(g.out)
		g.parts[name](g)
		parts = append(parts, span{start, len(g.out)})
	}
	return parts
}

// literal reads and prints what stands there as it is: words and marks of one character.
func (g *grammar) literal(text string) {
	g.print(text)
	for text = strings.TrimLeft(text, " "); text != ""; text = strings.TrimLeft(text, " ") {
		n := max(1, nameLength(text))
		g.want(text[:n])
		text = text[n:]
	}
}

// declare notes what a statement declares.
func (g *grammar) declare(word string, parts []span, operations []string) {
	p := &g.found
	text := func(n int) string {
		return strings.ReplaceAll(string(g.out[parts[n].from:parts[n].to]), string(unindented), "\n")
	}
	switch word {
	case "const":
		p.constants = append(p.constants, declaration{name: text(1), text: text(2)})
	case "qubit":
		p.registers = append(p.registers, declaration{name: text(1), text: text(0)})
	case "qreg":
		p.registers = append(p.registers, declaration{name: text(0), text: text(1)})
	case "extern":
		p.externs = append(p.externs, declaration{text(0), text(1), text(2)})
	case "gate":
		qubits := "['" + strings.ReplaceAll(text(2), ", ", "', '") + "']"
		p.gates = append(p.gates, declaration{text(0), text(3), qubits})
	case "def":
		operations = append([]string(nil), operations...)
		p.subroutines = append(p.subroutines, subroutine{text(0), text(1), text(2), text(3), operations})
	}
}
