package fonteng

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/element"
)

// classes are those that a document has defined so far.
type classes struct {
	document *document
	defined  map[string][]string // glyphs by the name of the class, with its @
	later    map[string]*entry   // the first definitions at top level, once needed
	room     int                 // for glyphs that ranges and classes stand for
}

// mostExpanded is how many glyphs ranges and classes may stand for in a
// document. Beyond, they stay as they are written.
const mostExpanded = 200_000

func newClasses(d *document) *classes {
	return &classes{document: d, defined: map[string][]string{}, room: mostExpanded}
}

// find returns the glyphs of a class, which may be defined later, as where files
// come in another order.
func (c *classes) find(name string) ([]string, bool) {
	if name[0] != '@' {
		return nil, false
	}
	if glyphs, known := c.defined[name]; known {
		return glyphs, true
	}
	if c.later == nil {
		c.later = map[string]*entry{}
		for _, e := range c.document.entries {
			if name, ok := e.className(); ok && c.later[name] == nil {
				c.later[name] = e
			}
		}
	}
	e := c.later[name]
	if e == nil {
		return nil, false
	}
	delete(c.later, name) // so that no class is part of itself
	_, glyphs, ok := c.definition(e)
	return glyphs, ok
}

// definition reads the definition of a class and remembers it.
func (c *classes) definition(e *entry) (name string, glyphs []string, ok bool) {
	name, ok = e.className()
	if !ok {
		return "", nil, false
	}
	words := e.words[2:]
	if e.ended() {
		words = words[:len(words)-1]
	}
	switch {
	case len(words) == 1 && strings.HasPrefix(words[0].text, "@"):
	case len(words) > 0 && words[0].text == "[" && listEnd(words, 0) >= len(words)-1:
		if words = words[1:]; len(words) > 0 && words[len(words)-1].text == "]" {
			words = words[:len(words)-1]
		}
	default:
		return "", nil, false
	}
	glyphs = c.expand(words)
	c.defined[name] = glyphs
	return name, glyphs, true
}

// listEnd returns where the list that begins at a word has its bracket, or the
// number of words.
func listEnd(words []word, from int) int {
	for i := from; i < len(words); i++ {
		if words[i].text == "]" {
			return i
		}
	}
	return len(words)
}

// expand names the glyphs of a list one by one.
func (c *classes) expand(words []word) []string {
	names := make([]string, 0, len(words))
	for i := 0; i < len(words); i++ {
		text := words[i].text
		if members, known := c.find(text); known && c.takes(len(members)) {
			names = append(names, members...)
			continue
		}
		first, last := glyphName(text), ""
		used := i
		if i+2 < len(words) && words[i+1].text == "-" {
			last, used = glyphName(words[i+2].text), i+2
		} else if dash := strings.IndexByte(text, '-'); dash > 0 && dash == strings.LastIndexByte(text, '-') {
			first, last = glyphName(text[:dash]), glyphName(text[dash+1:])
		}
		if last != "" && c.room > 0 {
			if r, ok := rangeOf(first, last); ok && c.takes(r.count) {
				names = r.appendNames(names)
				i = used
				continue
			}
		}
		names = append(names, glyphName(text))
	}
	return names
}

// takes reports whether there is room for so many glyphs; the first for which
// there is none is the last that is asked for.
func (c *classes) takes(glyphs int) bool {
	if glyphs > c.room {
		c.room = 0
		return false
	}
	c.room -= glyphs
	return true
}

// glyphName is the name of a glyph without the backslash that tells it from a
// keyword; a number becomes the name that tools give it.
func glyphName(text string) string {
	name, escaped := strings.CutPrefix(text, `\`)
	if escaped && name != "" && strings.Trim(name, digits) == "" {
		return cidName(strings.TrimLeft(name[:len(name)-1], "0") + name[len(name)-1:])
	}
	return strings.TrimLeft(name, `\`)
}

// listText is a list of glyphs as the value of a field. A long one is cut and
// has a digest.
func listText(glyphs []string) string {
	const long = 24
	if len(glyphs) <= long {
		return "[" + strings.Join(glyphs, " ") + "]"
	}
	h := fnv.New64a()
	for _, glyph := range glyphs {
		h.Write([]byte(glyph))
		h.Write([]byte{' '})
	}
	n := len(glyphs)
	return fmt.Sprintf("[%s %s … %s, %d glyphs, %016x]", glyphs[0], glyphs[1], glyphs[n-1], n, h.Sum64())
}

// forgives drops comments that were not altered, and writes lists and classes in
// rules by the name of the class of the reference that has the same glyphs, so
// that it is no change to spell a class out.
func forgives(reference, candidate []domains.Element) (was, is []domains.Element) {
	was, is = element.ForgiveRemarks(reference, candidate, commentKind)
	names := namesOfClasses(was)
	own, other := names.renaming(names), names.renaming(namesOfClasses(is))
	return named(was, own), named(is, other)
}

// classNames are the classes of a document by their names and by their glyphs.
type classNames struct {
	glyphs map[string]string // the glyphs, as the value of a field, by name
	first  map[string]string // the first name, by the glyphs
}

func namesOfClasses(elements []domains.Element) classNames {
	n := classNames{map[string]string{}, map[string]string{}}
	var order []string
	members := map[string][]string{}
	for i := range elements {
		if class, ok := strings.CutPrefix(elements[i].Kind, glyphIn); ok {
			if members[class] == nil {
				order = append(order, class)
			}
			members[class] = append(members[class], elements[i].Fields[0].Value)
		}
	}
	for _, class := range order {
		text := listText(members[class])
		n.glyphs[class] = text
		if _, known := n.first[text]; !known {
			n.first[text] = class
		}
	}
	return n
}

// renaming returns how the reference would write what a document with such
// classes writes. A class that the reference has too is the same, even if
// its glyphs changed: that is seen at the class.
func (n classNames) renaming(of classNames) func(value string) string {
	return func(value string) string {
		text := value
		if value[0] == '@' {
			glyphs, known := n.glyphs[value]
			if !known {
				glyphs, known = of.glyphs[value]
			}
			if !known {
				return value
			}
			text = glyphs
		}
		if name, known := n.first[text]; known {
			return name
		}
		return text
	}
}

// named rewrites the fields that are classes or lists of glyphs. It leaves the
// elements it is given as they are.
func named(elements []domains.Element, rename func(string) string) []domains.Element {
	elements = slices.Clone(elements)
	for i := range elements {
		e := &elements[i]
		if e.Kind != definitionKind && !strings.HasPrefix(e.Kind, ruleIn) {
			continue
		}
		e.Fields = slices.Clone(e.Fields)
		for k := range e.Fields {
			if value := &e.Fields[k].Value; strings.HasPrefix(*value, "@") || strings.HasPrefix(*value, "[") {
				*value = rename(*value)
			}
		}
	}
	return elements
}
