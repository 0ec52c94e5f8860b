package json

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/jsontext"
	"agentd/domains/internal/pytext"
)

// value is a value as the published evaluator has it after reading: a Python
// object, objects without order and repeated names.
type value struct {
	kind valueKind
	// unordered says that names of an object are of different types.
	unordered bool
	// scalar is equal for values that Python takes for equal: 1, 1.0 and true are.
	scalar  string
	items   []*value
	members []valueMember // in the order of their keys
}

// valueMember is a member of an object. Equal keys are equal to Python; path is what the key adds to a path.
type valueMember struct {
	key, path string
	value     *value
}

type valueKind uint8

const (
	nullValue valueKind = iota
	numberValue
	textValue
	typedValue
	listValue
	objectValue
)

// notANumber is the scalar that equals nothing.
const notANumber = "nan"

// newValue takes in what a reader read. What aliases stand for is read again
// for each of them, up to a number of values.
func newValue(n *node) (*value, error) {
	c := construction{open: map[*node]bool{}, merging: map[*node]bool{}}
	root, err := c.value(n)
	if err != nil {
		return nil, err
	}
	if root.hasUnordered() {
		return nil, fmt.Errorf("%w: it cannot order names of different types", domains.ErrCrash)
	}
	return root, nil
}

// hasUnordered reports whether the names of any object in the value are unordered.
func (v *value) hasUnordered() bool {
	return v.unordered || slices.ContainsFunc(v.items, (*value).hasUnordered) ||
		slices.ContainsFunc(v.members, func(m valueMember) bool { return m.value.hasUnordered() })
}

type construction struct {
	depth int
	// aliases are open around the value at hand, expanded the values in aliases so far.
	aliases, expanded int
	// open are the lists and objects around the value at hand that have an
	// anchor, merging those whose members are being gathered.
	open, merging map[*node]bool
}

// mostExpanded bounds what aliases can blow up a document to.
const mostExpanded = 1 << 20

var errBomb = errors.New("the aliases stand for too much")

func (c *construction) value(n *node) (*value, error) {
	if c.aliases > 0 {
		if c.expanded++; c.expanded > mostExpanded {
			return nil, errBomb
		}
	}
	switch n.kind {
	case nullKind:
		return &value{}, nil
	case boolKind, numberKind:
		return &value{kind: numberValue, scalar: equalNumber(n)}, nil
	case textKind:
		return &value{kind: textValue, scalar: n.text}, nil
	case typedKind:
		return &value{kind: typedValue, scalar: n.text}, nil
	case listKind:
		return c.list(n)
	case objectKind:
		return c.object(n)
	case aliasKind:
		if c.open[n.anchor.value] {
			return nil, fmt.Errorf("the alias %s stands in its own anchor", n.text)
		}
		c.aliases++
		defer func() { c.aliases-- }()
		return c.value(n.anchor.value)
	case mergeKind:
		return nil, errors.New("<< is no value")
	}
	return nil, errors.New(n.text)
}

func (c *construction) list(n *node) (*value, error) {
	leave, err := c.enter(n)
	if err != nil {
		return nil, err
	}
	defer leave()
	v := &value{kind: listValue, items: make([]*value, 0, len(n.items))}
	for _, item := range n.items {
		read, err := c.value(item)
		if err != nil {
			return nil, err
		}
		v.items = append(v.items, read)
	}
	return v, nil
}

// enter notes that a list or an object is being read, until it is left.
func (c *construction) enter(n *node) (leave func(), err error) {
	if n.text != "" {
		return nil, errors.New(n.text)
	}
	if c.depth++; c.depth > jsontext.Deepest {
		return nil, fmt.Errorf("more than %d lists and objects in each other", jsontext.Deepest)
	}
	if n.anchor == nil {
		return func() { c.depth-- }, nil
	}
	c.open[n] = true
	return func() { c.depth--; delete(c.open, n) }, nil
}

