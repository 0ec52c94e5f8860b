package obj3d

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/wellformed"
	published "agentd/domains/published/obj3d"
	"agentd/vfs"
)

const (
	groupKind     = "group"
	libraryKind   = "library"
	materialKind  = "material"
	statementKind = "statement"
	commentKind   = "comment"
	lineKind      = "line"
)

// elements flattens all files of a document, the meshes first.
func elements(files vfs.Files) []domains.Element {
	f := &flattener{named: map[string]bool{}, comments: map[string]bool{}, counts: map[string]*[len(shapeKinds)]int{}}
	var meshes, materials []string
	for _, name := range files.Names() {
		switch {
		case published.HasSuffix(name, published.MeshSuffix):
			meshes = append(meshes, files[name])
		case published.HasSuffix(name, published.MaterialSuffix):
			materials = append(materials, files[name])
		}
	}
	for _, text := range meshes {
		f.mesh(plain.Lines(text), len(meshes) > 1)
	}
	for _, text := range materials {
		f.materials(plain.Lines(text))
	}
	return f.all
}

// flattener is the elements of a document in the making.
type flattener struct {
	all        []domains.Element
	space      []domains.Field                  // for fields of elements to come
	named      map[string]bool                  // groups, objects and libraries that have their element
	comments   map[string]bool                  // of meshes
	counts     map[string]*[len(shapeKinds)]int // of the shapes by group
	statements int
	state      state
	lists      [3]list
}

// state is what holds for the shapes that follow.
type state struct {
	object    string
	group     string
	material  string
	smoothing string
	changed   bool // since what follows was made of it
	fields    []domains.Field
	of        string // how the group is called after the name of a shape
	counts    *[len(shapeKinds)]int
}

func (f *flattener) add(kind, key string, fields []domains.Field) {
	f.all = plain.Append(f.all, domains.Element{Kind: kind, Key: key, Fields: f.keep(fields)})
}

func (f *flattener) addOne(kind, key, name, value string) {
	f.add(kind, key, append(f.room(1), domains.Field{Name: name, Value: value}))
}

// room has room for so many fields. Many elements share one piece of memory.
func (f *flattener) room(n int) []domains.Field {
	const piece = 4096
	if n > cap(f.space) {
		f.space = make([]domains.Field, 0, max(n, piece))
	}
	return f.space
}

// keep keeps what was put into the room.
func (f *flattener) keep(fields []domains.Field) []domains.Field {
	f.space = fields[len(fields):]
	return slices.Clip(fields)
}

// short is a text that many elements repeat, cut where it gets long. What is cut off is told by its sum.
func short(text string) string {
	const most, kept = 200, 100
	if len(text) <= most {
		return text
	}
	sum := fnv.New64a()
	_, _ = sum.Write([]byte(text)) // cannot fail
	return fmt.Sprintf("%s… (%d bytes, %x)", strings.ToValidUTF8(text[:kept], ""), len(text), sum.Sum64())
}

func (f *flattener) line(s *statement) {
	for _, line := range s.lines {
		if text := spaced(line); text != "" {
			f.addOne(lineKind, "line that is no part of the format", "", text)
		}
	}
}

// spaced has one blank where there are several.
func spaced(text string) string {
	if strings.Contains(text, "  ") || strings.ContainsFunc(text, func(r rune) bool { return r != ' ' && unicode.IsSpace(r) }) {
		return plain.SingleBlanks(text)
	}
	return strings.Trim(text, " ")
}

// comment adds a comment, without its marks; rulers say nothing. What the materials
// repeat from the mesh, such as the exporter's name, counts once.
func (f *flattener) comment(s *statement, inMaterials bool) {
	text := spaced(strings.TrimLeft(s.comment, "# \t"))
	if !strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		return
	}
	switch {
	case !inMaterials:
		f.comments[text] = true
		f.addOne(commentKind, "comment", "", text)
	case !f.comments[text]:
		f.addOne(commentKind, "comment in the materials", "in the materials", text)
	}
}

// mesh flattens an OBJ file. A part of several may count its vertices on.
func (f *flattener) mesh(lines []string, isPart bool) {
	f.state = state{changed: true}
	f.readLists(lines, isPart)
	var seen [3]int
	eachStatement(lines, func(s *statement) {
		if s.comment != "" {
			f.comment(s, false)
		}
		if s.keyword == "" {
			return
		}
		if which, yes := s.isData(); yes {
			f.updateState()
			f.datum(which, f.lists[which].texts[seen[which]])
			seen[which]++
			return
		}
		if kind, yes := s.isShape(); yes {
			f.updateState()
			f.shape(s, kind, seen)
			return
		}
		f.other(s)
	})
}

