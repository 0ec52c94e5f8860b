package quantum

import (
	"slices"
	"strings"
)

// ParseGrammar reads a file by the grammar of OpenQASM 3.1, and spells what it finds
// canonically. It refuses what the published reader refuses: errGrammar.
func ParseGrammar(text string) (Program, error) {
	tokens, err := lexGrammar(text)
	if err != nil {
		return Program{}, err
	}
	g := grammar{tokens: tokens, contexts: []context{{}}, parts: partsOfRules()}
	versioned := g.accept("OPENQASM")
	if versioned {
		g.takeKind(lexVersion)
		g.want(";")
	}
	first := g.at
	for !g.failed && g.token().kind != lexEnd {
		g.out = g.out[:0]
		g.statementOrBlock()
	}
	g.allow(versioned || g.at > first)
	if g.failed {
		return Program{}, errGrammar
	}
	g.found.flat = len(g.operations)
	return g.found, nil
}

// grammar reads tokens and prints what it reads in canonical spelling. After a failure its functions read on to no
// effect, until their callers notice.
type grammar struct {
	tokens     []lexeme
	at         int
	failed     bool
	nesting    int // of expressions and statements in each other
	contexts   []context
	out        []byte   // what is printed of the statement at top level
	operations []string // names of gates, reset and measure
	found      Program  // what is declared at top level
	branches   bool     // the last statement was an if
	statements int      // in the last body
	parts      map[string]func(*grammar)
	// unprintable says that what is being printed cannot be.
	unprintable bool
}

// context is the program, a gate or a subroutine.
type context struct {
	of            string // the word that it begins with, empty for the program
	scopes, loops int
}

func (g *grammar) token() lexeme { return g.tokens[g.at] }

// mark is the operator, bracket or other mark in hand, empty if there is none.
func (g *grammar) mark() string {
	if t := &g.tokens[g.at]; t.kind == lexMark {
		return t.text
	}
	return ""
}

// is reports whether a mark or word is in hand.
func (g *grammar) is(text string) bool {
	t := &g.tokens[g.at]
	return (t.kind == lexMark || t.kind == lexName) && t.text == text
}

// accept passes over a mark or word if it is in hand.
func (g *grammar) accept(text string) bool {
	if g.failed || !g.is(text) {
		return false
	}
	g.at++
	return true
}

func (g *grammar) want(text string) {
	if !g.accept(text) {
		g.fail()
	}
}

// takeKind passes over a token of a kind and returns its text.
func (g *grammar) takeKind(kind lexKind) string {
	t := g.token()
	if t.kind != kind {
		g.fail()
		return ""
	}
	g.at++
	return t.text
}

// fail ends the reading.
func (g *grammar) fail() {
	g.failed = true
	g.at = len(g.tokens) - 1
}

// deepest is how many statements or expressions in each other, and operators in a chain, the published program reads.
const deepest = 240

// nested enters a statement or expression; its result leaves it.
func (g *grammar) nested() func() {
	g.nesting++
	g.allow(g.nesting <= deepest)
	return func() { g.nesting-- }
}

func (g *grammar) context() *context { return &g.contexts[len(g.contexts)-1] }

// allow fails where a rule does not hold.
func (g *grammar) allow(holds bool) {
	if !holds {
		g.fail()
	}
}

// isReserved reports whether a word of the language is no identifier.
func isReserved(word string) bool {
	_, reserved := slices.BinarySearch(reservedWords, word)
	return reserved
}

var reservedWords = slices.Sorted(slices.Values(strings.Fields(`
	OPENQASM include defcalgrammar def cal defcal gate extern box let break continue if else end return for while in
	switch case default input output const readonly mutable qreg qubit creg bool bit int uint float angle complex array
	void duration stretch gphase inv pow ctrl negctrl durationof delay reset measure barrier im true false`)))

// name passes over an identifier that is being declared or used as one.
func (g *grammar) name() string {
	g.allow(!isReserved(g.token().text))
	return g.takeKind(lexName)
}

func (g *grammar) print(texts ...string) {
	for _, text := range texts {
		g.out = append(g.out, text...)
	}
}

// cut takes back what was printed from a place on.
func (g *grammar) cut(start int) string {
	text := string(g.out[start:])
	g.out = g.out[:start]
	return text
}

// indent makes lines of a block of what was printed from a place on.
func (g *grammar) indent(start int) {
	text := g.cut(start)
	g.print("  ", strings.ReplaceAll(text, "\n", "\n  "), "\n")
}

// unindented stands for a line feed after which no line is indented.
const unindented = '\v'

// fix keeps what was printed from a place on from being indented with what is around.
func (g *grammar) fix(start int) {
	for i, c := range g.out[start:] {
		if c == '\n' {
			g.out[start+i] = unindented
		}
	}
}

