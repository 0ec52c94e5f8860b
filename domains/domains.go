// Package domains says what a document is and how similar two are.
//
// A domain reads the files of one kind of document (a ledger, subtitles, a table) and compares two of them. It gives
// two scores. RS is that of the published evaluators, so that numbers can be compared with the paper's. Strict is
// ours: every domain flattens its document into elements, and one matcher names what was lost, added, changed and
// moved; Strict is 1 only if nothing was.
//
// Each domain is a folder of its own that builds its Domain with New; the list of all is domains/catalog.
package domains

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"weak"

	"agentd/domains/edit"
	"agentd/domains/internal/element"
	"agentd/domains/internal/notes"
	"agentd/vfs"
)

// What the matcher pairs, and what it finds.
type (
	Element    = element.Element    // a part of a document that Strict compares; those of the kind Info.Element are counted
	Field      = element.Field      // a property of an element
	Difference = element.Difference // what happened to one element
	Part       = element.Part       // the fields of which a Difference tells
	Change     = element.Change     // a kind of Difference
)

// The kinds of differences.
const (
	Lost    = element.Lost
	Added   = element.Added
	Changed = element.Changed
	Moved   = element.Moved
)

// Bounded makes one field of those beyond a number, so that the fields of two elements can be
// compared one with the other.
func Bounded(fields []Field, most int) []Field {
	if len(fields) <= most {
		return fields
	}
	var rest strings.Builder
	for _, f := range fields[most-1:] {
		rest.WriteString(f.Name + " " + f.Value + "\n")
	}
	return append(fields[:most-1:most-1], Field{Name: "rest", Value: rest.String()})
}

// Notes are the limits on work that acted in a comparison.
type Notes = notes.Notes

// Noting makes a Spec.Score of a function in which no limit on work can act.
func Noting[T any](score func(reference, candidate T) Reading) func(T, T, *Notes) Reading {
	return func(reference, candidate T, _ *Notes) Reading { return score(reference, candidate) }
}

// Domain is one kind of document. Its methods may be called concurrently.
type Domain interface {
	Info() Info
	// With returns the domain with an environment's options applied, such as the group_key of a spreadsheet. Options it
	// does not know are ignored. All domains of text know RSOption.
	With(Metadata) Domain
	// CheckReference returns a *ReferenceError where no score against the documents would mean anything: no file has a
	// name of the domain, the published reader fails, or no counted element is found.
	CheckReference(vfs.Files) error
	// Statistics counts the parts of a document.
	Statistics(vfs.Files) (Stats, error)
	// Compare scores how much of the reference survives in the candidate. It
	// never fails: what cannot be read is a Score with a Problem.
	Compare(reference, candidate vfs.Files) Score
	// Against prepares comparisons with one reference, which is read once.
	Against(reference vfs.Files) Reference
	// Differences names what was lost, added, changed or moved, in the order
	// of the reference. Where there are none and both could be read, Strict is 1. It is also 1 where nothing differs but comments
	// that weigh nothing (docs/domains.md).
	Differences(reference, candidate vfs.Files) []Difference
	// Elements flattens a document, in any state.
	Elements(vfs.Files) []Element
	// Slips are the places at which the tools of the format would stop reading the files, or would read something else
	// than is meant. Files of other names have none.
	Slips(vfs.Files) []Slip
	// Forgiven returns what Strict compares of the elements of a reference and a
	// candidate, neither of which it changes.
	Forgiven(reference, candidate []Element) (ref, got []Element)
	// Without leaves out the counted elements whose number, from 0 in the order of the document, leave accepts, with what cannot
	// stand without them. Slips of the document stay. Files in which nothing is left out stay as they are.
	Without(files vfs.Files, leave func(n int) bool) vfs.Files
	// Entries are the parts of which a document is a list, in its order. Of a
	// document that is none the error wraps ErrNoEntries and says why.
	Entries(vfs.Files) ([]Entry, error)
	// Edits are the domain's reversible edits with their oracles.
	Edits() []Edit
	// Vocabulary is what edits of any document of the domain are made of; nil if the domain has none.
	Vocabulary() *edit.Format
}

// Unsure is a domain whose reader also takes texts that are as likely of no format of their own. It
// takes them if it is named; where the domain is to be found out, general text comes first.
type Unsure interface {
	Domain
	// MayBeGeneral reports whether nothing in documents that the domain accepts is of its format alone.
	MayBeGeneral(files vfs.Files) bool
}

