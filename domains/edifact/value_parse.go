package edifact

import (
	"errors"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// brief is what the published evaluator takes of a message.
type brief struct {
	header   []segment
	items    []item
	kind     string // such as ORDRSP
	orderRef string
}

// item is a line item; texts that are missing are empty.
type item struct {
	ean, description, availability, reference string
	quantities                                map[string]float64
	price                                     float64 // NaN where there is none
}

// parse reads a document as the published evaluator does. A file with an error
// is passed over; it is reported only if no other holds a message.
func parse(files vfs.Files) ([]brief, error) {
	var all []segment
	var discarded error
	for _, name := range files.Names() {
		switch path.Ext(name) {
		case ".edi", ".edifact", ".txt":
			segments, err := parseSegments(files[name])
			if err != nil {
				discarded = fmt.Errorf("%s: %w", name, err)
				continue
			}
			all = append(all, segments...)
		}
	}
	messages := group(all)
	if len(messages) == 0 {
		return nil, discarded
	}
	return messages, nil
}

var (
	errBrokenOff = errors.New("the text breaks off inside a segment")
	errEmpty     = errors.New("an empty segment")
	errTag       = errors.New("no segment tag")
	errRelease   = errors.New("a release character before a line end")
	errService   = errors.New("a second UNA, or one that is cut")
)

func parseSegments(text string) ([]segment, error) {
	m, text, err := findService(text)
	if err != nil {
		return nil, err
	}
	var segments []segment
	for text != "" {
		raw, rest, terminated := cutSegment(text, m)
		text = strings.TrimLeft(rest, blanksBut(m.release))
		if releasesLineEnd(raw, m.release) {
			return nil, fmt.Errorf("segment %d: %w", len(segments)+1, errRelease)
		}
		s := segment{elements: split(raw, m)}
		if !terminated {
			if lastComponent(s.elements) != "" {
				return nil, fmt.Errorf("segment %d: %w", len(segments)+1, errBrokenOff)
			}
			break // the published reader drops what ends after a separator
		}
		if raw == "" && text == "" {
			break
		}
		if err := s.takeTag(); err != nil {
			return nil, fmt.Errorf("segment %d: %w", len(segments)+1, err)
		}
		if err := checkSyntax(&s); err != nil {
			return nil, fmt.Errorf("segment %d, %s: %w", len(segments)+1, s.tag, err)
		}
		segments = plain.Append(segments, s)
	}
	return segments, nil
}

// findService reads a UNA at the beginning of a text or after an apostrophe, and passes over all that is before it.
func findService(text string) (m marks, rest string, err error) {
	if !strings.HasPrefix(text, service) {
		at := strings.Index(text, "'"+service)
		if at < 0 {
			return standard, text, nil
		}
		text = text[at+1:]
	}
	m, _, rest, ok := cutService(text)
	if !ok {
		return m, "", errService
	}
	return m, strings.TrimLeft(rest, "\r\n"), nil
}

// blanksBut are the characters passed over between segments.
func blanksBut(release rune) string {
	return strings.ReplaceAll(" \r\n", string(release), "")
}

func releasesLineEnd(raw string, release rune) bool {
	released := false
	for _, r := range raw {
		if released && r == '\n' {
			return true
		}
		released = !released && r == release
	}
	return false
}

func lastComponent(elements [][]string) string {
	last := elements[len(elements)-1]
	return last[len(last)-1]
}

// takeTag makes the first element the tag and drops empty components at the end of each element.
func (s *segment) takeTag() error {
	for i, components := range s.elements {
		for len(components) > 1 && components[len(components)-1] == "" {
			components = components[:len(components)-1]
		}
		s.elements[i] = components
	}
	tag := s.elements[0]
	s.tag, s.elements = tag[0], s.elements[1:]
	switch {
	case s.tag == "" && len(tag) == 1 && len(s.elements) == 0:
		return errEmpty
	case len(tag) > 1 || !publishedTag(s.tag):
		return errTag
	case s.tag == service:
		return errService
	}
	return nil
}

// group makes messages of segments.
func group(segments []segment) []brief {
	var g grouping
	for i := range segments {
		g.take(&segments[i])
	}
	for i := range g.messages {
		g.messages[i].summarise()
	}
	return g.messages
}

type grouping struct {
	messages []brief
	last     brief // opened last
	open     bool
	item     *item // in hand, nil if there is none
}

func (g *grouping) take(s *segment) {
	switch {
	case s.tag == "UNH":
		g.last, g.open, g.item = brief{header: []segment{*s}}, true, nil
	case s.tag == "UNT":
		if g.open {
			g.store()
		}
		g.messages = plain.Append(g.messages, g.last)
		g.open = false
	case !g.open:
	case s.tag == "LIN":
		g.store()
		g.item = &item{ean: s.at(3, 1), price: math.NaN()}
	case s.tag == "UNS":
		g.store()
		g.last.header = append(g.last.header, *s)
	case s.tag == "CNT" || g.item == nil:
		g.last.header = append(g.last.header, *s)
	default:
		g.item.take(s)
	}
}

func (g *grouping) store() {
	if g.item != nil {
		g.last.items = plain.Append(g.last.items, *g.item)
		g.item = nil
	}
}

// take reads a segment's field into the item. A segment too short for it leaves the item as it was.
func (it *item) take(s *segment) {
	switch s.tag {
	case "IMD":
		if len(s.elements) >= 3 {
			it.description = describe(s.elements[2])
		}
	case "QTY":
		if len(s.elements) >= 1 && len(s.elements[0]) >= 2 {
			if it.quantities == nil {
				it.quantities = map[string]float64{}
			}
			it.quantities[s.at(1, 1)] = number(s.at(1, 2), 0)
		}
	case "PRI":
		if len(s.elements) >= 1 {
			it.price = number(s.at(1, 2), math.NaN())
		}
	case "FTX":
		if len(s.elements) >= 3 {
			it.availability = pytext.Strip(strings.Join(s.elements[2], ":"))
		}
	case "RFF":
		if len(s.elements) >= 1 && len(s.elements[0]) >= 2 {
			it.reference = pytext.Strip(s.elements[0][1])
		}
	}
}

func describe(components []string) string {
	words := slices.DeleteFunc(slices.Clone(components), func(c string) bool { return c == "" })
	return pytext.Strip(strings.Join(words, " "))
}

// number reads a finite number, or returns what stands for none.
func number(text string, none float64) float64 {
	value, ok := pytext.Float(text)
	if !ok || math.IsInf(value, 0) || math.IsNaN(value) {
		return none
	}
	return value
}

// summarise fills in what is read off the finished header.
func (m *brief) summarise() {
	for i := range m.header {
		switch s := &m.header[i]; s.tag {
		case "UNH":
			m.kind = s.at(2, 1)
		case "RFF":
			if len(s.elements) >= 1 && len(s.elements[0]) >= 2 {
				m.orderRef = s.elements[0][1]
			}
		}
	}
}

var errVersion = errors.New("no syntax version")

// checkSyntax refuses a UNB whose first element names no syntax version, in a second
// component or in the second character of its only one. Other service segments are
// not checked: the published reader comes without the tables for it.
func checkSyntax(s *segment) error {
	if s.tag != "UNB" || len(s.elements) > 0 && len(s.elements[0]) > 1 || utf8.RuneCountInString(s.at(1, 1)) > 1 {
		return nil
	}
	return errVersion
}

// publishedTag reports whether a text is a tag to the published reader: three letters
// or digits of any script, at least one of them a capital and none small.
func publishedTag(tag string) bool {
	capitals := 0
	for _, r := range tag {
		switch {
		case unicode.IsUpper(r):
			capitals++
		case unicode.IsLower(r), unicode.IsTitle(r), !unicode.IsLetter(r) && !unicode.IsNumber(r):
			return false
		}
	}
	return utf8.RuneCountInString(tag) == 3 && capitals > 0
}
