// Package edifact is the published reading and score of the domain edifact.
//
// score = K^2 x V^1.5 x (0.20 H + 0.80 D), limited to 0..1, no rounding. (The published page gives 1.2 as exponent; the
// code has 1.5.)
//
//   - Message pairing, greedy in reference order: among the unused candidate messages take the one with the highest
//     value, the first on ties; value = 2 if both orderRef are non-empty and equal, else 1 - |n - m| / max(n, m, 1)
//     with the item counts. Every reference message gets a partner while candidates last. K = pairs / reference
//     messages. Either side without messages: no pairs, K is 1 when both are empty, else 0; the means below are then 0,
//     so the score is 0 even for two empty sides: an unreadable document scores 0 against itself.
//   - H mean over pairs of the header score: mean of those of five tests whose segment the reference has (1 when it has
//     none): message type = all components of UNH 2; last DTM; last RFF; last CUX, each by equality of the whole
//     segment; NAD: share of the reference's set of distinct NAD segments that the candidate has. BGM is read but not
//     tested.
//   - Items of a pair: similarity matrix, assignment with the highest sum (rectangular allowed), then only assigned
//     pairs with similarity above 0.3 are good. coverage = good / reference items; detail = mean similarity of the good
//     pairs (0 if none). Both without items 1 and 1; one without 0 and 0. V and D are the means over message pairs.
//   - Similarity of two items = 0.20 ean + 0.20 description + 0.25 quantities + 0.15 price + 0.10 availability + 0.10
//     reference: ean: equal or both absent 1, else 0; description, lower-cased and trimmed: both present difflib ratio
//     (characters, autojunk on, only from 200 characters), both absent 1, else 0; quantities: share of the union of
//     qualifiers whose numbers are equal (a missing one is unequal); none at all 1; price: equal or both absent 1; one
//     absent or one of them 0 gives 0; else min/max. Opposite signs give a negative part and two negative prices a part
//     above 1 (-5 and -10 give 2); availability, reference: equality, absent counts as "".
//
// R, or ratio, is that of package ratio, with the reference first; assignments are those of package assign.
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

