package fonteng

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"
)

// table reads the head of a table.
func (p *parser) table() {
	line := p.current.line
	tag := p.expectTag()
	name := strings.TrimRight(tag, " ")
	b := &block{keyword: "table", name: name, header: "table " + name}
	switch tag {
	case "GDEF":
		b.statement = (*parser).glyphDefinition
	case "head":
		b.statement = (*parser).fontRevision
	case "hhea":
		b.statement = func(p *parser) { p.metric(hheaFields) }
	case "vhea":
		b.statement = func(p *parser) { p.metric(vheaFields) }
	case "name":
		b.statement = (*parser).nameID
	case "BASE":
		b.statement = (*parser).baseline
		b.baselines = map[string]baselineTags{}
	case "OS/2":
		b.statement = (*parser).os2Field
	case "STAT":
		b.statement = (*parser).style
	default:
		p.expectSymbol("{")
		panic(syntaxError{line, "no table that is known: " + name})
	}
	p.open(b)
}

// glyphDefinition reads a statement of a GDEF table.
func (p *parser) glyphDefinition() {
	if p.current.kind != nameToken {
		p.fail("expected a definition")
	}
	switch word := p.current.text; word {
	case "Attach":
		g := p.glyphOrClass()
		p.add(statement{text: word + " " + g.text + " " + strings.Join(setOrder(p.numbers()), " ") + ";"})
	case "LigatureCaretByIndex", "LigatureCaretByPos":
		g := p.glyphOrClass()
		p.add(statement{text: word + " " + g.text + " " + strings.Join(p.numbers(), " ") + ";"})
	case "GlyphClassDef":
		p.glyphClasses()
	default:
		p.fail("expected a definition, got " + word)
	}
}

// numbers reads at least one number, and the semicolon.
func (p *parser) numbers() []string {
	numbers := []string{p.expectNumber().number}
	for p.following.text != ";" {
		numbers = append(numbers, p.expectNumber().number)
	}
	p.expectSymbol(";")
	return numbers
}

// glyphClasses reads the classes of a GDEF table: bases, ligatures, marks and
// components, each of which may be left out. They are printed as the published
// program does, in the order base, ligature, mark, component.
func (p *parser) glyphClasses() {
	var classes [4]string
	for i := range classes {
		end := ","
		if i == len(classes)-1 {
			end = ";"
		}
		if p.following.text != end {
			classes[i] = p.class().text
		}
		p.expectSymbol(end)
	}
	p.add(statement{text: "GlyphClassDef " + strings.Join(classes[:], ", ") + ";"})
}

func (p *parser) fontRevision() {
	if !p.isKeyword("FontRevision") {
		p.fail("expected FontRevision")
	}
	line := p.current.line
	p.advance()
	if p.current.kind != floatToken {
		p.fail("expected a decimal number")
	}
	revision := p.current.float
	p.expectSymbol(";")
	if revision <= 0 {
		panic(syntaxError{line, "a revision is positive"})
	}
	p.add(statement{text: "FontRevision " + strconv.FormatFloat(revision, 'f', 3, 64) + ";"})
}

var (
	hheaFields = []string{"CaretOffset", "Ascender", "Descender", "LineGap"}
	vheaFields = []string{"VertTypoAscender", "VertTypoDescender", "VertTypoLineGap"}
)

// metric reads a field with a number.
func (p *parser) metric(fields []string) {
	field := p.current.text
	if p.current.kind != nameToken || !slices.Contains(fields, field) {
		p.fail("expected " + strings.Join(fields, ", "))
	}
	p.add(statement{text: field + " " + p.expectNumber().number + ";"})
	if p.following.text != ";" {
		panic(syntaxError{p.following.line, "a field without its end"})
	}
}

func (p *parser) nameID() {
	if !p.isKeyword("nameid") {
		p.fail("expected nameid")
	}
	id := p.expectAnyNumber()
	if id.value > 32767 {
		p.fail("a name id is at most 32767")
	}
	n := p.name(true)
	text, broken := n.escaped()
	p.add(statement{text: "nameid " + id.number + " " + n.platform() + `"` + text + `";`, broken: broken})
}

// baselineTags are the baselines of an axis.
type baselineTags []string

