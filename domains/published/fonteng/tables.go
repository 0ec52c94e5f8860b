package fonteng

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/pytext"
)

// tables are the statements of tables that are a field with values: what stands
// after the name of the field, in parts that field knows.
var tables = map[string]map[string]string{
	"GDEF": {
		"Attach": "glyphs set ;", "LigatureCaretByIndex": "glyphs numbers ;", "LigatureCaretByPos": "glyphs numbers ;",
		"GlyphClassDef": "classes ;",
	},
	"head": {"FontRevision": "revision"},
	"hhea": {"CaretOffset": "number ;", "Ascender": "number ;", "Descender": "number ;", "LineGap": "number ;"},
	"vhea": {"VertTypoAscender": "number ;", "VertTypoDescender": "number ;", "VertTypoLineGap": "number ;"},
	"name": {"nameid": "name"},
	"OS/2": {
		"FSType": "number", "TypoAscender": "number", "TypoDescender": "number", "TypoLineGap": "number",
		"winAscent": "number", "winDescent": "number", "XHeight": "number", "CapHeight": "number",
		"WeightClass": "number", "WidthClass": "number", "LowerOpSize": "number", "UpperOpSize": "number",
		"Panose": "panose", "UnicodeRange": "range", "CodePageRange": "range", "Vendor": "string",
	},
}

// expectedFields says what an error misses in a table.
var expectedFields = map[string]string{
	"GDEF": "a definition", "head": "FontRevision", "name": "nameid",
	"hhea": "CaretOffset, Ascender, Descender, LineGap", "vhea": "VertTypoAscender, VertTypoDescender, VertTypoLineGap",
}

func (p *parser) table() {
	line := p.current.line
	tag := p.expectTag()
	name := strings.TrimRight(tag, " ")
	b := &block{keyword: "table", name: name, header: "table " + name}
	switch {
	case name == "BASE":
		b.statement = (*parser).baseline
		b.baselines = map[string][]string{}
	case name == "STAT":
		b.statement = (*parser).style
	case tables[name] != nil:
		b.statement = (*parser).fields
	default:
		p.want("{")
		panic(syntaxError{line, "no table that is known: " + name})
	}
	p.open(b)
}

// fields reads a field of a table. In an OS/2 table a name that is no field, and what is no name, is passed over.
func (p *parser) fields() {
	table, word := p.block.name, p.current.text
	says, known := tables[table][word]
	switch {
	case table == "OS/2" && p.current.kind != nameToken:
		p.untilEnd()
		return
	case !known && table == "OS/2":
		p.add(misspelledField(word))
		return
	case !known && table == "GDEF" && p.current.kind == nameToken:
		p.fail("expected a definition, got " + word)
	case !known || p.current.kind != nameToken:
		p.fail("expected " + expectedFields[table])
	}
	text := word
	for part := range strings.FieldsSeq(says) {
		if part == ";" {
			p.want(";")
		} else {
			text += " " + p.field(part)
		}
	}
	p.add(text + ";")
}

func (p *parser) field(part string) string {
	switch part {
	case "number":
		return p.expectNumber().number()
	case "numbers":
		return strings.Join(p.numbers(1, 1<<30), " ")
	case "range":
		return strings.Join(p.numbers(0, 1<<30), " ")
	case "set":
		return strings.Join(ascending(p.numbers(1, 1<<30)), " ")
	case "panose":
		return strings.Join(p.numbers(10, 10), " ")
	case "string":
		return `"` + p.expect("a string", stringToken).text + `"`
	case "glyphs":
		return p.glyphOrClass().text
	case "classes":
		return p.glyphClasses()
	case "revision":
		return p.revision()
	}
	return p.nameID()
}

// numbers reads at least so many numbers, and up to a semicolon at most so many.
func (p *parser) numbers(least, most int) (numbers []string) {
	for len(numbers) < least || len(numbers) < most && p.following.text != ";" {
		numbers = append(numbers, p.expectNumber().number())
	}
	return numbers
}

// glyphClasses reads the classes of a GDEF table: bases, ligatures, marks and components, each of which may be left
// out. They are printed as the published program does, in the order base, ligature, mark, component.
func (p *parser) glyphClasses() string {
	var classes [4]string
	for i := range classes {
		if i > 0 {
			p.want(",")
		}
		if p.following.text != "," && p.following.text != ";" {
			classes[i] = p.class().text
		}
	}
	return strings.Join(classes[:], ", ")
}

// revision reads a revision with its semicolon.
func (p *parser) revision() string {
	line := p.current.line
	revision := p.expect("a decimal number", floatToken).float
	p.want(";")
	allowAt(line, revision > 0, "a revision is positive")
	return strconv.FormatFloat(revision, 'f', 3, 64)
}

// nameID reads a name with its number and its semicolon.
func (p *parser) nameID() string {
	id := p.expectAnyNumber()
	p.allow(id.value <= 32767, "a name id is at most 32767")
	n := p.name(true)
	return id.number() + " " + n.platform() + `"` + n.escaped() + `"`
}

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
		var tags []string
		for p.following.text != ";" {
			tags = append(tags, p.expectScript())
		}
		p.want(";")
		b.baselines[axis] = tags
	case "BaseScriptList":
		tags, ok := b.baselines[axis]
		if !ok {
			panic(errors.New("scripts before their baselines")) // of no line, so that it is not skipped
		}
		scripts := p.baselineScripts(len(tags))
		p.add(axis + ".BaseTagList " + strings.Join(tags, " ") + ";\n" + b.indent + axis + ".BaseScriptList " + scripts + ";")
	}
}

