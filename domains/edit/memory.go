package edit

import (
	"slices"

	"agentd/vfs"
)

// memory remembers how files are cut and what attributes they have, for many programs that begin with them. It is not
// for concurrent use. A nil memory remembers nothing.
type memory struct {
	files   vfs.Files
	formats map[fileParts]*Format
	pieces  map[fileParts]Pieces
}

// fileParts is a file and what its parts are called.
type fileParts struct{ file, parts string }

// Remembering returns the format with a memory: it reads the files once, however many proposals and programs begin with them.
// It is not for concurrent use.
func (f *Format) Remembering(files vfs.Files) *Format {
	g := *f
	g.rememberValues()
	g.memory = &memory{files, map[fileParts]*Format{}, map[fileParts]Pieces{}}
	return &g
}

// knows reports whether a text is that of one of the files.
func (m *memory) knows(name, text string) bool {
	if m == nil {
		return false
	}
	known, ok := m.files[name]
	return ok && known == text
}

// adapted is Format.of, made once of each file.
func (m *memory) adapted(f *Format, name, text string, adapt func() *Format) *Format {
	if !m.knows(name, text) {
		return adapt()
	}
	key := fileParts{name, f.Parts}
	known, ok := m.formats[key]
	if !ok {
		known = adapt()
		known.rememberRare()
		known.rememberValues()
		m.formats[key] = known
	}
	return known
}

// rememberValues makes the attributes of the format remember the first values that proposals find.
func (f *Format) rememberValues() {
	f.Attributes = slices.Clone(f.Attributes)
	for i := range f.Attributes {
		f.Attributes[i].firsts = map[string]string{}
	}
}

// rememberRare makes the format look for each rare attribute once.
func (f *Format) rememberRare() {
	look := f.Rare
	if look == nil {
		return
	}
	type found struct {
		Attribute
		ok bool
	}
	known := map[string]found{}
	f.Rare = func(name string) (Attribute, bool) {
		one, seen := known[name]
		if !seen {
			one.Attribute, one.ok = look(name)
			known[name] = one
		}
		return one.Attribute, one.ok
	}
}

// cut is Format.cut, made once of each file. The pieces are the caller's to change.
func (m *memory) cut(f *Format, name, text string, cut func() Pieces) Pieces {
	if !m.knows(name, text) {
		return cut()
	}
	key := fileParts{name, f.Parts}
	known, ok := m.pieces[key]
	if !ok {
		known = cut()
		m.pieces[key] = known
	}
	known.Parts, known.Between = slices.Clone(known.Parts), slices.Clone(known.Between)
	return known
}
