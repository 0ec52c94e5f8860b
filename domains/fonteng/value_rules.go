package fonteng

import (
	"strings"
)

// pattern is a sequence of glyphs with marks, values and lookups.
type pattern struct {
	prefix, glyphs, suffix []*glyphs
	lookups                [][]string // at each of the glyphs
	values                 []*valueRecord
	marked                 bool
}

func (r *pattern) hasLookups() bool {
	for _, names := range r.lookups {
		if len(names) > 0 {
			return true
		}
	}
	return false
}

// hasContext holds where a rule looks at more than the glyphs it changes.
func (r *pattern) hasContext() bool { return len(r.prefix) > 0 || len(r.suffix) > 0 }

func anySet(values []*valueRecord) bool {
	for _, v := range values {
		if v.isSet() {
			return true
		}
	}
	return false
}

const oneRun = "values are allowed in the marked run only, or at the end after a single marked glyph"

// pattern reads a pattern up to by, from, a comma or a semicolon.
func (p *parser) pattern() pattern {
	var r pattern
	for {
		switch p.following.text {
		case "by", "from", ";", ",":
			p.settle(&r)
			return r
		}
		g := p.glyphOrClass()
		marked := p.following.text == "'"
		switch {
		case marked:
			p.expectSymbol("'")
			r.marked = true
			if len(r.suffix) > 0 {
				p.fail("at most one run of glyphs may be marked")
			}
			r.glyphs = append(r.glyphs, g)
		case len(r.glyphs) > 0:
			r.suffix = append(r.suffix, g)
		default:
			r.prefix = append(r.prefix, g)
		}
		var v *valueRecord
		if p.isValue() {
			v = p.value()
		}
		r.values = append(r.values, v)
		lookups := p.lookupsHere(marked)
		if marked {
			r.lookups = append(r.lookups, lookups)
		}
	}
}

func (p *parser) lookupsHere(marked bool) []string {
	var names []string
	for p.following.text == "lookup" {
		p.expectKeyword("lookup")
		if !marked {
			p.fail("lookups follow marked glyphs only")
		}
		names = append(names, p.knownLookup())
	}
	return names
}

func (p *parser) knownLookup() string {
	name := p.expectName()
	if !p.lookups[name] {
		p.fail("unknown lookup " + name)
	}
	return name
}

// settle gives the values to the glyphs that a pattern is about.
func (p *parser) settle(r *pattern) {
	if len(r.glyphs) == 0 {
		r.glyphs, r.prefix = r.prefix, nil
		return
	}
	before, after := len(r.prefix), len(r.prefix)+len(r.glyphs)
	if anySet(r.values[:before]) {
		p.fail("values are not allowed before the marked run")
	}
	last := len(r.values) - 1
	switch {
	case anySet(r.values[before:after]):
		if anySet(r.values[after:]) {
			p.fail(oneRun)
		}
		r.values = r.values[before:after]
	case r.values[last].isSet():
		if len(r.glyphs) > 1 || anySet(r.values[:last]) {
			p.fail(oneRun)
		}
		r.values = r.values[last:]
	case anySet(r.values):
		p.fail(oneRun)
	}
}

func joined(list []*glyphs, mark string) string {
	words := make([]string, len(list))
	for i, g := range list {
		words[i] = g.text + mark
	}
	return strings.Join(words, " ")
}

// around puts the context of a rule around its own glyphs. These are marked if
// the rule has a context or is in one.
func (r *pattern) around(own string, inContext bool) string {
	if !inContext {
		return own
	}
	return r.inside(own + "'")
}

func (r *pattern) inside(own string) string {
	if len(r.prefix) > 0 {
		own = joined(r.prefix, "") + " " + own
	}
	if len(r.suffix) > 0 {
		own += " " + joined(r.suffix, "")
	}
	return own
}

// text is the pattern with its marks.
func (r *pattern) text(inContext bool) string {
	if !inContext {
		return joined(r.glyphs, "")
	}
	return r.inside(joined(r.glyphs, "'"))
}

// chained is the pattern with its lookups.
func (r *pattern) chained() string {
	words := make([]string, len(r.glyphs))
	for i, g := range r.glyphs {
		words[i] = g.text + "'"
		for _, name := range r.lookups[i] {
			words[i] += " lookup " + name
		}
	}
	return r.inside(strings.Join(words, " "))
}

