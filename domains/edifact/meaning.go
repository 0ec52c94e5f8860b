package edifact

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/wellformed"
	published "agentd/domains/published/edifact"
	"agentd/vfs"
)

// counted is the kind of element that is counted.
const counted = "line item"

const messageKind = "message"

// elements flattens files of any name by the rules of the syntax: envelopes, messages, line items, and lines of text
// that is no segment. Messages may change places, so line items have their places in the order of message references.
func elements(files vfs.Files) []domains.Element {
	sent := maps.Clone(files)
	maps.DeleteFunc(sent, func(name, _ string) bool { return isBackup(name) })
	x := readAll(sent)
	var f flattener
	f.envelopes("interchange", "UNZ", x.interchanges)
	f.envelopes("group", "UNE", x.groups)
	for _, text := range x.strays {
		f.lines(text)
	}
	severalInterchanges, severalGroups := several(x.interchanges), several(x.groups)
	byReference := slices.Clone(x.messages)
	slices.SortStableFunc(byReference, func(a, b *enveloped) int { return cmp.Compare(a.reference(), b.reference()) })
	for _, m := range byReference {
		f.message(m.message)
		own := &f.all[len(f.all)-1]
		if severalInterchanges {
			own.Fields = append(own.Fields, domains.Field{Name: "interchange", Value: m.interchange.reference()})
		}
		if severalGroups {
			own.Fields = append(own.Fields, domains.Field{Name: "group", Value: m.group.reference()})
		}
	}
	return f.all
}

// isBackup reports whether a file is one that no partner's mailbox takes in:
// next to the interchange it is a copy, and alone it is not sent.
func isBackup(name string) bool {
	return slices.ContainsFunc([]string{".bak", ".old", ".orig", "~"}, func(suffix string) bool {
		return strings.HasSuffix(name, suffix)
	})
}

// several reports whether there are envelopes with different openings.
func several(envelopes []*envelope) bool {
	text := ""
	for _, e := range envelopes {
		if text != "" && e.text != "" && e.text != text {
			return true
		}
		text = cmp.Or(text, e.text)
	}
	return false
}

type flattener struct {
	all   []domains.Element
	items int
}

// envelopes adds an element for each envelope. One that is repeated in another file, around other messages, is one.
func (f *flattener) envelopes(kind, closing string, envelopes []*envelope) {
	firstIn := map[string]string{} // the file with an opening first
	for _, e := range envelopes {
		element := domains.Element{Kind: kind, Key: kind + " " + e.reference()}
		add := func(name, value string) {
			element.Fields = append(element.Fields, domains.Field{Name: name, Value: value})
		}
		if e.opening != nil {
			for i, components := range e.opening.Elements {
				if value := normalElement(components); value != "" {
					add(fmt.Sprintf("%s %d", e.opening.Tag, i+1), value)
				}
			}
		}
		switch {
		case e.agrees():
			add(closing, "agrees")
		case e.closing != nil:
			add(closing, normal(e.closing))
		}
		file, known := firstIn[e.text]
		if !known {
			firstIn[e.text] = e.file
		}
		if !known || file == e.file || !e.agrees() {
			f.all = append(f.all, element)
		}
	}
}

// lines adds text that is no segment.
func (f *flattener) lines(text string) {
	for _, line := range plain.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			f.all = append(f.all, domains.Element{
				Kind: "line", Key: "text that is no segment", Fields: []domains.Field{{Value: line}},
			})
		}
	}
}

// message adds the line items of a message and, last, the message itself.
func (f *flattener) message(m *message) {
	name := strings.TrimSpace(m.kind() + " " + m.number())
	own := fieldReader{f: f}
	level := m.first("CPS", 1)
	own.read(m, m.head)
	f.all = slices.Grow(f.all, len(m.lines)+1)
	for i := range m.lines {
		l := &m.lines[i]
		own.read(m, l.above)
		if cps := published.Last(l.above, "CPS"); cps != nil {
			level = cps.At(1, 1)
		}
		item := fieldReader{f: f}
		item.add("message", m.reference())
		item.add("packing level", level)
		item.read(m, l.segments)
		f.items++
		f.all = append(f.all, domains.Element{
			Kind: counted, Key: strings.TrimSpace(name + " line " + l.segments[0].At(1, 1)),
			Fields: item.fields(), Position: f.items,
		})
	}
	own.read(m, m.tail)
	f.all = append(f.all, domains.Element{Kind: messageKind, Key: name, Fields: own.fields()})
}

// fieldReader makes fields of segments. The name of a field says in which group the segment stands, such as "NAD+BY
// CTA+OC COM": a contact belongs to the party before it. Where several groups begin alike, such as the VAT summaries of
// two rates, the whole of the segment that begins each stands in the name.
type fieldReader struct {
	f      *flattener
	found  []found
	groups []segmentGroup
	inside int // one more than the place in groups of the innermost, 0 outside
}

// found is a field in the making.
type found struct {
	name, value string
	inside      int
}

// segmentGroup is a segment that begins a group, with the group it stands in.
type segmentGroup struct {
	tag string
	found
}