func (p *parser) baselineScripts(count int) string {
	var scripts []string
	for more := true; more; more = p.accept(",") {
		words := []string{p.expectScript(), p.expectScript(), strings.Join(p.numbers(count, count), " ")}
		scripts = append(scripts, strings.Join(words, " "))
	}
	p.want(";")
	return strings.Join(scripts, ", ")
}

// untilEnd fails in a table without an end, at the line of the last token.
func (p *parser) untilEnd() {
	allowAt(p.lastLine, p.current.kind != endOfInput, "a table without an end")
}

// misspelledField is what the published program prints of a field in the wrong case.
func misspelledField(word string) string {
	for field, says := range tables["OS/2"] {
		switch {
		case !strings.EqualFold(field, word):
		case says == "number":
			return field + " None;"
		case says == "string":
			return field + ` "None";`
		default:
			return unprintable + "a list without values"
		}
	}
	return ""
}

// ascending are the different ones among numbers, the smallest first, as Python prints a set of small ones.
func ascending(numbers []string) []string {
	slices.SortFunc(numbers, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	return slices.Compact(numbers)
}

// style reads a statement of a STAT table.
func (p *parser) style() {
	p.untilEnd()
	if p.current.kind != nameToken {
		return
	}
	switch word := p.current.text; word {
	case "ElidedFallbackName":
		names := p.styleNames()
		p.allow(len(names) > 0, "expected a name")
		p.addNames(word, names)
		return
	case "ElidedFallbackNameID":
		p.add(word + " " + p.expectNumber().number() + ";")
	case "DesignAxis":
		tag, order := p.expectTag(), p.expectNumber().number()
		names := p.styleNames()
		p.block.axes = append(p.block.axes, tag)
		p.addNames("DesignAxis "+tag+" "+order, names)
	case "AxisValue":
		p.axisValue()
	default:
		p.fail("unexpected " + word)
	}
	p.want(";")
}

// addNames appends names in braces.
func (p *parser) addNames(head string, names []string) {
	p.add(head + " { \n" + strings.Join(names, "\n"+p.block.indent+shift) + "\n};")
}

// styleNames reads names in braces.
func (p *parser) styleNames() []string {
	var names []string
	p.want("{")
	for p.following.text != "}" {
		p.advance()
		switch {
		case p.isKeyword("name"):
			names = append(names, p.name(false).statement("name"))
		case p.current.text != ";":
			p.fail("expected a name")
		}
	}
	p.want("}")
	return names
}

// axisValue reads a value of one axis, or of several.
func (p *parser) axisValue() {
	p.want("{")
	var names []string
	var places []axisPlace
	flags := int64(0)
	for p.following.text != "}" {
		p.advance()
		switch {
		case p.isKeyword("name"):
			names = append(names, p.name(false).statement("name")+"\n")
		case p.isKeyword("location"):
			places = append(places, p.axisPlace())
		case p.isKeyword("flag"):
			flags = p.styleFlags()
		case p.current.text != ";":
			p.fail("unexpected " + p.current.text)
		}
	}
	p.want("}")
	p.allow(len(names) > 0 && len(places) > 0, "expected a name and a location")
	p.checkPlaces(places)
	text := "AxisValue {\n"
	for _, place := range places {
		text += "location " + place.tag + " " + strings.Join(place.values, " ") + ";\n"
	}
	text += strings.Join(names, "")
	if flags != 0 {
		text += "flag " + strings.Join(FlagWords(styleFlags, flags), " ") + ";\n"
	}
	p.add(text + "};")
}

// axisPlace is a place on an axis: a value, a value and one linked to it, or a value and its range.
type axisPlace struct {
	tag    string
	values []string
}

func (p *parser) axisPlace() axisPlace {
	tag := p.expectTag()
	p.allow(!strings.HasSuffix(tag, " "), "the tag of an axis has four letters")
	var values []string
	var numbers []float64
	for p.following.text != ";" {
		if t := p.expect("a number", floatToken, numberToken); t.kind == floatToken {
			values, numbers = append(values, pytext.FloatText(t.float)), append(numbers, t.float)
		} else {
			values, numbers = append(values, t.number()), append(numbers, float64(t.value))
		}
	}
	inRange := len(numbers) != 3 || numbers[1] <= numbers[0] && numbers[0] <= numbers[2]
	allowAt(p.following.line, inRange, "a value out of its range")
	return axisPlace{tag, values}
}

func (p *parser) checkPlaces(places []axisPlace) {
	seen := map[string]bool{}
	for _, place := range places {
		fits := len(places) == 1 || len(place.values) <= 1 && !seen[place.tag]
		p.allow(fits && slices.Contains(p.block.axes, place.tag), "an axis twice, with several values or not defined: "+place.tag)
		seen[place.tag] = true
	}
}

func (p *parser) styleFlags() (flags int64) {
	for p.following.text != ";" {
		bit := slices.Index(styleFlags, p.following.text)
		p.allow(bit >= 0, "no flag of an axis value")
		p.expectName()
		flags |= 1 << bit
	}
	return flags
}
