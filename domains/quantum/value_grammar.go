package quantum

import (
	"slices"
	"strings"

	"agentd/domains/internal/pytext"
)

// parseGrammar reads a file by the grammar of OpenQASM 3.1, and spells what it finds
// canonically. It refuses what the published reader refuses: errGrammar.
func parseGrammar(text string) (program, error) {
	tokens, err := lexGrammar(text)
	if err != nil {
		return program{}, err
	}
	g := grammar{tokens: tokens, contexts: []context{{}}}
	p := g.program()
	if g.failed {
		return program{}, errGrammar
	}
	return p, nil
}

// grammar reads tokens. After a failure it reads on to no effect, until its callers
// notice.
type grammar struct {
	tokens   []lexeme
	at       int
	failed   bool
	depth    int // of expressions and statements in each other
	contexts []context
	// unprintable says that what is being printed cannot be.
	unprintable bool
}

// context is the program, a gate or a subroutine.
type context struct {
	of            string // the word that it begins with, empty for the program
	scopes, loops int
}

// scopeKind is what a block belongs to.
type scopeKind uint8

const (
	inScope scopeKind = iota // if, box, durationof, or the body of a definition
	inLoop
	inBlock // a block that opens no scope: a bare one, or a case
)

// stated is a statement in canonical spelling, with what it declares.
type stated struct {
	text       string
	branches   bool     // it is an if
	operations []string // names of gates, reset and measure
	depth      int      // as in printed
	declared   program
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

// deepestNesting bounds the recursion. The published program gives up before.
const deepestNesting = 400

// nested enters a statement or expression; its result leaves it.
func (g *grammar) nested() func() {
	if g.depth++; g.depth > deepestNesting {
		g.fail()
	}
	return g.leave
}

func (g *grammar) leave() { g.depth-- }

func (g *grammar) checkDepth(depth int) {
	if depth > deepestCall {
		g.fail()
	}
}

func (g *grammar) context() *context { return &g.contexts[len(g.contexts)-1] }

// global reports whether a declaration that must be global may stand here.
func (g *grammar) global() bool { return len(g.contexts) == 1 && g.context().scopes == 0 }

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

// identifier passes over an identifier. true and false are literals, which callers
// that take expressions look for.
func (g *grammar) identifier() string {
	t := g.token()
	if t.kind != lexName || isReserved(t.text) && t.text != "true" && t.text != "false" {
		g.fail()
		return ""
	}
	g.at++
	return t.text
}

// name is an identifier that is being declared or used as one.
func (g *grammar) name() string {
	word := g.identifier()
	g.allow(word != "true" && word != "false")
	return word
}

// unit prints a text of its own. If it cannot be printed it is empty, and so is all
// that it is part of.
func (g *grammar) unit(of func() printed) printed {
	before := g.unprintable
	g.unprintable = false
	p := of()
	if g.unprintable {
		p.text = ""
	}
	p.text = unfixed(p.text)
	g.unprintable = g.unprintable || before
	return p
}

// unfixed is a text whose lines have all been indented.
func unfixed(text string) string { return strings.ReplaceAll(text, unindented, "\n") }

func (g *grammar) program() program {
	versioned := g.accept("OPENQASM")
	if versioned {
		g.takeKind(lexVersion)
		g.want(";")
	}
	var p program
	count := 0
	for !g.failed && g.token().kind != lexEnd {
		s := g.statementOrBlock()
		g.checkDepth(s.depth)
		p.add(&s.declared)
		p.flat += len(s.operations)
		count++
	}
	g.allow(versioned || count > 0)
	return p
}

// add appends what another part of the program declares.
func (p *program) add(other *program) {
	p.constants = append(p.constants, other.constants...)
	p.registers = append(p.registers, other.registers...)
	p.externs = append(p.externs, other.externs...)
	p.gates = append(p.gates, other.gates...)
	p.subroutines = append(p.subroutines, other.subroutines...)
	p.flat += other.flat
}

// statementOrBlock reads a statement, or a block that is one.
func (g *grammar) statementOrBlock() stated {
	defer g.nested()()
	if !g.is("{") {
		return g.annotated()
	}
	b := g.block(inBlock)
	return stated{text: b.text, depth: b.depth + blockDepth}
}

// body is a block in canonical spelling.
type body struct {
	text       string // with braces
	statements []stated
	depth      int
}

// block reads statements in braces.
func (g *grammar) block(kind scopeKind) body {
	return g.scoped(kind, func(b *body) {
		g.want("{")
		for !g.failed && !g.is("}") {
			b.add(g.statementOrBlock())
		}
		g.want("}")
	})
}

// blockOrStatement reads a block, or a single statement that stands for one.
func (g *grammar) blockOrStatement(kind scopeKind) body {
	if g.is("{") {
		return g.block(kind)
	}
	return g.scoped(kind, func(b *body) { b.add(g.statementOrBlock()) })
}

func (g *grammar) scoped(kind scopeKind, read func(*body)) body {
	c := len(g.contexts) - 1
	before := g.contexts[c]
	if kind != inBlock {
		g.contexts[c].scopes++
	}
	if kind == inLoop {
		g.contexts[c].loops++
	}
	var b body
	read(&b)
	g.contexts[c] = before
	var text strings.Builder
	text.WriteString("{\n")
	for i := range b.statements {
		text.WriteString("  " + strings.ReplaceAll(b.statements[i].text, "\n", "\n  ") + "\n")
	}
	b.text = text.String() + "}"
	return b
}

func (b *body) add(s stated) {
	b.statements = append(b.statements, s)
	b.depth = max(b.depth, s.depth)
}

func (b *body) operations() []string {
	var all []string
	for i := range b.statements {
		all = append(all, b.statements[i].operations...)
	}
	return all
}

// definition reads the body of a gate or subroutine: each statement printed by
// itself.
func (g *grammar) definition(of string) (text string, operations []string, depth int) {
	g.contexts = append(g.contexts, context{of: of, scopes: 1})
	defer func() { g.contexts = g.contexts[:len(g.contexts)-1] }()
	var lines []string
	g.want("{")
	for !g.failed && !g.is("}") {
		p := g.unit(func() printed {
			s := g.statementOrBlock()
			operations = append(operations, s.operations...)
			return printed{text: s.text, depth: s.depth}
		})
		lines = append(lines, pytext.Strip(p.text))
		depth = max(depth, p.depth)
	}
	g.want("}")
	return strings.Join(lines, "\n"), operations, depth + scopeDepth
}

// annotated reads a statement with its annotations.
func (g *grammar) annotated() stated {
	if g.token().kind == lexPragma {
		g.at++
		line := g.takeKind(lexLine)
		g.allow(g.global())
		return stated{text: "pragma " + line}
	}
	var annotations strings.Builder
	for g.token().kind == lexAnnotation {
		annotations.WriteString(g.token().text)
		if g.at++; g.token().kind == lexLine {
			annotations.WriteString(" " + g.token().text)
			g.at++
		}
		annotations.WriteString("\n")
	}
	s := g.statement(annotations.Len() > 0)
	s.text = annotations.String() + s.text
	return s
}
