// Package exact makes exact, reversible edits of a domain's own documents. A domain says once
// how its documents are read, printed, divided and joined (Format). An edit is then what it
// does to a document, or to each of its parts.
package exact

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// Steps are the two directions of an edit. The backward step leads back exactly from what the
// forward step made. An error says what is missing in the files, or wrong.
type Steps struct {
	Forward, Backward func(vfs.Files) (vfs.Files, error)
}

// Refuse returns an edit that cannot be made with its parameters: both steps say so.
func Refuse(text string) Steps {
	refuse := func(vfs.Files) (vfs.Files, error) { return nil, errors.New(text) }
	return Steps{Forward: refuse, Backward: refuse}
}

// Format says how the documents D of a domain, which are lists of parts P, are taken apart and
// put together. Nothing may get lost: what no part holds is of the document.
type Format[D, P any] struct {
	Patterns []string // of the files that hold documents
	Read     func(text string) D
	Print    func(D) string
	Parts    func(*D) *[]P
	// Follow readies a document to stand after another one: what it has before its first part
	// becomes a part of that. nil does nothing.
	Follow func(*D)
	// Join puts documents one after the other; nil gives the first one the parts of all.
	Join func([]D) D
	// Shell returns what every file of a divided document has, also those that do not get what
	// is of the document; nil stands for nothing.
	Shell func(D) D
	// Empty is the error for files that hold no part, or none that Counts where it is set; nil
	// allows them.
	Empty  error
	Counts func(*P) bool
	// Fault is why a document that was read or joined cannot be taken apart; nil stands for no
	// such.
	Fault func(*D) error
	// Says is what a document says, layout aside. Where it is set, a forward step refuses a
	// document that the backward step would not lead back to.
	Says func(D) string
}

// Document reads all documents, in name order, as one.
func (f *Format[D, P]) Document(files vfs.Files) (D, error) {
	all, err := f.documents(files.Match(f.Patterns), "")
	if err != nil {
		return f.join(nil), err
	}
	d := f.join(all.read)
	return d, f.check(d)
}

// check is an error if a document has a fault, or no part that counts.
func (f *Format[D, P]) check(d D) error {
	if f.Fault != nil {
		if err := f.Fault(&d); err != nil {
			return err
		}
	}
	parts := *f.Parts(&d)
	for i := range parts {
		if f.Counts == nil || f.Counts(&parts[i]) {
			return nil
		}
	}
	return f.Empty
}

func (f *Format[D, P]) join(all []D) (joined D) {
	if f.Join != nil {
		return f.Join(all)
	}
	for n := range all {
		if n == 0 {
			joined = all[0]
			continue
		}
		parts := f.Parts(&joined)
		*parts = append(*parts, *f.Parts(&all[n])...)
	}
	return joined
}

// Named reads the file that a backward step needs.
func (f *Format[D, P]) Named(files vfs.Files, name string) (d D, err error) {
	text, err := plain.File(files, name)
	if err != nil {
		return d, err
	}
	return f.read(name, text)
}

// read reads a file. An error names it.
func (f *Format[D, P]) read(name, text string) (D, error) {
	d := f.Read(text)
	if f.Fault != nil {
		if err := f.Fault(&d); err != nil {
			return d, fmt.Errorf("reading %s: %w", name, err)
		}
	}
	return d, nil
}

// named are documents with the names of their files.
type named[D any] struct {
	names []string
	read  []D
}

// documents reads files in name order, only the one called first, if there is one, before all
// others.
func (f *Format[D, P]) documents(files vfs.Files, first string) (all named[D], err error) {
	all.names = files.Names()
	if at := slices.Index(all.names, first); at > 0 {
		all.names = slices.Insert(slices.Delete(all.names, at, at+1), 0, first)
	}
	for n, name := range all.names {
		d, err := f.read(name, files[name])
		if err != nil {
			return all, err
		}
		if n > 0 && f.Follow != nil {
			f.Follow(&d)
		}
		all.read = append(all.read, d)
	}
	return all, nil
}

// Whole changes a document as a whole into files, and back from them.
func (f *Format[D, P]) Whole(document string, forward func(D) (vfs.Files, error), backward func(vfs.Files) (D, error)) Steps {
	return Steps{
		Forward: func(files vfs.Files) (vfs.Files, error) {
			d, err := f.Document(files)
			if err != nil {
				return nil, err
			}
			if f.Says == nil {
				return forward(d)
			}
			was := f.Says(d) // forward may change the document
			made, err := forward(d)
			if err != nil {
				return nil, err
			}
			again, err := backward(made)
			if err == nil && f.Says(again) != was {
				err = errors.New("the edit would not lead back to this document")
			}
			return made, err
		},
		Backward: func(files vfs.Files) (vfs.Files, error) {
			d, err := backward(files)
			if err == nil {
				err = f.check(d)
			}
			if err != nil {
				return nil, err
			}
			return vfs.Files{document: f.Print(d)}, nil
		},
	}
}

