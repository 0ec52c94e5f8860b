package obj3d

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	groupKind     = "group"
	libraryKind   = "library"
	materialKind  = "material"
	statementKind = "statement"
	commentKind   = "comment"
	lineKind      = "line"
	// mostFields is how many words or corners of a statement are compared one by
	// one.
	mostFields = 200
)

// elements flattens all files of a document.
func elements(files vfs.Files) []domains.Element {
	f := &flattener{
		groups: map[string]bool{}, libraries: map[string]bool{}, comments: map[string]bool{}, shapes: map[string]*int{},
	}
	meshes := 0
	for _, name := range files.Names() {
		if hasSuffix(name, meshSuffix) {
			meshes++
		}
	}
	for _, name := range files.Names() {
		if hasSuffix(name, meshSuffix) {
			f.mesh(readStatements(files[name]), meshes > 1)
		}
	}
	for _, name := range files.Names() {
		if hasSuffix(name, materialSuffix) {
			f.materials(readStatements(files[name]))
		}
	}
	return f.all
}

// flattener is the elements of a document in the making.
type flattener struct {
	all        []domains.Element
	groups     map[string]bool // and objects, that have their element
	libraries  map[string]bool
	comments   map[string]bool // of meshes
	statements int
	shapes     map[string]*int // numbers by kind and group
	state      state
	lists      [3]list
}

// state is what holds for the shapes that follow.
type state struct {
	object    string
	groups    []string
	material  string
	smoothing string
	fields    []domains.Field
	of        string // how the group is called behind the name of a shape
	counts    map[string]*int
}

// list is the vertices, texture coordinates or normals of a file.
type list struct {
	texts []string
	base  int // what is to be taken off from numbers that count from 1
}

func (f *flattener) add(kind, key string, fields ...domains.Field) {
	f.all = plain.Append(f.all, domains.Element{Kind: kind, Key: key, Fields: fields})
}

func (f *flattener) line(s *statement) {
	for _, line := range s.lines {
		if text := strings.Join(strings.Fields(line), " "); text != "" {
			f.add(lineKind, "line that is no part of the format", domains.Field{Value: text})
		}
	}
}

// comment adds a comment, without its marks; rulers say nothing. What the materials
// repeat from the mesh, such as the exporter's name, counts once.
func (f *flattener) comment(s *statement, inMaterials bool) {
	text := strings.Join(strings.Fields(strings.TrimLeft(s.comment, "# \t")), " ")
	if !strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		return
	}
	fields := []domains.Field{{Value: text}}
	switch {
	case !inMaterials:
		f.comments[text] = true
	case f.comments[text]:
		return
	default:
		fields = append(fields, domains.Field{Name: "in", Value: "materials"})
	}
	f.add(commentKind, "comment", fields...)
}

// mesh flattens an OBJ file. A part of several may count its vertices on.
func (f *flattener) mesh(statements []statement, isPart bool) {
	f.state = state{}
	f.changeState()
	f.readLists(statements, isPart)
	var seen [3]int
	for i := range statements {
		s := &statements[i]
		if s.comment != "" {
			f.comment(s, false)
		}
		if s.keyword == "" {
			continue
		}
		if which, yes := s.isData(); yes {
			f.datum(s, which, f.lists[which].texts[seen[which]])
			seen[which]++
			continue
		}
		if s.isShape() {
			f.shape(s, seen)
			continue
		}
		f.other(s)
	}
}

// readLists reads what corners refer to, which may stand behind them.
func (f *flattener) readLists(statements []statement, isPart bool) {
	f.lists = [3]list{}
	for i := range statements {
		s := &statements[i]
		if which, yes := s.isData(); yes {
			f.lists[which].texts = plain.Append(f.lists[which].texts, strings.Join(s.numbers(which), " "))
		}
	}
	if isPart {
		for which := range f.lists {
			f.lists[which].base = baseOf(statements, which, len(f.lists[which].texts))
		}
	}
}

