// Package obj3d is the published reading and score of the domain obj3d.
//
// Groups are looked up by lower-case name; when a name repeats, the last group with it stands for all. "Matched" means
// the name occurs on both sides. J(a,b) is the Jaccard index, 1 for two empty sets, 0 if one is empty.
//
//   - coverage = J of the lower-case group names
//   - group accuracy = mean over matched of 0.4·[same material, case-insensitive, absent = ""] + 0.3·min/max of the
//     vertex counts + 0.3·min/max of the face counts (ratio 1 when both counts are 0); 0 if nothing matched
//   - vertex accuracy: per matched group sort both vertex lists (lexicographic x,y,z). For each reference vertex in
//     turn take the unused candidate vertex of highest similarity, first one on ties, and use it up if its similarity
//     is above 0; similarity of Euclidean distance t: 1 if t < 0.001, 1−t if t < 1, else 0. Result: sum of similarities
//     over the total number of reference vertices. Special groups: both empty adds 1 to numerator and denominator; only
//     one empty adds the larger count to the denominator. 0 if nothing matched. Surplus candidate vertices cost nothing
//     here.
//   - face accuracy: per matched group, form sets of the tuples of rebased v indices. hits = max(|R∩G|, ⌊|R*∩G|/2⌋)
//     where R* is R plus every tuple reversed; capped by the number of reference faces. Denominator: number of
//     reference face lines (duplicates included). Empty groups as above. 0 if nothing matched.
//   - material coverage = J of lower-case material names. Material accuracy = mean over matched names of the mean of:
//     for each of Ka Kd Ks Ke present on either side, max(0, 1 − dist/√3), dist counting 1 when only one side has it
//     (thus 0.42265); for each of Ns Ni d present on either side, 0 if one side lacks it, 1 if |a−b| ≤ 0.01, else
//     max(0, 1 − |a−b| / max(|a|,|b|,1)); and always one illum term (1 when equal or both absent, else 0). Accuracy is
//     0 when nothing matched, also when both sides have no material at all. Material score = mean of the two.
//   - group order = difflib ratio over the two lists of lower-case group names (autojunk on; it matters only from 200
//     groups); 1 for two empty lists, 0 for one. Repeated names count here.
//   - score = coverage² · vertex · face · √((group accuracy + material score + group order)/3), rounded to 4 decimals
//
// Consequences: an OBJ without any MTL scores 0.9129 against itself; a group with two equal face lines makes
// self-comparison fall below 1; two meshes without groups score 0.
//
// R, or ratio, is that of package ratio, with the reference first.
package obj3d

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// MeshSuffix and MaterialSuffix end the names of the files that are read.
const (
	MeshSuffix     = ".obj"
	MaterialSuffix = ".mtl"
)

// ErrNoMesh says that a document has no mesh.
var ErrNoMesh = errors.New("no .obj file with content")

// Model is a document as the published evaluator reads it.
type Model struct {
	mesh
	materials []material // names may differ in letter case alone
}

// mesh is an OBJ file. Groups are ranges of its vertices and faces.
type mesh struct {
	groups   []group
	vertices []point
	corners  []int // of all faces, counted from the vertices before their group
	faceEnds []int // in corners
	// Lines of each kind, also those that could not be read.
	vertexLines, textureLines, normalLines int
	libraries                              int
}

type point [3]float64

type group struct {
	name     string // in lower case
	material string // in lower case
	vertices span
	faces    span
}

// span is a range of a list.
type span struct{ from, to int }

// material has the properties that could be read.
type material struct {
	name         string // in lower case
	colours      [4]*point
	factors      [3]*float64
	illumination string // a whole number, empty if there is none
}

// Keywords of colours and of numbers in a material.
var (
	ColourNames = []string{"Ka", "Kd", "Ks", "Ke"}
	factorNames = []string{"Ns", "Ni", "d"}
)

// Parse reads the last file of each kind.
func Parse(files vfs.Files) (*Model, error) {
	text := lastFile(files, MeshSuffix)
	if text == "" {
		return nil, ErrNoMesh
	}
	return &Model{parseMesh(text), parseMaterials(lastFile(files, MaterialSuffix))}, nil
}

func lastFile(files vfs.Files, suffix string) string {
	text := ""
	for _, name := range files.Names() {
		if HasSuffix(name, suffix) {
			text = files[name]
		}
	}
	return text
}

// HasSuffix tells the kind of a file by its name, in any letter case.
func HasSuffix(name, suffix string) bool {
	return len(name) >= len(suffix) && strings.EqualFold(name[len(name)-len(suffix):], suffix)
}

// meshParser is a mesh in the making.
type meshParser struct {
	mesh
	material string
	base     int // vertices before the group
}

