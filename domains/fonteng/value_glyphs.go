package fonteng

import (
	"fmt"
	"slices"
	"strings"
)

// glyphs is a glyph, a class or a list of them, as a rule or definition has it.
type glyphs struct {
	text   string // canonical
	count  int
	parts  []part
	isNull bool // the word NULL, which is no glyph
	isMark bool // a class of marks
}

// part is a glyph, or the glyphs that a range or class stands for.
type part struct {
	name  string
	of    *glyphs
	marks []string
	rang  *glyphRange
}

// glyphRange is a run of names that differ in a number or letter.
type glyphRange struct {
	format string // of the names, with the place of the number or letter
	from   int
	count  int
}

// mostGlyphs is how many glyphs are named one by one where that is needed.
// Fonts have at most 65,535.
const mostGlyphs = 1 << 17

// names lists the glyphs.
func (g *glyphs) names() []string {
	if g.count > mostGlyphs {
		panic(fmt.Errorf("a class of %d glyphs", g.count))
	}
	names := make([]string, 0, g.count)
	return g.appendNames(names)
}

func (g *glyphs) appendNames(names []string) []string {
	for i := range g.parts {
		switch part := &g.parts[i]; {
		case part.of != nil && part.of.count == 0: // which may stand for many empty ones
		case part.of != nil:
			names = part.of.appendNames(names)
		case part.marks != nil:
			names = append(names, part.marks...)
		case part.rang != nil:
			names = part.rang.appendNames(names)
		default:
			names = append(names, part.name)
		}
	}
	return names
}

func (r *glyphRange) appendNames(names []string) []string {
	for n := range r.count {
		names = append(names, fmt.Sprintf(r.format, r.from+n))
	}
	return names
}

// keywords need a backslash where a glyph has such a name, in any case.
var keywords = func() map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(`anchor anchordef anon anonymous by contour cursive device enum enumerate
		excludedflt exclude_dflt feature from ignore ignorebaseglyphs ignoreligatures ignoremarks include includedflt
		include_dflt language languagesystem lookup lookupflag mark markattachmenttype markclass nameid null parameters
		pos position required righttoleft reversesub rsub script sub substitute subtable table usemarkfilteringset
		useextension valuerecorddef base gdef head hhea name vhea vmtx`) {
		set[word] = true
	}
	return set
}()

const longestKeyword = len("usemarkfilteringset")

