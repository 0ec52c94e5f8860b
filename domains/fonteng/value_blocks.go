package fonteng

import (
	"errors"
	"strconv"
	"strings"
)

// topLevel reads a statement that is in no block.
func (p *parser) topLevel() {
	if p.current.kind == classToken {
		p.defineClass()
		return
	}
	if p.current.kind != nameToken {
		p.fail("expected a statement")
	}
	switch p.current.text {
	case "anon", "anonymous":
		p.anonymous()
	case "anchorDef":
		p.defineAnchor()
	case "languagesystem":
		s := system{p.expectScript(), p.expectLanguage()}
		p.expectSymbol(";")
		n := len(p.model.systems)
		p.model.systems = append(p.model.systems, s)
		p.undo(func() { p.model.systems = p.model.systems[:n] })
	case "lookup":
		p.lookup()
	case "markClass":
		p.defineMarks()
	case "feature", "variation":
		p.feature()
	case "conditionset":
		p.conditions()
	case "table":
		p.table()
	case "valueRecordDef":
		p.defineValue()
	default:
		p.fail("expected a statement, got " + p.current.text)
	}
}

// anonymous passes over a block of another format.
func (p *parser) anonymous() {
	tag := p.expectTag()
	p.skipAnonymous(strings.TrimRight(tag, " "))
	p.advance()
	p.expectSymbol("}")
	if p.expectTag() != tag {
		panic(errors.New("an anonymous block without its tag"))
	}
	p.expectSymbol(";")
}

// lookup reads the head of a lookup, or a reference to one.
func (p *parser) lookup() {
	name := p.expectName()
	if p.following.text == ";" {
		if !p.lookups[name] {
			p.fail("unknown lookup " + name)
		}
		p.expectSymbol(";")
		p.add(statement{text: "lookup " + name + ";"})
		return
	}
	p.open(&block{
		keyword: "lookup", name: name, header: "lookup " + name + p.extension(),
		vertical: p.block.vertical, statement: (*parser).rule,
	})
}

func (p *parser) extension() string {
	if p.following.text != "useExtension" {
		return ""
	}
	p.expectKeyword("useExtension")
	return " useExtension"
}

// feature reads the head of a feature, or of its variation.
func (p *parser) feature() {
	keyword := p.current.text
	tag := p.expectTag()
	if keyword == "variation" {
		p.expectName()
	}
	vertical := false
	switch tag {
	case "vkrn", "vpal", "vhal", "valt":
		vertical = true
	}
	name := strings.TrimRight(tag, " ")
	p.open(&block{
		keyword: keyword, name: name, header: "feature " + name + p.extension(), tag: tag,
		vertical: vertical, statement: (*parser).rule,
	})
}

// rule reads a statement of a feature or lookup.
func (p *parser) rule() {
	if p.current.kind == classToken {
		p.defineClass()
		return
	}
	if p.current.kind != nameToken {
		p.fail("expected a rule")
	}
	switch p.current.text {
	case "anchorDef":
		p.defineAnchor()
	case "enum", "enumerate":
		p.advance()
		if p.current.text != "pos" && p.current.text != "position" {
			panic(errors.New("enum without pos"))
		}
		p.position(true)
	case "feature":
		tag := p.expectTag()
		p.expectSymbol(";")
		p.add(statement{text: "feature " + tag + ";"})
	case "ignore":
		p.ignore()
	case "language":
		p.language()
	case "lookup":
		p.lookup()
	case "lookupflag":
		p.lookupFlag()
	case "markClass":
		p.defineMarks()
	case "pos", "position":
		p.position(false)
	case "script":
		tag := p.expectScript()
		p.expectSymbol(";")
		p.add(statement{text: "script " + strings.TrimRight(tag, " ") + ";"})
	case "sub", "substitute", "rsub", "reversesub":
		p.substitution()
	case "subtable":
		p.expectSymbol(";")
		p.add(statement{text: "subtable;"})
	case "valueRecordDef":
		p.defineValue()
	default:
		p.featureOnly()
	}
}

// featureOnly reads a statement that only certain features have.
func (p *parser) featureOnly() {
	tag := p.block.tag
	switch word := p.current.text; {
	case word == "featureNames" && isNumbered(tag, "ss", 20):
		p.open(&block{keyword: "names", header: word, statement: (*parser).featureName})
	case word == "cvParameters" && isNumbered(tag, "cv", 99):
		p.open(&block{keyword: "names", header: word, statement: (*parser).parameter})
	case word == "parameters" && tag == "size":
		p.sizes()
	case word == "sizemenuname" && tag == "size":
		n := p.name(true)
		p.add(statement{text: "sizemenuname " + n.platform() + `"` + n.text + `";`})
	default:
		p.fail("expected a rule, got " + word)
	}
}

// isNumbered holds for a tag such as ss01, from 1 to most.
func isNumbered(tag, prefix string, most int) bool {
	number, is := strings.CutPrefix(tag, prefix)
	n, err := strconv.Atoi(number)
	return is && err == nil && len(number) == 2 && 1 <= n && n <= most && isDigit[number[0]]
}

