// Package edit has exact, reversible edits that work on any document of a format.
//
// A Format says how a document is cut into parts and which attributes the parts have: a ledger into entries with a date
// and a payee. A Verb moves, names, or rewrites those parts as they are written. Everything that it does not change is
// kept as text, so a document comes back byte for byte, comments and layout included. Propose finds the verbs that are
// possible on a document and not trivial, each with its instructions.
package edit

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"strings"
	"sync"

	"agentd/domains/internal/plain"
	"agentd/internal/lazyregexp"
	"agentd/vfs"
)

// Format says how the documents of a domain are cut into parts.
type Format struct {
	Document string // what a colleague calls a document, as in "ledger"
	Part     string // what it is made of, as in "entry"
	Parts    string // the plural, as in "entries"; it names the list in other forms
	// Patterns are the files to look for parts in.
	Patterns []string
	Cut      Cutter
	// Attributes are what parts have, the most telling first.
	Attributes []Attribute
	// Rare returns an attribute that is in a few parts or one of very many, so that it is none of
	// Attributes; nil if there are none. It reports whether a part has it.
	Rare func(name string) (Attribute, bool)
	// Adapt returns how a file is cut and its attributes where files differ, as tables do in
	// their columns; nil if the above holds for all. Where Part and Parts are others, Named knows these.
	Adapt func(name, text string) Format
	// OneCut says that Adapt returns other attributes alone, so that they need not be known to cut a file.
	OneCut bool
	// Named returns the format whose Parts are called as a verb has it, where Adapt has other
	// Parts than these; nil if there is no other. It reports whether parts can be called that.
	Named func(parts string) (Format, bool)
	// Remark is how a remark is written at a part, with {} for what it says, and RemarkAt where, for
	// edits that are derived; empty if the format has none.
	Remark   string
	RemarkAt Place
	// Tree reads a document as it nests, for Convert: tree; nil if it is a list of lines.
	Tree Tree
	// Finer is the format of smaller parts, for documents that have too few of these; nil if
	// there is none. Its Parts differ, its Patterns are these.
	Finer *Format

	memory *memory // nil if it has none
}

// finer is the format of smaller parts; nil if there is none.
func (f *Format) finer() *Format {
	if f.Finer == nil {
		return nil
	}
	finer := *f.Finer
	finer.Patterns, finer.memory = f.Patterns, f.memory
	return &finer
}

// of is the format as it holds for a file.
func (f *Format) of(name, text string) *Format {
	if f.Adapt == nil {
		return f
	}
	return f.memory.adapted(f, name, text, func() *Format {
		adapted := f.Adapt(name, text)
		adapted.Patterns, adapted.Adapt, adapted.Finer, adapted.Tree = f.Patterns, nil, nil, f.Tree
		return &adapted
	})
}

// cut cuts a file.
func (f *Format) cut(name, text string) Pieces {
	return f.memory.cut(f, name, text, func() Pieces {
		if f.OneCut {
			return f.Cut(text)
		}
		return f.of(name, text).Cut(text)
	})
}

// parted is the format whose parts are called so; nil if none is. Those of an empty name are the format's own.
func (f *Format) parted(parts string) *Format {
	if parts == "" || parts == f.Parts {
		return f
	}
	if f.Named != nil {
		if named, ok := f.Named(parts); ok {
			named.Patterns, named.memory = f.Patterns, f.memory
			return &named
		}
	}
	if finer := f.finer(); finer != nil {
		return finer.parted(parts)
	}
	for _, general := range []*Format{f.lines(), f.whole()} {
		if parts == general.Parts {
			return general
		}
	}
	return nil
}

// allParts are what parts can be called.
func (f *Format) allParts() []string {
	all := []string{f.Parts}
	for finer := f.finer(); finer != nil; finer = finer.finer() {
		all = append(all, finer.Parts)
	}
	return all
}

