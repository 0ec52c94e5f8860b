// Package json is the published reading and score of the domain json.
//
// score = 0.3 P + 0.7 V, or 1 if V is 1, not rounded.
//
//   - P: Jaccard of the sets of key paths, such as panels[0].title. Neither side has any 1, one side 0.
//   - V of two values: 0 if they are of different types, booleans being numbers and null a type of its own. Objects: the
//     sum of V over the common names, by the number of names that either has; both empty 1. Lists: the sum of V over the
//     places that both have, by the length of the longer one; both empty 1. Numbers by value, texts by letter: 1 or 0;
//     NaN equals nothing.
//   - Where one side is a list and the other an object of one name whose value is a list, that list is compared.
//   - Of repeated names the last counts.
//
// A document is one file: YAML of one document by its name, as PyYAML reads it, otherwise JSON as ujson does, in a file
// named *.json after repairs that do not know where a string begins.
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
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/internal/lazyregexp"
	"agentd/vfs"
)

// Parse reads a document as the published evaluator does: a single file, YAML or JSON by its name.
func Parse(files vfs.Files) (*Value, error) {
	if len(files) != 1 {
		return nil, fmt.Errorf("a document is one file, not %d", len(files))
	}
	name := files.Names()[0]
	if IsYAML(name) {
		root, err := parseYAML(files[name])
		if err != nil {
			return nil, fmt.Errorf("reading %s as YAML: %w", name, err)
		}
		return root, nil
	}
	text := files[name]
	if strings.HasSuffix(name, ".json") {
		text = repaired(text)
	}
	tree, err := DecodeJSON(text)
	if err != nil {
		return nil, fmt.Errorf("reading %s as JSON: %w", name, err)
	}
	return newValue(tree)
}

// IsYAML reports whether the published evaluator reads a file of a name as YAML.
func IsYAML(name string) bool {
	return strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml")
}

// parseYAML reads YAML as PyYAML does. It takes no tab outside of quotes, blocks and comments.
func parseYAML(text string) (*Value, error) {
	documents, err := DecodeYAML(strings.ReplaceAll(text, "\t", tabMark))
	switch {
	case err != nil:
		return nil, err
	case len(documents) > 1:
		return nil, errors.New("expected a single document in the stream")
	case len(documents) == 0:
		return &Value{}, nil
	case documents[0].repeatedAnchor != "":
		return nil, fmt.Errorf("the anchor %s stands twice", documents[0].repeatedAnchor)
	}
	return newValue(documents[0].Root)
}

// tabMark, a character for private use, stands for tabs, which the YAML library takes where PyYAML does not.
const tabMark = "\U0010fffd"

func withoutMarks(text string) string { return strings.ReplaceAll(text, tabMark, "\t") }

// repaired is the text after the published repairs, which do not know where a string begins: undefined becomes null, a
// comma in front of a closing bracket goes, and missing brackets follow at the end, braces first.
func repaired(text string) string {
	text = plain.EachMark(undefinedWord.ReplaceAllString(text, "null"), ",", "", func(_, after string) (int, int, bool) {
		rest := pytext.StripLeft(after)
		return 0, len(after) - len(rest), rest != "" && strings.IndexByte("}]", rest[0]) >= 0
	})
	braces := strings.Count(text, "{") - strings.Count(text, "}")
	brackets := strings.Count(text, "[") - strings.Count(text, "]")
	return text + strings.Repeat("}", max(0, braces)) + strings.Repeat("]", max(0, brackets))
}

var undefinedWord = lazyregexp.New(`\bundefined\b`)

// Value is a value as the published evaluator has it after reading: a Python
// object, objects without order and repeated names.
type Value struct {
	kind valueKind
	// unordered says that names of an object are of different types.
	unordered bool
	// scalar is equal for values that Python takes for equal: 1, 1.0 and true are.
	scalar  string
	items   []*Value
	members []valueMember // in the order of their keys
	known   *[]path       // what paths returns, of a document
}

