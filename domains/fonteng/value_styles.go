package fonteng

import (
	"slices"
	"strings"

	"agentd/domains/internal/pytext"
)

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
			values, numbers = append(values, pytext.FloatText(p.current.float)), append(numbers, p.current.float)
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
