package obj3d

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	codedMesh      = "coded.obj"
	codedMaterials = "coded.mtl"
	codesFile      = "material_codes.csv"
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
func codeMaterials(files vfs.Files) (vfs.Files, error) {
	d, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	materials, err := readMaterials(files)
	if err != nil {
		return nil, err
	}
	var names []string
	for i := range materials {
		if s := &materials[i]; s.keyword == "newmtl" {
			names = append(names, strings.Join(s.words, " "))
		}
	}
	uses := map[string]int{}
	entries := d.all()
	for _, e := range entries {
		if e.keyword == "usemtl" {
			uses[strings.Join(e.words, " ")]++
		}
	}
	slices.Sort(names)
	codes := map[string]string{}
	table := [][]string{{"code", "name", "uses"}}
	for n, name := range slices.Compact(names) {
		codes[name] = fmt.Sprintf("M%02d", n+1)
		table = append(table, []string{codes[name], name, strconv.Itoa(uses[name])})
	}
	for name := range uses {
		if codes[name] == "" {
			return nil, fmt.Errorf("the material %.60q is not in the .mtl file", name)
		}
	}
	result, err := renaming{codes, materialsFile, codedMesh, codedMaterials}.apply(entries, materials)
	if err != nil {
		return nil, err
	}
	result[codesFile] = plain.WriteCSV(table)
	return result, nil
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

func nameMaterials(files vfs.Files) (vfs.Files, error) {
	d, err := readNamed(files, codedMesh)
	if err != nil {
		return nil, err
	}
	materials, err := plain.File(files, codedMaterials)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, codesFile, "code", "name")
	if err != nil {
		return nil, err
	}
	if len(d.blocks) == 0 {
		return nil, errNoGroup
	}
	names := map[string]string{}
	for _, row := range rows {
		names[row[0]] = row[1]
	}
	return renaming{names, codedMaterials, meshFile, materialsFile}.apply(d.all(), readStatements(materials))
}
