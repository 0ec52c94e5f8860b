package fonteng

import (
	"cmp"
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
			panic(syntaxError{p.current.line, "scripts before their baselines"})
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

// untilEnd fails in a table without an end, at the line of the last token.
func (p *parser) untilEnd() {
	if p.current.kind == endOfInput {
		panic(syntaxError{p.lastLine, "a table without an end"})
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
