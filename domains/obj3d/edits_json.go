package obj3d

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// jsonModel is a document in JSON.
type jsonModel struct {
	Comments  []string       `json:"comments"` // above the first group
	Libraries []string       `json:"libraries"`
	Groups    []jsonGroup    `json:"groups"`
	Notes     []string       `json:"notes"` // above the first material
	Materials []jsonMaterial `json:"materials"`
}

type jsonGroup struct {
	Name      string          `json:"name"`
	Material  string          `json:"material"`
	Smoothing string          `json:"smoothing"`
	Comments  []string        `json:"comments"`
	Vertices  [][]json.Number `json:"vertices"`
	Textures  [][]json.Number `json:"texcoords"`
	Normals   [][]json.Number `json:"normals"`
	Faces     []string        `json:"faces"` // with what is noted after them
}

type jsonMaterial struct {
	Name       string      `json:"name"`
	Comments   []string    `json:"comments"`
	Properties [][2]string `json:"properties"` // keyword and the rest of its line
}

// inJSON makes an object of a mesh and its materials.
func inJSON(p struct{ Document, Materials, To string }) exact.Steps {
	forward := func(files vfs.Files) (vfs.Files, error) {
		d, err := readDocument(files)
		if err != nil {
			return nil, err
		}
		materials, err := readMaterials(files)
		if err != nil {
			return nil, err
		}
		m := &jsonModel{Comments: []string{}, Libraries: []string{}, Notes: []string{}}
		err = errors.Join(m.addMesh(d), m.addMaterials(materials))
		if err != nil {
			return nil, err
		}
		return vfs.Files{p.To: m.print()}, nil
	}
	backward := func(files vfs.Files) (vfs.Files, error) {
		var m jsonModel
		if err := plain.JSON(files, p.To, &m); err != nil {
			return nil, err
		}
		if len(m.Groups) == 0 {
			return nil, fmt.Errorf("%s has no group", p.To)
		}
		mesh, materials := m.lines()
		return vfs.Files{p.Document: plain.Text(mesh), p.Materials: plain.Text(materials)}, nil
	}
	return exact.Steps{Forward: forward, Backward: backward}
}

func (m *jsonModel) addMesh(d *document) error {
	for _, e := range d.heading {
		m.Comments = e.addComment(m.Comments)
		switch e.keyword {
		case "":
		case "mtllib":
			m.Libraries = append(m.Libraries, e.words...)
		default:
			return e.noPlace()
		}
	}
	for _, b := range d.blocks {
		group, err := b.json()
		if err != nil {
			return err
		}
		m.Groups = append(m.Groups, group)
	}
	return nil
}

func (s *statement) noPlace() error {
	return fmt.Errorf("%s has no place in the JSON form", s.quoted())
}

// addComment adds the comment of a line without its mark.
func (s *statement) addComment(comments []string) []string {
	if s.comment == "" {
		return comments
	}
	return append(comments, strings.TrimSpace(strings.TrimPrefix(s.comment, "#")))
}

func (b *block) json() (jsonGroup, error) {
	g := jsonGroup{
		Name: b.name(), Comments: []string{}, Faces: []string{},
		Vertices: [][]json.Number{}, Textures: [][]json.Number{}, Normals: [][]json.Number{},
	}
	lists := [...]*[][]json.Number{&g.Vertices, &g.Textures, &g.Normals}
	backwards, states := false, map[string]bool{}
	for _, e := range b.entries[1:] {
		if e.keyword == "f" && e.isFace() {
			g.Faces = append(g.Faces, strings.TrimPrefix(e.line(), "f "))
			backwards = backwards || slices.ContainsFunc(e.corners, func(c [3]target) bool {
				return c[0].backward || c[1].backward || c[2].backward
			})
			continue
		}
		g.Comments = e.addComment(g.Comments)
		which, isData := e.isData()
		switch {
		case e.keyword == "":
		case isData && !backwards:
			numbers, err := e.jsonNumbers()
			if err != nil {
				return g, err
			}
			*lists[which] = append(*lists[which], numbers)
		case states[e.keyword] || len(g.Faces) > 0:
			return g, e.noPlace()
		case e.keyword == "usemtl":
			g.Material = e.name()
			states[e.keyword] = true
		case e.keyword == "s" && len(e.words) == 1:
			g.Smoothing = e.words[0]
			states[e.keyword] = true
		default:
			return g, e.noPlace()
		}
	}
	return g, nil
}

