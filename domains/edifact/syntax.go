package edifact

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"agentd/vfs"
)

// segment is a tag with its elements, each a list of components without release characters.
type segment struct {
	tag      string // empty for text that is no segment
	elements [][]string
	text     string // as written, of a UNA and of text that is no segment
}

// at returns a component, both places counted from 1 as in the directories; empty if there is none.
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

// split divides a segment into elements and components and takes out the release characters.
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

// validTag reports whether a text is three capital letters or digits, at least one of them a letter.
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

// exchange is what several files hold together: messages with the envelopes they are in, and text that is no segment.
// An interchange may run on from one file to the next, even if the file with its UNB does not come first.
type exchange struct {
	service              *segment // the first UNA, nil if there is none
	interchanges, groups []*envelope
	messages             []*enveloped
	strays               []string
}

// enveloped is a message in its envelopes, nil where it is in none.
type enveloped struct {
	*message
	interchange, group *envelope
}

// envelope is an interchange, from UNB to UNZ, or a group, from UNG to UNE.
type envelope struct {
	opening, closing *segment // nil if missing
	text             string   // of the opening, as it is compared
	file             string   // with the opening
	holds            int      // groups, or if there are none messages
}

func readAll(files vfs.Files) exchange {
	var x exchange
	var interchange, group *envelope
	for _, name := range files.Names() {
		t := read(files[name])
		for i := range t.parts {
			p := &t.parts[i]
			s := &p.outside
			switch {
			case p.message != nil:
				x.messages = append(x.messages, &enveloped{p.message, interchange, group})
			case s.tag == service:
				if x.service == nil {
					x.service = s
				}
			case s.tag == "UNB":
				interchange, group = &envelope{opening: s, text: s.normal(), file: name}, nil
				x.interchanges = append(x.interchanges, interchange)
			case s.tag == "UNG":
				group = &envelope{opening: s, text: s.normal(), file: name}
				x.groups = append(x.groups, group)
			case s.tag == "UNE":
				x.groups = closed(x.groups, group, s)
				group = nil
			case s.tag == "UNZ":
				x.interchanges = closed(x.interchanges, interchange, s)
				interchange, group = nil, nil
			default:
				x.strays = append(x.strays, s.text)
			}
		}
	}
	x.unite()
	x.count()
	return x
}

// closed closes the open envelope, or adds one that has no opening.
func closed(all []*envelope, open *envelope, s *segment) []*envelope {
	if open == nil {
		return append(all, &envelope{closing: s})
	}
	open.closing = s
	return all
}

// unite makes one interchange of all there is if it has one UNB and one UNZ.
func (x *exchange) unite() {
	var whole envelope
	for _, e := range x.interchanges {
		if e.opening != nil && whole.opening != nil || e.closing != nil && whole.closing != nil {
			return
		}
		if e.opening != nil {
			whole.opening, whole.text, whole.file = e.opening, e.text, e.file
		}
		if e.closing != nil {
			whole.closing = e.closing
		}
	}
	if len(x.interchanges) == 0 {
		return
	}
	x.interchanges = []*envelope{&whole}
	for _, m := range x.messages {
		m.interchange = &whole
	}
}

// count counts what the envelopes hold.
func (x *exchange) count() {
	groups, messages := map[*envelope]int{}, map[*envelope]int{}
	met := map[[2]*envelope]bool{}
	for _, m := range x.messages {
		if m.find("UNH") == nil {
			continue // the rest of a message that lost its beginning
		}
		messages[m.interchange]++
		if m.group == nil {
			continue
		}
		m.group.holds++
		if both := [2]*envelope{m.interchange, m.group}; !met[both] {
			met[both] = true
			groups[m.interchange]++
		}
	}
	for _, e := range x.interchanges {
		e.holds = cmp.Or(groups[e], messages[e])
	}
}

// reference is the control reference: UNB 5, UNG 5.
func (e *envelope) reference() string {
	if e == nil || e.opening == nil {
		return ""
	}
	return e.opening.at(5, 1)
}

// agrees reports whether the closing states what the envelope holds and its reference.
func (e *envelope) agrees() bool {
	return e.opening != nil && e.closing != nil &&
		normalNumber(e.closing.at(1, 1)) == strconv.Itoa(e.holds) && e.closing.at(2, 1) == e.reference()
}
