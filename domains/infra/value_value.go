package infra

import (
	"slices"
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
	keys   []string       // of a map, in the order of items
	blocks bool           // of a list, that it is one of nested blocks
	places map[string]int // of the keys, once there are more than a few
}

func text(s string) value { return value{kind: textValue, text: pytext.Strip(s)} }

func boolean(b bool) value {
	if b {
		return value{kind: booleanValue, number: 1}
	}
	return value{kind: booleanValue}
}

const fewKeys = 16

// place is where a key of a map stands, -1 if it has none of the name.
func (v *value) place(key string) int {
	if v.places == nil {
		return slices.Index(v.keys, key)
	}
	if at, known := v.places[key]; known {
		return at
	}
	return -1
}

// set replaces the value of a key of a map or adds it.
func (v *value) set(key string, to value) {
	if at := v.place(key); at >= 0 {
		v.items[at] = to
		return
	}
	v.keys, v.items = append(v.keys, key), append(v.items, to)
	if v.places != nil {
		v.places[key] = len(v.keys) - 1
	} else if len(v.keys) > fewKeys {
		v.places = make(map[string]int, 2*fewKeys)
		for at, key := range v.keys {
			v.places[key] = at
		}
	}
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

// value is what stands for an expression on the right of an equals sign, or
// inside lists and objects that stand there.
func (n *node) value() value {
	switch n.kind {
	case numberNode:
		if strings.ContainsAny(n.text, "eE") {
			return text(dollar(n.text))
		}
		return number(n.text)
	case literalNode:
		if n.text == "null" {
			return value{}
		}
		return boolean(n.text == "true")
	case wordNode, quotedNode, escapedNode, heredocNode:
		return text(n.inline())
	case tupleNode:
		list := value{kind: listValue, items: make([]value, len(n.kids))}
		for i, kid := range n.kids {
			list.items[i] = kid.value()
		}
		return list
	case objectNode:
		object := value{kind: mapValue}
		for i := 0; i < len(n.kids); i += 2 {
			object.set(n.kids[i].key(), n.kids[i+1].value())
		}
		return object
	case parensNode:
		inner := n.kids[0].value()
		return text(parenthesised(inner.printed()))
	}
	return text(dollar(n.inline()))
}

// key is the key of an object's element.
func (n *node) key() string {
	switch n.kind {
	case wordNode, quotedNode, literalNode:
		return n.inline()
	case numberNode:
		v := n.value()
		return v.text
	}
	return dollar(n.inline())
}

func isDollar(s string) bool { return strings.HasPrefix(s, "${") && strings.HasSuffix(s, "}") }

func dollar(s string) string {
	if isDollar(s) {
		return s
	}
	return "${" + s + "}"
}

func parenthesised(s string) string {
	if isDollar(s) {
		s = s[2 : len(s)-1]
	}
	return dollar("(" + s + ")")
}