// baseOf is what a part's numbers are too large by: if they lie beyond its list and
// span as many as that has, they still count from the beginning of the model.
func baseOf(statements []statement, which, size int) int {
	least, most := 0, 0
	for i := range statements {
		if !statements[i].isShape() {
			continue
		}
		for _, word := range statements[i].words {
			corner, _ := readCorner(word)
			r := corner[which]
			if !r.valid || r.number < 0 {
				continue
			}
			if least == 0 || r.number < least {
				least = r.number
			}
			most = max(most, r.number)
		}
	}
	if most > size && most-least+1 == size {
		return least - 1
	}
	return 0
}

// numbers are the numbers of a vertex, texture coordinate or normal in a form that
// is equal for equal ones, without those that are understood.
func (s *statement) numbers(which int) []string {
	numbers := make([]string, len(s.words))
	for n, word := range s.words {
		numbers[n] = plainNumber(word)
	}
	const vertex, texture = 0, 1
	switch {
	case which == vertex && len(numbers) == 4 && numbers[3] == "1":
		numbers = numbers[:3] // the weight
	case which == texture:
		for len(numbers) > 1 && numbers[len(numbers)-1] == "0" {
			numbers = numbers[:len(numbers)-1]
		}
	}
	return numbers
}

// plainNumber is plain.Number, sooner done for what is plain already.
func plainNumber(text string) string {
	digits := strings.TrimPrefix(text, "-")
	whole, fraction, pointed := strings.Cut(digits, ".")
	isPlain := whole != "" && (whole == "0" || whole[0] != '0') && strings.Trim(whole, "0123456789") == "" &&
		(!pointed || fraction != "" && fraction[len(fraction)-1] != '0' && strings.Trim(fraction, "0123456789") == "")
	if isPlain && text != "-0" {
		return text
	}
	return plain.Number(text)
}

var dataNames = [...]struct {
	kind   string
	fields []string
}{
	{"vertex", []string{"x", "y", "z", "w"}},
	{"texture coordinate", []string{"u", "v", "w"}},
	{"normal", []string{"x", "y", "z"}},
}

// coloured are the fields of a vertex with a colour behind its place.
var coloured = []string{"x", "y", "z", "red", "green", "blue"}

func (f *flattener) datum(s *statement, which int, text string) {
	kind, names := dataNames[which].kind, dataNames[which].fields
	numbers := strings.Split(text, " ")
	if kind == "vertex" && len(numbers) == len(coloured) {
		names = coloured
	}
	fields := make([]domains.Field, 0, len(numbers))
	for n, number := range numbers {
		if n == mostFields {
			fields = append(fields, domains.Field{Name: "rest", Value: strings.Join(numbers[n:], " ")})
			break
		}
		name := ""
		if n < len(names) {
			name = names[n]
		} else {
			name = "number " + strconv.Itoa(n+1)
		}
		fields = append(fields, domains.Field{Name: name, Value: number})
	}
	f.add(kind, f.key(kind), fields...)
}

// key names the next of a kind by its number in the group.
func (f *flattener) key(kind string) string {
	count := f.state.counts[kind]
	if count == nil {
		name := kind + f.state.of
		if count = f.shapes[name]; count == nil {
			count = new(int)
			f.shapes[name] = count
		}
		f.state.counts[kind] = count
	}
	*count++
	return kind + " " + strconv.Itoa(*count) + f.state.of
}

var shapeKinds = map[string]string{"f": counted, "fo": counted, "l": "polyline", "p": "points"}

// shape adds a face, a line or points.
func (f *flattener) shape(s *statement, seen [3]int) {
	kind := shapeKinds[s.keyword]
	corners := make([]corner, min(len(s.words), mostFields))
	for n := range corners {
		corners[n] = f.corner(s.words[n], seen)
	}
	fields := make([]domains.Field, len(f.state.fields), len(f.state.fields)+len(corners)+1)
	copy(fields, f.state.fields)
	if kind == counted {
		if order := winding(corners); order != "" {
			fields = append(fields, domains.Field{Name: "winding", Value: order})
		}
		for n := range corners {
			fields = corners[n].append(fields, "")
		}
	} else {
		for n := range corners {
			fields = corners[n].append(fields, " "+strconv.Itoa(n+1))
		}
	}
	if len(s.words) > mostFields {
		fields = append(fields, domains.Field{Name: "rest", Value: strings.Join(s.words[mostFields:], " ")})
	}
	f.add(kind, f.key(kind), fields...)
}

