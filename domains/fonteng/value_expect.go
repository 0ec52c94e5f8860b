package fonteng

import (
	"fmt"
	"slices"
)

func (p *parser) fail(message string) {
	panic(syntaxError{p.current.line, message})
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
	if len(tag) > 4 {
		p.fail("a tag has at most four letters")
	}
	return padded(tag)
}

func padded(tag string) string { return (tag + shift)[:4] }

func (p *parser) expectScript() string {
	tag := p.expectTag()
	if tag == "dflt" {
		p.fail("dflt is no script")
	}
	return tag
}

func (p *parser) expectLanguage() string {
	tag := p.expectTag()
	if tag == "DFLT" {
		p.fail("DFLT is no language")
	}
	return tag
}
