package fonteng

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"agentd/domains/internal/lists"
)

// pattern is a sequence of glyphs with marks, values and lookups.
type pattern struct {
	prefix, glyphs, suffix []*glyphs
	lookups                [][]string // at each of the glyphs
	values                 []*valueRecord
	marked                 bool
}

func (r *pattern) hasLookups() bool {
	return slices.ContainsFunc(r.lookups, func(names []string) bool { return len(names) > 0 })
}

// hasContext holds where a rule looks at more than the glyphs it changes.
func (r *pattern) hasContext() bool { return len(r.prefix) > 0 || len(r.suffix) > 0 }

func anySet(values []*valueRecord) bool { return slices.ContainsFunc(values, (*valueRecord).isSet) }

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
		marked := p.accept("'")
		switch {
		case marked:
			r.marked = true
			p.allow(len(r.suffix) == 0, "at most one run of glyphs may be marked")
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
		var lookups []string
		for p.accept("lookup") {
			p.allow(marked, "lookups follow marked glyphs only")
			lookups = append(lookups, p.expectName())
			p.allow(p.lookups[p.current.text], "unknown lookup "+p.current.text)
		}
		if marked {
			r.lookups = append(r.lookups, lookups)
		}
	}
}

// settle gives the values to the glyphs that a pattern is about.
func (p *parser) settle(r *pattern) {
	if len(r.glyphs) == 0 {
		r.glyphs, r.prefix = r.prefix, nil
		return
	}
	before, after := len(r.prefix), len(r.prefix)+len(r.glyphs)
	p.allow(!anySet(r.values[:before]), "values are not allowed before the marked run")
	last := len(r.values) - 1
	switch {
	case anySet(r.values[before:after]):
		p.allow(!anySet(r.values[after:]), oneRun)
		r.values = r.values[before:after]
	case r.values[last].isSet():
		p.allow(len(r.glyphs) == 1 && !anySet(r.values[:last]), oneRun)
		r.values = r.values[last:]
	case anySet(r.values):
		p.fail(oneRun)
	}
}

func joined(list []*glyphs, mark string) string {
	return strings.Join(lists.Map(list, func(g *glyphs) string { return g.text + mark }), " ")
}

// around puts the context of a rule around its own glyphs. These are marked if the rule has a context or is in one.
func (r *pattern) around(own string, inContext bool) string {
	if !inContext {
		return own
	}
	return r.inside(own + "'")
}

// inside puts the context around what is printed of the glyphs.
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
	if inContext {
		return r.inside(joined(r.glyphs, "'"))
	}
	return joined(r.glyphs, "")
}

// chained is the pattern with its lookups.
func (r *pattern) chained() string {
	words := make([]string, len(r.glyphs))
	for i, g := range r.glyphs {
		words[i] = strings.Join(append([]string{g.text + "'"}, r.lookups[i]...), " lookup ")
	}
	return r.inside(strings.Join(words, " "))
}

// ignore reads an ignore statement.
func (p *parser) ignore() {
	line := p.current.line
	p.advance()
	word := map[string]string{"substitute": "sub", "sub": "sub", "position": "pos", "pos": "pos"}[p.current.text]
	p.allow(word != "", "expected substitute or position")
	var contexts []string
	hasLookups := false
	for more := true; more; more = p.accept(",") {
		r := p.pattern()
		hasLookups = hasLookups || r.hasLookups()
		contexts = append(contexts, r.text(r.hasContext()))
	}
	p.want(";")
	allowAt(line, !hasLookups, "lookups where glyphs are ignored")
	p.add("ignore " + word + " " + strings.Join(contexts, ", ") + ";")
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
	p.want(";")
	if r.hasLookups() {
		allowAt(line, !anySet(r.values), "lookups and values in one rule")
		p.add("pos " + r.chained() + ";")
		return
	}
	if !r.hasContext() && len(r.glyphs) == 2 && !r.marked {
		p.pair(r, enumerated)
		return
	}
	allowAt(line, !enumerated, "enum is for pairs")
	p.add("pos " + r.positioned() + ";")
}

func (p *parser) pair(r pattern, enumerated bool) {
	first, second := r.values[0], r.values[1]
	if first == nil {
		first, second = second, nil
	}
	if first == nil {
		p.add(unprintable + "a pair without a value")
		return
	}
	text := "pos " + r.glyphs[0].text + " " + r.glyphs[1].text + " " + first.text()
	if second.isSet() {
		text = "pos " + r.glyphs[0].text + " " + first.text() + " " + r.glyphs[1].text + " " + second.text()
	}
	if enumerated {
		text = "enum " + text
	}
	p.add(text + ";")
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
	return r.inside(strings.Join(words, " "))
}

// attachment reads a rule that attaches glyphs by anchors.
func (p *parser) attachment(kind string, enumerated bool) {
	line := p.current.line
	p.want(kind)
	allowAt(line, !enumerated, "enum is for pairs")
	text := "pos " + kind + " " + p.glyphOrClass().text
	inner := "\n" + p.block.indent + shift
	switch kind {
	case "cursive":
		for range 2 {
			anchor, _ := p.anchor()
			text += " " + anchor
		}
	case "ligature":
		null := inner + shift + "<anchor NULL>"
		text += cmp.Or(p.attachments(inner+shift), null)
		for p.accept("ligComponent") {
			text += inner + "ligComponent" + cmp.Or(p.attachments(inner+shift), null)
		}
	default:
		text += p.attachments(inner)
	}
	p.want(";")
	p.add(text + ";")
}

// attachments reads anchors with the marks that attach there, each on a line of its own.
func (p *parser) attachments(inner string) string {
	var b strings.Builder
	for p.following.text == "<" {
		anchor, ok := p.anchor()
		if !ok {
			if p.following.text != "mark" {
				continue
			}
			anchor = unprintable + "marks at an anchor that is NULL"
		}
		p.want("mark")
		name := p.expectClassName()
		if found := p.classes[name]; found == nil || !found.isMark {
			p.fail("no class of marks: @" + name)
		}
		b.WriteString(inner + anchor + " mark @" + name)
	}
	return b.String()
}

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
		rule.old, rule.into = old, into[0]
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
	return &glyphs{text: Escaped(name), count: 1, parts: []part{listed{name}}}
}
