package robotics

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/xml"
	published "agentd/domains/published/robotics"
	"agentd/vfs"
)

// elements flattens files of any name: what the robot has, the namespaces of
// prefixes, comments, and text that stands where none belongs.
func elements(files vfs.Files) []domains.Element {
	f := flattener{robots: map[string]int{}, spaces: map[string]bool{}, paths: map[step]string{}}
	for n, name := range files.Names() {
		f.file = n
		m := read(files[name])
		for _, fault := range m.Faults {
			if strings.HasSuffix(fault, xml.WithoutQuotes) {
				continue // the value is there
			}
			f.add(domains.Element{Kind: "fault", Key: "XML", Fields: []domains.Field{{Value: fault}}})
		}
		for _, c := range m.Top.Children {
			if c.Kind == xml.Element && !isCounted(c) {
				f.robot(c)
			} else {
				f.part(c)
			}
		}
	}
	return f.all
}

type flattener struct {
	all    []domains.Element
	file   int            // that is in hand
	robots map[string]int // what outermost elements say, and in which file first
	spaces map[string]bool
	paths  map[step]string
	lines  int

	owner   string // of what is in hand, such as "link arm"
	scratch []domains.Field
	free    bool // the format says nothing of what is inside of the owner
}

// step leads from a path to a child or an attribute.
type step struct{ path, by, name string }

func (f *flattener) add(e domains.Element) { f.all = plain.Append(f.all, e) }

// margin flattens what is no element: comments, and lines of text.
func (f *flattener) margin(n *xml.Node) {
	for _, e := range n.Margin(plain.SingleBlanks) {
		f.lines++
		if e.Kind == "line" {
			e.Position = f.lines
		}
		if f.owner != "" {
			e.Key += " in " + f.owner
			e.Fields = append(e.Fields, domains.Field{Name: "in", Value: f.owner})
		}
		f.add(e)
	}
}

// robot flattens the outermost element. Several files of one robot repeat it, with or without its name.
func (f *flattener) robot(n *xml.Node) {
	f.owner, f.free = "", false
	fields := f.attributes([]domains.Field{{Name: "element", Value: strings.ToLower(n.Name)}}, n, "")
	seen := fmt.Sprint(fields)
	first, known := f.robots[seen]
	isPart := known && first != f.file || f.file > 0 && len(n.Attrs) == 0
	if !isPart {
		f.robots[seen] = f.file
		f.add(domains.Element{Kind: "robot", Key: "robot", Fields: fields})
	}
	f.space(n)
	for _, c := range n.Children {
		f.part(c)
	}
}

// part flattens a child of the robot.
func (f *flattener) part(n *xml.Node) {
	f.owner = ""
	if n.Kind != xml.Element {
		f.margin(n)
		return
	}
	kind := strings.ToLower(n.Name)
	f.free = false
	switch kind {
	case "link", "joint":
		kind = counted
	case "material":
	case transmissionKind, gazeboKind:
		f.free = true
	default:
		kind, f.free = "block", true
	}
	f.owner = keyOf(n)
	at := len(f.all)
	f.add(domains.Element{}) // comments in it come after it
	f.scratch = append(f.scratch[:0], domains.Field{Name: "element", Value: n.Name})
	f.scratch = f.fields(f.scratch, n, "")
	f.all[at] = domains.Element{Kind: kind, Key: f.owner, Fields: slices.Clone(f.scratch)}
}

// keyOf calls an element by its tag and its name, or by what it refers to.
func keyOf(n *xml.Node) string {
	if name := shortName(n, "name"); name != "" {
		return n.Name + " " + name
	}
	if name := shortName(n, "reference"); name != "" {
		return n.Name + " of " + name
	}
	return n.Name
}

// shortName returns an attribute that is a name, up to a length that names have.
func shortName(n *xml.Node, attribute string) string {
	const longest = 80
	name, _ := n.Attribute(attribute)
	return pytext.Strip(name[:min(len(name), longest)])
}

// fields appends the attributes and values of an element, under the path that leads to them. Where the path is longer
// than any document needs, the rest is one value.
func (f *flattener) fields(fields []domains.Field, n *xml.Node, path string) []domains.Field {
	const longest = 300
	if len(path) > longest {
		return append(fields, domains.Field{Name: path, Value: n.InOne()})
	}
	f.space(n)
	fields = f.attributes(fields, n, path)
	isLeaf := n.IsLeaf()
	if isLeaf && path != "" {
		if text := normal(n.Content(), false); text != "" || len(n.Attrs) == 0 && !isOptional(n.Name) {
			fields = append(fields, domains.Field{Name: path, Value: text})
		}
	}
	label := labels(n.Children)
	for _, c := range f.ordered(n) {
		switch {
		case c.Kind == xml.Element:
			fields = f.fields(fields, c, f.path(path, "/", label(c)))
		case c.Kind != xml.Text || !isLeaf || path == "":
			f.margin(c)
		}
	}
	return fields
}

// attributes appends what the attributes of an element say, save what holds without them.
func (f *flattener) attributes(fields []domains.Field, n *xml.Node, path string) []domains.Field {
	for _, a := range n.Attrs {
		if strings.HasPrefix(a.Name, "xmlns:") {
			continue
		}
		value := a.Value
		if !isText(a.Name) {
			value = normal(value, !f.free)
		}
		if f.free || !isDefault(n.Name, a.Name, value) {
			fields = append(fields, domains.Field{Name: f.path(path, " ", a.Name), Value: value})
		}
	}
	return fields
}