// other is a statement that changes the state, or one of which nothing more is known.
func (f *flattener) other(s *statement) {
	f.state.changed = true
	switch s.keyword {
	case "g":
		f.state.group = short(f.groups(s.words))
	case "o":
		f.state.object = short(s.name())
		f.name(groupKind, "object", f.state.object)
	case "usemtl":
		f.state.material = short(s.name())
	case "s":
		f.state.smoothing = short(smoothing(s.words))
	case "mtllib":
		for _, name := range s.words {
			f.name(libraryKind, "material library", name)
		}
	default:
		if otherStatements[s.keyword] {
			f.otherStatement(s)
		} else {
			f.line(s)
		}
	}
}

// groups adds the groups that a line names and returns them in order of name. The
// one called default is that which all is in before.
func (f *flattener) groups(words []string) string {
	for _, name := range words {
		if name != "default" {
			f.name(groupKind, "group", name)
		}
	}
	groups := slices.Clone(words)
	slices.Sort(groups)
	names := strings.Join(slices.Compact(groups), " ")
	if names == "default" {
		return ""
	}
	return names
}

// name adds what has a name, once.
func (f *flattener) name(kind, what, name string) {
	if key := what + " " + name; name != "" && !f.named[key] {
		f.named[key] = true
		f.addOne(kind, key, what, name)
	}
}

func smoothing(words []string) string {
	if len(words) == 0 || words[0] == "off" || plainNumber(words[0]) == "0" {
		return ""
	}
	return plainNumber(words[0])
}

// updateState lists the state as the fields of a shape.
func (f *flattener) updateState() {
	s := &f.state
	if !s.changed {
		return
	}
	s.changed = false
	s.fields = slices.DeleteFunc([]domains.Field{
		{Name: "group", Value: s.group}, {Name: "object", Value: s.object},
		{Name: "material", Value: s.material}, {Name: "smoothing", Value: s.smoothing},
	}, func(field domains.Field) bool { return field.Value == "" })
	s.of = ""
	switch {
	case s.group != "":
		s.of = " of " + s.group
	case s.object != "":
		s.of = " of " + s.object
	}
	if s.counts = f.counts[s.of]; s.counts == nil {
		s.counts = &[len(shapeKinds)]int{}
		f.counts[s.of] = s.counts
	}
}

// key names the next of a kind by its number in the group.
func (f *flattener) key(kind int) string {
	f.state.counts[kind]++
	return shapeKinds[kind] + " " + strconv.Itoa(f.state.counts[kind]) + f.state.of
}

func (f *flattener) otherStatement(s *statement) {
	f.statements++
	fields := append(f.room(len(s.words)+1), domains.Field{Name: "keyword", Value: s.keyword})
	for n, word := range s.words {
		fields = append(fields, domains.Field{Name: "word " + strconv.Itoa(n+1), Value: plainNumber(word)})
	}
	f.add(statementKind, "statement "+strconv.Itoa(f.statements)+", "+s.keyword, fields)
	f.all[len(f.all)-1].Position = f.statements
}

// counted is the kind of element that faces are.
const counted = "face"

const vertexKind = "vertex"

// wellFormed checks that each line begins with a statement of the format, and that coordinates are numbers.
var wellFormed = wellformed.All(
	wellformed.Lines(`^\s*(?:#|(?:v|vt|vn|vp|p|l|f|curv2?|surf|parm|trim|hole|scrv|sp|end|con|g|s|mg|o|deg|bmat|step|cstype|bevel|c_interp|d_interp|lod|usemtl|mtllib|shadow_obj|trace_obj|ctech|stech|call|csh|newmtl|K[adse]|Tf|Tr|d|illum|N[si]|sharpness|P[rmsc]|Pcr|aniso|anisor|norm|refl|disp|decal|bump|map_\w+)(?:\s|$))`, "no statement begins the line"),
	wellformed.Not(`^\s*v[tnp]?(?:\s+[^\s#]+)*?\s+[^\s\d.+\-#\\][^#]*$`, "a coordinate is no number"),
)
