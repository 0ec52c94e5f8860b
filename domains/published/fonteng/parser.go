package fonteng

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"agentd/domains/internal/plain"
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
	broken      string // why the statement in hand cannot be printed
	classes     map[string]*glyphs
	markClasses map[string]*markClass
	lookups     map[string]bool

	retry retry
	model Model
}

// retry is where to go on after a failure: the last statement that begins a line.
type retry struct {
	pos, line int
	undo      []func()
}

func newParser(text string) *parser {
	p := &parser{
		lexer:   lexer{text: text, line: 1, counted: true},
		block:   &block{statement: (*parser).topLevel, anchors: map[string]bool{}, values: map[string]valueRecord{}},
		classes: map[string]*glyphs{}, markClasses: map[string]*markClass{}, lookups: map[string]bool{},
		model: Model{classes: map[string]string{}, features: map[string]string{}, tables: map[string]string{}},
	}
	p.retry = retry{line: 1}
	return p
}

// parseText reads a text, at most mostParses times.
func parseText(text string) (Model, error) {
	p := newParser(text)
	for n := 1; ; n++ {
		err := p.run()
		if err == nil {
			return p.model, nil
		}
		var at syntaxError
		if !errors.As(err, &at) || n == mostParses {
			return Model{}, err
		}
		if !p.goOn(at.line) {
			return Model{}, err
		}
	}
}

// goOn makes a line a comment and goes back to before it. It reports false where that would change nothing.
func (p *parser) goOn(line int) bool {
	from, counted := p.retry, p.counted && line >= p.retry.line
	if !counted {
		from = retry{line: 1}
	}
	start, found := lineStart(p.text, from.pos, line-from.line)
	if !found || strings.HasPrefix(strings.TrimLeft(p.text[start:], " \t"), "#") {
		return false
	}
	text := p.text[:start] + "# [parse-skip] " + p.text[start:]
	if !counted {
		*p = *newParser(text)
		return true
	}
	for i := len(p.retry.undo) - 1; i >= 0; i-- {
		p.retry.undo[i]()
	}
	p.retry.undo = p.retry.undo[:0]
	p.lexer = lexer{text: text, pos: from.pos, line: from.line, counted: true}
	p.comments, p.current = 0, token{}
	return true
}

// lineStart returns where the line begins that is so many lines after one that begins at pos.
func lineStart(text string, pos, lines int) (int, bool) {
	for range lines {
		end := strings.IndexByte(text[pos:], '\n')
		if end < 0 {
			return 0, false
		}
		pos += end + 1
	}
	return pos, true
}

// run reads to the end of the text or the first failure.
func (p *parser) run() (err error) {
	defer func() {
		switch failure := recover().(type) {
		case nil:
		case syntaxError:
			err = failure
		case error:
			if _, isRuntime := failure.(runtime.Error); isRuntime {
				panic(failure)
			}
			err = failure
		default:
			panic(failure)
		}
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
	if p.following.line > p.current.line && p.following.line > p.retry.line && p.counted {
		start := strings.LastIndexByte(p.text[:p.following.start], '\n') + 1
		p.retry.pos, p.retry.line, p.retry.undo = start, p.following.line, p.retry.undo[:0]
	}
	if p.block.keyword != "" && p.following.text == "}" {
		p.close()
		return
	}
	p.advance()
	p.broken = ""
	if p.current.text != ";" {
		p.block.statement(p)
	}
}

func (p *parser) undo(action func()) { p.retry.undo = append(p.retry.undo, action) }

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

// put sets a value in a map, until it is taken back.
func put[V any](p *parser, in map[string]V, key string, value V) {
	before, had := in[key]
	in[key] = value
	p.undo(func() {
		if had {
			in[key] = before
		} else {
			delete(in, key)
		}
	})
}

// grow appends to a list, until it is taken back.
func grow[T any](p *parser, list *[]T, item T) {
	n := len(*list)
	*list = plain.Append(*list, item)
	p.undo(func() { *list = (*list)[:n] })
}

// add appends a statement to the block.
func (p *parser) add(text string) { p.addStatement(statement{text: text, broken: p.broken}) }

func (p *parser) addStatement(s statement) { grow(p, &p.block.statements, s) }

// enter makes a block the present one.
func (p *parser) enter(b *block) {
	before := p.block
	p.block = b
	p.undo(func() { p.block = before })
}

// open begins a block inside the present one.
func (p *parser) open(b *block) {
	p.want("{")
	b.outside, b.indent, b.depth = p.block, p.block.indent+shift, p.block.depth+1
	b.anchors, b.values = map[string]bool{}, map[string]valueRecord{}
	if b.depth > deepest {
		panic(errTooDeep)
	}
	p.enter(b)
}

// close ends the present block, which becomes a statement of the one outside.
func (p *parser) close() {
	b := p.block
	p.want("}")
	p.enter(b.outside)
	switch b.keyword {
	case "feature", "lookup", "variation":
		p.want(b.name)
		b.closing = " " + b.name
	case "table":
		p.allow(p.expectTag() == padded(b.name), "expected "+b.name)
		b.closing = " " + b.name
	}
	p.want(";")
	p.closed(b)
}

// closed keeps what was read of a block.
func (p *parser) closed(b *block) {
	if b.keyword == "lookup" {
		put(p, p.lookups, b.name, true)
	}
	if b.keyword == "feature" || b.keyword == "lookup" || b.keyword == "variation" {
		written := b.statements
		b.statements = b.spelled()
		p.undo(func() { b.statements = written })
	}
	text, broken := b.text()
	if p.block.keyword != "" {
		p.addStatement(statement{text: text, broken: broken})
		return
	}
	if broken != "" {
		text = unprintable + broken
	}
	switch b.keyword {
	case "feature":
		put(p, p.model.features, padded(b.name), text)
	case "table":
		put(p, p.model.tables, padded(b.name), text)
	}
}

// unprintable begins the text of a block at which the published program crashes after all has been read.
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
	switch {
	case text != "" && isSymbol[text[0]] && !startsName[text[0]]:
		if p.current.kind != symbolToken || p.current.text != text {
			p.fail(fmt.Sprintf("expected %q", text))
		}
	case p.current.kind != nameToken:
		p.fail("expected a name")
	case p.current.text != text:
		p.fail("expected " + text)
	}
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

func (p *parser) expectAnyNumber() token { return p.expect("a number", anyNumber...) }

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