func parseMesh(text string) mesh {
	p := &meshParser{}
	var words []string
	for _, line := range pytext.SplitLines(text) {
		words = AppendFields(words[:0], line)
		if len(words) > 0 && words[0][0] != '#' {
			p.statement(words[0], words[1:])
		}
	}
	return p.mesh
}

func (p *meshParser) statement(keyword string, words []string) {
	switch keyword {
	case "g", "o":
		name := "default"
		if len(words) > 0 {
			name = strings.Join(words, " ")
		}
		p.begin(name)
	case "usemtl":
		p.material = pytext.Lower(strings.Join(words, " "))
		if len(p.groups) > 0 {
			p.groups[len(p.groups)-1].material = p.material
		}
	case "mtllib":
		p.libraries += len(words)
	case "v":
		p.ensureGroup()
		p.vertexLines++
		if at, ok := readPoint(words); ok {
			p.vertices = plain.Append(p.vertices, at)
			p.groups[len(p.groups)-1].vertices.to++
		}
	case "vn":
		p.ensureGroup()
		p.normalLines++
	case "vt":
		p.ensureGroup()
		p.textureLines++
	case "f":
		p.ensureGroup()
		p.face(words)
	}
}

func (p *meshParser) begin(name string) {
	vertices, faces := len(p.vertices), len(p.faceEnds)
	p.groups = plain.Append(p.groups, group{
		name: pytext.Lower(name), material: p.material,
		vertices: span{vertices, vertices}, faces: span{faces, faces},
	})
	p.base = vertices
}

func (p *meshParser) ensureGroup() {
	if len(p.groups) == 0 {
		p.begin("default")
	}
}

// face adds a face unless one of its numbers cannot be read.
func (p *meshParser) face(words []string) {
	before := len(p.corners)
	for _, word := range words {
		for place := range 3 {
			part, rest, more := strings.Cut(word, "/")
			number, empty, ok := readIndex(part)
			if !ok || empty && place == 0 {
				p.corners = p.corners[:before]
				return
			}
			if place == 0 {
				p.corners = plain.Append(p.corners, number-p.base)
			}
			if word = rest; !more {
				break
			}
		}
	}
	p.faceEnds = plain.Append(p.faceEnds, len(p.corners))
	p.groups[len(p.groups)-1].faces.to++
}

// readIndex reads the digits and minus signs of a text, passing over all else.
func readIndex(part string) (number int, empty, ok bool) {
	if strings.Trim(part, "0123456789") != "" {
		part = strings.Map(indexRune, part)
	}
	if part == "" {
		return 0, true, true
	}
	number, err := strconv.Atoi(part)
	return number, false, err == nil || errors.Is(err, strconv.ErrRange)
}

func indexRune(r rune) rune {
	switch {
	case r == '-':
		return r
	case unicode.IsDigit(r):
		return rune('0' + pytext.DigitValue(r))
	}
	return -1
}

// readPoint reads the first three numbers.
func readPoint(words []string) (point, bool) {
	var p point
	if len(words) < len(p) {
		return p, false
	}
	for axis := range p {
		value, ok := pytext.Float(words[axis])
		if !ok {
			return p, false
		}
		p[axis] = value
	}
	return p, true
}

// parseMaterials reads an MTL file. A repeated name empties its entry.
func parseMaterials(text string) []material {
	var all []material
	at := map[string]int{} // by name
	current := -1
	var words []string
	for _, line := range pytext.SplitLines(text) {
		words = AppendFields(words[:0], line)
		switch {
		case len(words) == 0 || words[0][0] == '#':
		case words[0] == "newmtl":
			name := strings.Join(words[1:], " ")
			number, known := at[name]
			if !known {
				number = len(all)
				at[name] = number
				all = append(all, material{})
			}
			all[number] = material{name: pytext.Lower(name)}
			current = number
		case current >= 0:
			all[current].read(words[0], words[1:])
		}
	}
	return all
}

func (m *material) read(keyword string, words []string) {
	if n := slices.Index(ColourNames, keyword); n >= 0 {
		if value, ok := readPoint(words); ok {
			m.colours[n] = &value
		}
	}
	if len(words) == 0 {
		return
	}
	if n := slices.Index(factorNames, keyword); n >= 0 {
		if value, ok := pytext.Float(words[0]); ok {
			m.factors[n] = &value
		}
	}
	if keyword == "illum" {
		if value, ok := pytext.Int(words[0]); ok {
			m.illumination = value
		}
	}
}

// AppendFields adds the words of a line to a list, as str.split() finds them.
func AppendFields(words []string, line string) []string {
	return slices.AppendSeq(words, strings.FieldsFuncSeq(line, pytext.IsSpace))
}
