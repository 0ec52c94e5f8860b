package edit

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// Verb is an exact edit with its parameters, as an environment writes it. One of the fields
// down to Convert says what is done; the others say how. The zero Verb does nothing.
type Verb struct {
	// SplitBy is an attribute: a file for each of its values. With Only there are two files, for
	// that value and for all others.
	SplitBy string `json:"split_by,omitempty" yaml:"split_by,omitempty"`
	// SplitEvery is a number of parts: files of so many, in order.
	SplitEvery int `json:"split_every,omitempty" yaml:"split_every,omitempty"`
	// SortBy is an attribute by which the parts are sorted.
	SortBy string `json:"sort_by,omitempty" yaml:"sort_by,omitempty"`
	// Reverse puts the last part first.
	Reverse bool `json:"reverse,omitempty" yaml:"reverse,omitempty"`
	// Register is an attribute: each of its values gets a code.
	Register string `json:"register,omitempty" yaml:"register,omitempty"`
	// Aside is an attribute: each place where it stands gets a number, and a list the text.
	Aside string `json:"aside,omitempty" yaml:"aside,omitempty"`
	// AddTo is an attribute that is a number, to which Amount is added.
	AddTo string `json:"add_to,omitempty" yaml:"add_to,omitempty"`
	// Convert is another form for the whole: json, csv or markdown.
	Convert Form `json:"convert,omitempty" yaml:"convert,omitempty"`

	// Document is the file that is edited.
	Document string `json:"document" yaml:"document"`
	// Parts are those of Format.Finer or Format.Named, in its words; empty if they are the usual ones.
	Parts  string `json:"parts,omitempty" yaml:"parts,omitempty"`
	Only   string `json:"only,omitempty" yaml:"only,omitempty"`     // of SplitBy
	Code   string `json:"code,omitempty" yaml:"code,omitempty"`     // of Register and Aside: what codes begin with
	Amount string `json:"amount,omitempty" yaml:"amount,omitempty"` // of AddTo, a decimal number
	// Table is the file that says what the backward step needs to know; every verb but
	// SplitEvery, Reverse and Convert writes one.
	Table string `json:"table,omitempty" yaml:"table,omitempty"`
	// To is the file that Convert writes.
	To string `json:"to,omitempty" yaml:"to,omitempty"`
}

// IsZero reports whether the verb says nothing.
func (v Verb) IsZero() bool { return v == Verb{} }

// Form is a form in which a whole document can be written.
type Form string

// The forms.
const (
	AsJSON     Form = "json"
	AsTable    Form = "csv"
	AsMarkdown Form = "markdown"
)

// deed is something that a verb can say.
type deed struct {
	said     bool
	name     string
	forward  func(*step) (vfs.Files, error)
	backward func(*Program, vfs.Files) (vfs.Files, error)
}

// deeds are those that the verb says: one, if it is in order.
func (v Verb) deeds() []deed {
	return slices.DeleteFunc([]deed{
		{v.SplitBy != "" && v.Only == "", "split_by_" + slug(v.SplitBy), (*step).split, (*Program).merge},
		{v.SplitBy != "" && v.Only != "", "extract_by_" + slug(v.SplitBy), (*step).split, (*Program).merge},
		{v.SplitEvery != 0, fmt.Sprintf("split_every_%d", v.SplitEvery), (*step).splitEvery, (*Program).mergeEvery},
		{v.SortBy != "", "sort_by_" + slug(v.SortBy), (*step).sort, (*Program).unsort},
		{v.Reverse, "reverse", (*step).reverse, (*Program).Forward},
		{v.Register != "", "register_" + slug(v.Register), (*step).encode, (*Program).decode},
		{v.Aside != "", "set_aside_" + slug(v.Aside), (*step).encode, (*Program).decode},
		{v.AddTo != "", "add_to_" + slug(v.AddTo), (*step).add, (*Program).subtract},
		{v.Convert != "", "convert_to_" + string(v.Convert), (*step).convert, (*Program).unconvert},
	}, func(d deed) bool { return !d.said })
}

