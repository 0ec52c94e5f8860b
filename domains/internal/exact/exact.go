// Package exact makes exact, reversible edits of a domain's own documents. A domain says once
// how its documents are read, printed, divided and joined (Format). An edit is then what it
// does to a document, or to each of its parts.
package exact

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strconv"

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
	// becomes a part of that.
	Follow func(*D)
	// Join puts documents one after the other.
	Join func([]D) D
	// Shell returns what every file of a divided document has, also those that do not get what
	// is of the document; nil stands for nothing.
	Shell func(D) D
	// Empty is the error for files that hold no part.
	Empty error
}

// Document reads all documents, in name order, as one.
func (f *Format[D, P]) Document(files vfs.Files) (D, error) {
	d := f.Join(f.documents(files.Match(f.Patterns), "").read)
	if len(*f.Parts(&d)) == 0 {
		return d, f.Empty
	}
	return d, nil
}

// Named reads the file that a backward step needs.
func (f *Format[D, P]) Named(files vfs.Files, name string) (d D, err error) {
	text, err := plain.File(files, name)
	if err != nil {
		return d, err
	}
	return f.Read(text), nil
}

// named are documents with the names of their files.
type named[D any] struct {
	names []string
	read  []D
}

// documents reads files in name order, only the one called first, if there is one, before all
// others.
func (f *Format[D, P]) documents(files vfs.Files, first string) named[D] {
	all := named[D]{names: files.Names()}
	if at := slices.Index(all.names, first); at > 0 {
		all.names = slices.Insert(slices.Delete(all.names, at, at+1), 0, first)
	}
	for n, name := range all.names {
		d := f.Read(files[name])
		if n > 0 {
			f.Follow(&d)
		}
		all.read = append(all.read, d)
	}
	return all
}

// Whole changes a document as a whole into files, and back from them.
func (f *Format[D, P]) Whole(document string, forward func(D) (vfs.Files, error), backward func(vfs.Files) (D, error)) Steps {
	return Steps{
		Forward: func(files vfs.Files) (vfs.Files, error) {
			d, err := f.Document(files)
			if err != nil {
				return nil, err
			}
			return forward(d)
		},
		Backward: func(files vfs.Files) (vfs.Files, error) {
			d, err := backward(files)
			if err == nil && len(*f.Parts(&d)) == 0 {
				err = f.Empty
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
	forward := func(d D) (vfs.Files, error) {
		made, err := change(&d)
		if err != nil {
			return nil, err
		}
		if made == nil {
			made = vfs.Files{}
		}
		made[to] = f.Print(d)
		return made, nil
	}
	return f.Whole(document, forward, func(files vfs.Files) (D, error) {
		d, err := f.Named(files, to)
		if err == nil {
			err = restore(&d, files)
		}
		return d, err
	})
}

// Split hands the parts out, in order, to the files that place names. main gets what is of the
// document, too. place also returns cells for the columns that the table has after position
// and file.
func (f *Format[D, P]) Split(document, main, table string, place func(*P) (file string, cells []string), columns ...string) Steps {
	forward := func(d D) (vfs.Files, error) {
		rows := [][]string{append([]string{"position", "file"}, columns...)}
		made := f.Divide(d, main, func(p *P) string {
			file, cells := place(p)
			rows = append(rows, append([]string{strconv.Itoa(len(rows)), file}, cells...))
			return file
		})
		made[table] = plain.WriteCSV(rows)
		return made, nil
	}
	return f.Whole(document, forward, func(files vfs.Files) (D, error) { return f.merge(files, main, table) })
}

// Divide hands the parts out, in order, to the files that fileOf names. main gets what is of
// the document, too.
func (f *Format[D, P]) Divide(d D, main string, fileOf func(*P) string) vfs.Files {
	parts := *f.Parts(&d)
	*f.Parts(&d) = nil
	shell := func(D) (none D) { return none }
	if f.Shell != nil {
		shell = f.Shell
	}
	undivided := d
	divided := map[string]*D{main: &d}
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

// merge takes in what Split made. Parts that the table does not place come last.
func (f *Format[D, P]) merge(files vfs.Files, main, table string) (merged D, err error) {
	rows, err := plain.Table(files, table, "position", "file")
	if err != nil {
		return merged, err
	}
	files = files.Match(f.Patterns)
	if len(files) == 0 {
		return merged, f.Empty
	}
	slices.SortStableFunc(rows, plain.ByNumber)
	all := f.documents(files, main)
	var placed []P
	for _, row := range rows {
		at := slices.Index(all.names, row[1])
		if at < 0 {
			continue
		}
		if rest := f.Parts(&all.read[at]); len(*rest) > 0 {
			placed = append(placed, (*rest)[0])
			*rest = (*rest)[1:]
		}
	}
	merged = f.Join(all.read)
	parts := f.Parts(&merged)
	*parts = append(placed, *parts...)
	return merged, nil
}

// Number gives each part its position, from 1.
func (f *Format[D, P]) Number(d *D, give func(p *P, position int)) {
	parts := *f.Parts(d)
	for i := range parts {
		give(&parts[i], i+1)
	}
}

// SortByNumber sorts the parts by the position that take finds in them, or takes away from
// them. Parts without one come last.
func (f *Format[D, P]) SortByNumber(d *D, take func(*P) (position int, ok bool)) {
	type placed struct {
		position int
		part     P
	}
	parts := *f.Parts(d)
	all := make([]placed, len(parts))
	for i := range parts {
		position, ok := take(&parts[i])
		if !ok {
			position = math.MaxInt
		}
		all[i] = placed{position, parts[i]}
	}
	slices.SortStableFunc(all, func(a, b placed) int { return cmp.Compare(a.position, b.position) })
	for i := range all {
		parts[i] = all[i].part
	}
}