func (p *parser) featureName() {
	if !p.isKeyword("name") {
		p.fail("expected a name")
	}
	n := p.name(true)
	p.add(statement{text: "name " + n.platform() + `"` + n.text + `";`})
}

// parameter reads a statement of cvParameters.
func (p *parser) parameter() {
	if p.current.kind != nameToken {
		p.fail("expected a parameter")
	}
	switch word := p.current.text; word {
	case "FeatUILabelNameID", "FeatUITooltipTextNameID", "SampleTextNameID", "ParamUILabelNameID":
		p.open(&block{keyword: "names", header: word, statement: (*parser).featureName})
	case "Character":
		line := p.current.line
		value := p.expectAnyNumber().value
		p.expectSymbol(";")
		if value < 0 || value > 0xFFFFFF {
			panic(syntaxError{line, "no character"})
		}
		p.add(statement{text: "Character 0x" + strconv.FormatInt(value, 16) + ";"})
	default:
		p.fail("expected a parameter, got " + word)
	}
}

// sizes reads the parameters of a size feature: a design size in points, a
// number and a range, where whole numbers are tenths of points.
func (p *parser) sizes() {
	size := p.points()
	family := p.expectNumber()
	low, high := 0.0, 0.0
	if p.following.kind == numberToken || p.following.kind == floatToken || family.value != 0 {
		low, high = p.points(), p.points()
	}
	p.expectSymbol(";")
	text := "parameters " + strconv.FormatFloat(size, 'f', 1, 64) + " " + family.number
	if low != 0 || high != 0 {
		text += " " + strconv.Itoa(int(low*10)) + " " + strconv.Itoa(int(high*10))
	}
	p.add(statement{text: text + ";"})
}

func (p *parser) points() float64 {
	switch p.following.kind {
	case floatToken:
		p.advance()
		return p.current.float
	case numberToken:
		return float64(p.expectNumber().value) / 10
	}
	p.fail("expected a size")
	return 0
}

func (p *parser) language() {
	tag := p.expectLanguage()
	text := "language " + strings.TrimRight(tag, " ")
	switch p.following.text {
	case "exclude_dflt", "include_dflt":
		if p.expectName() == "exclude_dflt" {
			text += " exclude_dflt"
		}
	}
	if p.following.text == "required" {
		p.expectKeyword("required")
		text += " required"
	}
	p.expectSymbol(";")
	p.add(statement{text: text + ";"})
}

// lookupFlags are in the order of their bits.
var lookupFlags = []string{"RightToLeft", "IgnoreBaseGlyphs", "IgnoreLigatures", "IgnoreMarks"}

func (p *parser) lookupFlag() {
	var bits int64
	var attachment, filter string
	if p.following.kind == numberToken {
		bits = p.expectNumber().value
	} else {
		bits, attachment, filter = p.namedFlags()
	}
	p.expectSymbol(";")
	var words []string
	for i, flag := range lookupFlags {
		if bits>>i&1 == 1 {
			words = append(words, flag)
		}
	}
	if attachment != "" {
		words = append(words, "MarkAttachmentType "+attachment)
	}
	if filter != "" {
		words = append(words, "UseMarkFilteringSet "+filter)
	}
	if words == nil {
		words = []string{"0"}
	}
	p.add(statement{text: "lookupflag " + strings.Join(words, " ") + ";"})
}

func (p *parser) namedFlags() (bits int64, attachment, filter string) {
	seen := map[string]bool{}
	for p.following.text != ";" {
		word := p.following.text
		if seen[word] {
			panic(syntaxError{p.following.line, word + " twice"})
		}
		seen[word] = true
		bit := int64(0)
		for i, flag := range lookupFlags {
			if word == flag {
				bit = 1 << i
			}
		}
		switch {
		case word == "MarkAttachmentType":
			p.expectKeyword(word)
			attachment = p.class().text
		case word == "UseMarkFilteringSet":
			p.expectKeyword(word)
			filter = p.class().text
		case bit != 0:
			p.expectName()
			bits |= bit
		default:
			panic(syntaxError{p.following.line, "no flag: " + word})
		}
	}
	if len(seen) == 0 {
		// The published parser takes the semicolon before it complains, and names
		// the line of what comes next.
		p.expectSymbol(";")
		panic(syntaxError{p.following.line, "lookupflag without a value"})
	}
	return bits, attachment, filter
}

// conditions reads a conditionset, which is not kept.
func (p *parser) conditions() {
	name := p.expectName()
	p.expectSymbol("{")
	seen := map[string]bool{}
	hasLeast, hasMost := false, false
	for p.following.text != "}" {
		p.advance()
		if p.current.kind != nameToken {
			p.fail("expected an axis")
		}
		axis := p.current.text
		if seen[axis] {
			p.fail("a second condition for " + axis)
		}
		seen[axis] = true
		for _, has := range []*bool{&hasLeast, &hasMost} {
			if p.following.kind == floatToken || p.following.kind == numberToken {
				p.advance()
				*has = true
			}
		}
		p.expectSymbol(";")
		if !hasLeast || !hasMost {
			panic(errors.New("a condition without limits"))
		}
	}
	p.expectSymbol("}")
	p.expectEnd(name)
}
