package obj3d

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

func edits() []domains.Edit {
	return []domains.Edit{
		domains.Taking("split_by_material", splitByMaterial),
		domains.Taking("split_by_height", splitByHeight),
		domains.Taking("json", inJSON),
		domains.Taking("y_up", yUp),
		domains.Taking("sort_by_volume", sortByVolume),
		domains.Taking("pool_vertices", poolVertices),
		domains.Taking("code_materials", codeMaterials),
		domains.Taking("triangles", inTriangles),
	}
}

// meshes reads and prints the one mesh of a document.
var meshes = exact.Single[*document]{
	Document: readDocument,
	Named: func(files vfs.Files, name string) (*document, error) {
		d, err := readNamed(files, name)
		if err == nil && len(d.blocks) == 0 {
			err = errNoGroup
		}
		return d, err
	},
	Print: func(d *document) string {
		text, _ := printEntries(d.all()) // no edit takes away what corners refer to
		return text
	},
}

// rewrite changes a mesh into the file to, and makes a table of what else is needed to lead
// back. restore changes it back, with some columns of the table.
func rewrite(
	mesh, to, table string,
	change func(*document) ([][]string, error), restore func(d *document, rows [][]string), columns ...string,
) exact.Steps {
	forward := func(d *document) (vfs.Files, error) {
		rows, err := change(d)
		return vfs.Files{table: plain.WriteCSV(rows)}, err
	}
	return withMaterials(meshes.Rewrite(mesh, to, forward, func(d *document, files vfs.Files) error {
		rows, err := plain.Table(files, table, columns...)
		if err == nil {
			restore(d, rows)
		}
		return err
	}))
}

// withMaterials lets the materials next to a mesh stay as they are.
func withMaterials(steps exact.Steps) exact.Steps {
	with := func(step func(vfs.Files) (vfs.Files, error)) func(vfs.Files) (vfs.Files, error) {
		return func(files vfs.Files) (vfs.Files, error) {
			made, err := step(files)
			for name, text := range files {
				if err == nil && hasSuffix(name, materialSuffix) {
					made[name] = text
				}
			}
			return made, err
		}
	}
	return exact.Steps{Forward: with(steps.Forward), Backward: with(steps.Backward)}
}

var (
	errNoGroup       = errors.New("no .obj file with a group")
	errSeveralMeshes = errors.New("there are several .obj files")
)

// entry is a statement of a mesh, whose corners know what they refer to.
type entry struct {
	statement
	corners [][3]target
	seen    [3]int // how many of each list stand up to here
}

// target is what a number of a corner refers to.
type target struct {
	entry    *entry // nil if the corner has no such number
	backward bool   // whether it is counted from the end
}

// block is a group: its line and all down to the next.
type block struct {
	entries  []*entry
	material string // in force at its end
}

// document is a mesh in its blocks, with what stands above the first.
type document struct {
	heading []*entry
	blocks  []*block
}

// readDocument reads the one mesh of a forward step's files.
func readDocument(files vfs.Files) (*document, error) {
	text, found := "", false
	for _, name := range files.Names() {
		if hasSuffix(name, meshSuffix) {
			if found {
				return nil, errSeveralMeshes
			}
			text, found = files[name], true
		}
	}
	d, err := readBlocks(text)
	if err != nil {
		return nil, err
	}
	if len(d.blocks) == 0 {
		return nil, errNoGroup
	}
	for _, e := range d.heading {
		if e.isCounted() {
			return nil, fmt.Errorf("%s stands above the first group", e.quoted())
		}
	}
	return d, nil
}