// jsonNumbers are the numbers of a line, with all their digits.
func (e *entry) jsonNumbers() ([]json.Number, error) {
	numbers := make([]json.Number, len(e.words))
	for n, word := range e.words {
		numbers[n] = json.Number(strings.TrimPrefix(word, "+"))
		if !json.Valid([]byte(numbers[n])) {
			numbers[n] = json.Number(plainNumber(word))
		}
		if _, err := numbers[n].Float64(); err != nil || !json.Valid([]byte(numbers[n])) {
			return nil, fmt.Errorf("%.40q in %s is no number", word, e.quoted())
		}
	}
	return numbers, nil
}

func (m *jsonModel) addMaterials(materials []statement) error {
	current := &jsonMaterial{}
	comments := &m.Notes
	for _, s := range materials {
		*comments = s.addComment(*comments)
		switch {
		case s.keyword == "":
		case s.keyword == "newmtl":
			m.Materials = append(m.Materials, jsonMaterial{Name: s.name(), Comments: []string{}, Properties: [][2]string{}})
			current = &m.Materials[len(m.Materials)-1]
			comments = &current.Comments
		case isProperty(s.keyword) && len(m.Materials) > 0:
			current.Properties = append(current.Properties, [2]string{s.keyword, s.name()})
		default:
			return s.noPlace()
		}
	}
	return nil
}

// print writes an entry of each list on a line.
func (m *jsonModel) print() string {
	return "{\n" + strings.Join([]string{
		jsonList("comments", m.Comments), jsonList("libraries", m.Libraries), jsonList("groups", m.Groups),
		jsonList("notes", m.Notes), jsonList("materials", m.Materials),
	}, ",\n") + "\n}\n"
}

func jsonList[T any](name string, list []T) string {
	text, _ := plain.JSONArray(list) // the numbers in it are valid
	return fmt.Sprintf("%q: %s", name, strings.TrimSuffix(text, "\n"))
}

func (m *jsonModel) lines() (mesh, materials []string) {
	mesh = commentLines(nil, m.Comments)
	if len(m.Libraries) > 0 {
		mesh = append(mesh, "mtllib "+strings.Join(m.Libraries, " "))
	}
	for i := range m.Groups {
		mesh = m.Groups[i].lines(mesh)
	}
	materials = commentLines(nil, m.Notes)
	for _, material := range m.Materials {
		materials = commentLines(append(materials, "newmtl "+material.Name), material.Comments)
		for _, property := range material.Properties {
			materials = append(materials, property[0]+" "+property[1])
		}
	}
	return mesh, materials
}

func commentLines(lines, comments []string) []string {
	for _, comment := range comments {
		lines = append(lines, "# "+comment)
	}
	return lines
}

func (g *jsonGroup) lines(lines []string) []string {
	lines = append(lines, "g "+g.Name)
	if g.Material != "" {
		lines = append(lines, "usemtl "+g.Material)
	}
	if g.Smoothing != "" {
		lines = append(lines, "s "+g.Smoothing)
	}
	lines = commentLines(lines, g.Comments)
	for which, list := range [...][][]json.Number{g.Vertices, g.Textures, g.Normals} {
		for _, numbers := range list {
			line := listKinds[which]
			for _, number := range numbers {
				line += " " + number.String()
			}
			lines = append(lines, line)
		}
	}
	for _, face := range g.Faces {
		lines = append(lines, "f "+face)
	}
	return lines
}