// unit prints a text of its own. If it cannot be printed it is empty, and so is all that it is part of.
func (g *grammar) unit(read func()) {
	start, before := len(g.out), g.unprintable
	g.unprintable = false
	read()
	if g.unprintable {
		g.cut(start)
	}
	g.fix(start)
	g.unprintable = g.unprintable || before
}

// list reads items between commas up to an end, which it leaves, and counts them. A last comma is free.
func (g *grammar) list(end string, item func()) (count int) {
	for !g.failed && !g.is(end) {
		if count++; count > 1 {
			g.print(", ")
		}
		item()
		if !g.accept(",") {
			break
		}
	}
	return count
}

// some is a list with at least an item.
func (g *grammar) some(end string, item func()) { g.allow(g.list(end, item) > 0) }

// statementOrBlock reads a statement with its annotations, or a block that is one.
func (g *grammar) statementOrBlock() {
	defer g.nested()()
	switch {
	case g.is("{"):
		g.body(inBlock)
		g.branches = false
		return
	case g.token().kind == lexPragma:
		g.at++
		g.takeKind(lexLine)
		g.allow(g.stands(globally))
		g.branches = false
		return
	}
	start := len(g.out)
	for g.token().kind == lexAnnotation {
		g.print(g.takeKind(lexAnnotation))
		if g.token().kind == lexLine {
			g.print(" ", g.takeKind(lexLine))
		}
		g.print("\n")
	}
	branches := g.is("if")
	g.statement(len(g.out) > start)
	g.branches = branches
}

// scopeKind is what a block belongs to.
type scopeKind uint8

const (
	inScope scopeKind = iota // if or durationof
	inBox
	inLoop
	inBlock // a block that opens no scope: a bare one, or a case
)

// body reads a block. In the place of that of an if or loop a single statement may
// stand. Operations count in loops and boxes alone.
func (g *grammar) body(kind scopeKind) {
	before, operations := *g.context(), len(g.operations)
	if kind != inBlock {
		g.context().scopes++
	}
	if kind == inLoop {
		g.context().loops++
	}
	g.print("{\n")
	statements := 0
	braces := g.accept("{")
	g.allow(braces || !g.is("}"))
	for !g.failed && !g.is("}") {
		start := len(g.out)
		g.statementOrBlock()
		statements++
		g.indent(start)
		if !braces {
			break
		}
	}
	if braces {
		g.want("}")
	}
	g.print("}")
	*g.context() = before
	g.statements = statements
	if kind != inLoop && kind != inBox {
		g.operations = g.operations[:operations]
	}
}

// block is a body in braces.
func (g *grammar) block(kind scopeKind) {
	g.allow(g.is("{"))
	g.body(kind)
}

// definition reads the body of a gate or subroutine: each statement printed by itself.
func (g *grammar) definition(of string) {
	g.contexts = append(g.contexts, context{of: of, scopes: 1})
	g.want("{")
	for first := true; !g.failed && !g.is("}"); first = false {
		if !first {
			g.print("\n")
		}
		g.unit(g.statementOrBlock)
	}
	g.want("}")
	g.contexts = g.contexts[:len(g.contexts)-1]
}

// span is a part of what is printed.
type span struct{ from, to int }

// branch reads an if. Else with nothing but another if becomes else if, unless the outer one has annotations.
func (g *grammar) branch(annotated bool) {
	g.match("if (<expression>) ")
	g.body(inScope)
	if g.accept("else") {
		start := len(g.out)
		g.print(" else ")
		g.body(inScope)
		switch {
		case g.statements == 0:
			g.cut(start)
		case g.statements == 1 && g.branches && !annotated:
			text := strings.TrimSuffix(strings.TrimPrefix(g.cut(start), " else {\n  "), "\n}")
			g.print(" else ", strings.ReplaceAll(text, "\n  ", "\n"))
		}
	}
}

// after is the place after brackets that may open at a place, 0 if they do not close.
func (g *grammar) after(at int, bracket string) int {
	t := &g.tokens[at]
	if t.kind != lexMark || t.text != bracket {
		return at
	}
	if t.partner == 0 {
		return 0
	}
	return int(t.partner) + 1
}

// declares reports whether a type in hand begins a declaration and no cast.
func (g *grammar) declares() bool {
	at := g.after(g.at+1, "[")
	return g.tokens[at].kind == lexName
}

// callsGate reports whether the identifier in hand is that of a gate with operands.
func (g *grammar) callsGate() bool {
	at := g.after(g.after(g.at+1, "("), "[")
	t := &g.tokens[at]
	return at > g.at && (t.kind == lexHardware || t.kind == lexName && !isReserved(t.text))
}

// assigns reports whether the identifier in hand is assigned to.
func (g *grammar) assigns() bool {
	at := g.at + 1
	for g.tokens[at].kind == lexMark && g.tokens[at].text == "[" {
		if at = g.after(at, "["); at == 0 {
			return false
		}
	}
	return g.tokens[at].kind == lexMark && assigns(g.tokens[at].text)
}
