package fonteng

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/pytext"
	"agentd/internal/lazyregexp"
	"agentd/vfs"
)

// Patterns are the patterns of the names of its files.
var Patterns = []string{"*.fea"}

var errNoContent = errors.New("no .fea file with any content")

// Parse reads all files as one. The texts of blocks are normal.
func Parse(files vfs.Files) (Model, error) {
	files = files.Match(Patterns)
	var all strings.Builder
	for _, name := range files.Names() {
		all.WriteString(files[name] + "\n")
	}
	if pytext.Strip(all.String()) == "" {
		return Model{}, errNoContent
	}
	m, err := parseText(repaired(all.String()))
	if err != nil {
		return Model{}, err
	}
	broken := ""
	for _, blocks := range []map[string]string{m.classes, m.features, m.tables} {
		for name, text := range blocks {
			if _, why, is := strings.Cut(text, unprintable); is {
				why, _, _ = strings.Cut(why, "\n")
				broken = max(broken, name+": "+why)
			}
			blocks[name] = normal(text)
		}
	}
	if broken != "" {
		return Model{}, fmt.Errorf("%w: %s", domains.ErrCrash, broken)
	}
	return m, nil
}

// repaired puts slips right that models make: a script in small letters, and comments of another language.
func repaired(text string) string {
	const wrong, right = "\nlanguagesystem dflt ", "\nlanguagesystem DFLT "
	text = strings.ReplaceAll("\n"+text, wrong, right)[1:]
	return foreignComment.ReplaceAllStringFunc(text, func(comment string) string {
		lines := strings.Split(comment[2:len(comment)-2], "\n")
		lines = slices.DeleteFunc(lines, func(line string) bool { return pytext.Strip(line) == "" })
		return strings.Join(lists.Map(lines, func(line string) string { return "# " + line }), "\n")
	})
}

var foreignComment = lazyregexp.New(`(?s)/\*.*?\*/`)

// normal is a text without what follows a number sign, and without blanks at the ends of lines and empty lines.
func normal(text string) string {
	lines := lists.Map(strings.Split(text, "\n"), func(line string) string {
		line, _, _ = strings.Cut(line, "#")
		return pytext.StripRight(line)
	})
	return strings.Join(slices.DeleteFunc(lines, func(line string) bool { return line == "" }), "\n")
}

// glyphs is a glyph, a class or a list of them, as a rule or definition has it.
type glyphs struct {
	text   string // canonical
	count  int
	parts  []part
	isNull bool // the word NULL, which is no glyph
	isMark bool // a class of marks
}

// part is a glyph, or the glyphs that a range or class stands for.
type part interface {
	AppendNames(names []string) []string
}

// listed is glyphs by their names.
type listed []string

// GlyphRange is a run of names that differ in a number or letter.
type GlyphRange struct {
	format string // of the names, with the place of the number or letter
	from   int
	Count  int
}

// mostGlyphs is how many glyphs are named one by one where that is needed. Fonts have at most 65,535.
const mostGlyphs = 1 << 17

func (g *glyphs) names() []string {
	if g.count > mostGlyphs {
		panic(fmt.Errorf("a class of %d glyphs", g.count))
	}
	return g.AppendNames(make([]string, 0, g.count))
}

func (g *glyphs) AppendNames(names []string) []string {
	if g.count == 0 { // it may stand for many empty ones
		return names
	}
	for _, part := range g.parts {
		names = part.AppendNames(names)
	}
	return names
}

// keywords need a backslash where a glyph has such a name, in any case.
var keywords = slices.Sorted(slices.Values(strings.Fields(`anchor anchordef anon anonymous by contour cursive device enum
	enumerate excludedflt exclude_dflt feature from ignore ignorebaseglyphs ignoreligatures ignoremarks include includedflt
	include_dflt language languagesystem lookup lookupflag mark markattachmenttype markclass nameid null parameters
	pos position required righttoleft reversesub rsub script sub substitute subtable table usemarkfilteringset
	useextension valuerecorddef base gdef head hhea name vhea vmtx`)))

const longestKeyword = len("usemarkfilteringset")

