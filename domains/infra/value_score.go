package infra

import (
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
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
	places map[string]int // of the keys
}

func text(s string) value { return value{kind: textValue, text: pytext.Strip(s)} }

func boolean(b bool) value {
	if b {
		return value{kind: booleanValue, number: 1}
	}
	return value{kind: booleanValue}
}

// place is where a key of a map stands, -1 if it has none of the name.
func (v *value) place(key string) int {
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
	if v.places == nil {
		v.places = map[string]int{}
	}
	v.places[key] = len(v.keys)
	v.keys, v.items = append(v.keys, key), append(v.items, to)
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

// value is what stands for an expression on the right of an equals sign, or inside lists and objects that stand there.
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
	case wordNode, quotedNode, heredocNode:
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

// score is coverage² · body · √((types + references + comments) / 3).
func score(reference, candidate configuration, noted *notes.Notes) domains.Reading {
	parts := map[string]float64{
		"coverage":   sets.Jaccard(reference.fingerprints(), candidate.fingerprints()),
		"body":       bodyAccuracy(reference, candidate, noted),
		"types":      typeDistribution(reference.types(), candidate.types()),
		"references": kept(reference.references(), candidate.references()),
		"comments":   kept(reference.comments, candidate.comments),
	}
	mean := (parts["types"] + parts["references"] + parts["comments"]) / 3
	return domains.Reading{
		RS:         parts["coverage"] * parts["coverage"] * parts["body"] * math.Sqrt(mean),
		Components: parts,
		Elements:   domains.Elements{Reference: len(reference.blocks), Candidate: len(candidate.blocks)},
	}
}

func (c *configuration) fingerprints() []fingerprint {
	return lists.Each(c.blocks, func(b *block) fingerprint { return b.fingerprint })
}

// bodyAccuracy is the mean similarity of the bodies that have the same
// fingerprint on both sides. Of several blocks the last stands for all.
func bodyAccuracy(reference, candidate configuration, noted *notes.Notes) float64 {
	var m sets.Mean
	for _, pair := range sets.LastPairs(reference.fingerprints(), candidate.fingerprints()) {
		m.Add(similarity(&reference.blocks[pair[0]].body, &candidate.blocks[pair[1]].body, noted))
	}
	return m.Or(0)
}

// types counts blocks by kind and, of resources and data sources, type.
func (c *configuration) types() map[string]int {
	counts := map[string]int{}
	for i := range c.blocks {
		key := c.blocks[i].kind
		if key == "resource" || key == "data" {
			key += "." + c.blocks[i].label
		}
		counts[key]++
	}
	return counts
}

func typeDistribution(reference, candidate map[string]int) float64 {
	if len(reference) == 0 && len(candidate) == 0 {
		return 1
	}
	var shares sets.Mean
	keys := slices.Sorted(maps.Keys(reference)) // sums of floats depend on their order
	for _, key := range keys {
		if n, m := reference[key], candidate[key]; m > 0 {
			shares.Add(float64(min(n, m)) / float64(max(n, m)))
		}
	}
	return float64(0.5*sets.Jaccard(keys, slices.Collect(maps.Keys(candidate)))) + float64(0.5*shares.Or(0))
}

var (
	resourcePattern = regexp.MustCompile(`\b(?:aws_|random_|data\.aws_)[a-z_]+\.[a-z_]+\b`)
	variablePattern = regexp.MustCompile(`\b(?:var|local)\.[a-z_][a-z0-9_]*\b`)
)

// references are what the texts of all bodies refer to.
func (c *configuration) references() []string {
	var all []string
	for i := range c.blocks {
		c.blocks[i].body.eachText(func(text string) {
			if strings.Contains(text, "aws_") || strings.Contains(text, "random_") {
				all = append(all, resourcePattern.FindAllString(text, -1)...)
			}
			if strings.Contains(text, "var.") || strings.Contains(text, "local.") {
				all = append(all, variablePattern.FindAllString(text, -1)...)
			}
		})
	}
	return all
}

func (v *value) eachText(do func(string)) {
	if v.kind == textValue {
		do(v.text)
	}
	for i := range v.items {
		v.items[i].eachText(do)
	}
}

// kept is how much there is of texts; what was added to none costs nothing.
func kept(reference, candidate []string) float64 {
	if len(reference) == 0 {
		return 1
	}
	return sets.Jaccard(reference, candidate)
}

// similarity of two values, 1 if Python takes them for equal.
func similarity(a, b *value, noted *notes.Notes) float64 {
	switch {
	case equal(a, b):
		return 1
	case a.kind == mapValue && b.kind == mapValue:
		return mapSimilarity(a, b, noted)
	case a.kind == listValue && b.kind == listValue:
		return sets.InPlace(a.items, b.items, func(a, b *value) float64 { return similarity(a, b, noted) })
	case a.isNumber() && b.isNumber():
		if a.number == 0 || b.number == 0 {
			return 0
		}
		return min(a.number, b.number) / max(a.number, b.number)
	}
	return ratio.Share(a.printed(), b.printed(), noted)
}

func (v *value) isNumber() bool { return v.kind == numberValue || v.kind == booleanValue }

// mapSimilarity is the mean over the keys of both, 0 for one that a side lacks.
func mapSimilarity(a, b *value, noted *notes.Notes) float64 {
	common, sum := 0, 0.0
	for i, key := range a.keys {
		if k := b.place(key); k >= 0 {
			common++
			sum += similarity(&a.items[i], &b.items[k], noted)
		}
	}
	return sum / float64(len(a.keys)+len(b.keys)-common)
}

func equal(a, b *value) bool {
	if a.isNumber() && b.isNumber() {
		return a.number == b.number
	}
	if a.kind != b.kind || a.text != b.text || len(a.items) != len(b.items) {
		return false
	}
	for i := range a.items {
		k := i
		if a.kind == mapValue {
			k = b.place(a.keys[i])
		}
		if k < 0 || !equal(&a.items[i], &b.items[k]) {
			return false
		}
	}
	return true
}
