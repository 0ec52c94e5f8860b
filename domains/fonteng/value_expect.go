package fonteng

import "fmt"

func (p *parser) fail(message string) {
	panic(syntaxError{p.current.line, message})
}

func (p *parser) isKeyword(word string) bool {
	return p.current.kind == nameToken && p.current.text == word
}

func (p *parser) expectSymbol(symbol string) {
	p.advance()
	if p.current.kind != symbolToken || p.current.text != symbol {
		p.fail(fmt.Sprintf("expected %q", symbol))
	}
}

func (p *parser) expectKeyword(word string) {
	if p.expectName() != word {
		p.fail("expected " + word)
	}
}

func (p *parser) expectName() string {
	p.advance()
	if p.current.kind != nameToken {
		p.fail("expected a name")
	}
	return p.current.text
}

func (p *parser) expectEnd(name string) {
	if p.expectName() != name {
		p.fail("expected " + name)
	}
}

func (p *parser) expectClassName() string {
	p.advance()
	if p.current.kind != classToken {
		p.fail("expected the name of a class")
	}
	return p.current.text
}

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

func (p *parser) expectNumber() token {
	p.advance()
	if p.current.kind != numberToken {
		p.fail("expected a number")
	}
	return p.current
}

func (p *parser) expectAnyNumber() token {
	p.advance()
	if !p.current.isAnyNumber() {
		p.fail("expected a number")
	}
	return p.current
}

func (p *parser) expectString() string {
	p.advance()
	if p.current.kind != stringToken {
		p.fail("expected a string")
	}
	return p.current.text
}