// corner is a corner of a shape: its place, texture coordinate and normal, or what
// stands there instead.
type corner [3]string

func (f *flattener) corner(word string, seen [3]int) corner {
	references, valid := readCorner(word)
	if !valid {
		return corner{word}
	}
	var c corner
	for place, r := range references {
		if r.there {
			c[place] = f.lists[place].at(r.number, seen[place], listKinds[place])
		}
	}
	return c
}

// at is what a number refers to.
func (l *list) at(number, seen int, kind string) string {
	index := number - 1 - l.base
	if number < 0 {
		index = seen + number
	}
	if index < 0 || index >= len(l.texts) {
		return kind + " " + strconv.Itoa(number) + ", which is not there"
	}
	return l.texts[index]
}

func (c *corner) append(fields []domains.Field, number string) []domains.Field {
	fields = append(fields, domains.Field{Name: "corner" + number, Value: c[0]})
	if c[1] != "" {
		fields = append(fields, domains.Field{Name: "texture" + number, Value: c[1] + " at " + c[0]})
	}
	if c[2] != "" {
		fields = append(fields, domains.Field{Name: "normal" + number, Value: c[2] + " at " + c[0]})
	}
	return fields
}

// winding sorts the corners of a face and returns the way around them by their
// places in that order, from where it is least: so it is free at which a face
// begins. Three places have only two ways.
func winding(corners []corner) string {
	if len(corners) < 3 {
		slices.SortFunc(corners, compareCorners)
		return ""
	}
	sorted := slices.Clone(corners)
	slices.SortFunc(sorted, compareCorners)
	ranks := make([]int, len(corners))
	for n := range corners {
		ranks[n], _ = slices.BinarySearchFunc(sorted, corners[n], compareCorners)
	}
	copy(corners, sorted)
	start := leastRotation(ranks)
	if len(ranks) == 3 && ranks[(start+1)%3] == 1 && ranks[(start+2)%3] == 2 {
		return "1 2 3"
	}
	var b strings.Builder
	for n := range ranks {
		if n > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(strconv.Itoa(ranks[(start+n)%len(ranks)] + 1))
	}
	return b.String()
}

func compareCorners(a, b corner) int {
	return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]), cmp.Compare(a[2], b[2]))
}

// leastRotation is where the least rotation of a list begins.
func leastRotation(ranks []int) int {
	a, b, same := 0, 1, 0
	for a < len(ranks) && b < len(ranks) && same < len(ranks) {
		x, y := ranks[(a+same)%len(ranks)], ranks[(b+same)%len(ranks)]
		switch {
		case x == y:
			same++
			continue
		case x > y:
			a += same + 1
		default:
			b += same + 1
		}
		if a == b {
			b++
		}
		same = 0
	}
	return min(a, b)
}

// other is a statement that changes the state, or one of which nothing more is
// known.
func (f *flattener) other(s *statement) {
	switch s.keyword {
	case "g":
		f.state.groups = groupsOf(s.words)
		for _, name := range f.state.groups {
			f.named("group", name)
		}
	case "o":
		f.state.object = strings.Join(s.words, " ")
		f.named("object", f.state.object)
	case "usemtl":
		f.state.material = strings.Join(s.words, " ")
	case "s":
		f.state.smoothing = smoothing(s.words)
	case "mtllib":
		for _, name := range s.words {
			if !f.libraries[name] {
				f.libraries[name] = true
				f.add(libraryKind, "material library "+name, domains.Field{Value: name})
			}
		}
		return
	default:
		if !otherStatements[s.keyword] {
			f.line(s)
			return
		}
		f.otherStatement(s)
		return
	}
	f.changeState()
}

