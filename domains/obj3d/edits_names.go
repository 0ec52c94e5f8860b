package obj3d

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

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

func printStatements(all []statement) string {
	var lines []string
	for i := range all {
		lines = append(lines, all[i].lines...)
	}
	return plain.Text(lines)
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
		table, err := codeTable(d.all(), materials, exact.Counting(p.First))
		if err != nil {
			return nil, err
		}
		codes := map[string]string{}
		for _, row := range table[1:] {
			codes[row[1]] = row[0]
		}
		made, err := renaming{codes, p.Materials, p.To, p.Coded}.apply(d.all(), materials)
		if err == nil {
			made[p.Table] = plain.WriteCSV(table)
		}
		return made, err
	}
	backward := func(files vfs.Files) (vfs.Files, error) {
		d, err := readNamed(files, p.To)
		if err != nil {
			return nil, err
		}
		materials, err := plain.File(files, p.Coded)
		if err != nil {
			return nil, err
		}
		names, err := exact.ReadRegister(files, p.Table, "code", "name")
		if err == nil && len(d.blocks) == 0 {
			err = errNoGroup
		}
		if err != nil {
			return nil, err
		}
		return renaming{names, p.Coded, p.Document, p.Materials}.apply(d.all(), readStatements(materials))
	}
	return exact.Steps{Forward: forward, Backward: backward}
}

// codeTable has codes for the materials, and how often each is used.
func codeTable(entries []*entry, materials []statement, code func(value string, codes int) string) ([][]string, error) {
	uses := map[string]int{}
	for _, e := range entries {
		if e.keyword == "usemtl" {
			uses[strings.Join(e.words, " ")]++
		}
	}
	var names []string
	for i := range materials {
		if s := &materials[i]; s.keyword == "newmtl" {
			names = append(names, strings.Join(s.words, " "))
		}
	}
	slices.Sort(names)
	table := [][]string{{"code", "name", "uses"}}
	for n, name := range slices.Compact(names) {
		table = append(table, []string{code(name, n), name, strconv.Itoa(uses[name])})
		delete(uses, name)
	}
	for name := range uses {
		return nil, fmt.Errorf("the material %.60q is not in the .mtl file", name)
	}
	return table, nil
}

// renaming gives materials, and the file they are in, other names.
type renaming struct {
	names   map[string]string
	file    string // that the mesh names now
	newMesh string // files to write
	newFile string
}

func (r renaming) apply(entries []*entry, materials []statement) (vfs.Files, error) {
	for _, e := range entries {
		switch {
		case e.keyword == "usemtl":
			e.rename(r.names)
		case e.keyword != "mtllib":
		case slices.Contains(e.words, r.newFile):
			return nil, fmt.Errorf("%s names %s already", e.quoted(), r.newFile)
		case slices.Contains(e.words, r.file):
			words := slices.Clone(e.words)
			words[slices.Index(words, r.file)] = r.newFile
			e.replace(words)
		}
	}
	for i := range materials {
		if s := &materials[i]; s.keyword == "newmtl" {
			s.rename(r.names)
		}
	}
	mesh, err := printEntries(entries)
	return vfs.Files{r.newMesh: mesh, r.newFile: printStatements(materials)}, err
}

// rename replaces the name in a usemtl or newmtl line, if the other is known.
func (s *statement) rename(names map[string]string) {
	if name := names[strings.Join(s.words, " ")]; name != "" {
		s.replace([]string{name})
	}
}