// Escaped is the name of a glyph, with a backslash where it is a keyword.
func Escaped(name string) string {
	if len(name) <= longestKeyword {
		if _, is := slices.BinarySearch(keywords, strings.ToLower(name)); is {
			return `\` + name
		}
	}
	return name
}

// expectGlyphName reads a glyph by its name or number.
func (p *parser) expectGlyphName() string {
	t := p.expect("a glyph", nameToken, cidToken)
	if t.kind == cidToken {
		return CidName(t.number())
	}
	name := strings.TrimLeft(t.text, `\`)
	p.allow(len(name) <= longestName, "the name of a glyph has more than 63 characters")
	return name
}

// CidName is the name of a glyph that is given by its number.
func CidName(number string) string {
	return "cid" + strings.Repeat("0", max(5-len(number), 0)) + number
}

func (p *parser) glyphOrClass() *glyphs {
	if p.following.kind == nameToken || p.following.kind == cidToken {
		name := p.expectGlyphName()
		return &glyphs{text: Escaped(name), count: 1, parts: []part{listed{name}}}
	}
	return p.class()
}

// class reads the name of a class, or a list.
func (p *parser) class() *glyphs {
	if p.following.kind == classToken {
		p.advance()
		return p.known(p.current.text)
	}
	p.want("[")
	list := &glyphs{}
	var words []string
	for p.following.text != "]" {
		words = append(words, p.member(list))
	}
	p.want("]")
	list.text = "[" + strings.Join(words, " ") + "]"
	return list
}

// member reads a member of a list and returns its canonical text.
func (p *parser) member(list *glyphs) string {
	if p.following.kind == classToken {
		p.advance()
		of := p.known(p.current.text)
		list.add(of, of.count)
		return of.text
	}
	isGlyph := p.following.kind == nameToken || p.following.kind == cidToken
	allowAt(p.following.line, isGlyph, "expected a glyph, range or class")
	name := p.expectGlyphName()
	first := p.current
	ranged := p.accept("-")
	switch {
	case !ranged && first.kind == cidToken:
		list.add(listed{name}, 1)
		return name
	case !ranged:
		list.add(listed{name}, 1)
		return Escaped(name)
	case first.kind == nameToken:
		last := p.expectGlyphName()
		r, ok := RangeOf(name, last)
		if !ok {
			panic(syntaxError{first.line, fmt.Sprintf("no range: %s - %s", name, last)})
		}
		list.add(r, r.Count)
		return Escaped(name) + " - " + Escaped(last)
	}
	last := p.expect("the number of a glyph", cidToken)
	allowAt(first.line, first.value <= last.value, "a range that falls")
	r := &GlyphRange{"cid%05d", int(first.value), int(last.value-first.value) + 1}
	list.add(r, r.Count)
	return `\` + first.number() + ` - \` + last.number()
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
	p.allow(found != nil, "unknown class @"+name)
	if found.isMark {
		members := p.markClasses[name].members
		return &glyphs{text: "@" + name, count: len(members), parts: []part{listed(slices.Clip(members))}}
	}
	return &glyphs{text: "@" + name, count: found.count, parts: []part{found}}
}

// RangeOf is a range of names that differ in one letter or up to three digits.
func RangeOf(first, last string) (*GlyphRange, bool) {
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
		return &GlyphRange{quote(prefix) + "%c" + quote(suffix), int(from[0]), int(to[0]-from[0]) + 1}, true
	}
	if len(from) > 3 || strings.Trim(from+to, Digits) != "" {
		return nil, false
	}
	low, _ := strconv.Atoi(from)
	high, _ := strconv.Atoi(to)
	format := fmt.Sprintf("%s%%0%dd%s", quote(prefix), len(from), quote(suffix))
	return &GlyphRange{format, low, high - low + 1}, true
}

// defineClass reads the definition of a class, whose name is current.
func (p *parser) defineClass() {
	name := p.current.text
	p.want("=")
	g := p.class()
	p.want(";")
	p.classes[name] = g
	text := "@" + name + " = " + g.text + ";"
	if p.block.keyword == "" {
		p.model.classes[name] = text
	}
	p.addWithin(text)
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
	allowAt(line, g.count > 0, "a class of no marks")
	anchor, ok := p.anchor()
	name := p.expectClassName()
	p.want(";")
	if !ok {
		panic(fmt.Errorf("line %d: marks without an anchor", line))
	}
	class := p.markClasses[name]
	if class == nil {
		class = &markClass{has: map[string]bool{}}
		p.markClasses[name] = class
		p.classes[name] = &glyphs{isMark: true}
	}
	for _, mark := range g.names() {
		allowAt(line, !class.has[mark], "a mark that is in the class already: "+mark)
		class.has[mark] = true
		class.members = append(class.members, mark)
	}
	p.addWithin("markClass " + g.text + " " + anchor + " @" + name + ";")
}

// valueRecord is the change of a glyph's place and advance: x, y, width and height. A
// number that is not given is empty.
type valueRecord struct {
	numbers  [4]string
	vertical bool
}

// alone is which of the numbers a lone one is.
func (v *valueRecord) alone() int {
	if v.vertical {
		return 3
	}
	return 2
}

// isSet does not hold for NULL.
func (v *valueRecord) isSet() bool { return v != nil && v.numbers != [4]string{} }

func (v *valueRecord) text() string {
	if !v.isSet() {
		return "<NULL>"
	}
	others := v.numbers
	others[v.alone()] = ""
	if others == [4]string{} {
		return cmp.Or(v.numbers[v.alone()], "None") // as Python prints what is not there
	}
	words := lists.Map(v.numbers[:], func(number string) string { return cmp.Or(number, "0") })
	return "<" + strings.Join(words, " ") + ">"
}

func (p *parser) isValue() bool { return p.following.kind == numberToken || p.following.text == "<" }

func (p *parser) value() *valueRecord {
	v := valueRecord{vertical: p.block.vertical}
	if p.following.kind == numberToken {
		v.numbers[v.alone()] = p.expectNumber().number()
		return &v
	}
	p.want("<")
	if p.following.kind == nameToken {
		name := p.expectName()
		if name == "NULL" {
			p.want(">")
			return &valueRecord{}
		}
		known, ok := valueRecord{}, false
		for b := p.block; b != nil && !ok; b = b.outside {
			known, ok = b.values[name]
		}
		p.allow(ok, "unknown value record "+name)
		v.numbers = known.numbers
	} else {
		for i := range v.numbers {
			v.numbers[i] = p.expectNumber().number()
		}
	}
	p.want(">")
	return &v
}

// device reads a device table: the deltas at sizes.
func (p *parser) device() string {
	p.want("<")
	p.want("device")
	if p.accept("NULL") {
		p.want(">")
		return "<device NULL>"
	}
	var pairs []string
	for more := true; more; more = p.accept(",") {
		pairs = append(pairs, p.expectNumber().number()+" "+p.expectNumber().number())
	}
	p.want(">")
	return "<device " + strings.Join(pairs, ", ") + ">"
}

// anchor is the text of a point of attachment; ok is false for NULL.
func (p *parser) anchor() (text string, ok bool) {
	p.want("<")
	p.want("anchor")
	switch {
	case p.accept("NULL"):
		p.want(">")
		return "<anchor NULL>", false
	case p.following.kind == nameToken:
		name := p.expectName()
		known := false
		for b := p.block; b != nil; b = b.outside {
			known = known || b.anchors[name]
		}
		p.allow(known, "unknown anchor "+name)
		text = "<anchor " + name
	default:
		text = "<anchor " + p.expectNumber().number() + " " + p.expectNumber().number() + p.contourPoint()
		if p.following.text == "<" {
			text += " " + p.device() + " " + p.device()
		}
	}
	p.want(">")
	return text + ">", true
}

// contourPoint reads the point of a contour, if one follows. The first, 0, is not printed.
func (p *parser) contourPoint() string {
	if p.accept("contourpoint") {
		if point := p.expectNumber().number(); point != "0" {
			return " contourpoint " + point
		}
	}
	return ""
}

// addWithin appends a statement that counts in a block only.
func (p *parser) addWithin(text string) {
	if p.block.keyword != "" {
		p.add(text)
	}
}