// String names what the verb does, as in "split by payee".
func (v Verb) String() string {
	return strings.ReplaceAll(v.Name(), "_", " ")
}

// Name is a name for an edit that does what the verb says, as in split_by_payee.
func (v Verb) Name() string {
	if said := v.deeds(); len(said) > 0 {
		return said[0].name
	}
	return "none"
}

// Check returns an error that says what is wrong with a verb's parameters.
func (v Verb) Check() error {
	if v.Document == "" {
		return errors.New("document must be set")
	}
	switch needsTable := v.SplitEvery == 0 && !v.Reverse && v.Convert == ""; {
	case len(v.deeds()) != 1:
		return errors.New("one of split_by, split_every, sort_by, reverse, register, aside, add_to and convert must be set")
	case needsTable && v.Table == "":
		return errors.New("table must be set")
	case v.SplitEvery < 0:
		return errors.New("split_every must be positive")
	case (v.Register != "" || v.Aside != "") && !codePrefix.MatchString(v.Code):
		return errors.New("code must be set, to capital letters")
	case v.AddTo != "":
		if _, ok := decimalOf(v.Amount); !ok {
			return fmt.Errorf("amount %q is no decimal number", v.Amount)
		}
	case v.Convert != "" && v.To == "":
		return errors.New("to must be set")
	case v.Convert != "" && v.Convert != AsJSON && v.Convert != AsTable && v.Convert != AsMarkdown:
		return fmt.Errorf("convert must be json, csv or markdown, not %q", v.Convert)
	}
	return nil
}

// Program is a verb made ready for one format: the exact steps there and back.
type Program struct {
	format *Format
	verb   Verb
}

// Program makes a verb ready. The error says which parameter does not fit.
func (f *Format) Program(v Verb) (*Program, error) {
	if err := v.Check(); err != nil {
		return nil, err
	}
	of := f.parted(v.Parts)
	if of == nil {
		return nil, fmt.Errorf("a %s has no %s", f.Document, v.Parts)
	}
	f = of
	if f.Adapt == nil && v.attribute() != "" {
		if _, err := f.attribute(v.attribute()); err != nil {
			return nil, err
		}
	}
	return &Program{f, v}, nil
}

// attribute is what a verb is about; empty if that is no attribute.
func (v Verb) attribute() string {
	return cmp.Or(v.SplitBy, v.SortBy, v.Register, v.Aside, v.AddTo)
}

// step is a program on one document.
type step struct {
	verb   Verb
	format *Format
	by     *Attribute // nil where the verb has none
	document
}

// read cuts the verb's document. Its table is none of the other files.
func (p *Program) read(files vfs.Files) (document, error) {
	d, err := p.format.read(files, p.verb.Document)
	delete(d.rest, p.verb.Table)
	return d, err
}

// on cuts the verb's document and finds its attribute there.
func (p *Program) on(files vfs.Files) (*step, error) {
	d, err := p.read(files)
	if err != nil {
		return nil, err
	}
	s := &step{verb: p.verb, format: p.format.of(d.name, d.Text()), document: d}
	if name := p.verb.attribute(); name != "" {
		s.by, err = s.format.attribute(name)
	}
	return s, err
}

// Forward does the edit.
func (p *Program) Forward(files vfs.Files) (vfs.Files, error) {
	s, err := p.on(files)
	if err != nil {
		return nil, err
	}
	return p.verb.deeds()[0].forward(s)
}

// Backward undoes it.
func (p *Program) Backward(files vfs.Files) (vfs.Files, error) {
	return p.verb.deeds()[0].backward(p, files)
}

// to is the document that a backward step makes of files, of which it takes some.
func (p *Program) to(files vfs.Files, taken string) document {
	d := document{name: p.verb.Document, rest: maps.Clone(files)}
	delete(d.rest, taken)
	return d
}

// table reads the table of a verb, in the order of the numbers in its first column.
func (p *Program) table(files vfs.Files, columns ...string) ([][]string, error) {
	rows, err := plain.Table(files, p.verb.Table, columns...)
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("%s is empty", p.verb.Table)
	}
	slices.SortStableFunc(rows, plain.ByNumber)
	return rows, nil
}