// Attribute is something that a part has, found where it is written or computed.
type Attribute struct {
	Name   string // singular and lower case, as in "payee"; it names a column
	Plural string // as in "payees"
	// Find finds the value: its first group, or all of the match if it has none.
	Find *lazyregexp.Regexp
	// Within finds lists in which Find finds the values; nil if it finds them in the whole part.
	Within *lazyregexp.Regexp
	// Compute returns the value of a part in place of Find, empty for none; nil if it is found.
	Compute func(part string) string
	// place is where the value stands in a part, in place of Find; nil if it is found.
	place func(part string) span
	// Number says that values are decimal numbers: they sort by size, and can be computed with.
	Number bool
	// sized finds out whether Number holds; nil where that is known.
	sized func() bool
	// Fixed says that a value may not be replaced by a code, since parts are found by it.
	Fixed bool
	// firsts are the first values in parts that are known, by these; nil if nothing is remembered.
	firsts map[string]string
}

// IsNumber reports whether values are decimal numbers.
func (a *Attribute) IsNumber() bool { return a.Number || a.sized != nil && a.sized() }

// Has makes an attribute of a pattern, in which ^ and $ stand for the ends of lines.
func Has(name, plural, pattern string) Attribute {
	return Attribute{Name: name, Plural: plural, Find: lazyregexp.New("(?m)" + pattern)}
}

// HasEach makes an attribute whose values are the elements of lists, as in \cite{one,two}. Both are patterns as of Has.
func HasEach(name, plural, list, element string) Attribute {
	a := Has(name, plural, element)
	a.Within = lazyregexp.New("(?m)" + list)
	return a
}

// HasNumber makes an attribute whose values are numbers.
func HasNumber(name, plural, pattern string) Attribute {
	a := Has(name, plural, pattern)
	a.Number = true
	return a
}

// Computed makes an attribute whose value is computed. It can be split and sorted by, noted and
// listed, but stands nowhere in the part.
func Computed(name, plural string, compute func(part string) string) Attribute {
	return Attribute{Name: name, Plural: plural, Compute: compute, Fixed: true}
}

// ComputedNumber makes a computed attribute whose values are numbers.
func ComputedNumber(name, plural string, compute func(part string) string) Attribute {
	a := Computed(name, plural, compute)
	a.Number = true
	return a
}

// Key makes an attribute by which parts are found, so that it stays as it is.
func Key(name, plural, pattern string) Attribute {
	a := Has(name, plural, pattern)
	a.Fixed = true
	return a
}

// ErrNoParts says that a document has too few parts to be edited.
var ErrNoParts = errors.New("no parts found")

// Pieces are a text cut into parts. Before, the parts with what stands between them, and After are the whole text.
type Pieces struct {
	Before  string
	Parts   []string
	Between []string // after each part but the last
	After   string
}

// Text puts the pieces together.
func (p Pieces) Text() string {
	var b strings.Builder
	b.WriteString(p.Before)
	for i, part := range p.Parts {
		b.WriteString(part)
		if i < len(p.Between) {
			b.WriteString(p.Between[i])
		}
	}
	b.WriteString(p.After)
	return b.String()
}

// separator is what stands between most parts.
func (p Pieces) separator() string {
	counts := make(map[string]int)
	best := "\n"
	for _, between := range p.Between {
		counts[between]++
		if counts[between] > counts[best] {
			best = between
		}
	}
	return best
}

// document is a document that edits work on.
type document struct {
	name string // of the file that was cut
	Pieces
	rest vfs.Files // the other files, which no edit touches
}

// read cuts one of several files.
func (f *Format) read(files vfs.Files, name string) (document, error) {
	text, err := plain.File(files, name)
	if err != nil {
		return document{}, err
	}
	d := document{name: name, Pieces: f.cut(name, text), rest: maps.Clone(files)}
	delete(d.rest, name)
	if len(d.Parts) == 0 {
		return d, fmt.Errorf("%w: %s has no %s", ErrNoParts, name, f.Part)
	}
	return d, nil
}

// extension of the document's file, with its dot; empty if it has none.
func (d *document) extension() string { return path.Ext(d.name) }

// with returns the files of an edited document.
func (d *document) with(files vfs.Files) vfs.Files {
	all := maps.Clone(d.rest)
	maps.Copy(all, files)
	return all
}

// ErrNoAttribute says that the parts of a document have no attribute of a name.
var ErrNoAttribute = errors.New("no attribute")

