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
		names := p.styleNames()
		p.allow(len(names) > 0, "expected a name")
		p.addNames(word, names)
		return
	case "ElidedFallbackNameID":
		p.add(word + " " + p.expectNumber().number + ";")
	case "DesignAxis":
		tag, order := p.expectTag(), p.expectNumber().number
		names := p.styleNames()
		grow(p, &p.block.axes, tag)
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

// styleNames reads names in braces. The published parser fails at the closing brace
// if there are comments.
func (p *parser) styleNames() []string {
	var names []string
	p.want("{")
	for p.following.text != "}" || p.comments > 0 {
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
	for p.following.text != "}" || p.comments > 0 {
		if p.comments > 0 {
			p.comments--
			continue
		}
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
		text += "flag " + strings.Join(flagWords(styleFlags, flags), " ") + ";\n"
	}
	p.add(text + "};")
}

// axisPlace is a place on an axis: a value, a value and one linked to it, or a
// value and its range.
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
			values, numbers = append(values, t.number), append(numbers, float64(t.value))
		}
	}
	inRange := len(numbers) != 3 || numbers[1] <= numbers[0] && numbers[0] <= numbers[2]
	allowAt(p.following.line, inRange, "a value out of its range")
	return axisPlace{tag, values}
}

func (p *parser) checkPlaces(places []axisPlace) {
	seen := map[string]bool{}
	for _, place := range places {
		p.allow(len(places) == 1 || len(place.values) <= 1, "more than one value on one of several axes")
	}
	for _, place := range places {
		p.allow(len(places) == 1 || !seen[place.tag], "an axis twice: "+place.tag)
		seen[place.tag] = true
	}
	for _, place := range places {
		p.allow(slices.Contains(p.block.axes, place.tag), "an axis that is not defined: "+place.tag)
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
