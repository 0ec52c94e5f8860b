package infra

import (
	"strconv"
	"strings"

	"agentd/domains/internal/pytext"
)

type valueKind uint8

const (
	nullValue valueKind = iota
	booleanValue
	numberValue
	textValue
	listValue
	mapValue
)

// value is what the published evaluator makes of an expression or body.
type value struct {
	kind   valueKind
	text   string  // of a number as Python prints it
	number float64 // of a boolean 0 or 1
	items  []value
	keys   []string // of a map, in the order of items
	blocks bool     // of a list, that it is one of nested blocks
}

func text(s string) value { return value{kind: textValue, text: pytext.Strip(s)} }

func boolean(b bool) value {
	if b {
		return value{kind: booleanValue, number: 1}
	}
	return value{kind: booleanValue}
}

// table is a map in the making.
type table struct {
	value
	places map[string]int // once there are more than a few keys
}

const fewKeys = 16

func (t *table) place(key string) int {
	if t.places != nil {
		if at, known := t.places[key]; known {
			return at
		}
		return -1
	}
	for at, known := range t.keys {
		if known == key {
			return at
		}
	}
	return -1
}

// set replaces the value of a key or adds it.
func (t *table) set(key string, v value) {
	if at := t.place(key); at >= 0 {
		t.items[at] = v
		return
	}
	t.keys, t.items = append(t.keys, key), append(t.items, v)
	if t.places != nil {
		t.places[key] = len(t.keys) - 1
	} else if len(t.keys) > fewKeys {
		t.places = make(map[string]int, 2*fewKeys)
		for at, key := range t.keys {
			t.places[key] = at
		}
	}
}

func (t *table) done() value {
	t.kind = mapValue
	return t.value
}

// python writes a value as Python prints it, inside of a container.
func (v *value) python(b *strings.Builder) {
	switch v.kind {
	case nullValue:
		b.WriteString("None")
	case booleanValue:
		b.WriteString(pytext.Bool(v.number != 0))
	case numberValue:
		b.WriteString(v.text)
	case textValue:
		pytext.WriteRepr(b, v.text)
	case listValue:
		b.WriteByte('[')
		for i := range v.items {
			if i > 0 {
				b.WriteString(", ")
			}
			v.items[i].python(b)
		}
		b.WriteByte(']')
	case mapValue:
		b.WriteByte('{')
		for i := range v.items {
			if i > 0 {
				b.WriteString(", ")
			}
			pytext.WriteRepr(b, v.keys[i])
			b.WriteString(": ")
			v.items[i].python(b)
		}
		b.WriteByte('}')
	}
}

// printed is the value as Python's str has it.
func (v *value) printed() string {
	if v.kind == textValue {
		return v.text
	}
	var b strings.Builder
	v.python(&b)
	return b.String()
}

// number is a literal without exponent, printed as Python prints it.
func number(literal string) value {
	float, _ := strconv.ParseFloat(literal, 64) // infinite beyond its range
	v := value{kind: numberValue, number: float}
	if strings.Contains(literal, ".") {
		v.text = pytext.FloatText(float)
		return v
	}
	digits, negative := strings.CutPrefix(literal, "-")
	v.text = strings.TrimLeft(digits[:len(digits)-1], "0") + digits[len(digits)-1:]
	if negative && v.text != "0" {
		v.text = "-" + v.text
	}
	return v
}