// opens are the segments that may follow in the group that a segment begins.
// The directories differ by message type; what is common to them is here.
var opens = map[string][]string{
	"ALC": {"ALI", "DTM", "QTY", "PCD", "MOA", "RTE", "TAX"},
	"CPS": {"FTX", "PAC", "MEA", "QTY", "PCI", "GIN"},
	"CTA": {"COM"},
	"CUX": {"PCD", "DTM"},
	"DOC": {"DTM"},
	"LOC": {"DTM", "QTY"},
	"NAD": {"LOC", "FII", "RFF", "DOC", "CTA"},
	"PAC": {"MEA", "QTY", "RFF", "PCI"},
	"PAT": {"DTM", "PCD", "MOA"},
	"PCI": {"RFF", "DTM", "GIR", "GIN"},
	"PRI": {"APR", "RNG", "DTM"},
	"RFF": {"DTM"},
	"SCC": {"FTX", "RFF", "QTY", "DTM"},
	"TAX": {"MOA", "LOC"},
	"TDT": {"LOC", "DTM"},
	"TOD": {"LOC"},
}

func (r *fieldReader) add(name, value string) {
	if value != "" {
		r.found = append(r.found, found{name: name, value: value})
	}
}

func (r *fieldReader) read(m *message, segments []published.Segment) {
	for i := range segments {
		switch s := &segments[i]; s.Tag {
		case "":
			r.f.lines(s.Text)
		case "UNH":
			r.add("reference", s.At(1, 1))
			r.add("type", normalFrom(s, 2))
		case "LIN":
			r.add("line number", s.At(1, 1))
			r.add("action", s.At(2, 1))
			r.add("article", normalFrom(s, 3))
		case "UNT", "CNT":
			if m.agrees(s) && (s.Tag == "CNT" || s.At(2, 1) == m.reference()) {
				r.add(segmentName(s), "agrees")
			} else {
				r.add(segmentName(s), normal(s))
			}
		default:
			r.addSegment(s)
		}
	}
}

func (r *fieldReader) addSegment(s *published.Segment) {
	for r.inside > 0 && !slices.Contains(opens[r.groups[r.inside-1].tag], s.Tag) {
		r.inside = r.groups[r.inside-1].inside
	}
	field := found{segmentName(s), normal(s), r.inside}
	r.found = append(r.found, field)
	if opens[s.Tag] != nil {
		r.groups = append(r.groups, segmentGroup{s.Tag, field})
		r.inside = len(r.groups)
	}
}

// fields are the fields with their full names.
func (r *fieldReader) fields() []domains.Field {
	paths := make([]string, 1+len(r.groups))
	times := map[string]int{}
	for i, g := range r.groups {
		paths[i+1] = paths[g.inside] + g.name + " "
		times[paths[i+1]]++
	}
	labels := make([]string, 1+len(r.groups))
	for i, g := range r.groups {
		label := g.name
		if times[paths[i+1]] > 1 {
			label = g.value
		}
		labels[i+1] = labels[g.inside] + label + " "
	}
	fields := make([]domains.Field, len(r.found))
	for i, f := range r.found {
		fields[i] = domains.Field{Name: labels[f.inside] + f.name, Value: f.value}
	}
	return fields
}

// unqualified are the tags whose first component says nothing about the kind of the segment.
var unqualified = []string{"BGM", "COM", "CPS", "GIR", "IMD", "PAC", "QVR", "TSR", "UNT"}

// name is the tag with the qualifier, such as "QTY+21".
func segmentName(s *published.Segment) string {
	if qualifier := s.At(1, 1); qualifier != "" && !slices.Contains(unqualified, s.Tag) {
		return s.Tag + "+" + qualifier
	}
	return s.Tag
}

// normal prints a segment in the standard marks, without its terminator and
// without what is empty at an end, equal numbers alike.
func normal(s *published.Segment) string {
	rest := normalFrom(s, 1)
	if rest == "" {
		return s.Tag
	}
	return s.Tag + "+" + rest
}

// normalFrom prints the elements from a place on.
func normalFrom(s *published.Segment, element int) string {
	var b strings.Builder
	empty := 0 // elements since the last that was not
	for i := element - 1; i < len(s.Elements); i++ {
		components := s.Elements[i]
		if places := numeric[s.Tag]; places != nil {
			components = slices.Clone(components)
			for _, p := range places {
				if p.element == i+1 && p.component <= len(components) {
					components[p.component-1] = normalNumber(components[p.component-1])
				}
			}
		}
		if value := normalElement(components); value != "" {
			b.WriteString(strings.Repeat("+", empty))
			b.WriteString(value)
			empty = 0
		}
		empty++
	}
	return b.String()
}

// normalElement prints an element. Blanks at the end of a component mean nothing.
func normalElement(components []string) string {
	for len(components) > 0 && strings.TrimRight(components[len(components)-1], " ") == "" {
		components = components[:len(components)-1]
	}
	var b strings.Builder
	for i, c := range components {
		if i > 0 {
			b.WriteRune(published.Standard.Component)
		}
		writeReleased(published.Standard, &b, strings.TrimRight(c, " "))
	}
	return b.String()
}

// wellFormed checks that an interchange begins with UNA or UNB, ends with UNZ, and that each of its segments is ended.
var wellFormed = wellformed.All(
	wellformed.Begins(`^\s*(?:UNA|UNB)`, "UNA or UNB is not the first segment"),
	wellformed.Ends(`^.*\bUNZ\+[^']*'\s*$|^.*UNZ.{3,80}$`, "UNZ is not the last segment"),
	wellformed.Lines(`^\s*(?:[A-Z]{3}[^\w\s]|[^ ]*')|'`, "the line is no segment"),
	wellformed.Once(`^\s*(UNA)`, "UNA stands twice"),
)