// groupsOf are the groups that a line names, in order of name. That of the name
// default is the one that all is in before.
func groupsOf(words []string) []string {
	groups := slices.Clone(words)
	slices.Sort(groups)
	groups = slices.Compact(groups)
	if len(groups) == 1 && groups[0] == "default" {
		return nil
	}
	return groups
}

func smoothing(words []string) string {
	if len(words) == 0 || words[0] == "off" {
		return ""
	}
	if number := plainNumber(words[0]); number != "0" {
		return number
	}
	return ""
}

func (f *flattener) named(what, name string) {
	key := what + " " + name
	if name != "" && !f.groups[key] {
		f.groups[key] = true
		f.add(groupKind, key, domains.Field{Name: what, Value: name})
	}
}

// changeState lists the state as the fields of a shape.
func (f *flattener) changeState() {
	s := &f.state
	s.fields = nil
	for n, name := range s.groups {
		if n == mostFields {
			s.fields = append(s.fields, domains.Field{Name: "groups", Value: strings.Join(s.groups[n:], " ")})
			break
		}
		s.fields = append(s.fields, domains.Field{Name: "group", Value: name})
	}
	for _, field := range []domains.Field{{Name: "object", Value: s.object}, {Name: "material", Value: s.material}, {Name: "smoothing", Value: s.smoothing}} {
		if field.Value != "" {
			s.fields = append(s.fields, field)
		}
	}
	s.of = ""
	if name := cmp.Or(strings.Join(s.groups, " "), s.object); name != "" {
		s.of = " of " + name
	}
	s.counts = map[string]*int{}
}

func (f *flattener) otherStatement(s *statement) {
	f.statements++
	f.add(statementKind, "statement "+strconv.Itoa(f.statements)+", "+s.keyword, s.wordFields()...)
	f.all[len(f.all)-1].Position = f.statements
}

func (s *statement) wordFields() []domains.Field {
	fields := []domains.Field{{Name: "keyword", Value: s.keyword}}
	for n, word := range s.words {
		if n == mostFields {
			return append(fields, domains.Field{Name: "rest", Value: strings.Join(s.words[n:], " ")})
		}
		fields = append(fields, domains.Field{Name: "word " + strconv.Itoa(n+1), Value: plainNumber(word)})
	}
	return fields
}

// materials flattens an MTL file.
func (f *flattener) materials(statements []statement) {
	current := -1
	for i := range statements {
		s := &statements[i]
		if s.comment != "" {
			f.comment(s, true)
		}
		switch {
		case s.keyword == "":
		case s.keyword == "newmtl":
			name := strings.Join(s.words, " ")
			f.add(materialKind, "material "+name, domains.Field{Name: "name", Value: name})
			current = len(f.all) - 1
		case current >= 0 && isProperty(s.keyword):
			e := &f.all[current]
			e.Fields = s.property(e.Fields)
		default:
			f.line(s)
		}
	}
}

var colourParts = [...]string{" red", " green", " blue"}

// property adds the values of a property; a colour of one number is grey. Those
// beyond the first many become one.
func (s *statement) property(fields []domains.Field) []domains.Field {
	values := make([]string, len(s.words))
	for n, word := range s.words {
		values[n] = plainNumber(word)
	}
	text := strings.Join(values, " ")
	if len(fields) >= mostFields {
		last := &fields[len(fields)-1]
		if last.Name != "rest" {
			return append(fields, domains.Field{Name: "rest", Value: s.keyword + " " + text})
		}
		last.Value += "\n" + s.keyword + " " + text
		return fields
	}
	if !isColour(s.keyword) || len(values) != 1 && len(values) != len(colourParts) || !startsNumber(s.words[0]) {
		return append(fields, domains.Field{Name: s.keyword, Value: text})
	}
	for n, part := range colourParts {
		fields = append(fields, domains.Field{Name: s.keyword + part, Value: values[n%len(values)]})
	}
	return fields
}

func isColour(keyword string) bool {
	return slices.Contains(colourNames, keyword) || keyword == "Tf"
}