// Brief is what the published evaluator takes of a message.
type Brief struct {
	header   []Segment
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

// Parse reads a document as the published evaluator does. A file with an error
// is passed over; it is reported only if no other holds a message.
func Parse(files vfs.Files) ([]Brief, error) {
	var all []Segment
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

func parseSegments(text string) ([]Segment, error) {
	m, text, err := findService(text)
	if err != nil {
		return nil, err
	}
	var segments []Segment
	for text != "" {
		raw, rest, terminated := CutSegment(text, m)
		text = strings.TrimLeft(rest, blanksBut(m.Release))
		if releasesLineEnd(raw, m.Release) {
			return nil, fmt.Errorf("segment %d: %w", len(segments)+1, errRelease)
		}
		s := Segment{Elements: Split(raw, m)}
		if !terminated {
			if lastComponent(s.Elements) != "" {
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
			return nil, fmt.Errorf("segment %d, %s: %w", len(segments)+1, s.Tag, err)
		}
		segments = plain.Append(segments, s)
	}
	return segments, nil
}

// findService reads a UNA at the beginning of a text or after an apostrophe, and passes over all that is before it.
func findService(text string) (m Marks, rest string, err error) {
	if !strings.HasPrefix(text, Service) {
		at := strings.Index(text, "'"+Service)
		if at < 0 {
			return Standard, text, nil
		}
		text = text[at+1:]
	}
	m, _, rest, ok := CutService(text)
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
func (s *Segment) takeTag() error {
	for i, components := range s.Elements {
		for len(components) > 1 && components[len(components)-1] == "" {
			components = components[:len(components)-1]
		}
		s.Elements[i] = components
	}
	tag := s.Elements[0]
	s.Tag, s.Elements = tag[0], s.Elements[1:]
	switch {
	case s.Tag == "" && len(tag) == 1 && len(s.Elements) == 0:
		return errEmpty
	case len(tag) > 1 || !publishedTag(s.Tag):
		return errTag
	case s.Tag == Service:
		return errService
	}
	return nil
}

// group makes messages of segments.
func group(segments []Segment) []Brief {
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
	messages []Brief
	last     Brief // opened last
	open     bool
	item     *item // in hand, nil if there is none
}

func (g *grouping) take(s *Segment) {
	switch {
	case s.Tag == "UNH":
		g.last, g.open, g.item = Brief{header: []Segment{*s}}, true, nil
	case s.Tag == "UNT":
		if g.open {
			g.store()
		}
		g.messages = plain.Append(g.messages, g.last)
		g.open = false
	case !g.open:
	case s.Tag == "LIN":
		g.store()
		g.item = &item{ean: s.At(3, 1), price: math.NaN()}
	case s.Tag == "UNS":
		g.store()
		g.last.header = append(g.last.header, *s)
	case s.Tag == "CNT" || g.item == nil:
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
func (it *item) take(s *Segment) {
	switch s.Tag {
	case "IMD":
		if len(s.Elements) >= 3 {
			it.description = describe(s.Elements[2])
		}
	case "QTY":
		if len(s.Elements) >= 1 && len(s.Elements[0]) >= 2 {
			if it.quantities == nil {
				it.quantities = map[string]float64{}
			}
			it.quantities[s.At(1, 1)] = number(s.At(1, 2), 0)
		}
	case "PRI":
		if len(s.Elements) >= 1 {
			it.price = number(s.At(1, 2), math.NaN())
		}
	case "FTX":
		if len(s.Elements) >= 3 {
			it.availability = pytext.Strip(strings.Join(s.Elements[2], ":"))
		}
	case "RFF":
		if len(s.Elements) >= 1 && len(s.Elements[0]) >= 2 {
			it.reference = pytext.Strip(s.Elements[0][1])
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
func (m *Brief) summarise() {
	for i := range m.header {
		switch s := &m.header[i]; s.Tag {
		case "UNH":
			m.kind = s.At(2, 1)
		case "RFF":
			if len(s.Elements) >= 1 && len(s.Elements[0]) >= 2 {
				m.orderRef = s.Elements[0][1]
			}
		}
	}
}

var errVersion = errors.New("no syntax version")

// checkSyntax refuses a UNB whose first element names no syntax version, in a second
// component or in the second character of its only one. Other service segments are
// not checked: the published reader comes without the tables for it.
func checkSyntax(s *Segment) error {
	if s.Tag != "UNB" || len(s.Elements) > 0 && len(s.Elements[0]) > 1 || utf8.RuneCountInString(s.At(1, 1)) > 1 {
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

// Segment is a tag with its elements, each a list of components without release characters.
type Segment struct {
	Tag      string // empty for text that is no segment
	Elements [][]string
	Text     string // as written, of a UNA and of text that is no segment
}

// At returns a component, both places counted from 1 as in the directories; empty if there is none.
func (s *Segment) At(element, component int) string {
	if element > len(s.Elements) || component > len(s.Elements[element-1]) {
		return ""
	}
	return s.Elements[element-1][component-1]
}

// Marks are the characters that a UNA announces.
type Marks struct{ Component, Element, decimal, Release, reserved, Terminator rune }

// Standard are the marks of an interchange that announces none.
var Standard = Marks{':', '+', '.', '?', ' ', '\''}

// Service is the tag of the segment that announces the marks.
const Service = "UNA"

// CutService reads the UNA that a text begins with.
func CutService(text string) (m Marks, una, rest string, ok bool) {
	rest, ok = strings.CutPrefix(text, Service)
	if !ok {
		return Standard, "", text, false
	}
	for _, mark := range []*rune{&m.Component, &m.Element, &m.decimal, &m.Release, &m.reserved, &m.Terminator} {
		r, size := utf8.DecodeRuneInString(rest)
		if r == utf8.RuneError { // the end of the text, or no UTF-8
			return Standard, "", text, false
		}
		*mark, rest = r, rest[size:]
	}
	return m, text[:len(text)-len(rest)], rest, true
}

// CutSegment cuts a text after its first terminator that is not released.
func CutSegment(text string, m Marks) (raw, rest string, terminated bool) {
	released := false
	for i, r := range text {
		switch {
		case released:
			released = false
		case r == m.Release:
			released = true
		case r == m.Terminator:
			return text[:i], text[i+utf8.RuneLen(r):], true
		}
	}
	return text, "", false
}

// Split divides a segment into elements and components and takes out the release characters.
func Split(raw string, m Marks) [][]string {
	ends := 1 + strings.Count(raw, string(m.Element))
	elements := make([][]string, 0, ends)
	components := make([]string, 0, ends+strings.Count(raw, string(m.Component)))
	start, released := 0, false // start is that of the component
	end := func(at int, mark rune) {
		components = append(components, unreleased(raw[start:at], m.Release))
		start = at + utf8.RuneLen(mark)
	}
	endElement := func() {
		n := len(components)
		elements, components = append(elements, components[:n:n]), components[n:]
	}
	for i, r := range raw {
		switch {
		case released:
			released = false
		case r == m.Release:
			released = true
		case r == m.Component:
			end(i, r)
		case r == m.Element:
			end(i, r)
			endElement()
		}
	}
	end(len(raw), 0)
	endElement()
	return elements
}

// unreleased takes out the release characters.
func unreleased(text string, release rune) string {
	if !strings.ContainsRune(text, release) {
		return text
	}
	var b strings.Builder
	released := false
	for _, r := range text {
		if released = !released && r == release; !released {
			b.WriteRune(r)
		}
	}
	return b.String()
}