func escaped(name string) string {
	if len(name) <= longestKeyword && keywords[strings.ToLower(name)] {
		return `\` + name
	}
	return name
}

// expectGlyphName reads a glyph by its name or number.
func (p *parser) expectGlyphName() string {
	p.advance()
	switch p.current.kind {
	case nameToken:
		name := strings.TrimLeft(p.current.text, `\`)
		if len(name) > longestName {
			p.fail("the name of a glyph has more than 63 characters")
		}
		return name
	case cidToken:
		return cidName(p.current.number)
	}
	p.fail("expected a glyph")
	return ""
}

func cidName(number string) string {
	return "cid" + strings.Repeat("0", max(5-len(number), 0)) + number
}

// glyphOrClass reads a glyph, a class or a list.
func (p *parser) glyphOrClass() *glyphs {
	if p.following.kind == nameToken || p.following.kind == cidToken {
		name := p.expectGlyphName()
		return &glyphs{text: escaped(name), count: 1, parts: []part{{name: name}}}
	}
	return p.class()
}

// class reads the name of a class, or a list.
func (p *parser) class() *glyphs {
	if p.following.kind == classToken {
		p.advance()
		return p.known(p.current.text)
	}
	p.expectSymbol("[")
	list := &glyphs{}
	var words []string
	for p.following.text != "]" {
		words = append(words, p.member(list))
	}
	p.expectSymbol("]")
	list.text = "[" + strings.Join(words, " ") + "]"
	return list
}

// member reads a member of a list and returns its canonical text.
func (p *parser) member(list *glyphs) string {
	switch p.following.kind {
	case nameToken:
		name := p.expectGlyphName()
		if p.following.text != "-" {
			list.add(part{name: name}, 1)
			return escaped(name)
		}
		line := p.current.line
		p.expectSymbol("-")
		last := p.expectGlyphName()
		r := p.namedRange(line, name, last)
		list.add(part{rang: r}, r.count)
		return escaped(name) + " - " + escaped(last)
	case cidToken:
		name := p.expectGlyphName()
		if p.following.text != "-" {
			list.add(part{name: name}, 1)
			return name
		}
		first := p.current
		p.expectSymbol("-")
		p.advance()
		if p.current.kind != cidToken {
			p.fail("expected the number of a glyph")
		}
		if first.value > p.current.value {
			panic(syntaxError{first.line, "a range that falls"})
		}
		r := &glyphRange{"cid%05d", int(first.value), int(p.current.value-first.value) + 1}
		list.add(part{rang: r}, r.count)
		return `\` + first.number + ` - \` + p.current.number
	case classToken:
		p.advance()
		of := p.known(p.current.text)
		list.add(part{of: of}, of.count)
		return of.text
	}
	panic(syntaxError{p.following.line, "expected a glyph, range or class"})
}

// tooMany is above any number of glyphs that matters.
const tooMany = 1 << 30

func (g *glyphs) add(p part, count int) {
	g.parts = append(g.parts, p)
	g.count = min(g.count+count, tooMany)
}

// known returns a class that was defined before.
func (p *parser) known(name string) *glyphs {
	found := p.classes[name]
	if found == nil {
		p.fail("unknown class @" + name)
	}
	if found.isMark {
		members := p.markClasses[name].members
		return &glyphs{text: "@" + name, count: len(members), parts: []part{{marks: slices.Clip(members)}}}
	}
	return &glyphs{text: "@" + name, count: found.count, parts: []part{{of: found}}}
}

// namedRange is a range of names that differ in one letter or up to three
// digits.
func (p *parser) namedRange(line int, first, last string) *glyphRange {
	r, ok := rangeOf(first, last)
	if !ok {
		panic(syntaxError{line, fmt.Sprintf("no range: %s - %s", first, last)})
	}
	return r
}

func rangeOf(first, last string) (*glyphRange, bool) {
	if len(first) != len(last) {
		return nil, false
	}
	head, tail := 0, 0
	for head < len(first) && first[head] == last[head] {
		head++
	}
	for tail < len(first) && first[len(first)-1-tail] == last[len(first)-1-tail] {
		tail++
	}
	if head == len(first) {
		return nil, false
	}
	prefix, suffix := first[:head], first[len(first)-tail:]
	from, to := first[head:len(first)-tail], last[head:len(first)-tail]
	if from >= to {
		return nil, false
	}
	quote := func(s string) string { return strings.ReplaceAll(s, "%", "%%") }
	isLetter := func(low, high byte) bool {
		return len(from) == 1 && low <= from[0] && from[0] <= high && low <= to[0] && to[0] <= high
	}
	if isLetter('A', 'Z') || isLetter('a', 'z') {
		return &glyphRange{quote(prefix) + "%c" + quote(suffix), int(from[0]), int(to[0]-from[0]) + 1}, true
	}
	if len(from) > 3 || strings.Trim(from+to, digits) != "" {
		return nil, false
	}
	low, high := 0, 0
	for i := range len(from) {
		low, high = 10*low+int(from[i]-'0'), 10*high+int(to[i]-'0')
	}
	format := fmt.Sprintf("%s%%0%dd%s", quote(prefix), len(from), quote(suffix))
	return &glyphRange{format, low, high - low + 1}, true
}

// defineClass reads the definition of a class, whose name is current.
func (p *parser) defineClass() {
	name := p.current.text
	p.expectSymbol("=")
	g := p.class()
	p.expectSymbol(";")
	p.setClass(name, g)
	text := "@" + name + " = " + g.text + ";"
	if p.block.keyword == "" {
		p.keep(p.model.classes, name, text)
		return
	}
	p.add(statement{text: text})
}

func (p *parser) setClass(name string, g *glyphs) {
	before := p.classes[name]
	p.classes[name] = g
	p.undo(func() {
		if before == nil {
			delete(p.classes, name)
		} else {
			p.classes[name] = before
		}
	})
}

// markClass is a class of marks, which grows.
type markClass struct {
	members []string
	has     map[string]bool
}

// defineMarks reads a markClass statement.
func (p *parser) defineMarks() {
	line := p.current.line
	g := p.glyphOrClass()
	if g.count == 0 {
		panic(syntaxError{line, "a class of no marks"})
	}
	a := p.anchor()
	name := p.expectClassName()
	p.expectSymbol(";")
	if a == nil {
		panic(fmt.Errorf("line %d: marks without an anchor", line))
	}
	class := p.markClasses[name]
	if class == nil {
		class = &markClass{has: map[string]bool{}}
		p.markClasses[name] = class
		p.undo(func() { delete(p.markClasses, name) })
		p.setClass(name, &glyphs{isMark: true})
	}
	for _, mark := range g.names() {
		if class.has[mark] {
			panic(syntaxError{line, "a mark that is in the class already: " + mark})
		}
		class.has[mark] = true
		class.members = append(class.members, mark)
		p.undo(func() {
			class.members = class.members[:len(class.members)-1]
			delete(class.has, mark)
		})
	}
	if p.block.keyword != "" {
		p.add(statement{text: "markClass " + g.text + " " + a.text + " @" + name + ";"})
	}
}