// valueMember is a member of an object. Equal keys are equal to Python; path is what the key adds to a path.
type valueMember struct {
	key, path string
	value     *Value
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
func newValue(n *Node) (*Value, error) {
	c := construction{open: map[*Node]bool{}, merging: map[*Node]bool{}}
	root, err := c.value(n)
	if err != nil {
		return nil, err
	}
	if root.hasUnordered() {
		return nil, fmt.Errorf("%w: it cannot order names of different types", domains.ErrCrash)
	}
	known := root.paths()
	root.known = &known
	return root, nil
}

// hasUnordered reports whether the names of any object in the value are unordered.
func (v *Value) hasUnordered() bool {
	return v.unordered || slices.ContainsFunc(v.items, (*Value).hasUnordered) ||
		slices.ContainsFunc(v.members, func(m valueMember) bool { return m.value.hasUnordered() })
}

type construction struct {
	depth int
	// aliases are open around the value at hand, expanded the values in aliases so far.
	aliases, expanded int
	// open are the lists and objects around the value at hand that have an
	// anchor, merging those whose members are being gathered.
	open, merging map[*Node]bool
}

// mostExpanded bounds what aliases can blow up a document to.
const mostExpanded = 1 << 20

var errBomb = errors.New("the aliases stand for too much")

func (c *construction) value(n *Node) (*Value, error) {
	if c.aliases > 0 {
		if c.expanded++; c.expanded > mostExpanded {
			return nil, errBomb
		}
	}
	switch n.Kind {
	case Null:
		return &Value{}, nil
	case Bool, Number:
		return &Value{kind: numberValue, scalar: equalNumber(n)}, nil
	case Text:
		return &Value{kind: textValue, scalar: n.Text}, nil
	case Typed:
		return &Value{kind: typedValue, scalar: n.Text}, nil
	case List:
		return c.list(n)
	case Object:
		return c.object(n)
	case Alias:
		if c.open[n.Anchor.Value] {
			return nil, fmt.Errorf("the alias %s stands in its own anchor", n.Text)
		}
		c.aliases++
		defer func() { c.aliases-- }()
		return c.value(n.Anchor.Value)
	case Merge:
		return nil, errors.New("<< is no value")
	}
	return nil, errors.New(n.Text)
}

func (c *construction) list(n *Node) (*Value, error) {
	leave, err := c.enter(n)
	if err != nil {
		return nil, err
	}
	defer leave()
	v := &Value{kind: listValue, items: make([]*Value, 0, len(n.Items))}
	for _, item := range n.Items {
		read, err := c.value(item)
		if err != nil {
			return nil, err
		}
		v.items = append(v.items, read)
	}
	return v, nil
}

// enter notes that a list or an object is being read, until it is left.
func (c *construction) enter(n *Node) (leave func(), err error) {
	if n.Text != "" {
		return nil, errors.New(n.Text)
	}
	if c.depth++; c.depth > jsontext.Deepest {
		return nil, fmt.Errorf("more than %d lists and objects in each other", jsontext.Deepest)
	}
	if n.Anchor == nil {
		return func() { c.depth-- }, nil
	}
	c.open[n] = true
	return func() { c.depth--; delete(c.open, n) }, nil
}

func (c *construction) object(n *Node) (*Value, error) {
	leave, err := c.enter(n)
	if err != nil {
		return nil, err
	}
	defer leave()
	members, err := c.merged(n)
	if err != nil {
		return nil, err
	}
	v := &Value{kind: objectValue, members: make([]valueMember, 0, len(members))}
	class := textValue
	for i, m := range members {
		key, keyClass, err := keyOf(m)
		if err != nil {
			return nil, err
		}
		v.unordered = v.unordered || i > 0 && keyClass != class
		class = keyClass
		if key.value, err = c.value(m.Value); err != nil {
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
func (c *construction) merged(n *Node) ([]Member, error) {
	if !slices.ContainsFunc(n.Members, Member.merges) {
		return n.Members, nil
	}
	if c.merging[n] { // << names what it stands in
		return slices.DeleteFunc(slices.Clone(n.Members), Member.merges), nil
	}
	c.merging[n] = true
	defer delete(c.merging, n)
	var all, own []Member
	for _, m := range n.Members {
		if !m.merges() {
			own = append(own, m)
			continue
		}
		sources := []*Node{m.Value.meant()}
		if sources[0].Kind == List {
			sources = slices.Clone(sources[0].Items)
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

func (c *construction) mergedFrom(source *Node) ([]Member, error) {
	if source.Kind != Object {
		return nil, errors.New("<< names what is no object")
	}
	members, err := c.merged(source)
	if c.expanded += 1 + len(members); c.expanded > mostExpanded {
		return nil, errBomb
	}
	return members, err
}

// meant is what an alias stands for, any other value itself.
func (n *Node) meant() *Node {
	if n.Is(Alias) {
		return n.Anchor.Value
	}
	return n
}

// merges reports whether the member is <<.
func (m Member) merges() bool { return m.Key.Is(Merge) }

// keyOf returns a member without its value, and what kind of value the name is: only names of one kind have an order.
func keyOf(m Member) (valueMember, valueKind, error) {
	name := m.Key.meant()
	if name == nil {
		return valueMember{key: m.Name, path: m.Name}, textValue, nil
	}
	const noText = "\x00" // keeps 404 apart from "404"
	switch name.Kind {
	case Text:
		return valueMember{key: name.Text, path: name.Text}, textValue, nil
	case Null:
		return valueMember{key: noText, path: "None"}, nullValue, nil
	case Bool, Number:
		return valueMember{key: noText + equalNumber(name), path: pythonText(name)}, numberValue, nil
	case Typed:
		return valueMember{key: noText + name.Text, path: name.Text}, typedValue, nil
	case Invalid:
		return valueMember{}, nullValue, errors.New(name.Text)
	}
	return valueMember{}, nullValue, errors.New("a list or an object as name")
}

// equalNumber is the same text for numbers that Python takes for equal.
func equalNumber(n *Node) string {
	switch n.Text {
	case "true":
		return "1"
	case "false":
		return "0"
	}
	if !isFloat(n.Text) {
		return integer(n.Text)
	}
	f, _ := strconv.ParseFloat(n.Text, 64) // too large a number is infinite
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
func pythonText(n *Node) string {
	switch n.Text {
	case "true":
		return "True"
	case "false":
		return "False"
	}
	if !isFloat(n.Text) {
		return integer(n.Text)
	}
	f, _ := strconv.ParseFloat(n.Text, 64) // too large a number is infinite
	return pytext.FloatText(f)
}