// Info describes a domain.
type Info struct {
	Name     string   // as in a data set's sample_type
	Title    string   // what a person would call the document
	Category string   // the paper's category
	Patterns []string // the files that belong to a document
	Element  string   // what is counted, singular, as in "transaction"
	// Together says that the files of a folder which have a name of the domain are one
	// document, as the tables of a feed are.
	Together bool
	// Binary says that a document is bytes, as a picture is, and no text of lines: no line can
	// be put to it or left out. Names of its files are vfs.Binary.
	Binary bool
	// AnyText says that any text is a document, so that none is foreign to the domain.
	AnyText bool
	// Example is one counted element as the format writes it, of one to a few lines.
	Example string
	// Components are the names of the parts of the published score, in order.
	Components []string
}

// Metadata are the options of an environment that its domain's score may need.
type Metadata map[string]string

// RSOption is the option that makes RS Strict, if its value is RSStrict: for documents that the
// published evaluator cannot read, or whose published score would need tests or a judge.
const (
	RSOption = "rs"
	RSStrict = string(Own)
)

// RSIsStrict reports whether RS shall be Strict.
func (m Metadata) RSIsStrict() bool { return m[RSOption] == RSStrict }

// Stats are counts of a document.
type Stats struct {
	Elements int // of Info.Element
	Counts   []Count
}

// Count is one count, under the name the data set uses.
type Count struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// StatsOf are the counts of a document: its elements, and a name and a value for each count, by turns.
func StatsOf(elements int, namesAndValues ...any) Stats {
	s := Stats{Elements: elements}
	for pair := range slices.Chunk(namesAndValues, 2) {
		s.Counts = append(s.Counts, Count{fmt.Sprint(pair[0]), fmt.Sprint(pair[1])})
	}
	return s
}

// Score is how much of a reference survives in a candidate.
type Score struct {
	RS    float64 // 0..1, as the published evaluator has it
	Basis Basis   // what RS is
	// Strict is 0 to 1, by the format's own rules, and 1 only if nothing that matters changed. It is 0 if the format's
	// own reader could not read the reference: it finds no counted element in it, and the reference is blank or more
	// foreign text than parts of the format. Nor is it 1 if that holds of the candidate, since it is not known what
	// differs between texts that were not read. Whether the published reader could read the two does not matter here.
	Strict     float64
	Components map[string]float64 // the parts of RS
	Elements   Elements
	Problem    string // why the candidate could not be read, empty if it could
	// Crash says that the published evaluator ends with an exception on this pair, and so gives no score at all. RS
	// is 0 then and Problem says why. An exception that the published evaluator catches, as one at a single file or
	// event, is no crash. docs/domains.md lists the documents on which it crashes.
	Crash bool
	// Unreadable says that the published reader gave up on the candidate, or found no counted element in it, although
	// the format's own reader could read it and finds some. RS is then low, mostly 0, because of a token that
	// stopped the published reader, and not because elements are lost. Programs, which are run and not read, never have
	// it.
	Unreadable bool
	// Fault says that RS could not be found, through no fault of the candidate:
	// it means nothing then, and Problem repeats the reason.
	Fault error
	// Approximate says which limits on work acted on RS or Strict, such as "RS: long
	// sequences are compared by what they share, in any order". It is empty where none did,
	// as on documents of common sizes. docs/domains.md lists them.
	Approximate string
}

// Elements are the numbers of counted elements on both sides.
type Elements struct {
	Reference int `json:"reference"`
	Candidate int `json:"candidate"`
}

// Edit is a reversible edit's oracle: the exact program for both directions. Each takes the documents before the step
// and returns those after it; an input that it cannot work on is an error.
type Edit struct {
	Name     string // by which an environment's edit refers to it
	Forward  func(vfs.Files) (vfs.Files, error)
	Backward func(vfs.Files) (vfs.Files, error)
	// With returns the edit with its parameters, which are a JSON object; nil for an edit that
	// has none. Where it is set, Forward and Backward are not.
	With func(parameters string) (Edit, error)
}