// path is "geometry/mesh" of a child, or "geometry/mesh filename" of an attribute. Each is built once.
func (f *flattener) path(parent, by, name string) string {
	if parent == "" {
		return name
	}
	s := step{parent, by, name}
	known, ok := f.paths[s]
	if !ok {
		known = parent + by + name
		f.paths[s] = known
	}
	return known
}

// labels returns what the children of an element are called: by their tag and,
// where it repeats, by their name or otherwise by their number.
func labels(children []*xml.Node) func(*xml.Node) string {
	if len(children) < 2 {
		return func(c *xml.Node) string { return c.Name }
	}
	repeats := map[string]bool{} // by tag
	for _, c := range children {
		_, again := repeats[c.Name]
		repeats[c.Name] = again
	}
	met := map[string]int{}
	return func(c *xml.Node) string {
		if !repeats[c.Name] {
			return c.Name
		}
		label := c.Name
		if name := shortName(c, "name"); name != "" {
			label += " " + name
		}
		if met[label]++; met[label] > 1 {
			label += " " + strconv.Itoa(met[label])
		}
		return label
	}
}

// ordered returns the children of an element. Of several visuals or collisions
// of a link the order means nothing; they are put in that of their shapes.
func (f *flattener) ordered(n *xml.Node) []*xml.Node {
	isShape := func(c *xml.Node) bool { return c.Name == "visual" || c.Name == "collision" }
	shapes := 0
	for _, c := range n.Children {
		if isShape(c) {
			shapes++
		}
	}
	if f.free || n.Name != "link" || shapes < 2 {
		return n.Children
	}
	texts := map[*xml.Node]string{}
	silent := flattener{paths: f.paths, spaces: map[string]bool{}}
	for _, c := range n.Children {
		if isShape(c) {
			texts[c] = fmt.Sprint(silent.fields(nil, &xml.Node{Children: c.All("geometry")}, ""), silent.fields(nil, c, ""))
		}
	}
	ordered := slices.Clone(n.Children)
	slices.SortStableFunc(ordered, func(a, b *xml.Node) int { return strings.Compare(texts[a], texts[b]) })
	return ordered
}

// space notes the namespace of a prefix that is used.
func (f *flattener) space(n *xml.Node) {
	prefix := xml.Prefix(n.Name)
	if prefix == "" || f.spaces[prefix+n.Space] {
		return
	}
	f.spaces[prefix+n.Space] = true
	f.add(domains.Element{Kind: "namespace", Key: "namespace " + prefix, Fields: []domains.Field{
		{Name: "prefix", Value: prefix}, {Name: "address", Value: n.Space},
	}})
}

// model is a file as the format has it, in any state.
type model struct{ xml.Document }

// read takes in any text. It forgives a byte order mark, code fences and misspelt closing tags.
func read(text string) *model {
	text = xml.Unfenced(text)
	x := xml.Read(text)
	if len(x.Faults) == 0 {
		return &model{x}
	}
	if repaired := published.RepairEndTags(text); repaired != text {
		if again := xml.Read(repaired); len(again.Faults) == 0 {
			x = again
		}
	}
	return &model{x}
}

// isCounted reports whether the element is a link or a joint, in the small letters of the format or others.
func isCounted(n *xml.Node) bool {
	if n.Kind != xml.Element || n.Space != "" {
		return false
	}
	return strings.EqualFold(n.Name, "link") || strings.EqualFold(n.Name, "joint")
}

// without leaves out links and joints.
func without(_, text string, leave func() bool) string {
	m := read(text)
	var out []*xml.Node
	for _, root := range m.Top.Elements() {
		for _, c := range root.Children {
			if isCounted(c) && leave() {
				out = append(out, c)
			}
		}
	}
	return m.Without(out)
}

// isText reports whether an attribute holds a name or the like, in which every character counts.
func isText(attribute string) bool {
	switch attribute {
	case "name", "link", "joint", "reference", "type", "filename", "xmlns":
		return true
	}
	return false
}

// defaults are the values that hold where an attribute or its element is missing.
var defaults = map[string]string{
	"robot version":                      "1",
	"origin xyz":                         "0 0 0",
	"origin rpy":                         "0 0 0",
	"axis xyz":                           "1 0 0",
	"mesh scale":                         "1 1 1",
	"limit lower":                        "0",
	"limit upper":                        "0",
	"dynamics damping":                   "0",
	"dynamics friction":                  "0",
	"mimic multiplier":                   "1",
	"mimic offset":                       "0",
	"safety_controller soft_lower_limit": "0",
	"safety_controller soft_upper_limit": "0",
	"safety_controller k_position":       "0",
}

func isDefault(element, attribute, value string) bool {
	if len(value) > len("0 0 0") {
		return false
	}
	known, ok := defaults[element+" "+attribute]
	return ok && known == value
}

// isOptional reports whether an empty element says no more than none.
func isOptional(element string) bool {
	switch element {
	case "origin", "axis", "dynamics":
		return true
	}
	return false
}

// normal writes a text of numbers and words so that equal ones are equal. A word of digits with a zero before them is a
// number only where the format wants one.
func normal(text string, wantsNumbers bool) string {
	words := pytext.Fields(text)
	for k, word := range words {
		if wantsNumbers || !isPadded(word) {
			words[k] = plain.Number(word)
		}
	}
	return strings.Join(words, " ")
}

func isPadded(word string) bool {
	word = strings.TrimLeft(word, "-")
	return len(word) > 1 && word[0] == '0' && word[1] >= '0' && word[1] <= '9'
}

const counted = "link or joint"

// Kinds of elements that a description without links and joints is known by; they are the names of the XML elements.
const (
	transmissionKind = "transmission"
	gazeboKind       = "gazebo"
)