// Rewrite changes a document into the file to, and says what else is needed to lead back in
// further files: change changes it and returns these. restore changes it back, with the
// files at hand.
func (f *Format[D, P]) Rewrite(document, to string, change func(*D) (vfs.Files, error), restore func(*D, vfs.Files) error) Steps {
	pointed := Single[*D]{
		Named: func(files vfs.Files, name string) (*D, error) {
			d, err := f.Named(files, name)
			return &d, err
		},
		Print: func(d *D) string { return f.Print(*d) },
	}
	forward, backward := pointed.rewrite(to, change, restore)
	return f.Whole(document, func(d D) (vfs.Files, error) { return forward(&d) }, func(files vfs.Files) (D, error) {
		d, err := backward(files)
		return *d, err
	})
}

// Change changes a document into the file to, and back from that file alone.
func (f *Format[D, P]) Change(document, to string, change, restore func(*D)) Steps {
	return alone(f, document, to, change, restore)
}

// Split hands the parts out, in order, to the files that place names. main gets what is of the
// document, too. place also returns cells for the columns that the table has after position
// and file.
func (f *Format[D, P]) Split(document, main, table string, place func(*P) (file string, cells []string), columns ...string) Steps {
	forward := func(d D) (vfs.Files, error) { return f.DivideByTable(d, main, table, place, columns...), nil }
	return f.Whole(document, forward, func(files vfs.Files) (D, error) { return f.MergeByTable(files, main, table) })
}

// DivideByTable is the forward step of Split.
func (f *Format[D, P]) DivideByTable(
	d D, main, table string, place func(*P) (file string, cells []string), columns ...string,
) vfs.Files {
	rows := [][]string{append([]string{"position", "file"}, columns...)}
	made := f.Divide(d, main, func(p *P) string {
		file, cells := place(p)
		rows = append(rows, append([]string{strconv.Itoa(len(rows)), file}, cells...))
		return file
	})
	made[table] = plain.WriteCSV(rows)
	return made
}

// Divide hands the parts out, in order, to the files that fileOf names. main gets what is of
// the document, too; an empty name is that of no file.
func (f *Format[D, P]) Divide(d D, main string, fileOf func(*P) string) vfs.Files {
	parts := *f.Parts(&d)
	*f.Parts(&d) = nil
	shell := func(D) (none D) { return none }
	if f.Shell != nil {
		shell = f.Shell
	}
	undivided := d
	divided := map[string]*D{}
	if main != "" {
		divided[main] = &d
	}
	for i := range parts {
		name := fileOf(&parts[i])
		if divided[name] == nil {
			with := shell(undivided)
			divided[name] = &with
		}
		into := f.Parts(divided[name])
		*into = append(*into, parts[i])
	}
	made := vfs.Files{}
	for name, of := range divided {
		made[name] = f.Print(*of)
	}
	return made
}

// MergeByTable puts the parts of all documents in the order of a table with the positions and
// files of the parts, as Split makes it. Parts that the table does not place come last.
func (f *Format[D, P]) MergeByTable(files vfs.Files, main, table string) (none D, err error) {
	rows, err := plain.Table(files, table, "position", "file")
	if err != nil {
		return none, err
	}
	slices.SortStableFunc(rows, plain.ByNumber)
	taken, positions := map[string]int{}, map[Place]int{}
	for n, row := range rows {
		taken[row[1]]++
		positions[Place{row[1], taken[row[1]]}] = n
	}
	return f.Merge(files, main, positions)
}

// Place is where a part is: in which file, and its number there, from 1.
type Place struct {
	File   string
	Number int
}

// Merge puts the parts of all documents in the order of their positions. Parts without a
// position come last. What is of the document comes from main.
func (f *Format[D, P]) Merge(files vfs.Files, main string, positions map[Place]int) (merged D, err error) {
	files = files.Match(f.Patterns)
	if len(files) == 0 {
		return merged, f.Empty
	}
	all, err := f.documents(files, main)
	if err != nil {
		return merged, err
	}
	var places []Place
	var parts []P
	for n := range all.read {
		of := f.Parts(&all.read[n])
		for i := range *of {
			places = append(places, Place{all.names[n], i + 1})
		}
		parts = append(parts, *of...)
		*of = nil
	}
	merged = f.join(all.read)
	*f.Parts(&merged) = parts
	f.SortByNumber(&merged, func(*P) (int, bool) {
		position, ok := positions[places[0]]
		places = places[1:]
		return position, ok
	})
	return merged, f.check(merged)
}

// Number gives each part its position, from 1.
func (f *Format[D, P]) Number(d *D, give func(p *P, position int)) {
	parts := *f.Parts(d)
	for i := range parts {
		give(&parts[i], i+1)
	}
}

// Sort sorts the parts and returns the former position of each, from 1.
func (f *Format[D, P]) Sort(d *D, compare func(a, b *P) int) (positions []int) {
	parts := *f.Parts(d)
	former := slices.Clone(parts)
	order := lists.Order(len(parts), func(a, b int) int { return compare(&former[a], &former[b]) })
	for n, at := range order {
		parts[n] = former[at]
		positions = append(positions, at+1)
	}
	return positions
}

// SortByNumber sorts the parts by the position that take finds in them, or takes away from
// them. Parts without one come last.
func (f *Format[D, P]) SortByNumber(d *D, take func(*P) (position int, ok bool)) {
	parts := *f.Parts(d)
	lists.Arrange(parts, lists.Each(parts, func(p *P) int {
		if position, ok := take(p); ok {
			return position
		}
		return math.MaxInt
	}))
}