// ignore reads an ignore statement.
func (p *parser) ignore() {
	line := p.current.line
	p.advance()
	var word string
	switch p.current.text {
	case "substitute", "sub":
		word = "sub"
	case "position", "pos":
		word = "pos"
	default:
		p.fail("expected substitute or position")
	}
	var contexts []string
	hasLookups := false
	for {
		r := p.pattern()
		hasLookups = hasLookups || r.hasLookups()
		contexts = append(contexts, r.text(r.hasContext()))
		if p.following.text != "," {
			break
		}
		p.expectSymbol(",")
	}
	p.expectSymbol(";")
	if hasLookups {
		panic(syntaxError{line, "lookups where glyphs are ignored"})
	}
	p.add(statement{text: "ignore " + word + " " + strings.Join(contexts, ", ") + ";"})
}

// position reads a positioning rule, whose keyword is current.
func (p *parser) position(enumerated bool) {
	switch p.following.text {
	case "cursive", "base", "ligature", "mark":
		p.attachment(p.following.text, enumerated)
		return
	}
	line := p.current.line
	r := p.pattern()
	p.expectSymbol(";")
	if r.hasLookups() {
		if anySet(r.values) {
			panic(syntaxError{line, "lookups and values in one rule"})
		}
		p.add(statement{text: "pos " + r.chained() + ";"})
		return
	}
	if !r.hasContext() && len(r.glyphs) == 2 && !r.marked {
		p.pair(r, enumerated)
		return
	}
	if enumerated {
		panic(syntaxError{line, "enum is for pairs"})
	}
	p.add(statement{text: "pos " + r.positioned() + ";"})
}

func (p *parser) pair(r pattern, enumerated bool) {
	first, second := r.values[0], r.values[1]
	if first == nil {
		first, second = second, first
	}
	text := "pos "
	if enumerated {
		text = "enum pos "
	}
	if first == nil {
		p.add(statement{broken: "a pair without a value"})
		return
	}
	if second.isSet() {
		text += r.glyphs[0].text + " " + first.text() + " " + r.glyphs[1].text + " " + second.text()
	} else {
		text += r.glyphs[0].text + " " + r.glyphs[1].text + " " + first.text()
	}
	p.add(statement{text: text + ";"})
}

// positioned is a pattern with the value of each glyph.
func (r *pattern) positioned() string {
	inContext := r.marked || r.hasContext()
	words := make([]string, min(len(r.glyphs), len(r.values)))
	for i := range words {
		words[i] = r.glyphs[i].text
		if inContext {
			words[i] += "'"
		}
		if r.values[i].isSet() {
			words[i] += " " + r.values[i].text()
		} else if !inContext {
			words[i] += " "
		}
	}
	own := strings.Join(words, " ")
	if !inContext {
		return own
	}
	return r.inside(own)
}

// attachment reads a rule that attaches glyphs by anchors.
func (p *parser) attachment(kind string, enumerated bool) {
	line := p.current.line
	p.expectKeyword(kind)
	if enumerated {
		panic(syntaxError{line, "enum is for pairs"})
	}
	text := "pos " + kind + " " + p.glyphOrClass().text
	if kind == "cursive" {
		for range 2 {
			if a := p.anchor(); a != nil {
				text += " " + a.text
			} else {
				text += " <anchor NULL>"
			}
		}
		p.expectSymbol(";")
		p.add(statement{text: text + ";"})
		return
	}
	inner := "\n" + p.block.indent + shift
	if kind == "ligature" {
		inner += shift
	}
	lines, broken := p.attachments(inner)
	if kind == "ligature" {
		null := inner + "<anchor NULL>"
		components := []string{orText(lines, null)}
		for p.following.text == "ligComponent" {
			p.expectKeyword("ligComponent")
			more, failure := p.attachments(inner)
			components = append(components, orText(more, null))
			if failure != "" {
				broken = failure
			}
		}
		lines = strings.Join(components, "\n"+p.block.indent+shift+"ligComponent")
	}
	p.expectSymbol(";")
	p.add(statement{text: text + lines + ";", broken: broken})
}

func orText(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

// attachments reads anchors with the marks that attach there, each on a line of
// its own.
func (p *parser) attachments(inner string) (lines, broken string) {
	var b strings.Builder
	for p.following.text == "<" {
		a := p.anchor()
		if a == nil && p.following.text != "mark" {
			continue
		}
		p.expectKeyword("mark")
		name := p.expectClassName()
		if found := p.classes[name]; found == nil || !found.isMark {
			p.fail("no class of marks: @" + name)
		}
		text := ""
		if a == nil {
			broken = "marks at an anchor that is NULL"
		} else {
			text = a.text
		}
		b.WriteString(inner + text + " mark @" + name)
	}
	return b.String(), broken
}
