package fonteng

import (
	"errors"
	"strings"

	"agentd/domains/internal/plain"
)

// model is what the published evaluator keeps of a document.
type model struct {
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

// parser reads a feature file as fontTools' does. Where it fails at a line that
// is known, the line becomes a comment and reading goes on from where nothing of
// that line had been read.
type parser struct {
	lexer
	current, following token
	comments           int // read ahead and not yet passed
	lastLine           int // of any token, a comment too

	block       *block
	depth       int
	anchors     scopes[anchorDefinition]
	values      scopes[valueRecord]
	classes     map[string]*glyphs
	markClasses map[string]*markClass
	lookups     map[string]bool

	retry retry
	model model
}

// retry is where to go on after a failure: the last statement that begins a
// line.
type retry struct {
	pos, line int
	undo      []func()
}

func newParser(text string) *parser {
	p := &parser{
		lexer:   lexer{text: text, line: 1, counted: true},
		block:   &block{statement: (*parser).topLevel},
		classes: map[string]*glyphs{}, markClasses: map[string]*markClass{}, lookups: map[string]bool{},
		model: model{classes: map[string]string{}, features: map[string]string{}, tables: map[string]string{}},
	}
	p.anchors.enter()
	p.values.enter()
	p.retry = retry{line: 1}
	return p
}

// parseText reads a text, at most mostParses times.
func parseText(text string) (model, error) {
	p := newParser(text)
	for n := 1; ; n++ {
		err := p.run()
		if err == nil {
			return p.model, nil
		}
		var at syntaxError
		if !errors.As(err, &at) || n == mostParses {
			return model{}, err
		}
		if !p.goOn(at.line) {
			return model{}, err
		}
	}
}

// goOn makes a line a comment and goes back to before it. It reports false where
// that would change nothing.
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

// lineStart returns where the line begins that is so many lines after one that
// begins at pos.
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
			if isRuntime(failure) {
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

func isRuntime(err error) bool {
	var failure interface{ RuntimeError() }
	return errors.As(err, &failure)
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

// add appends a statement to the block.
func (p *parser) add(s statement) {
	b := p.block
	n := len(b.statements)
	b.statements = plain.Append(b.statements, s)
	p.undo(func() { b.statements = b.statements[:n] })
}

// open begins a block inside the present one.
func (p *parser) open(b *block) {
	p.expectSymbol("{")
	outside := p.block
	b.outside, b.indent = outside, outside.indent+shift
	if p.depth == deepest {
		panic(errTooDeep)
	}
	p.anchors.enter()
	p.values.enter()
	p.block = b
	p.depth++
	p.undo(func() {
		p.block = outside
		p.depth--
		p.anchors.leave()
		p.values.leave()
	})
}

// close ends the present block, which becomes a statement of the one outside.
func (p *parser) close() {
	b := p.block
	p.expectSymbol("}")
	anchors, values := p.anchors.leave(), p.values.leave()
	p.block = b.outside
	p.depth--
	p.undo(func() {
		p.block = b
		p.depth++
		p.anchors.restore(anchors)
		p.values.restore(values)
	})
	switch b.keyword {
	case "feature", "lookup", "variation":
		p.expectEnd(b.name)
		b.closing = " " + b.name
	case "table":
		if p.expectTag() != padded(b.name) {
			p.fail("expected " + b.name)
		}
		b.closing = " " + b.name
	}
	p.expectSymbol(";")
	p.closed(b)
}

// closed keeps what was read of a block.
func (p *parser) closed(b *block) {
	if b.keyword == "lookup" {
		p.define(b.name)
	}
	if b.keyword == "feature" || b.keyword == "lookup" || b.keyword == "variation" {
		written := b.statements
		b.statements = b.spelled()
		p.undo(func() { b.statements = written })
	}
	switch {
	case p.block.keyword != "":
		text, broken := b.text()
		p.add(statement{text: text, broken: broken})
	case b.keyword == "feature":
		p.keepBlock(p.model.features, padded(b.name), b)
	case b.keyword == "table":
		p.keepBlock(p.model.tables, padded(b.name), b)
	}
}

func (p *parser) keepBlock(in map[string]string, name string, b *block) {
	text, broken := b.text()
	if broken != "" {
		text = unprintable + broken
	}
	p.keep(in, name, text)
}

// unprintable begins the text of a block at which the published program crashes
// after all has been read.
const unprintable = "\x00"

func (p *parser) keep(in map[string]string, name, text string) {
	before, had := in[name]
	in[name] = text
	p.undo(func() {
		if had {
			in[name] = before
		} else {
			delete(in, name)
		}
	})
}

// define makes a lookup known.
func (p *parser) define(lookup string) {
	if !p.lookups[lookup] {
		p.lookups[lookup] = true
		p.undo(func() { delete(p.lookups, lookup) })
	}
}

// scopes are definitions that end with the block they are in.
type scopes[T any] []map[string]T

func (s *scopes[T]) enter() { *s = append(*s, nil) }

func (s *scopes[T]) leave() map[string]T {
	last := len(*s) - 1
	ended := (*s)[last]
	*s = (*s)[:last]
	return ended
}

func (s *scopes[T]) restore(scope map[string]T) { *s = append(*s, scope) }

func (s scopes[T]) find(name string) (T, bool) {
	for i := len(s) - 1; i >= 0; i-- {
		if found, ok := s[i][name]; ok {
			return found, true
		}
	}
	var none T
	return none, false
}

// define returns what takes the definition back.
func (s scopes[T]) define(name string, value T) (undo func()) {
	last := len(s) - 1
	if s[last] == nil {
		s[last] = map[string]T{}
	}
	scope := s[last]
	before, had := scope[name]
	scope[name] = value
	return func() {
		if had {
			scope[name] = before
		} else {
			delete(scope, name)
		}
	}
}