// readNamed reads the mesh that a backward step needs.
func readNamed(files vfs.Files, name string) (*document, error) {
	text, err := plain.File(files, name)
	if err != nil {
		return nil, err
	}
	d, err := readBlocks(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return d, nil
}

func readBlocks(text string) (*document, error) {
	entries := lists.Map(readStatements(text), func(s statement) *entry { return &entry{statement: s} })
	lists := number(entries)
	d := &document{}
	material := ""
	for _, e := range entries {
		if _, isShape := e.isShape(); isShape {
			if err := e.resolve(lists); err != nil {
				return nil, err
			}
		}
		switch e.keyword {
		case "g":
			d.blocks = append(d.blocks, &block{})
		case "usemtl":
			material = strings.Join(e.words, " ")
		}
		if len(d.blocks) == 0 {
			d.heading = append(d.heading, e)
			continue
		}
		b := d.blocks[len(d.blocks)-1]
		b.entries = append(b.entries, e)
		b.material = material
	}
	return d, nil
}

// number lists the vertices, texture coordinates and normals, and tells each entry how many of
// them stand up to it.
func number(entries []*entry) (lists [3][]*entry) {
	for _, e := range entries {
		if which, isData := e.isData(); isData {
			lists[which] = append(lists[which], e)
		}
		for which := range lists {
			e.seen[which] = len(lists[which])
		}
	}
	return lists
}

// resolve finds what the numbers of the corners refer to.
func (e *entry) resolve(lists [3][]*entry) error {
	for _, word := range e.words {
		references, valid := readCorner(word)
		var targets [3]target
		for which, r := range references {
			index := r.number - 1
			if r.number < 0 {
				index = e.seen[which] + r.number
			}
			switch {
			case !valid || r.there && (index < 0 || index >= len(lists[which])):
				return fmt.Errorf("the corner %.40q of %s refers to nothing", word, e.quoted())
			case r.there:
				targets[which] = target{lists[which][index], r.number < 0}
			}
		}
		e.corners = append(e.corners, targets)
	}
	return nil
}

// all are the entries of a document in their order.
func (d *document) all() []*entry {
	all := slices.Clone(d.heading)
	for _, b := range d.blocks {
		all = append(all, b.entries...)
	}
	return all
}

// printEntries writes entries with the numbers that their corners need there.
func printEntries(entries []*entry) (string, error) {
	lists := number(entries)
	var lines []string
	for _, e := range entries {
		if err := e.renumber(lists); err != nil {
			return "", err
		}
		lines = append(lines, e.lines...)
	}
	return plain.Text(lines), nil
}

// renumber gives the corners of a shape the numbers of what they refer to.
func (e *entry) renumber(lists [3][]*entry) error {
	words := slices.Clone(e.words)
	for n, targets := range e.corners {
		parts := strings.Split(words[n], "/")
		for which, t := range targets {
			if t.entry == nil {
				continue
			}
			number := t.entry.seen[which]
			if number > len(lists[which]) || lists[which][number-1] != t.entry {
				return fmt.Errorf("%s refers to another group", e.quoted())
			}
			if t.backward {
				number -= e.seen[which] + 1
			}
			parts[which] = strconv.Itoa(number)
		}
		words[n] = strings.Join(parts, "/")
	}
	if !slices.Equal(words, e.words) {
		e.replace(words)
	}
	return nil
}

// line prints a statement from its parts.
func (s *statement) line() string {
	words := append([]string{s.keyword}, s.words...)
	if s.comment != "" {
		words = append(words, s.comment)
	}
	return strings.Join(words, " ")
}

// name is the words of a statement that names something.
func (s *statement) name() string { return strings.Join(s.words, " ") }

// quoted is the beginning of a statement, for messages.
func (s *statement) quoted() string { return fmt.Sprintf("%.60q", s.lines[0]) }

// replace gives a statement other words.
func (s *statement) replace(words []string) {
	s.words = words
	s.lines = []string{s.line()}
}

// isCounted reports whether an entry is in one of the lists, or refers to one.
func (e *entry) isCounted() bool {
	_, isData := e.isData()
	return isData || len(e.corners) > 0
}

func (e *entry) isVertex() bool {
	which, isData := e.isData()
	return isData && which == vertexShape
}

func (b *block) name() string { return b.entries[0].name() }

// vertices are the vertex lines of some entries.
func vertices(entries []*entry) []*entry {
	return slices.DeleteFunc(slices.Clone(entries), func(e *entry) bool { return !e.isVertex() })
}