// Reading is what the published evaluator makes of a pair of documents.
type Reading struct {
	RS         float64
	Basis      Basis
	Components map[string]float64
	Elements   Elements
	Problem    string // why the published program gives up on the pair, if it does
	Crash      error  // wraps ErrCrash where the published program crashes when it compares the pair
	Fault      error  // as in Score
}

// ErrCrash is wrapped by the error of a Spec.Parse, or by a Reading.Crash, where the
// published evaluator ends with an exception that nothing in it catches.
var ErrCrash = errors.New("the published evaluator crashes")

// Spec is what a domain's folder supplies; T is its parsed document.
type Spec[T any] struct {
	Info Info
	// Parse reads a document as the published evaluator does. An error makes the candidate score 0, with the error as
	// Problem. It wraps ErrCrash where the published evaluator crashes on the document. It is nil for a domain without
	// a published evaluator: RS is then Strict, with the basis Own, and Score, Stats, Counted, Others and Crashes
	// have no use.
	Parse func(vfs.Files) (T, error)
	// Score compares as the published evaluator does, and notes which limits on work acted.
	// Noting makes one of a function in which none can act.
	Score func(reference, candidate T, noted *Notes) Reading
	// Stats counts the parts of a document that Parse read.
	Stats func(T) Stats
	// OneOrder says that the elements of all kinds stand in one order, and Position is their place in it.
	OneOrder bool
	// Elements flattens a document by the format's own rules.
	Elements func(vfs.Files) []Element
	// Counted reports whether Elements finds each element of a document that Stats counts, and no other one of the kind
	// Info.Element. They are then counted there, not in Reading.Elements, which saves reading the document once more;
	// nil if they never are.
	Counted func(T) bool
	// Evidence counts the elements that show that files are a document of the domain, by the format's own rules;
	// elements is what Elements makes of the files. If it is nil, all elements of the kind Info.Element are counted. It
	// is set where the reader is so lenient that it finds such elements in foreign text too.
	Evidence func(files vfs.Files, elements []Element) int
	// Others counts the parts by which the published evaluator scores a document that has no counted element, such as
	// the waypoints of a GPX file without tracks; nil if such a document cannot be a reference.
	Others func(T) int
	// Crashes says why the published evaluator crashes when it compares a document with
	// itself, which then cannot be a reference. The error wraps ErrCrash; it is nil for
	// other documents. Crashes is nil if no document that Parse reads has that effect.
	Crashes func(T) error
	// Forgives returns what Strict compares of a reference's and a candidate's elements, neither of which it changes; nil
	// if that is all of them. What never means anything is not among Elements; what is harmless only if it is added is
	// left out here.
	Forgives func(reference, candidate []Element) ([]Element, []Element)
	// Shown writes a text of an element for people, where elements hold it in another form; nil if they never do.
	Shown func(string) string
	// Form finds the slips of one file, whose line ends are line feeds: where a tool of the format would stop, and why. It is
	// made of the checks in domains/internal/wellformed; where a library is the format's own judge, that library judges. Slips
	// that the reference has as well do not count, so a check may know less than all dialects. Nil if any text has
	// the form, but for what an answer leaves around a file, which is looked for in every domain.
	Form func(name, text string) []Slip
	// Comments are marks that make a line a comment, at its beginning; with a ^ in front of the mark, only in the first column. A mark
	// /* begins one that ends at */. They are set where readers let comments stand anywhere.
	Comments []string
	// Prose says that people read a document, and no program: a blank of any width is a blank.
	Prose bool
	// Fences says that a Markdown code fence may stand in a document, such as in comments.
	Fences bool
	// Hazards finds the dangers and safeguards of a document in its elements; nil if the domain knows of none.
	Hazards func(elements []Element) Hazards
	// Without leaves the counted elements out of a file for which leave reports true, as Domain.Without has it.
	// It asks once for each element, in the order of the file. What it returns counts only if any is left out.
	Without func(name, text string, leave func() bool) string
	// WithoutIn does so of all files at once, where an element of one file is named in others; nil where
	// Without is enough.
	WithoutIn func(files vfs.Files, leave func() bool) vfs.Files
	// Sampling says how a document is made smaller.
	Sampling Sampling
	Edits    []Edit
	// Vocabulary says how documents are cut into parts, for edits of any of them; nil if
	// the domain has none. Its Patterns are those of Info.
	Vocabulary func() edit.Format
	// With applies an environment's options; nil if the domain has none.
	With func(Metadata) Spec[T]
}