// attribute finds an attribute by its name.
func (f *Format) attribute(name string) (*Attribute, error) {
	for i := range f.Attributes {
		if f.Attributes[i].Name == name {
			return &f.Attributes[i], nil
		}
	}
	if f.Rare != nil {
		if a, ok := f.Rare(name); ok {
			return &a, nil
		}
	}
	return nil, fmt.Errorf("%s has %w %q; it has %s", f.Part, ErrNoAttribute, name, strings.Join(namesOf(f.Attributes), ", "))
}

// span is where a value stands in a text, in bytes.
type span struct{ from, to int }

// spans are all places of an attribute in a text, in order. Empty values are left out, and one
// that is computed stands nowhere.
func (a *Attribute) spans(text string) []span {
	switch {
	case a.Compute != nil:
		return nil
	case a.place != nil:
		if at := a.place(text); at.to > at.from {
			return []span{at}
		}
		return nil
	case a.Within == nil:
		return matches(a.Find, text)
	}
	var found []span
	for _, list := range matches(a.Within, text) {
		for _, at := range matches(a.Find, text[list.from:list.to]) {
			found = append(found, span{list.from + at.from, list.from + at.to})
		}
	}
	return found
}

// matches are where a pattern matches, or its first group does if it has one, but for empty ones.
func matches(find *lazyregexp.Regexp, text string) []span {
	var found []span
	for _, at := range find.FindAllStringSubmatchIndex(text, -1) {
		if place := placeOf(at); place.to > place.from {
			found = append(found, place)
		}
	}
	return found
}

// placeOf is where the first group of a match is, or all of it if there is none.
func placeOf(match []int) span {
	if len(match) > 2 {
		return span{match[2], match[3]}
	}
	return span{match[0], match[1]}
}

// values are all values of an attribute in a part.
func (a *Attribute) values(part string) []string {
	if a.Compute != nil {
		if value := a.Compute(part); value != "" {
			return []string{value}
		}
		return nil
	}
	var all []string
	for _, at := range a.spans(part) {
		all = append(all, part[at.from:at.to])
	}
	return all
}

// value is the first value of an attribute in a part; empty if it has none.
func (a *Attribute) value(part string) string {
	if known, ok := a.firsts[part]; ok {
		return known
	}
	if a.Find != nil && a.Within == nil {
		at := a.Find.FindStringSubmatchIndex(part)
		if at == nil {
			return ""
		}
		if value := placeOf(at); value.to > value.from {
			return part[value.from:value.to]
		}
	}
	return first(a.values(part))
}

// replace puts other values in place of an attribute's.
func (a *Attribute) replace(part string, with func(value string) string) string {
	var b strings.Builder
	end := 0
	for _, at := range a.spans(part) {
		b.WriteString(part[end:at.from])
		b.WriteString(with(part[at.from:at.to]))
		end = at.to
	}
	b.WriteString(part[end:])
	return b.String()
}

// TextOf is a pattern for the text in an XML element, with any prefix and any attributes. A text
// that has elements in it is none.
func TextOf(element string) string {
	return `<(?:[\w.-]+:)?` + element + `(?:\s[^<>]*)?>\s*([^<>]*[^<>\s])\s*</`
}

// ValueOf is a pattern for the value of an attribute of an XML element, in either quotes. The
// element may be a pattern itself.
func ValueOf(element, attribute string) string {
	return `<(?:[\w.-]+:)?(?:` + element + `)\s(?:[^<>]*\s)?` + attribute + `\s*=\s*["']([^"'<>]+)["']`
}

// Sized makes an attribute a number if all its values in the parts are numbers. They are looked at when that is asked.
func Sized(a Attribute, parts []string) Attribute {
	found := a
	a.sized = sync.OnceValue(func() bool {
		some := false
		for _, part := range parts {
			if value := found.value(part); value != "" {
				if _, some = decimalOf(value); !some {
					return false
				}
			}
		}
		return some
	})
	return a
}

// Placed makes an attribute whose value stands in a part from where to where a function says; nowhere if that is nothing.
func Placed(name, plural string, place func(part string) (from, to int)) Attribute {
	return Attribute{Name: name, Plural: plural, place: func(part string) span {
		from, to := place(part)
		return span{from, to}
	}}
}
