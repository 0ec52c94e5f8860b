package fonteng

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/element"
	"agentd/domains/internal/lists"
	published "agentd/domains/published/fonteng"
	"agentd/vfs"
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

// find returns the glyphs of a class, which may be defined later, as where files come in another order.
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

// listEnd returns where the list that begins at a word has its bracket, or the number of words.
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
			if r, ok := published.RangeOf(first, last); ok && c.takes(r.Count) {
				names = r.AppendNames(names)
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
	if escaped && name != "" && strings.Trim(name, published.Digits) == "" {
		return published.CidName(strings.TrimLeft(name[:len(name)-1], "0") + name[len(name)-1:])
	}
	return strings.TrimLeft(name, `\`)
}

// listText is a list of glyphs as the value of a field. A long one is cut and has a digest.
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

// forgives drops comments that were not altered, and writes lists and classes in rules by the name of the class of the
// reference that has the same glyphs, so that it is no change to spell a class out.
func forgives(reference, candidate []domains.Element) (was, is []domains.Element) {
	was, is = element.Harmless{Kind: commentKind, MayGo: true}.Forgive(reference, candidate)
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

// renaming returns how the reference would write what a document with such classes writes. A class that the reference
// has too is the same, even if its glyphs changed: that is seen at the class.
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

// named rewrites the fields that are classes or lists of glyphs. It leaves the elements it is given as they are.
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

// without leaves out language systems, classes, features and tables. What others need of them stays: a class is spelled
// out where it is used, and lookups and marks of a feature that others use stand alone.
func without(files vfs.Files, leave func() bool) vfs.Files {
	names := files.Match(published.Patterns).Names()
	if len(names) == 0 {
		return files.Clone()
	}
	d := readFiles(files)
	left, defined := map[*entry]bool{}, newClasses(d)
	for _, e := range d.entries {
		left[e] = e.isCounted(defined) && leave()
	}
	s := speller{classes: newClasses(d), gone: map[string]bool{}, needed: d.lookupsUsed(left)}
	var kept []*entry
	for _, e := range d.entries {
		if left[e] {
			kept = append(kept, s.leftOver(e)...)
			continue
		}
		kept = append(kept, s.spelled(e))
	}
	d.entries = kept
	return vfs.Files{names[0]: d.print()}
}

func (e *entry) isCounted(classes *classes) bool {
	if _, _, ok := classes.definition(e); ok {
		return true
	}
	_, isBlock := e.blockName()
	switch e.text(0) {
	case "languagesystem":
		return e.body == nil && e.holds(3)
	case "feature", "table":
		return isBlock
	}
	return false
}

// lookupsUsed are the names of lookups that are used in the entries which stay.
func (d *document) lookupsUsed(left map[*entry]bool) map[string]bool {
	used := map[string]bool{}
	for _, e := range d.entries {
		if !left[e] {
			e.walk(func(inner *entry) {
				for i := 1; i < len(inner.words); i++ {
					if inner.words[i-1].text == "lookup" {
						used[inner.words[i].text] = true
					}
				}
			})
		}
	}
	return used
}

// walk calls do with an entry and those inside it, in their order.
func (e *entry) walk(do func(*entry)) {
	do(e)
	if e.body != nil {
		for _, inner := range e.body.entries {
			inner.walk(do)
		}
	}
}

// speller writes out the classes that are gone.
type speller struct {
	classes *classes
	gone    map[string]bool
	needed  map[string]bool // lookups
}

// leftOver is what stays of an entry that is left out.
func (s *speller) leftOver(e *entry) []*entry {
	if name, _, ok := s.classes.definition(e); ok {
		s.gone[name] = true
	}
	if e.body == nil {
		return nil
	}
	var stay []*entry
	for _, inner := range e.body.entries {
		name, isBlock := inner.blockName()
		if class, _, ok := s.classes.definition(inner); ok {
			s.gone[class] = true
		}
		if inner.text(0) == "markClass" || isBlock && inner.text(0) == "lookup" && s.needed[name] {
			stay = append(stay, s.spelled(inner))
		}
	}
	return stay
}

// spelled is an entry with the classes that are gone spelled out.
func (s *speller) spelled(e *entry) *entry {
	copied := *e
	copied.words = spelledOut(e.words, func(n int, _ bool) ([]string, bool) {
		name := e.words[n].text
		return s.classes.defined[name], n > 0 && s.gone[name]
	})
	if name, _, ok := s.classes.definition(e); ok {
		delete(s.gone, name)
	}
	if e.body != nil {
		inside := *e.body
		inside.entries = lists.Map(e.body.entries, s.spelled)
		copied.body = &inside
	}
	return &copied
}

// spelledOut writes classes as lists; within a list their glyphs are a part of it. glyphsOf says
// which words are such classes.
func spelledOut(words []word, glyphsOf func(n int, inList bool) (glyphs []string, isClass bool)) (spelled []word) {
	inList := false
	for n, w := range words {
		switch w.text {
		case "[":
			inList = true
		case "]":
			inList = false
		}
		glyphs, isClass := glyphsOf(n, inList)
		if !isClass {
			spelled = append(spelled, w)
			continue
		}
		list := listWords(glyphs)
		if inList {
			list = list[1 : len(list)-1]
		}
		if len(list) > 0 {
			list[0].lead = w.lead
		}
		spelled = append(spelled, list...)
	}
	return spelled
}

// listWords is a list of glyphs in brackets.
func listWords(glyphs []string) []word {
	words := make([]word, 0, len(glyphs)+2)
	words = append(words, word{" ", "["})
	for i, glyph := range glyphs {
		lead := " "
		if i == 0 {
			lead = ""
		}
		words = append(words, word{lead, published.Escaped(glyph)})
	}
	return append(words, word{"", "]"})
}
