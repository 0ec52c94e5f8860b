// Package doc has documents as text and spans. A domain describes its format by one function, which finds the parts of a
// file: the elements that are counted and what stands around them, each with what Strict compares of it and with the
// bytes at which it stands. Package doc makes the rest of it: the elements of a document of one or several files, their
// places, and the text without some of them. It copies text and never prints it, so what stays is unchanged to the byte.
//
// A file with a word on each line, and remarks after a number sign, is described so:
//
//	var words = doc.Format{
//		Counted: "word",
//		Orders:  map[string]doc.Order{"word": doc.InOrder},
//		Read: func(text string) []doc.Part {
//			var parts []doc.Part
//			for _, line := range doc.Lines(text) {
//				if remark, ok := strings.CutPrefix(line.Text, "#"); ok {
//					parts = append(parts, doc.Loose(line, "remark", "remark", remark))
//				} else {
//					parts = append(parts, doc.Loose(line, "word", line.Text, line.Text))
//				}
//			}
//			return parts
//		},
//	}
package doc

import (
	"slices"
	"strings"

	"agentd/domains/internal/element"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// Part is an element with its place in a file.
type Part struct {
	element.Element
	From, To int // in bytes, with the line end
	// Head says that each file of a divided document may have the part again: of equal ones there are as many as in
	// the file that has the most.
	Head bool
}

// At makes a part of a line, with a key and no fields yet.
func At(line Line, kind, key string) Part {
	return Part{Element: element.Element{Kind: kind, Key: key}, From: line.From, To: line.To}
}

// Loose makes a part of a line whose one field is what it says.
func Loose(line Line, kind, key, says string) Part {
	p := At(line, kind, key)
	p.Fields = []element.Field{{Value: says}}
	return p
}

// Add adds a field, unless it is empty.
func (p *Part) Add(name, value string) {
	if value != "" {
		p.Fields = append(p.Fields, element.Field{Name: name, Value: value})
	}
}

// Order says what the place of an element means.
type Order uint8

const (
	// AnyOrder is that of elements which may stand anywhere. It is that of kinds of which nothing is said.
	AnyOrder Order = iota
	// InOrder is that of elements whose order means something, throughout all files.
	InOrder
	// OpeningInOrder is that of elements whose order means something before the first counted element. Those after it
	// share a place.
	OpeningInOrder
)

// Format describes the documents of a domain.
type Format struct {
	Counted string // the kind of element that is counted
	// Read finds the parts of a file with any text, in the order of that text. The span of a counted part is what is
	// left out with it, and overlaps that of no other.
	Read func(text string) []Part
	// Orders are the kinds whose places mean something.
	Orders map[string]Order
}

// Elements are the parts of files of any name, numbered where their order means something.
func (f *Format) Elements(files vfs.Files) []element.Element {
	var all []element.Element
	var heads heads
	places, started := map[string]int{}, false
	for _, name := range files.Names() {
		parts := f.Read(files[name])
		if all == nil {
			all = make([]element.Element, 0, len(parts))
		}
		for i := range parts {
			e := &parts[i].Element
			started = started || e.Kind == f.Counted
			if parts[i].Head && len(files) > 1 && !heads.more(e) {
				continue
			}
			switch order := f.Orders[e.Kind]; {
			case order == InOrder, order == OpeningInOrder && !started:
				places[e.Kind]++
				e.Position = places[e.Kind]
			case order == OpeningInOrder:
				e.Position = places[e.Kind] + 1
			}
			all = append(all, *e)
		}
		heads.next()
	}
	return all
}

// heads are the parts that each file may repeat: how often they are in the file at hand, and in the one with the most.
type heads struct{ here, most map[string]int }

// more reports whether the file at hand has an element more often than any before it.
func (h *heads) more(e *element.Element) bool {
	if h.most == nil {
		h.here, h.most = map[string]int{}, map[string]int{}
	}
	var b strings.Builder
	b.WriteString(e.Kind)
	for _, field := range e.Fields {
		b.WriteString("\n" + field.Name + "\n" + field.Value)
	}
	label := b.String()
	h.here[label]++
	if h.here[label] <= h.most[label] {
		return false
	}
	h.most[label]++
	return true
}

func (h *heads) next() { clear(h.here) }

// Without leaves the counted elements out of a file for which leave reports true; it asks for each, in the order of the
// text. The blank lines below one go with it, and what else stands within its span stays, as a comment between two of its
// lines does. It is made for domains.Spec.
func (f *Format) Without(_, text string, leave func() bool) string {
	var out, others []Part
	for _, p := range f.Read(text) {
		switch {
		case p.Kind != f.Counted:
			others = append(others, p)
		case leave():
			out = append(out, p)
		}
	}
	slices.SortStableFunc(others, func(a, b Part) int { return a.From - b.From })
	var b strings.Builder
	kept := 0 // what is written or left out of the text
	for _, p := range out {
		b.WriteString(text[kept:p.From])
		kept = p.To + len(blankLines(text[p.To:]))
		inside, _ := slices.BinarySearchFunc(others, p.From, func(other Part, at int) int { return other.From - at })
		for _, other := range others[inside:] {
			if other.From >= p.To {
				break
			}
			b.WriteString(text[other.From:other.To])
		}
	}
	b.WriteString(text[kept:])
	return b.String()
}

// blankLines are those with which a text begins.
func blankLines(text string) string {
	bare := strings.TrimLeft(text, " \t\r\n")
	return text[:strings.LastIndexByte(text[:len(text)-len(bare)], '\n')+1]
}

// Line is a line of a text without its end.
type Line struct {
	Text     string
	From, To int // in bytes; To is after the line end
}

// Lines are those of a text as plain.Lines has them: with any line ends, without a byte order mark and code fences, and
// without an empty last one.
func Lines(text string) []Line {
	at := len(text) - len(strings.TrimPrefix(text, "\ufeff"))
	ends := "\n"
	if strings.Contains(text, "\r") {
		ends = "\r\n"
	}
	lines := make([]Line, 0, strings.Count(text[at:], "\n")+1)
	for at < len(text) {
		end, next := len(text), len(text)
		if i := strings.IndexAny(text[at:], ends); i >= 0 {
			end, next = at+i, at+i+1
			if strings.HasPrefix(text[end:], "\r\n") {
				next++
			}
		}
		if line := text[at:end]; !plain.IsFence(line) {
			lines = append(lines, Line{Text: line, From: at, To: next})
		}
		at = next
	}
	return lines
}
