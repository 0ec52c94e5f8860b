package vector

import (
	"cmp"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/xml"
	published "agentd/domains/published/vector"
	"agentd/vfs"
)

// fileShift is by how many bits the number of a file is above the place in it.
const fileShift = 32

// joined puts the elements of several files together. What one repeats of another,
// or of which it has less, so that the part can be drawn on its own, counts once:
// the drawing's size, groups that go on, definitions, style sheets, comments.
func joined(parts [][]domains.Element) []domains.Element {
	if len(parts) == 1 {
		return parts[0]
	}
	type source struct{ kind, key string }
	found := map[source][]*domains.Element{}
	files := map[*domains.Element]int{}
	for file := range parts {
		for i := range parts[file] {
			if e := &parts[file][i]; isRepeatable(e) {
				files[e] = file
				found[source{e.Kind, e.Key}] = append(found[source{e.Kind, e.Key}], e)
			}
		}
	}
	repeated := map[*domains.Element]bool{}
	for _, same := range found {
		const most = 64 // that are compared with each other
		same = same[:min(len(same), most)]
		for i, e := range same {
			for k, other := range same {
				if files[e] != files[other] && !repeated[other] && isPartOf(e, other) && (k < i || !isPartOf(other, e)) {
					repeated[e] = true
				}
			}
		}
	}
	var all []domains.Element
	for file := range parts {
		for i := range parts[file] {
			if e := &parts[file][i]; !repeated[e] {
				all = append(all, *e)
			}
		}
	}
	return all
}

// isRepeatable reports whether an element may stand in several files of a drawing, as a shape may not.
func isRepeatable(e *domains.Element) bool {
	switch e.Kind {
	case "line":
		return false
	case counted:
		name := e.Value("element")
		return name == "g" && e.Value("id") != "" || name == "defs" || name == "style"
	}
	return true
}

// isPartOf reports whether an element has no field that another has not.
func isPartOf(e, other *domains.Element) bool {
	return !slices.ContainsFunc(e.Fields, func(f domains.Field) bool { return !slices.Contains(other.Fields, f) })
}

// fileOf is the number of the last file of a document.
func fileOf(elements []domains.Element) int {
	last := 0
	for i := range elements {
		last = max(last, elements[i].Position>>fileShift)
	}
	return last
}

// inOrder merges the files of a document by where what they have stands on the other side: names say nothing about what
// lies on top, nor does it matter where a drawing was divided. Within a file the order stays.
func inOrder(elements, other []domains.Element) []domains.Element {
	type source struct{ kind, key string }
	places := map[source]int{}
	for i := range other {
		e := &other[i]
		if _, known := places[source{e.Kind, e.Key}]; !known {
			places[source{e.Kind, e.Key}] = e.Position
		}
	}
	ordered := slices.Clone(elements)
	reached := make([]map[string]int, fileOf(elements)+1) // the last place of a file, by kind
	numbers := make([]int, len(ordered))
	var moving []int
	for i := range ordered {
		e := &ordered[i]
		if e.Position == 0 {
			continue
		}
		file := e.Position >> fileShift
		if reached[file] == nil {
			reached[file] = map[string]int{}
		}
		reached[file][e.Kind] = max(reached[file][e.Kind], places[source{e.Kind, e.Key}])
		numbers[i] = reached[file][e.Kind]
		moving = append(moving, i)
	}
	slices.SortStableFunc(moving, func(a, b int) int {
		return cmp.Or(cmp.Compare(numbers[a], numbers[b]), cmp.Compare(elements[a].Position, elements[b].Position))
	})
	for place, i := range moving {
		ordered[i].Position = place + 1
	}
	return ordered
}

// onePlace numbers the elements of all files through.
func onePlace(elements []domains.Element) []domains.Element {
	if fileOf(elements) == 0 {
		return elements
	}
	numbered := slices.Clone(elements)
	byPosition := func(a, b int) int { return cmp.Compare(numbered[a].Position, numbered[b].Position) }
	place := 0
	for _, i := range lists.Order(len(numbered), byPosition) {
		if numbered[i].Position > 0 {
			place++
			numbered[i].Position = place
		}
	}
	return numbered
}

// The prefixes that namespaces have by custom. Links need none since SVG 2.
var customary = map[string]string{
	"http://www.w3.org/1999/xlink": "", "http://www.w3.org/XML/1998/namespace": "xml:",
	"http://www.inkscape.org/namespaces/inkscape": "inkscape:", "http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd": "sodipodi:",
	"http://purl.org/dc/elements/1.1/": "dc:", "http://creativecommons.org/ns#": "cc:", "http://www.w3.org/1999/02/22-rdf-syntax-ns#": "rdf:",
	svgSpace: "",
}

// attributeName is the name of an attribute under the prefix that is customary.
func (f *flattener) attributeName(name string) string {
	prefix := xml.Prefix(name)
	switch {
	case prefix == "":
		return name
	case prefix == "xlink":
		return xml.Local(name)
	}
	if custom, known := customary[f.spaces[prefix]]; known {
		return custom + xml.Local(name)
	}
	return name
}

