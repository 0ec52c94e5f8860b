package obj3d

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode"

	"agentd/domains/internal/notes"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

const (
	meshSuffix     = ".obj"
	materialSuffix = ".mtl"
)

var errNoMesh = errors.New("no .obj file with content")

// model is a document as the published evaluator reads it.
type model struct {
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

func (g *group) called() string    { return g.name }
func (m *material) called() string { return m.name }

// span is a range of a list.
type span struct{ from, to int }

func (s span) size() int { return s.to - s.from }

// face is the vertices of a face, by number.
func (m *mesh) face(n int) []int {
	from := 0
	if n > 0 {
		from = m.faceEnds[n-1]
	}
	return m.corners[from:m.faceEnds[n]]
}

// material has the properties that could be read.
type material struct {
	name         string // in lower case
	colours      [4]*point
	factors      [3]*float64
	illumination *int
}

var (
	colourNames = []string{"Ka", "Kd", "Ks", "Ke"}
	factorNames = []string{"Ns", "Ni", "d"}
)

// parse reads the last file of each kind.
func parse(files vfs.Files) (*model, error) {
	text := lastFile(files, meshSuffix)
	if text == "" {
		return nil, errNoMesh
	}
	return &model{parseMesh(text), parseMaterials(lastFile(files, materialSuffix))}, nil
}

func lastFile(files vfs.Files, suffix string) string {
	text := ""
	for _, name := range files.Names() {
		if hasSuffix(name, suffix) {
			text = files[name]
		}
	}
	return text
}

// hasSuffix tells the kind of a file by its name, in any letter case.
func hasSuffix(name, suffix string) bool {
	return len(name) >= len(suffix) && strings.EqualFold(name[len(name)-len(suffix):], suffix)
}

// meshParser is a mesh in the making.
type meshParser struct {
	mesh
	open     bool // whether there is a group to add to
	material string
	textures int // that could be read
	normals  int
	base     [3]int // vertices, texture coordinates and normals before the group
}

func parseMesh(text string) mesh {
	p := &meshParser{}
	var words []string
	for _, line := range pytext.SplitLines(text) {
		words = appendFields(words[:0], line)
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
		if p.open {
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
		if _, ok := readPoint(words); ok {
			p.normals++
		}
	case "vt":
		p.ensureGroup()
		p.textureLines++
		if !slices.ContainsFunc(words, func(word string) bool { _, ok := pytext.Float(word); return !ok }) {
			p.textures++
		}
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
	p.base = [3]int{vertices, p.textures, p.normals}
	p.open = true
}

func (p *meshParser) ensureGroup() {
	if !p.open {
		p.begin("default")
	}
}

// face adds a face unless one of its numbers cannot be read.
func (p *meshParser) face(words []string) {
	before := len(p.corners)
	for _, word := range words {
		for place := range p.base {
			part, rest, more := strings.Cut(word, "/")
			number, empty, ok := readIndex(part)
			if !ok || empty && place == 0 {
				p.corners = p.corners[:before]
				return
			}
			if place == 0 {
				p.corners = plain.Append(p.corners, number-p.base[0])
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
		words = appendFields(words[:0], line)
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
	if n := slices.Index(colourNames, keyword); n >= 0 {
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
		if value, ok := readInteger(words[0]); ok {
			m.illumination = &value
		}
	}
}

// readInteger is int() of a text without blanks.
func readInteger(text string) (int, bool) {
	value, ok := pytext.Float(text)
	if !ok || strings.ContainsAny(text, ".eEnN") || math.IsInf(value, 0) {
		return 0, false
	}
	return int(value), true
}

// appendFields adds the words of a line to a list, as str.split() finds them.
func appendFields(words []string, line string) []string {
	return slices.AppendSeq(words, strings.FieldsFuncSeq(line, pytext.IsSpace))
}

const (
	// mostSteps is how many pairs of vertices of two groups are looked at.
	mostSteps = 1 << 26
	// fewSteps is how many there are for a vertex when those are used up.
	fewSteps = 32

	samePlace = 0.001 // distance below which vertices are the same
	reach     = 1.0   // distance from which vertices have nothing in common
)

// matcher gives each vertex of a reference the most similar one of a candidate
// that is still free, and the first of equals.
type matcher struct {
	left  int     // of the steps
	got   []point // sorted
	noted *notes.Notes
	after []int // the next free one, from a taken one
}

// similarity sums over the reference's vertices how near the vertex lies that each
// was given: 1 at the same place, 0 from a distance of 1 on.
func (m *matcher) similarity(reference, candidate []point) float64 {
	reference, candidate = sorted(reference), sorted(candidate)
	m.got = candidate
	m.after = make([]int, len(candidate)+1)
	for n := range m.after {
		m.after[n] = n
	}
	sum := 0.0
	for n := range reference {
		sum += m.give(&reference[n])
	}
	return sum
}

// sorted are the points with finite coordinates, as no others are near any, in order.
func sorted(points []point) []point {
	finite := make([]point, 0, len(points))
	for _, p := range points {
		if sum := p[0] + p[1] + p[2]; !math.IsNaN(sum - sum) {
			finite = append(finite, p)
		}
	}
	slices.SortFunc(finite, comparePoints)
	return finite
}

func comparePoints(a, b point) int {
	return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]), cmp.Compare(a[2], b[2]))
}

// give takes the vertex nearest to a place and returns its similarity. A vertex at
// the same place is sought first, among the few that can be there.
func (m *matcher) give(at *point) float64 {
	if m.left <= 0 {
		m.noted.Add(notes.Paired)
		from, _ := slices.BinarySearchFunc(m.got, *at, comparePoints)
		return m.take(at, from, reach, fewSteps)
	}
	if found := m.take(at, m.first(at[0]-samePlace), samePlace, m.left); found > 0 {
		return found
	}
	return m.take(at, m.first(at[0]-reach), reach, m.left)
}

// first is the place of the first vertex with an x not below one.
func (m *matcher) first(x float64) int {
	return sort.Search(len(m.got), func(n int) bool { return m.got[n][0] >= x })
}

// take takes the most similar of the free vertices from a place on that are within a distance, looking at so many.
func (m *matcher) take(at *point, from int, within float64, steps int) float64 {
	best, most := -1, 0.0
	for n := m.free(from); n < len(m.got) && m.got[n][0]-at[0] <= within && steps > 0; n = m.free(n + 1) {
		steps--
		m.left--
		distance := at.distance(&m.got[n])
		if distance < samePlace {
			best, most = n, 1
			break
		}
		if distance < within && 1-distance > most {
			best, most = n, 1-distance
		}
	}
	if best >= 0 {
		m.after[best] = best + 1
	}
	return most
}

// free is the first free vertex from a place on. It shortens the way for those who come after.
func (m *matcher) free(n int) int {
	for m.after[n] != n {
		m.after[n] = m.after[m.after[n]]
		n = m.after[n]
	}
	return n
}