// baseline reads a statement of a BASE table. What is none is passed over.
func (p *parser) baseline() {
	p.untilEnd()
	if p.current.kind != nameToken {
		return
	}
	axis, list, _ := strings.Cut(p.current.text, ".")
	if axis != "HorizAxis" && axis != "VertAxis" {
		return
	}
	b := p.block
	switch list {
	case "BaseTagList":
		var tags baselineTags
		for p.following.text != ";" {
			tags = append(tags, p.expectScript())
		}
		p.expectSymbol(";")
		before, had := b.baselines[axis]
		b.baselines[axis] = tags
		p.undo(func() {
			if had {
				b.baselines[axis] = before
			} else {
				delete(b.baselines, axis)
			}
		})
	case "BaseScriptList":
		tags, ok := b.baselines[axis]
		if !ok {
			panic(errors.New("scripts before their baselines"))
		}
		scripts := p.baselineScripts(len(tags))
		p.add(statement{text: axis + ".BaseTagList " + strings.Join(tags, " ") + ";\n" +
			b.indent + axis + ".BaseScriptList " + scripts + ";"})
	}
}

func (p *parser) baselineScripts(count int) string {
	var scripts []string
	for {
		words := []string{p.expectScript(), p.expectScript(), ""}
		for i := range count {
			if i > 0 {
				words[2] += " "
			}
			words[2] += p.expectNumber().number
		}
		scripts = append(scripts, strings.Join(words, " "))
		if p.following.text != "," {
			break
		}
		p.expectSymbol(",")
	}
	p.expectSymbol(";")
	return strings.Join(scripts, ", ")
}

// untilEnd ends the reading of a table without an end, over which the published
// program would go on for ever.
func (p *parser) untilEnd() {
	if p.current.kind == endOfInput {
		panic(errEndless)
	}
}

var (
	os2Numbers = strings.Fields(`FSType TypoAscender TypoDescender TypoLineGap winAscent winDescent XHeight CapHeight
		WeightClass WidthClass LowerOpSize UpperOpSize`)
	os2Ranges = []string{"UnicodeRange", "CodePageRange"}
)

// os2Field reads a field of an OS/2 table. A name that is no field, and what is
// no name, is passed over.
func (p *parser) os2Field() {
	p.untilEnd()
	if p.current.kind != nameToken {
		return
	}
	word := p.current.text
	switch {
	case slices.Contains(os2Numbers, word):
		p.add(statement{text: word + " " + p.expectNumber().number + ";"})
		return
	case word == "Panose":
		for range 10 {
			word += " " + p.expectNumber().number
		}
		p.add(statement{text: word + ";"})
		return
	case slices.Contains(os2Ranges, word):
		values := []string{}
		for p.following.text != ";" {
			values = append(values, p.expectNumber().number)
		}
		p.add(statement{text: word + " " + strings.Join(values, " ") + ";"})
		return
	case word == "Vendor":
		p.add(statement{text: `Vendor "` + p.expectString() + `";`})
		return
	}
	p.add(misspelledField(word))
}

// misspelledField is what the published program prints of a field in the wrong
// case.
func misspelledField(word string) statement {
	isField := func(field string) bool { return strings.EqualFold(field, word) }
	if i := slices.IndexFunc(os2Numbers, isField); i >= 0 {
		return statement{text: os2Numbers[i] + " None;"}
	}
	if slices.ContainsFunc(os2Ranges, isField) || isField("Panose") {
		return statement{broken: "a list without values"}
	}
	if isField("Vendor") {
		return statement{text: `Vendor "None";`}
	}
	return statement{}
}

// style reads a statement of a STAT table.
func (p *parser) style() {
	p.untilEnd()
	if p.current.kind != nameToken {
		return
	}
	switch word := p.current.text; word {
	case "ElidedFallbackName":
		p.expectSymbol("{")
		names := p.styleNames()
		if len(names) == 0 {
			p.fail("expected a name")
		}
		p.add(statement{text: word + " { \n" + strings.Join(names, "\n"+p.block.indent+shift) + "\n};"})
	case "ElidedFallbackNameID":
		p.add(statement{text: word + " " + p.expectNumber().number + ";"})
		p.expectSymbol(";")
	case "DesignAxis":
		p.designAxis()
		p.expectSymbol(";")
	case "AxisValue":
		p.axisValue()
		p.expectSymbol(";")
	default:
		p.fail("unexpected " + word)
	}
}

// styleNames reads names up to the closing brace. The published parser fails at
// the brace if there are comments.
func (p *parser) styleNames() []string {
	var names []string
	for p.following.text != "}" || p.comments > 0 {
		p.advance()
		switch {
		case p.isKeyword("name"):
			names = append(names, p.styleName())
		case p.current.text != ";":
			p.fail("expected a name")
		}
	}
	p.expectSymbol("}")
	return names
}

func (p *parser) styleName() string {
	n := p.name(false)
	return "name " + n.platform() + `"` + n.text + `";`
}

