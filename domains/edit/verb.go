package edit

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

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
	// SplitInto are files: a part goes to the first whose condition it meets.
	SplitInto []Case `json:"split_into,omitempty" yaml:"split_into,omitempty"`
	// SortBy are attributes by which the parts are sorted, as in "amount descending".
	SortBy Several[string] `json:"sort_by,omitempty" yaml:"sort_by,omitempty"`
	// Reverse puts the last part first.
	Reverse bool `json:"reverse,omitempty" yaml:"reverse,omitempty"`
	// Register is an attribute: each of its values gets a code.
	Register string `json:"register,omitempty" yaml:"register,omitempty"`
	// Aside is an attribute: each place where it stands gets a number, and a list the text.
	Aside string `json:"aside,omitempty" yaml:"aside,omitempty"`
	// AddTo is an attribute that is a number, to which Amount is added.
	AddTo string `json:"add_to,omitempty" yaml:"add_to,omitempty"`
	// Rewrite are attributes whose values are written as By says.
	Rewrite Several[string] `json:"rewrite,omitempty" yaml:"rewrite,omitempty"`
	// Note is an attribute that is written into each part, as As says.
	Note string `json:"note,omitempty" yaml:"note,omitempty"`
	// Convert is another form for the whole: json, csv, markdown or tree.
	Convert Form `json:"convert,omitempty" yaml:"convert,omitempty"`

	// Document is the file that is edited; of Convert: tree it may be a pattern, for several.
	Document string `json:"document" yaml:"document"`
	// Parts are those of Format.Finer or Format.Named, in its words; empty if they are the usual ones.
	Parts string `json:"parts,omitempty" yaml:"parts,omitempty"`
	Only  string `json:"only,omitempty" yaml:"only,omitempty"`   // of SplitBy
	Files string `json:"files,omitempty" yaml:"files,omitempty"` // of SplitBy: their names, with {} for the value
	Code  string `json:"code,omitempty" yaml:"code,omitempty"`   // of Register and Aside: what codes begin with
	// Also are attributes, by file, that refer to values of Register: they get the codes too.
	Also   map[string]Several[string] `json:"also,omitempty" yaml:"also,omitempty"`
	Leave  string                     `json:"leave,omitempty" yaml:"leave,omitempty"`   // of Aside: number, or nothing
	Amount string                     `json:"amount,omitempty" yaml:"amount,omitempty"` // of AddTo, a decimal number
	By     *Map                       `json:"by,omitempty" yaml:"by,omitempty"`         // of Rewrite
	As     string                     `json:"as,omitempty" yaml:"as,omitempty"`         // of Note: the text, with {} for the value
	Place  Place                      `json:"place,omitempty" yaml:"place,omitempty"`   // of Note: below the part if it is empty
	// Columns are attributes that Convert writes; all if it is empty.
	Columns Several[string] `json:"columns,omitempty" yaml:"columns,omitempty"`
	// Totals is a summary that the forward step writes and the backward step drops.
	Totals *Totals `json:"totals,omitempty" yaml:"totals,omitempty"`
	// Table is the file that says what the backward step needs to know. SplitEvery, Reverse, Note
	// and Convert write none, and Rewrite only if it is given.
	Table string `json:"table,omitempty" yaml:"table,omitempty"`
	// To is the file that Convert writes. Of other verbs that leave one document it is that
	// document's new name; with a * it names all files they edit, by their old names without extension.
	To string `json:"to,omitempty" yaml:"to,omitempty"`
}

// Case is a file of SplitInto and the condition for a part to go there.
type Case struct {
	File string    `json:"file" yaml:"file"`
	If   Condition `json:"if,omitempty" yaml:"if,omitempty"`
	// Reason stands in the table for each part of this case, if any case has one.
	Reason string `json:"reason,omitempty" yaml:"reason,omitempty"`
}

// IsZero reports whether the verb says nothing.
func (v Verb) IsZero() bool { return reflect.ValueOf(v).IsZero() }

// Form is a form in which a whole document can be written.
type Form string

// The forms.
const (
	AsJSON     Form = "json"
	AsTable    Form = "csv"
	AsMarkdown Form = "markdown"
	AsTree     Form = "tree"
)

var forms = []Form{AsJSON, AsTable, AsMarkdown, AsTree}

// deed is something that a verb can say.
type deed struct {
	said      bool
	verb      string // what people call it
	key, name string // key is empty for another form of the deed above
	forward   func(*step) (vfs.Files, error)
	backward  func(*Program, vfs.Files) (vfs.Files, error)
	tabled    bool   // it needs a table
	splits    bool   // it leaves no document that To could name
	leaves    string // a name for the document that it leaves; empty if it splits
}