// name is that of an element, the same under every prefix of SVG.
func (f *flattener) name(n *xml.Node) string {
	if !n.Foreign {
		return xml.Local(n.Name)
	}
	if custom, known := customary[n.Space]; known {
		return custom + xml.Local(n.Name)
	}
	return n.Name
}

// key is what a person would call an element: by its id, otherwise by its label, its
// place or its class, a group also by what it begins with.
func (f *flattener) key(n *xml.Node) string { return f.keyTo(n, 3) }

func (f *flattener) keyTo(n *xml.Node, depth int) string {
	name := f.name(n)
	for _, attribute := range []string{"id", "inkscape:label", "class"} {
		if value, _ := n.Attribute(attribute); value != "" {
			return name + " " + shortened(value)
		}
	}
	if isLabel(n, false) {
		if text := shownText(n); text != "" {
			return name + " “" + text + "”"
		}
	}
	for _, axes := range [][2]string{{"x", "y"}, {"cx", "cy"}, {"x1", "y1"}} {
		x, hasX := n.Attribute(axes[0])
		y, hasY := n.Attribute(axes[1])
		if hasX || hasY {
			return name + " at " + shortened(plain.Number(x)) + ", " + shortened(plain.Number(y))
		}
	}
	for _, c := range n.Children {
		if c.Kind == xml.Element && depth > 0 && !published.IsSkipped(c) {
			return name + " with " + f.keyTo(c, depth-1)
		}
	}
	return name
}

const longestName = 40

func shortened(text string) string { return pytext.First(text, longestName) }

// shownText is the beginning of the text in a label and its spans.
func shownText(n *xml.Node) string {
	var b strings.Builder
	var collect func(*xml.Node)
	collect = func(n *xml.Node) {
		for _, c := range n.Children {
			if b.Len() > longestName {
				return
			}
			switch c.Kind {
			case xml.Text:
				b.WriteString(shortened(pytext.StripLeft(c.Text)) + " ")
			case xml.Element:
				collect(c)
			}
		}
	}
	collect(n)
	return shortened(pytext.Strip(collapsed(b.String())))
}

// forgives makes up for what is only known from both sides: which groups are
// still there, and in which order several files make up one drawing.
func forgives(reference, candidate []domains.Element) ([]domains.Element, []domains.Element) {
	refs, gots := inCommonNests(reference, candidate)
	if fileOf(gots) > 0 {
		gots = inOrder(gots, refs)
	} else if fileOf(refs) > 0 {
		refs = inOrder(refs, gots)
	}
	return onePlace(refs), onePlace(gots)
}

// inCommonNests says of each element in which nest it stands of those that both sides have: that a group was lost or
// added is one change, not one of each element in it.
func inCommonNests(reference, candidate []domains.Element) (refs, gots []domains.Element) {
	used := map[string]bool{"": true}
	collectNests(used, reference)
	collectNests(used, candidate)
	if len(used) == 1 {
		return reference, candidate
	}
	refNests, gotNests := nestsOf(reference, used), nestsOf(candidate, used)
	common := map[string]bool{"": true}
	for key := range refNests {
		if _, ok := gotNests[key]; ok {
			common[key] = true
		}
	}
	return refNests.within(reference, common), gotNests.within(candidate, common)
}

// collectNests notes the keys of what elements stand in.
func collectNests(used map[string]bool, elements []domains.Element) {
	last := ""
	for i := range elements {
		if in, ok := nestOf(&elements[i]); ok && in != last {
			used[in] = true
			last = in
		}
	}
}

// nests are the keys of elements in which others stand, each with the key of what it stands in itself.
type nests map[string]string

func nestsOf(elements []domains.Element, used map[string]bool) nests {
	n := nests{}
	for i := range elements {
		key := elements[i].Key
		if in, ok := nestOf(&elements[i]); ok && used[key] {
			if _, known := n[key]; !known {
				n[key] = in
			}
		}
	}
	return n
}

// nestOf is the key of what an element stands in.
func nestOf(e *domains.Element) (string, bool) {
	if len(e.Fields) == 0 || e.Fields[0].Name != "in" {
		return "", false
	}
	return e.Fields[0].Value, true
}

// within gives each element the nearest common nest.
func (n nests) within(elements []domains.Element, common map[string]bool) []domains.Element {
	var copied []domains.Element
	for i := range elements {
		in, ok := nestOf(&elements[i])
		if !ok || common[in] {
			continue
		}
		if copied == nil {
			copied = slices.Clone(elements)
		}
		fields := slices.Clone(elements[i].Fields)
		fields[0].Value = n.nearest(in, common)
		copied[i].Fields = fields
	}
	if copied == nil {
		return elements
	}
	return copied
}

// nearest is the first of the nests around one that is common.
func (n nests) nearest(in string, common map[string]bool) string {
	const deepest = 256
	for range deepest {
		if common[in] {
			return in
		}
		in = n[in]
	}
	return ""
}

// evidence counts the drawn elements of drawings. The published reader takes the
// elements of any XML document for shapes, so the outermost one must be <svg>.
func evidence(files vfs.Files, elements []domains.Element) int {
	if !slices.ContainsFunc(elements, isDrawing) {
		return 0
	}
	return domains.OfKinds(counted)(files, elements)
}

func isDrawing(e domains.Element) bool { return e.Kind == drawingKind && e.Value("element") == "svg" }
