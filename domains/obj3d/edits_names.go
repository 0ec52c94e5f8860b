package obj3d

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

var errNoMaterials = errors.New("there is not one .mtl file")

// readMaterials reads the one MTL file of a document.
func readMaterials(files vfs.Files) ([]statement, error) {
	var all []statement
	found := 0
	for name, text := range files {
		if hasSuffix(name, materialSuffix) {
			all = readStatements(text)
			found++
		}
	}
	if found != 1 {
		return nil, errNoMaterials
	}
	return all, nil
}

// codeMaterials gives the materials codes in the order of their names.
func codeMaterials(p struct {
	Document, Materials string
	To, Coded           string // the same with codes
	First, Table        string
}) exact.Steps {
	forward := func(files vfs.Files) (vfs.Files, error) {
		d, err := readDocument(files)
		if err != nil {
			return nil, err
		}
		materials, err := readMaterials(files)
		if err != nil {
			return nil, err
		}
		codes := exact.Codes{New: exact.Counting(p.First)}
		table, err := codeTable(&codes, d.all(), materials)
		if err != nil {
			return nil, err
		}
		made, err := renaming{codes.Of, p.Materials, p.To, p.Coded}.apply(d.all(), materials)
		if err == nil {
			made[p.Table] = table
		}
		return made, err
	}
	backward := func(files vfs.Files) (vfs.Files, error) {
		d, err := meshes.Named(files, p.To)
		if err != nil {
			return nil, err
		}
		materials, err := plain.File(files, p.Coded)
		if err != nil {
			return nil, err
		}
		names, err := exact.ReadRegister(files, p.Table, "code", "name")
		if err != nil {
			return nil, err
		}
		nameOf := func(code string) string { return cmp.Or(names[code], code) }
		return renaming{nameOf, p.Coded, p.Document, p.Materials}.apply(d.all(), readStatements(materials))
	}
	return exact.Steps{Forward: forward, Backward: backward}
}

// codeTable gives the materials codes and returns a table of them, with how often each is used.
func codeTable(codes *exact.Codes, entries []*entry, materials []statement) (string, error) {
	var names []string
	for _, s := range materials {
		if s.keyword == "newmtl" {
			names = append(names, s.name())
		}
	}
	slices.Sort(names)
	for _, name := range names {
		codes.Of(name)
	}
	uses := map[string]int{}
	for _, e := range entries {
		if e.keyword == "usemtl" {
			if !slices.Contains(names, e.name()) {
				return "", fmt.Errorf("the material %.60q is not in the .mtl file", e.name())
			}
			uses[e.name()]++
		}
	}
	return codes.Table(func(name string) []string { return []string{strconv.Itoa(uses[name])} }, "code", "name", "uses"), nil
}

// renaming gives materials, and the file they are in, other names.
type renaming struct {
	name    func(string) string
	file    string // that the mesh names now
	newMesh string // files to write
	newFile string
}

func (r renaming) apply(entries []*entry, materials []statement) (vfs.Files, error) {
	rename := func(s *statement) {
		if name := r.name(s.name()); name != s.name() {
			s.replace([]string{name})
		}
	}
	for _, e := range entries {
		switch {
		case e.keyword == "usemtl":
			rename(&e.statement)
		case e.keyword != "mtllib":
		case slices.Contains(e.words, r.newFile):
			return nil, fmt.Errorf("%s names %s already", e.quoted(), r.newFile)
		case slices.Contains(e.words, r.file):
			words := slices.Clone(e.words)
			words[slices.Index(words, r.file)] = r.newFile
			e.replace(words)
		}
	}
	var lines []string
	for _, s := range materials {
		if s.keyword == "newmtl" {
			rename(&s)
		}
		lines = append(lines, s.lines...)
	}
	mesh, err := printEntries(entries)
	return vfs.Files{r.newMesh: mesh, r.newFile: plain.Text(lines)}, err
}
