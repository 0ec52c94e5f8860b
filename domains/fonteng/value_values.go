package fonteng

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// valueRecord is the change of a glyph's place and advance: x, y, width and height. A
// number that is not given is empty.
type valueRecord struct {
	numbers  [4]string
	devices  [4]string // empty for NULL
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
func (v *valueRecord) isSet() bool {
	return v != nil && (v.numbers != [4]string{} || v.devices != [4]string{})
}

func (v *valueRecord) text() string {
	if !v.isSet() {
		return "<NULL>"
	}
	others := v.numbers
	others[v.alone()] = ""
	if others == [4]string{} {
		return cmp.Or(v.numbers[v.alone()], "None") // as Python prints what is not there
	}
	words := make([]string, 0, len(v.numbers)+len(v.devices))
	for _, number := range v.numbers {
		words = append(words, cmp.Or(number, "0"))
	}
	if v.devices != [4]string{} {
		for _, device := range v.devices {
			words = append(words, deviceText(device))
		}
	}
	return "<" + strings.Join(words, " ") + ">"
}

func deviceText(deltas string) string { return "<device " + cmp.Or(deltas, "NULL") + ">" }

func (p *parser) isValue() bool {
	return p.following.kind == numberToken || p.following.text == "<" || p.following.text == "("
}

func (p *parser) value() *valueRecord {
	v := valueRecord{vertical: p.block.vertical}
	if p.following.kind == numberToken || p.following.kind == symbolToken && p.following.text == "(" {
		v.numbers[v.alone()] = p.scalar()
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
			v.numbers[i] = p.scalar()
		}
	}
	if p.following.text == "<" {
		p.devices(&v)
	}
	p.want(">")
	return &v
}

func (p *parser) devices(v *valueRecord) {
	least, most, any := int64(0), int64(0), false
	for i := range v.devices {
		text, low, high := p.device()
		v.devices[i] = text
		if text != "" {
			if !any {
				least, most = low, high
			}
			least, most, any = min(least, low), max(most, high), true
		}
	}
	if !any {
		panic(fmt.Errorf("line %d: devices without a value", p.current.line))
	}
	p.allow(-128 <= least && most <= 127, "a device value out of range")
}

// device reads a device table and returns its least and largest delta.
func (p *parser) device() (text string, least, most int64) {
	p.want("<")
	p.want("device")
	if p.accept("NULL") {
		p.want(">")
		return "", 0, 0
	}
	var pairs []string
	for more := true; more; more = p.accept(",") {
		size, delta := p.expectNumber(), p.expectNumber()
		if len(pairs) == 0 {
			least, most = delta.value, delta.value
		}
		least, most = min(least, delta.value), max(most, delta.value)
		pairs = append(pairs, size.number+" "+delta.number)
	}
	p.want(">")
	return strings.Join(pairs, ", "), least, most
}

// scalar reads a number, or one that varies over the design space.
func (p *parser) scalar() string {
	p.advance()
	switch {
	case p.current.kind == numberToken:
		return p.current.number
	case p.current.kind == symbolToken && p.current.text == "(":
		return p.variable()
	}
	p.fail("expected a number")
	return ""
}

func (p *parser) variable() string {
	p.advance()
	var masters []string
	values := map[string]string{}
	for p.current.kind != symbolToken || p.current.text != ")" {
		location, value := p.master()
		if _, known := values[location]; !known {
			masters = append(masters, location)
		}
		values[location] = value
	}
	for i, location := range masters {
		masters[i] = location + ":" + values[location]
	}
	return "(" + strings.Join(masters, " ") + ")"
}

// master reads a location and the value there. Its first axis is current.
func (p *parser) master() (location, value string) {
	at := map[string]string{}
	for {
		p.allow(p.current.kind == nameToken, "expected an axis")
		axis := p.current.text
		p.want("=")
		at[axis] = p.expectNumber().number
		if p.following.kind == nameToken && p.following.text[0] == ':' {
			break
		}
		p.want(",")
		p.advance()
	}
	p.advance()
	n, err := strconv.ParseInt(p.current.text[1:], 10, 64)
	if err != nil {
		panic(fmt.Errorf("line %d: %q is no number", p.current.line, p.current.text[1:]))
	}
	p.advance()
	var axes []string
	for axis, where := range at {
		axes = append(axes, axis+"="+where)
	}
	slices.Sort(axes)
	return strings.Join(axes, ","), strconv.FormatInt(n, 10)
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
		text = "<anchor " + p.scalar() + " " + p.scalar() + p.contourPoint()
		if p.following.text == "<" {
			x, _, _ := p.device()
			y, _, _ := p.device()
			if x != "" || y != "" {
				text += " " + deviceText(x) + " " + deviceText(y)
			}
		}
	}
	p.want(">")
	return text + ">", true
}

// contourPoint reads the point of a contour, if one follows. The first, 0, is
// not printed.
func (p *parser) contourPoint() string {
	if p.accept("contourpoint") {
		if point := p.expectNumber().number; point != "0" {
			return " contourpoint " + point
		}
	}
	return ""
}

// defineAnchor reads an anchorDef statement.
func (p *parser) defineAnchor() {
	text := "anchorDef " + p.expectNumber().number + " " + p.expectNumber().number + p.contourPoint()
	name := p.expectName()
	p.want(";")
	put(p, p.block.anchors, name, true)
	p.addWithin(text + " " + name + ";")
}

// defineValue reads a valueRecordDef statement.
func (p *parser) defineValue() {
	v := p.value()
	name := p.expectName()
	p.want(";")
	put(p, p.block.values, name, *v)
	p.addWithin("valueRecordDef " + v.text() + " " + name + ";")
}

// addWithin appends a statement that counts in a block only.
func (p *parser) addWithin(text string) {
	if p.block.keyword != "" {
		p.add(text)
	}
}
