package fonteng

import (
	"cmp"
	"fmt"
	"slices"
)

// substitution reads a substitution rule, whose keyword is current.
func (p *parser) substitution() {
	line := p.current.line
	reverse := p.current.text == "rsub" || p.current.text == "reversesub"
	old := p.pattern()
	allowAt(line, !anySet(old.values), "a substitution with values")
	var into []*glyphs
	choice := false
	if p.accept("by") {
		for p.following.text != ";" {
			into = append(into, p.replacement())
		}
	} else if choice = p.accept("from"); choice {
		into = []*glyphs{p.class()}
	}
	p.want(";")
	p.allow(len(into) > 0 || old.hasLookups(), "expected by, from or lookups")
	if choice {
		allowAt(line, !reverse && len(old.glyphs) == 1 && old.glyphs[0].count == 1, "from needs a single glyph before it")
		p.add("sub " + old.text(old.hasContext()) + " from " + into[0].text + ";")
		return
	}
	p.substitute(&old, into, reverse, line)
}

// replacement reads what comes in the place of glyphs.
func (p *parser) replacement() *glyphs {
	if p.following.kind == nameToken && p.following.text == "NULL" {
		p.advance()
		return &glyphs{text: "NULL", isNull: true}
	}
	return p.glyphOrClass()
}

// substitute adds the rule of the type that the numbers of glyphs make it.
func (p *parser) substitute(old *pattern, into []*glyphs, reverse bool, line int) {
	deletes := len(into) == 1 && into[0].isNull
	if deletes {
		into = nil
	}
	inContext := old.marked || old.hasContext()
	plain := !old.hasLookups() && !reverse
	rule := statement{inContext: inContext}
	switch one := len(old.glyphs) == 1; {
	case plain && one && len(into) == 1:
		if !sameCount(old.glyphs[0], into[0]) {
			panic(syntaxError{line, fmt.Sprintf("%d glyphs by %d", old.glyphs[0].count, into[0].count)})
		}
		rule.single = &single{*old, old.glyphs[0], into[0]}
	case deletes && one && !old.hasLookups():
		rule.isMultiple = true
		into = []*glyphs{{text: "NULL"}}
	case plain && one && old.glyphs[0].count == 1 && len(into) > 1 && slices.MaxFunc(into, byCount).count == 1:
		for _, g := range into {
			allowAt(line, g.count > 0, "an empty class in a replacement")
		}
		rule.isMultiple = true
		old.glyphs = []*glyphs{old.glyphs[0].sole()}
		for i, g := range into {
			into[i] = g.sole()
		}
	case plain && len(old.glyphs) > 1 && len(into) == 1 && into[0].count == 1:
		into = []*glyphs{into[0].sole()}
	case reverse:
		fits := one && len(into) == 1 && !old.hasLookups() && sameCount(old.glyphs[0], into[0])
		allowAt(line, fits, "a reverse substitution is of one glyph or class by one")
		p.add("rsub " + old.text(old.hasContext()) + " by " + into[0].text + ";")
		return
	case len(into) > 0 || deletes:
		panic(syntaxError{line, "no substitution that there is"})
	default:
		p.add("sub " + old.chained() + ";")
		return
	}
	rule.text = "sub " + old.text(inContext) + " by " + joined(into, "") + ";"
	p.addStatement(rule)
}

// sameCount holds if there is a replacement for each glyph.
func sameCount(old, into *glyphs) bool { return into.count == 1 || into.count == old.count }

func byCount(a, b *glyphs) int { return cmp.Compare(a.count, b.count) }

// sole is the one glyph of a class as a name.
func (g *glyphs) sole() *glyphs {
	name := g.names()[0]
	return &glyphs{text: escaped(name), count: 1, parts: []part{listed{name}}}
}
