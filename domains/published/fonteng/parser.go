package fonteng

import (
	"errors"
	"runtime"
	"slices"
	"strings"
)

// Model is what the published evaluator keeps of a document.
type Model struct {
	systems  []system
	classes  map[string]string // name to normal text
	features map[string]string
	tables   map[string]string
}

// system is a script and a language, with blanks to four letters.
type system struct{ script, language string }

const (
	mostParses = 50  // of one document
	deepest    = 300 // nesting that the published program survives
)

var errTooDeep = errors.New("blocks are nested too deeply")

// parser reads a feature file as fontTools' does. Where it fails at a line that is known, the line becomes a comment
// and reading goes on from where nothing of that line had been read.
type parser struct {
	lexer
	current, following token
	comments           int // read ahead and not yet passed
	lastLine           int // of any token, a comment too

	block       *block
	classes     map[string]*glyphs
	markClasses map[string]*markClass
	lookups     map[string]bool

	model Model
}

func newParser(text string) *parser {
	return &parser{
		lexer:   lexer{text: text, line: 1},
		block:   &block{statement: (*parser).topLevel, anchors: map[string]bool{}, values: map[string]valueRecord{}},
		classes: map[string]*glyphs{}, markClasses: map[string]*markClass{}, lookups: map[string]bool{},
		model: Model{classes: map[string]string{}, features: map[string]string{}, tables: map[string]string{}},
	}
}

// parseText reads a text, at most mostParses times, each time without the line that could not be read before.
func parseText(text string) (Model, error) {
	for n := 1; ; n++ {
		p := newParser(text)
		err := p.run()
		if err == nil {
			return p.model, nil
		}
		var at syntaxError
		if !errors.As(err, &at) || n == mostParses {
			return Model{}, err
		}
		lines := strings.SplitAfterN(text, "\n", max(at.line, 1))
		last := &lines[len(lines)-1]
		if len(lines) < at.line || strings.HasPrefix(strings.TrimLeft(*last, " \t"), "#") {
			return Model{}, err
		}
		*last = "# [parse-skip] " + *last
		text = strings.Join(lines, "")
	}
}

// run reads to the end of the text or the first failure.
func (p *parser) run() (err error) {
	defer func() {
		failure := recover()
		if _, isBug := failure.(runtime.Error); isBug {
			panic(failure)
		}
		err, _ = failure.(error)
	}()
	p.readAhead()
	for p.block.keyword != "" || p.following.kind != endOfInput || p.comments > 0 {
		p.step()
	}
	return nil
}

// step reads one statement, or the head or end of a block.
func (p *parser) step() {
	if p.comments > 0 {
		p.comments--
		return
	}
	if p.block.keyword != "" && p.following.text == "}" {
		p.close()
		return
	}
	p.advance()
	if p.current.text != ";" {
		p.block.statement(p)
	}
}

// advance takes the next token.
func (p *parser) advance() {
	p.current = p.following
	p.readAhead()
}

func (p *parser) readAhead() {
	for {
		p.following = p.next()
		if p.following.kind == endOfInput {
			p.following.line = p.lastLine
			return
		}
		p.lastLine = p.following.line
		if p.following.kind != commentToken {
			return
		}
		p.comments++
	}
}

// add appends a statement to the block.
func (p *parser) add(text string) { p.addStatement(statement{text: text}) }

func (p *parser) addStatement(s statement) { p.block.statements = append(p.block.statements, s) }

// open begins a block inside the present one.
func (p *parser) open(b *block) {
	p.want("{")
	b.outside, b.indent, b.depth = p.block, p.block.indent+shift, p.block.depth+1
	b.anchors, b.values = map[string]bool{}, map[string]valueRecord{}
	if b.depth > deepest {
		panic(errTooDeep)
	}
	p.block = b
}

// close ends the present block, which becomes a statement of the one outside.
func (p *parser) close() {
	b := p.block
	p.want("}")
	p.block = b.outside
	switch b.keyword {
	case "feature", "lookup", "variation":
		p.want(b.name)
		b.closing = " " + b.name
		b.statements = b.spelled()
		p.lookups[b.name] = p.lookups[b.name] || b.keyword == "lookup"
	case "table":
		p.allow(p.expectTag() == padded(b.name), "expected "+b.name)
		b.closing = " " + b.name
	}
	p.want(";")
	switch text := b.text(); {
	case p.block.keyword != "":
		p.add(text)
	case b.keyword == "feature":
		p.model.features[padded(b.name)] = text
	case b.keyword == "table":
		p.model.tables[padded(b.name)] = text
	}
}

// unprintable marks a statement at which the published program crashes after all has been read, and why.
const unprintable = "\x00"

func (p *parser) fail(message string) { p.allow(false, message) }

// allow fails where a rule does not hold.
func (p *parser) allow(holds bool, message string) { allowAt(p.current.line, holds, message) }

// allowAt fails at a line.
func allowAt(line int, holds bool, message string) {
	if !holds {
		panic(syntaxError{line, message})
	}
}

func (p *parser) isKeyword(word string) bool {
	return p.current.kind == nameToken && p.current.text == word
}

// expect takes a token of one of some kinds.
func (p *parser) expect(what string, kinds ...tokenKind) token {
	p.advance()
	if !slices.Contains(kinds, p.current.kind) {
		p.fail("expected " + what)
	}
	return p.current
}

// want takes a symbol or word.
func (p *parser) want(text string) {
	p.advance()
	isWord := p.current.kind == nameToken || p.current.kind == symbolToken
	p.allow(isWord && p.current.text == text, "expected "+text)
}

// accept takes a symbol or word if it follows.
func (p *parser) accept(text string) bool {
	if p.following.text != text {
		return false
	}
	p.want(text)
	return true
}

func (p *parser) expectName() string { return p.expect("a name", nameToken).text }

func (p *parser) expectClassName() string { return p.expect("the name of a class", classToken).text }

func (p *parser) expectNumber() token { return p.expect("a number", numberToken) }

func (p *parser) expectAnyNumber() token { return p.expect("a number", numberToken, codeToken) }

// expectTag returns a tag with blanks to four letters.
func (p *parser) expectTag() string {
	tag := p.expectName()
	p.allow(len(tag) <= 4, "a tag has at most four letters")
	return padded(tag)
}

func padded(tag string) string { return (tag + shift)[:4] }

func (p *parser) expectScript() string {
	tag := p.expectTag()
	p.allow(tag != "dflt", "dflt is no script")
	return tag
}

func (p *parser) expectLanguage() string {
	tag := p.expectTag()
	p.allow(tag != "DFLT", "DFLT is no language")
	return tag
}

// defineAnchor reads an anchorDef statement.
func (p *parser) defineAnchor() {
	text := "anchorDef " + p.expectNumber().number() + " " + p.expectNumber().number() + p.contourPoint()
	name := p.expectName()
	p.want(";")
	p.block.anchors[name] = true
	p.addWithin(text + " " + name + ";")
}

// defineValue reads a valueRecordDef statement.
func (p *parser) defineValue() {
	v := p.value()
	name := p.expectName()
	p.want(";")
	p.block.values[name] = *v
	p.addWithin("valueRecordDef " + v.text() + " " + name + ";")
}
