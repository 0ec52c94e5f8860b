package edifact

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// segment is a tag with its elements, each a list of components without release
// characters.
type segment struct {
	tag      string // empty for text that is no segment
	elements [][]string
	text     string // as written, of a UNA and of text that is no segment
}

// at returns a component, both places counted from 1 as in the directories;
// empty if there is none.
func (s *segment) at(element, component int) string {
	if element > len(s.elements) || component > len(s.elements[element-1]) {
		return ""
	}
	return s.elements[element-1][component-1]
}

// set writes a component that is there.
func (s *segment) set(element, component int, value string) {
	if element <= len(s.elements) && component <= len(s.elements[element-1]) {
		s.elements[element-1][component-1] = value
	}
}

// marks are the characters that a UNA announces.
type marks struct{ component, element, decimal, release, reserved, terminator rune }

var standard = marks{':', '+', '.', '?', ' ', '\''}

// service is the tag of the segment that announces the marks.
const service = "UNA"

// cutService reads the UNA that a text begins with.
func cutService(text string) (m marks, una, rest string, ok bool) {
	rest, ok = strings.CutPrefix(text, service)
	if !ok {
		return standard, "", text, false
	}
	for _, mark := range []*rune{&m.component, &m.element, &m.decimal, &m.release, &m.reserved, &m.terminator} {
		r, size := utf8.DecodeRuneInString(rest)
		if r == utf8.RuneError { // the end of the text, or no UTF-8
			return standard, "", text, false
		}
		*mark, rest = r, rest[size:]
	}
	return m, text[:len(text)-len(rest)], rest, true
}

// cutSegment cuts a text after its first terminator that is not released.
func cutSegment(text string, m marks) (raw, rest string, terminated bool) {
	released := false
	for i, r := range text {
		switch {
		case released:
			released = false
		case r == m.release:
			released = true
		case r == m.terminator:
			return text[:i], text[i+utf8.RuneLen(r):], true
		}
	}
	return text, "", false
}

// split divides a segment into elements and components and takes out the
// release characters.
func split(raw string, m marks) [][]string {
	separators := strings.Count(raw, string(m.element))
	elements := make([][]string, 0, 1+separators)
	components := make([]string, 0, 1+separators+strings.Count(raw, string(m.component)))
	inElement, start := 0, 0 // where the element in hand begins in components, and the component in raw
	released := false
	var unreleased strings.Builder // what is before start of a component with releases
	endComponent := func(at, size int) {
		value := raw[start:at]
		if unreleased.Len() > 0 {
			unreleased.WriteString(value)
			value = unreleased.String()
			unreleased.Reset()
		}
		components = append(components, value)
		start = at + size
	}
	endElement := func() {
		elements = append(elements, slices.Clip(components[inElement:]))
		inElement = len(components)
	}
	for i, r := range raw {
		switch {
		case released:
			released = false
		case r == m.release:
			unreleased.WriteString(raw[start:i])
			start, released = i+utf8.RuneLen(r), true
		case r == m.component:
			endComponent(i, utf8.RuneLen(r))
		case r == m.element:
			endComponent(i, utf8.RuneLen(r))
			endElement()
		}
	}
	endComponent(len(raw), 0)
	endElement()
	return elements
}

// write prints a segment with its terminator.
func (m marks) write(b *strings.Builder, s *segment) {
	if s.tag == "" || s.tag == service {
		b.WriteString(s.text)
		return
	}
	b.WriteString(s.tag)
	for _, components := range s.elements {
		b.WriteRune(m.element)
		for i, c := range components {
			if i > 0 {
				b.WriteRune(m.component)
			}
			m.writeReleased(b, c)
		}
	}
	b.WriteRune(m.terminator)
}

func (m marks) writeReleased(b *strings.Builder, component string) {
	for _, r := range component {
		switch r {
		case m.component, m.element, m.release, m.terminator:
			if m.release != unreleasable {
				b.WriteRune(m.release)
			}
		}
		b.WriteRune(r)
	}
}

// unreleasable stands for the release character where a UNA has a blank for it.
const unreleasable = -1

// validTag reports whether a text is three capital letters or digits, at least
// one of them a letter.
func validTag(tag string) bool {
	letters := 0
	for i := range len(tag) {
		switch c := tag[i]; {
		case c >= 'A' && c <= 'Z':
			letters++
		case c < '0' || c > '9':
			return false
		}
	}
	return len(tag) == 3 && letters > 0
}