func (p *parser) designAxis() {
	tag := p.expectTag()
	order := p.expectNumber().number
	p.expectSymbol("{")
	names := p.styleNames()
	b := p.block
	n := len(b.axes)
	b.axes = append(b.axes, tag)
	p.undo(func() { b.axes = b.axes[:n] })
	p.add(statement{text: "DesignAxis " + tag + " " + order + " { \n" +
		strings.Join(names, "\n"+b.indent+shift) + "\n};"})
}

var styleFlags = []string{"OlderSiblingFontAttribute", "ElidableAxisValueName"}

// axisValue reads a value of one axis, or of several.
func (p *parser) axisValue() {
	p.expectSymbol("{")
	var names []string
	var places []axisPlace
	flags := 0
	for p.following.text != "}" || p.comments > 0 {
		if p.comments > 0 {
			p.comments--
			continue
		}
		p.advance()
		switch {
		case p.isKeyword("name"):
			names = append(names, p.styleName()+"\n")
		case p.isKeyword("location"):
			places = append(places, p.axisPlace())
		case p.isKeyword("flag"):
			flags = p.styleFlags()
		case p.current.text != ";":
			p.fail("unexpected " + p.current.text)
		}
	}
	p.expectSymbol("}")
	if len(names) == 0 || len(places) == 0 {
		p.fail("expected a name and a location")
	}
	p.checkPlaces(places)
	text := "AxisValue {\n"
	for _, place := range places {
		text += "location " + place.tag + " " + strings.Join(place.values, " ") + ";\n"
	}
	text += strings.Join(names, "")
	if flags != 0 {
		var words []string
		for i, flag := range styleFlags {
			if flags>>i&1 == 1 {
				words = append(words, flag)
			}
		}
		text += "flag " + strings.Join(words, " ") + ";\n"
	}
	p.add(statement{text: text + "};"})
}

// axisPlace is a place on an axis: a value, a value and one linked to it, or a
// value and its range.
type axisPlace struct {
	tag    string
	values []string
}

func (p *parser) axisPlace() axisPlace {
	tag := p.expectTag()
	if strings.HasSuffix(tag, " ") {
		p.fail("the tag of an axis has four letters")
	}
	var values []string
	var numbers []float64
	for p.following.text != ";" {
		switch p.following.kind {
		case floatToken:
			p.advance()
			values, numbers = append(values, pythonFloat(p.current.float)), append(numbers, p.current.float)
		case numberToken:
			p.advance()
			values, numbers = append(values, p.current.number), append(numbers, float64(p.current.value))
		default:
			panic(syntaxError{p.following.line, "expected a number"})
		}
	}
	if len(numbers) == 3 && (numbers[0] < numbers[1] || numbers[0] > numbers[2]) {
		panic(syntaxError{p.following.line, "a value out of its range"})
	}
	return axisPlace{tag, values}
}

func (p *parser) checkPlaces(places []axisPlace) {
	seen := map[string]bool{}
	for _, place := range places {
		if len(places) > 1 && len(place.values) > 1 {
			p.fail("more than one value on one of several axes")
		}
	}
	for _, place := range places {
		if len(places) > 1 && seen[place.tag] {
			p.fail("an axis twice: " + place.tag)
		}
		seen[place.tag] = true
	}
	for _, place := range places {
		if !slices.Contains(p.block.axes, place.tag) {
			p.fail("an axis that is not defined: " + place.tag)
		}
	}
}

func (p *parser) styleFlags() int {
	flags := 0
	for p.following.text != ";" {
		bit := slices.Index(styleFlags, p.following.text)
		if bit < 0 {
			p.fail("no flag of an axis value")
		}
		p.expectName()
		flags |= 1 << bit
	}
	return flags
}

// pythonFloat prints a number as Python does.
func pythonFloat(f float64) string {
	const least, most = 1e-4, 1e16
	if abs := max(f, -f); abs != 0 && (abs < least || abs >= most) {
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	text := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}

// setOrder puts the numbers of a set in the order in which Python prints them:
// that of their places in a hash table of 8, 32, 128 or more.
func setOrder(numbers []string) []string {
	seen := map[string]bool{}
	var set []string
	for _, n := range numbers {
		if !seen[n] {
			seen[n] = true
			set = append(set, n)
		}
	}
	size := int64(8)
	for n := int64(1); n <= int64(len(set)); n++ {
		if 5*n >= 3*(size-1) {
			size *= 4
		}
	}
	slices.SortStableFunc(set, func(a, b string) int {
		m, _ := strconv.ParseInt(a, 10, 64)
		n, _ := strconv.ParseInt(b, 10, 64)
		return cmp.Compare(m&(size-1), n&(size-1))
	})
	return set
}