func (c *construction) object(n *node) (*value, error) {
	leave, err := c.enter(n)
	if err != nil {
		return nil, err
	}
	defer leave()
	members, err := c.merged(n)
	if err != nil {
		return nil, err
	}
	v := &value{kind: objectValue, members: make([]valueMember, 0, len(members))}
	class := textValue
	for i, m := range members {
		key, keyClass, err := keyOf(m)
		if err != nil {
			return nil, err
		}
		v.unordered = v.unordered || i > 0 && keyClass != class
		class = keyClass
		if key.value, err = c.value(m.value); err != nil {
			return nil, err
		}
		v.members = append(v.members, key)
	}
	slices.SortStableFunc(v.members, func(a, b valueMember) int { return strings.Compare(a.key, b.key) })
	// Of equal keys the first stays, with the value of the last.
	kept := v.members[:0]
	for _, m := range v.members {
		if last := len(kept) - 1; last >= 0 && kept[last].key == m.key {
			kept[last].value = m.value
		} else {
			kept = append(kept, m)
		}
	}
	v.members = kept
	return v, nil
}

// merged returns the members of an object, those that << names in front.
func (c *construction) merged(n *node) ([]member, error) {
	if !slices.ContainsFunc(n.members, member.merges) {
		return n.members, nil
	}
	if c.merging[n] { // << names what it stands in
		return slices.DeleteFunc(slices.Clone(n.members), member.merges), nil
	}
	c.merging[n] = true
	defer delete(c.merging, n)
	var all, own []member
	for _, m := range n.members {
		if !m.merges() {
			own = append(own, m)
			continue
		}
		sources := []*node{m.value.meant()}
		if sources[0].kind == listKind {
			sources = slices.Clone(sources[0].items)
			slices.Reverse(sources) // what is named first wins
		}
		for _, source := range sources {
			members, err := c.mergedFrom(source.meant())
			if err != nil {
				return nil, err
			}
			all = append(all, members...)
		}
	}
	return append(all, own...), nil
}

func (c *construction) mergedFrom(source *node) ([]member, error) {
	if source.kind != objectKind {
		return nil, errors.New("<< names what is no object")
	}
	members, err := c.merged(source)
	if c.expanded += 1 + len(members); c.expanded > mostExpanded {
		return nil, errBomb
	}
	return members, err
}

// meant is what an alias stands for, any other value itself.
func (n *node) meant() *node {
	if n.is(aliasKind) {
		return n.anchor.value
	}
	return n
}

// merges reports whether the member is <<.
func (m member) merges() bool { return m.key.is(mergeKind) }

// keyOf returns a member without its value, and what kind of value the name is: only names of one kind have an order.
func keyOf(m member) (valueMember, valueKind, error) {
	name := m.key.meant()
	if name == nil {
		return valueMember{key: m.name, path: m.name}, textValue, nil
	}
	const noText = "\x00" // keeps 404 apart from "404"
	switch name.kind {
	case textKind:
		return valueMember{key: name.text, path: name.text}, textValue, nil
	case nullKind:
		return valueMember{key: noText, path: "None"}, nullValue, nil
	case boolKind, numberKind:
		return valueMember{key: noText + equalNumber(name), path: pythonText(name)}, numberValue, nil
	case typedKind:
		return valueMember{key: noText + name.text, path: name.text}, typedValue, nil
	case invalidKind:
		return valueMember{}, nullValue, errors.New(name.text)
	}
	return valueMember{}, nullValue, errors.New("a list or an object as name")
}

// equalNumber is the same text for numbers that Python takes for equal.
func equalNumber(n *node) string {
	switch n.text {
	case "true":
		return "1"
	case "false":
		return "0"
	}
	if !isFloat(n.text) {
		return integer(n.text)
	}
	f, _ := strconv.ParseFloat(n.text, 64) // too large a number is infinite
	switch {
	case math.IsNaN(f):
		return notANumber
	case f == math.Trunc(f) && !math.IsInf(f, 0):
		return integer(strconv.FormatFloat(f, 'f', 0, 64))
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}

// isFloat reports whether Python reads the number as a float.
func isFloat(literal string) bool { return strings.ContainsAny(literal, ".eENI") }

// integer drops the zeros in front of an integer, and the sign of zero.
func integer(literal string) string {
	digits, negative := strings.CutPrefix(literal, "-")
	digits = strings.TrimLeft(digits, "0")
	switch {
	case digits == "":
		return "0"
	case negative:
		return "-" + digits
	}
	return digits
}

// pythonText is str() of a boolean or number.
func pythonText(n *node) string {
	switch n.text {
	case "true":
		return "True"
	case "false":
		return "False"
	}
	if !isFloat(n.text) {
		return integer(n.text)
	}
	f, _ := strconv.ParseFloat(n.text, 64) // too large a number is infinite
	return pytext.FloatText(f)
}