// deeds are all that there are, of which a verb in order says one. A new one is a field of Verb, a line here with its steps there and back,
// a proposer in propose.go with its wording in words.go, a row in TestVerbs, and a paragraph in docs/environments.md.
func (v Verb) deeds() []deed {
	by := func(names []string) string {
		var all []string
		for _, name := range names {
			all = append(all, slug(name))
		}
		return strings.Join(all, "_and_")
	}
	return []deed{
		{said: v.SplitBy != "" && v.Only == "", verb: "split", key: "split_by", name: "split_by_" + slug(v.SplitBy), forward: (*step).split, backward: (*Program).merge, tabled: true, splits: true},
		{said: v.SplitBy != "" && v.Only != "", verb: "split", name: "extract_by_" + slug(v.SplitBy), forward: (*step).split, backward: (*Program).merge, tabled: true, splits: true},
		{said: len(v.SplitInto) > 0, verb: "split", key: "split_into", name: v.splitName(), forward: (*step).split, backward: (*Program).merge, tabled: true, splits: true},
		{said: v.SplitEvery != 0, verb: "split", key: "split_every", name: fmt.Sprintf("split_every_%d", v.SplitEvery), forward: (*step).splitEvery, backward: (*Program).mergeEvery, splits: true},
		{said: len(v.SortBy) > 0, verb: "sort", key: "sort_by", name: "sort_by_" + by(v.SortBy), leaves: "sorted", forward: (*step).sort, backward: (*Program).unsort, tabled: true},
		{said: v.Reverse, verb: "sort", key: "reverse", name: "reverse", leaves: "from_the_end", forward: (*step).reverse, backward: (*Program).reverseAgain},
		{said: v.Register != "", verb: "register", key: "register", name: "register_" + slug(v.Register), leaves: "coded", forward: (*step).register, backward: (*Program).decode, tabled: true},
		{said: v.Aside != "" && v.Leave != nothing, verb: "aside", key: "aside", name: "set_aside_" + slug(v.Aside), leaves: "numbered", forward: (*step).number, backward: (*Program).decode, tabled: true},
		{said: v.Aside != "" && v.Leave == nothing, verb: "aside", name: "take_out_" + slug(v.Aside), leaves: "shortened", forward: (*step).takeOut, backward: (*Program).putIn, tabled: true},
		{said: v.AddTo != "", verb: "rewrite", key: "add_to", name: "add_to_" + slug(v.AddTo), leaves: "adjusted", forward: (*step).add, backward: (*Program).subtract, tabled: true},
		{said: len(v.Rewrite) > 0, verb: "rewrite", key: "rewrite", name: "rewrite_" + by(v.Rewrite), leaves: "rewritten", forward: (*step).rewrite, backward: (*Program).rewriteAgain},
		{said: v.Note != "", verb: "note", key: "note", name: "note_" + slug(v.Note), leaves: "annotated", forward: (*step).note, backward: (*Program).unnote},
		{said: v.Convert != "", verb: "convert", key: "convert", name: "convert_to_" + string(v.Convert), forward: (*step).convert, backward: (*Program).unconvert, splits: true},
	}
}

// deed is what the verb says; false if it is not one thing.
func (v Verb) deed() (deed, bool) {
	said := slices.DeleteFunc(v.deeds(), func(d deed) bool { return !d.said })
	if len(said) != 1 {
		return deed{}, false
	}
	return said[0], true
}

// keys are those that say what is done.
func keys() string {
	var all []string
	for _, d := range (Verb{}).deeds() {
		if d.key != "" {
			all = append(all, d.key)
		}
	}
	return strings.Join(all[:len(all)-1], ", ") + " and " + all[len(all)-1]
}

// String names what the verb does, as in "split by payee".
func (v Verb) String() string {
	return strings.ReplaceAll(v.Name(), "_", " ")
}

// Name is a name for an edit that does what the verb says, as in split_by_payee.
func (v Verb) Name() string {
	if d, ok := v.deed(); ok {
		return d.name
	}
	return "none"
}

// Kind is the kind of verb: split, sort (reverse too), register, aside, rewrite (add_to too), note or convert; "" for a verb that says nothing or
// several things.
func (v Verb) Kind() string {
	d, _ := v.deed()
	return d.verb
}

// Check returns an error that says what is wrong with a verb's parameters.
func (v Verb) Check() error {
	d, ok := v.deed()
	switch {
	case v.Document == "":
		return errors.New("document must be set")
	case !ok:
		return fmt.Errorf("one of %s must be set", keys())
	case d.tabled && v.Table == "":
		return errors.New("table must be set")
	case v.SplitEvery < 0:
		return errors.New("split_every must be positive")
	case (v.Register != "" || v.Aside != "" && v.Leave != nothing) && !codePrefix.MatchString(v.Code):
		return errors.New("code must be set, to capital letters")
	case v.Leave != "" && v.Leave != nothing && v.Leave != aNumber:
		return fmt.Errorf("leave must be %s or %s, not %q", aNumber, nothing, v.Leave)
	case v.Files != "" && !strings.Contains(v.Files, hole):
		return fmt.Errorf("files must have %s where the value belongs", hole)
	case v.Convert != "" && v.To == "":
		return errors.New("to must be set")
	case v.Convert != "" && !slices.Contains(forms, v.Convert):
		return fmt.Errorf("convert must be json, csv, markdown or tree, not %q", v.Convert)
	case v.Convert == "" && v.To != "" && d.splits:
		return fmt.Errorf("%s has no key to: it leaves several files", v)
	}
	return errors.Join(v.checkAmount(), v.checkCases(), v.checkNote(), v.checkMap(), v.Totals.check())
}

func (v Verb) checkAmount() error {
	if _, ok := decimalOf(v.Amount); v.AddTo != "" && !ok {
		return fmt.Errorf("amount %q is no decimal number", v.Amount)
	}
	return nil
}
