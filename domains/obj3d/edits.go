package obj3d

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/exact"
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

// rewrite changes a mesh into the file to, and makes a table of what else is needed to lead
// back, without a name none. restore changes it back, with some columns of the table. The
// materials next to the mesh stay.
func rewrite(
	document, to, table string,
	change func(*document) ([][]string, error), restore func(d *document, rows [][]string) error, columns ...string,
) exact.Steps {
	return exact.Steps{
		Forward: func(files vfs.Files) (vfs.Files, error) {
			d, err := readDocument(files)
			if err != nil {
				return nil, err
			}
			rows, err := change(d)
			if err != nil {
				return nil, err
			}
			made, err := withMaterials(files, to, d.all())
			if err == nil && table != "" {
				made[table] = plain.WriteCSV(rows)
			}
			return made, err
		},
		Backward: func(files vfs.Files) (vfs.Files, error) {
			d, err := readNamed(files, to)
			if err != nil {
				return nil, err
			}
			var rows [][]string
			if table != "" {
				rows, err = plain.Table(files, table, columns...)
			}
			if err == nil && len(d.blocks) == 0 {
				err = errNoGroup
			}
			if err == nil {
				err = restore(d, rows)
			}
			if err != nil {
				return nil, err
			}
			return withMaterials(files, document, d.all())
		},
	}
}

var (
	errNoGroup       = errors.New("no .obj file with a group")
	errSeveralMeshes = errors.New("there are several .obj files")
)

// entry is a statement of a mesh, whose corners know what they refer to.
type entry struct {
	statement
	corners [][3]target
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
		if _, isData := e.isData(); isData || len(e.corners) > 0 {
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
	entries, err := readEntries(text)
	if err != nil {
		return nil, err
	}
	d := &document{}
	material := ""
	for _, e := range entries {
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

// readEntries reads statements and what their corners refer to.
func readEntries(text string) ([]*entry, error) {
	var entries []*entry
	var lists [3][]*entry
	for _, s := range readStatements(text) {
		e := &entry{statement: s}
		entries = append(entries, e)
		if which, isData := e.isData(); isData {
			lists[which] = append(lists[which], e)
		}
	}
	var seen [3]int
	for _, e := range entries {
		if which, isData := e.isData(); isData {
			seen[which]++
		}
		if _, isShape := e.isShape(); isShape {
			if err := e.resolve(lists, seen); err != nil {
				return nil, err
			}
		}
	}
	return entries, nil
}

// resolve finds what the numbers of the corners refer to, in lists of which so many
// were seen before.
func (e *entry) resolve(lists [3][]*entry, seen [3]int) error {
	for _, word := range e.words {
		references, valid := readCorner(word)
		var targets [3]target
		for which, r := range references {
			index := r.number - 1
			if r.number < 0 {
				index = seen[which] + r.number
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
	numbers := map[*entry]int{}
	var totals [3]int
	for _, e := range entries {
		if which, isData := e.isData(); isData {
			totals[which]++
			numbers[e] = totals[which]
		}
	}
	var lines []string
	var seen [3]int
	for _, e := range entries {
		if which, isData := e.isData(); isData {
			seen[which]++
		}
		changed, err := e.renumber(numbers, seen)
		if err != nil {
			return "", err
		}
		if changed {
			lines = append(lines, e.line())
			continue
		}
		lines = append(lines, e.lines...)
	}
	return plain.Text(lines), nil
}

// renumber gives the corners of a shape the numbers of what they refer to.
func (e *entry) renumber(numbers map[*entry]int, seen [3]int) (changed bool, err error) {
	words := slices.Clone(e.words)
	for n, targets := range e.corners {
		parts := strings.Split(words[n], "/")
		for which, t := range targets {
			if t.entry == nil {
				continue
			}
			number, has := numbers[t.entry]
			if !has {
				return false, fmt.Errorf("%s refers to another group", e.quoted())
			}
			if t.backward {
				number -= seen[which] + 1
			}
			parts[which] = strconv.Itoa(number)
		}
		word := strings.Join(parts, "/")
		changed = changed || word != words[n]
		words[n] = word
	}
	e.words = words
	return changed, nil
}

// line prints a statement from its parts.
func (s *statement) line() string {
	words := append([]string{s.keyword}, s.words...)
	if s.comment != "" {
		words = append(words, s.comment)
	}
	return strings.Join(words, " ")
}

// quoted is the beginning of a statement, for messages.
func (s *statement) quoted() string { return fmt.Sprintf("%.60q", s.lines[0]) }

// replace gives a statement other words.
func (s *statement) replace(words []string) {
	s.words = words
	s.lines = []string{s.line()}
}

// withMaterials prints a mesh, and leaves the materials as they are.
func withMaterials(files vfs.Files, name string, entries []*entry) (vfs.Files, error) {
	text, err := printEntries(entries)
	if err != nil {
		return nil, err
	}
	result := vfs.Files{name: text}
	for name, content := range files {
		if hasSuffix(name, materialSuffix) {
			result[name] = content
		}
	}
	return result, nil
}

func (b *block) name() string { return strings.Join(b.entries[0].words, " ") }

// vertices are the vertex lines of a block.
func (b *block) vertices() []*entry {
	var all []*entry
	for _, e := range b.entries {
		if which, isData := e.isData(); isData && which == 0 {
			all = append(all, e)
		}
	}
	return all
}
