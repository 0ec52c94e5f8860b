package edit

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// ErrInexact says that an edit would not lead back to a document byte for byte.
var ErrInexact = errors.New("the edit would not lead back")

// hole is where a value belongs in a text of a verb.
const hole = "{}"

// Program is a verb made ready for one format: the exact steps there and back.
type Program struct {
	format *Format
	verb   Verb
	deed   deed
}

// Program makes a verb ready. The error says which parameter does not fit.
func (f *Format) Program(v Verb) (*Program, error) {
	if err := v.Check(); err != nil {
		return nil, err
	}
	of := f.parted(v.Parts)
	if of == nil {
		return nil, fmt.Errorf("%s has no %s; it has %s", WithArticle(f.Document), v.Parts, strings.Join(f.allParts(), ", "))
	}
	f = of
	p := &Program{format: f, verb: v}
	p.deed, _ = v.deed() // Check has found it
	if f.Adapt == nil {
		if _, err := p.attributes(f); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// names are the attributes that a verb is about.
func (v Verb) names() []string {
	names := slices.Concat(v.Columns, v.Rewrite, v.Totals.names())
	for _, key := range v.SortBy {
		names = append(names, readKey(key).name)
	}
	for _, one := range v.SplitInto {
		for _, clause := range one.If {
			names = append(names, slices.Sorted(maps.Keys(clause))...)
		}
	}
	return append(slices.DeleteFunc([]string{v.SplitBy, v.Register, v.Aside, v.AddTo, v.Note}, func(name string) bool { return name == "" }), names...)
}

// attributes are those that the verb is about, of a format: its main one first. A verb that
// puts something in place of a value takes none that is computed.
func (p *Program) attributes(f *Format) ([]*Attribute, error) {
	var all []*Attribute
	for _, name := range p.verb.names() {
		a, err := f.attribute(name)
		if err != nil {
			return nil, err
		}
		all = append(all, a)
	}
	for _, name := range slices.Concat(p.verb.Rewrite, []string{p.verb.Register, p.verb.Aside, p.verb.AddTo}) {
		if a, err := f.attribute(name); name != "" && err == nil && a.Compute != nil {
			return nil, fmt.Errorf("the %s of %s is computed, so it stands nowhere", name, WithArticle(f.Part))
		}
	}
	return all, nil
}

// step is a program on one document.
type step struct {
	verb   Verb
	whole  *Format    // of all files
	format *Format    // of the document
	by     *Attribute // the main attribute; nil where the verb has none
	document
}

// read cuts the verb's document. Its tables are none of the other files.
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
	s := &step{verb: p.verb, whole: p.format, format: p.format.of(d.name, d.Text()), document: d}
	all, err := p.attributes(s.format)
	if len(all) > 0 {
		s.by = all[0]
	}
	return s, err
}

// Forward does the edit. If the backward step would not lead to the same bytes, the error wraps ErrInexact.
func (p *Program) Forward(files vfs.Files) (vfs.Files, error) {
	there, err := p.Attempt(files)
	if err != nil {
		return nil, err
	}
	if err := p.Exact(files, there); err != nil {
		return nil, err
	}
	return there, nil
}

// Exact returns an error that wraps ErrInexact if the backward step does not lead from there to the same bytes.
func (p *Program) Exact(files, there vfs.Files) error {
	back, err := p.Backward(there)
	switch {
	case err != nil:
		return fmt.Errorf("%w: %w", ErrInexact, err)
	case !back.Equal(files):
		return fmt.Errorf("%w: %s", ErrInexact, difference(files, back))
	}
	return nil
}

// Attempt does the edit as Forward does, and leaves it to Exact whether that leads back.
func (p *Program) Attempt(files vfs.Files) (vfs.Files, error) {
	if p.verb.Convert == AsTree {
		return p.plant(files)
	}
	s, err := p.on(files)
	if err != nil {
		return nil, err
	}
	summary, err := s.totals()
	if err != nil {
		return nil, err
	}
	there, err := p.deed.forward(s)
	if err != nil {
		return nil, err
	}
	maps.Copy(there, summary)
	return p.rename(there, func(old string) (string, string) { return old, p.verb.named(old) })
}

// Backward undoes it.
func (p *Program) Backward(files vfs.Files) (vfs.Files, error) {
	files = maps.Clone(files)
	if p.verb.Totals != nil {
		delete(files, p.verb.Totals.To)
	}
	files, err := p.rename(files, func(old string) (string, string) { return p.verb.named(old), old })
	if err != nil {
		return nil, err
	}
	return p.deed.backward(p, files)
}

// rename gives the edited files other names. A name that another file has is an error.
func (p *Program) rename(files vfs.Files, names func(old string) (from, to string)) (vfs.Files, error) {
	if p.verb.To == "" || p.verb.Convert != "" {
		return files, nil
	}
	all := maps.Clone(files)
	for _, old := range p.verb.edited() {
		from, _ := names(old)
		delete(all, from)
	}
	for _, old := range p.verb.edited() {
		from, to := names(old)
		text, err := plain.File(files, from)
		if err != nil {
			return nil, err
		}
		if _, taken := all[to]; taken {
			return nil, fmt.Errorf("there is already a file %s", to)
		}
		all[to] = text
	}
	return all, nil
}

// edited are the files that a verb edits and leaves.
func (v Verb) edited() []string {
	all := append(slices.Sorted(maps.Keys(v.Also)), v.Document)
	slices.Sort(all)
	return slices.Compact(all)
}

// named is the new name of an edited file.
func (v Verb) named(old string) string {
	switch stem := strings.TrimSuffix(path.Base(old), path.Ext(old)); {
	case v.To == "" || v.Convert != "":
		return old
	case strings.Contains(v.To, "*"):
		return path.Join(path.Dir(old), strings.Replace(v.To, "*", stem, 1))
	case old == v.Document:
		return v.To
	}
	return old
}

// difference says where two states first differ.
func difference(want, got vfs.Files) string {
	for _, name := range want.Names() {
		text, ok := got[name]
		switch {
		case !ok:
			return name + " would be missing"
		case text != want[name]:
			a, b := strings.Split(want[name], "\n"), strings.Split(text, "\n")
			for n := range a {
				if n == len(b) || a[n] != b[n] {
					return fmt.Sprintf("line %d of %s would differ", n+1, name)
				}
			}
			return name + " would be longer"
		}
	}
	for _, name := range got.Names() {
		if _, ok := want[name]; !ok {
			return name + " would be left over"
		}
	}
	return "nothing differs"
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