// New builds a domain.
func New[T any](spec Spec[T]) Domain {
	if read := spec.Elements; !spec.Info.Binary {
		spec.Elements = func(files vfs.Files) []Element { return read(withoutMarks(files)) }
	}
	return domain[T]{spec, vocabulary(spec.Info, spec.Vocabulary), &atomic.Pointer[weak.Pointer[against[T]]]{}}
}

// withoutMarks are texts without byte order marks, which say how a text is written and nothing of what it means. They are left to the
// published readers, of which some fail at one.
func withoutMarks(files vfs.Files) vfs.Files {
	bare := files.Clone()
	for name, text := range files {
		bare[name] = strings.TrimPrefix(text, "\ufeff")
	}
	return bare
}

type domain[T any] struct {
	spec  Spec[T]
	edits func() *edit.Format
	last  *atomic.Pointer[weak.Pointer[against[T]]] // the last reference, until the garbage collector takes it
}

// vocabulary makes a domain's format when it is first asked for.
func vocabulary(info Info, format func() edit.Format) func() *edit.Format {
	return sync.OnceValue(func() *edit.Format {
		if format == nil {
			return nil
		}
		f := format()
		f.Patterns = info.Patterns
		return &f
	})
}

func (d domain[T]) Vocabulary() *edit.Format { return d.edits() }

func (d domain[T]) Info() Info    { return d.spec.Info }
func (d domain[T]) Edits() []Edit { return d.spec.Edits }

func (d domain[T]) With(options Metadata) Domain {
	spec := d.spec
	switch {
	case spec.With != nil && len(options) > 0:
		spec = spec.With(options)
	case !options.RSIsStrict():
		return d
	}
	if options.RSIsStrict() {
		spec.Parse = nil
	}
	return New(spec)
}

func (d domain[T]) Statistics(files vfs.Files) (Stats, error) {
	if d.spec.Parse == nil {
		return Stats{Elements: countKinds(d.spec.Elements(normalized(files)), d.spec.Info.Element)}, nil
	}
	doc, err := d.spec.Parse(normalized(files))
	if err != nil {
		return Stats{}, err
	}
	return d.spec.Stats(doc), nil
}

func (d domain[T]) Elements(files vfs.Files) []Element { return d.spec.Elements(files) }

func (d domain[T]) Forgiven(reference, candidate []Element) (ref, got []Element) {
	if d.spec.Forgives == nil {
		return reference, candidate
	}
	return d.spec.Forgives(reference, candidate)
}

func (d domain[T]) Without(files vfs.Files, leave func(int) bool) vfs.Files {
	n, some := 0, false
	ask := func() bool {
		gone := leave(n)
		n++
		some = some || gone
		return gone
	}
	if d.spec.WithoutIn != nil {
		if left := d.spec.WithoutIn(files, ask); some {
			return left
		}
		return files.Clone()
	}
	left := files.Clone()
	for _, name := range files.Names() {
		some = false
		if text := d.spec.Without(name, files[name], ask); some {
			left[name] = text
		}
	}
	return left
}

func (d domain[T]) Compare(reference, candidate vfs.Files) Score {
	return d.Against(reference).Compare(candidate)
}

func (d domain[T]) Differences(reference, candidate vfs.Files) []Difference {
	return d.Against(reference).Differences(candidate)
}

// Against returns the last reference where the documents are the same, so that it is not read again.
func (d domain[T]) Against(reference vfs.Files) Reference {
	if last := d.last.Load(); last != nil {
		if a := last.Value(); a != nil && maps.Equal(a.raw, reference) {
			return a
		}
	}
	files := normalized(reference)
	elements := sync.OnceValue(func() []Element { return d.spec.Elements(files) })
	a := &against[T]{
		spec:     &d.spec,
		files:    files,
		raw:      reference.Clone(),
		parsed:   sync.OnceValues(func() (T, error) { return d.spec.Parse(files) }),
		elements: elements,
		fenced:   hasFence(files),
		legible:  sync.OnceValue(func() bool { return d.spec.legible(files, elements()) }),
		slips:    sync.OnceValue(func() []Slip { return d.spec.slips(files) }),
	}
	last := weak.Make(a)
	d.last.Store(&last)
	return a
}
