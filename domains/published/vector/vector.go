// Package vector is the published reading and score of the domain vector.
//
// Tables by fingerprint keep the first element with that fingerprint. M = common fingerprints. ratio = difflib on
// characters, autojunk on.
//
//   - group: both without groups 1; one without 0; else 0.8 * Jaccard(group ids) + 0.2 * f, f = max(0.5, min(n_R,
//     n_C)/max(n_R, n_C)) over element counts (0 if one side has no elements).
//   - text: both lists empty 1, one empty 0. Texts lower-cased. For each reference text in order take the unused
//     candidate text with the strictly largest similarity (1 if equal, else ratio(reference, candidate)), first one on
//     ties, none if all are 0; sum / max(n_R, n_C).
//   - visual: both without elements 1, one 0, M empty 0. Over M and fill, stroke, opacity, fill-opacity,
//     stroke-opacity: where at least one side has a non-empty value, count 1 and add 1 if equal; fill and stroke are
//     compared trimmed, lower-cased, #abc expanded to #aabbcc. correct / counted, 1 if nothing was counted.
//   - spatial: same empty rules. Mean over M of the mean over the union of the other kept attributes (1 if none; the
//     internal group mark excluded) of: 1 if texts are equal; for x y cx cy x1 y1 x2 y2 width height r rx ry font-size
//     stroke-width: 1 if both are numbers within 1.0, 0.7 within 5.0, else 0 (a unit suffix makes it no number, an
//     absent one neither); for d, points, transform: ratio if both non-empty, else 0; for the rest: if both non-empty,
//     1 when equal ignoring case, else 0.7 * ratio(lower, lower); else 0.
//   - structure: both without groups 1, one 0; J = Jaccard(group ids); no common id: J/2 (that is 0); else (J + mean
//     over common ids of the Jaccard of the sets of child fingerprints, both empty 1, one empty 0) / 2.
//   - meta: over width, height, viewBox where at least one side is non-empty: 1 if equal; 0 if one is empty; width and
//     height: strip all but digits and dots, difference below 1 gives 1, below 5 % of max(reference, 1) gives 0.8, else
//     0 (if that is no number: ratio); viewBox: ratio. Mean; 1 if none, 0 if exactly one side has no metadata at all.
//   - base = group * text * sqrt((2 visual + spatial + structure) / 4). If meta < 0.5: base *= 0.5 + meta. Score =
//     base, not rounded.
//
// R, or ratio, is that of package ratio, with the reference first.
package vector

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/xml"
	"agentd/internal/lazyregexp"
	"agentd/vfs"
)

// Document is what the published evaluator reads.
type Document struct {
	elements int
	shapes   []*shape // of each fingerprint the first element
	known    map[string]*shape
	groups   []*group
	byID     map[string]*group
	texts    []string
	defined  map[string]bool // the ids of definitions
	metadata map[string]string
	problem  string // of the first file that it gives up on
}

// group is what the published evaluator makes of all groups with one id.
type group struct {
	id       string
	children []string // fingerprints, of the last group
	file     int      // of the last group
}

// shape is an element of the drawing.
type shape struct {
	tag, text   string
	attributes  []attribute
	fingerprint string
}

type attribute struct{ name, value string }

// value is that of an attribute; empty if there is none.
func (s *shape) value(name string) string {
	for _, a := range s.attributes {
		if a.name == name {
			return a.value
		}
	}
	return ""
}

// properties are the attributes that the published evaluator keeps.
var properties = []string{
	"x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "width", "height", "r", "rx", "ry", "d", "points", "transform", "viewBox",
	"fill", "stroke", "stroke-width", "opacity", "font-size", "font-family", "font-weight", "font-style", "text-anchor",
	"stroke-dasharray", "stroke-linecap", "stroke-linejoin", "fill-opacity", "stroke-opacity",
	"marker-end", "marker-start", "marker-mid", "markerWidth", "markerHeight", "refX", "refY", "orient", "id", "class",
}

var (
	// positions are what the fingerprint of an element without an id or a text is made of.
	positions = []string{"x", "y", "cx", "cy", "x1", "y1"}
	// stylable are the properties that are also taken from style attributes.
	stylable = properties[slices.Index(properties, "fill") : slices.Index(properties, "stroke-opacity")+1]
)

// Parse reads a document as the published evaluator does. A file that it gives up on contributes nothing.
func Parse(files vfs.Files) (Document, error) {
	doc := Document{known: map[string]*shape{}, byID: map[string]*group{}, defined: map[string]bool{}}
	for n, name := range files.Names() {
		if path.Ext(name) != ".svg" {
			continue
		}
		x := xml.ReadStrictly(repaired(files[name]), xml.Expat)
		if x.Broken != "" {
			if doc.problem == "" {
				doc.problem = name + ": " + x.Broken
			}
			continue
		}
		doc.take(x.Root(), n)
	}
	return doc, nil
}

// take adds what stands in the root of a file.
func (d *Document) take(root *xml.Node, file int) {
	if d.metadata == nil {
		d.metadata = map[string]string{}
		for _, name := range []string{"width", "height", "viewBox"} {
			d.metadata[name], _ = root.Attribute(name)
		}
	}
	f := fileReader{Document: d, file: file}
	for _, c := range root.Children {
		f.walk(c)
	}
}

// fileReader reads a file into a document.
type fileReader struct {
	*Document
	file   int
	groups int // that this file has so far
}

// walk takes in an element and what is in it.
func (f *fileReader) walk(n *xml.Node) {
	if !IsSkipped(n) {
		f.walkShape(n, newShape(n))
	}
}

func (f *fileReader) walkShape(n *xml.Node, s shape) {
	switch s.tag {
	case "g":
		f.walkGroup(n)
		f.add(s)
		return
	case "defs":
		f.define(n)
		f.add(s)
		return
	case "text", "tspan":
		if s.text != "" {
			f.texts = plain.Append(f.texts, s.text)
		}
	}
	f.add(s)
	for _, c := range n.Children {
		f.walk(c)
	}
}

// add counts an element, which is compared if it is the first of its fingerprint.
func (f *fileReader) add(s shape) {
	f.elements++
	if f.known[s.fingerprint] == nil {
		first := s // so that only this one is kept
		f.known[s.fingerprint] = &first
		f.shapes = plain.Append(f.shapes, &first)
	}
}

// walkGroup registers a group and walks over what is in it.
func (f *fileReader) walkGroup(n *xml.Node) {
	id, _ := n.Attribute("id")
	if id == "" {
		id = "_anon_g_" + strconv.Itoa(f.groups)
	}
	g := f.byID[id]
	if g == nil {
		g = &group{id: id, file: -1}
		f.byID[id] = g
		f.Document.groups = plain.Append(f.Document.groups, g)
	}
	if g.file != f.file {
		f.groups++
	}
	g.file, g.children = f.file, nil
	for _, c := range n.Children {
		if c.Kind != xml.Element || isForeign(c.Space) {
			continue
		}
		s := newShape(c)
		g.children = plain.Append(g.children, s.fingerprint)
		if !IsSkipped(c) {
			f.walkShape(c, s)
		}
	}
}

// define notes the ids of definitions and of their parts.
func (f *fileReader) define(n *xml.Node) {
	for _, c := range n.Elements() {
		for _, part := range append(c.Elements(), c) {
			if id, _ := part.Attribute("id"); id != "" {
				f.defined[id] = true
			}
		}
	}
}

// IsSkipped reports whether nothing of a node belongs to the drawing.
func IsSkipped(n *xml.Node) bool {
	if n.Kind != xml.Element || isForeign(n.Space) {
		return true
	}
	return slices.Contains([]string{"metadata", "namedview", "RDF", "Work", "format", "type", "title"}, xml.Local(n.Name))
}

// isForeign reports whether a namespace is one of editors or of metadata.
func isForeign(space string) bool {
	return slices.ContainsFunc([]string{
		"http://sodipodi.sourceforge.net", "http://www.inkscape.org", "http://purl.org/dc/",
		"http://creativecommons.org", "http://www.w3.org/1999/02/22-rdf-syntax-ns",
	}, func(beginning string) bool { return strings.HasPrefix(space, beginning) })
}

func newShape(n *xml.Node) shape {
	s := shape{tag: xml.Local(n.Name)}
	s.text = s.textOf(n)
	for _, a := range n.Attrs {
		if !a.IsDeclaration() {
			s.set(xml.Local(a.Name), a.Value)
		}
	}
	if style, _ := n.Attribute("style"); style != "" {
		s.addStyle(style)
	}
	s.fingerprint = s.newFingerprint()
	return s
}

// set keeps an attribute; the last of several of one name counts.
func (s *shape) set(name, value string) {
	if !slices.Contains(properties, name) {
		return
	}
	if at := slices.IndexFunc(s.attributes, func(a attribute) bool { return a.name == name }); at >= 0 {
		s.attributes[at].value = value
		return
	}
	s.attributes = append(s.attributes, attribute{name, value})
}

// addStyle adds the properties of a style attribute that no attribute gives.
func (s *shape) addStyle(style string) {
	given := len(s.attributes)
	for part := range strings.SplitSeq(style, ";") {
		name, value, found := strings.Cut(part, ":")
		name = pytext.Lower(pytext.Strip(name))
		if !found || !slices.Contains(stylable, name) {
			continue
		}
		if !slices.ContainsFunc(s.attributes[:given], func(a attribute) bool { return a.name == name }) {
			s.set(name, pytext.Strip(value))
		}
	}
}

// newFingerprint is by what the published evaluator knows an element again.
func (s *shape) newFingerprint() string {
	if id := s.value("id"); id != "" {
		return s.tag + "#" + id
	}
	if text := s.text; text != "" {
		const longest = 50
		return s.tag + ":" + pytext.Lower(pytext.First(text, longest))
	}
	var place []string
	for _, p := range positions {
		for _, a := range s.attributes {
			if a.name == p && len(place) < 3 {
				place = append(place, p+"="+a.value)
			}
		}
	}
	if len(place) > 0 {
		return s.tag + "@" + strings.Join(place, ",")
	}
	return s.tag
}

// textOf is the text of a label or a description: what stands in it, and in the
// spans that are its children. Deeper text is not read.
func (s *shape) textOf(n *xml.Node) string {
	switch s.tag {
	case "text", "tspan", "title", "desc":
	default:
		return ""
	}
	var b strings.Builder
	for _, c := range n.Children {
		switch c.Kind {
		case xml.Text:
			b.WriteString(c.Text)
		case xml.Element:
			b.WriteByte(' ')
			if xml.Local(c.Name) == "tspan" {
				b.WriteString(c.Content() + " ")
			}
		}
	}
	return pytext.Collapse(b.String())
}

// repaired is a text as the published evaluator parses it: without code fences around it, with every & escaped that
// begins none of the references of XML, and without attributes that are nothing but a word.
func repaired(text string) string {
	if strings.Contains(text, "```") {
		text = closingFence.ReplaceAllString(openingFence.ReplaceAllString(text, ""), "")
	}
	return withoutBareWords(xml.EscapeAmpersands(text, characterReference.MatchString))
}

// withoutBareWords takes the attribute out of empty elements that have no other and whose only one is nothing but a word.
func withoutBareWords(text string) string {
	const end = "/>"
	return plain.EachMark(text, end, end, func(before, _ string) (int, int, bool) {
		withWord := pytext.StripRight(before)
		withSpace := strings.TrimRightFunc(withWord, pytext.IsWord)
		tag := pytext.StripRight(withSpace)
		open := strings.TrimRightFunc(tag, pytext.IsWord)
		isBare := len(withSpace) < len(withWord) && len(tag) < len(withSpace) && len(open) < len(tag) && strings.HasSuffix(open, "<")
		return len(before) - len(tag), 0, isBare
	})
}

var (
	openingFence       = pytext.Pattern("^\\s*```(?:xml)?(?:svg)?(?:html)?\\s*\n")
	closingFence       = pytext.Pattern("\n\\s*```\\s*$")
	characterReference = lazyregexp.New(`^(?:\p{Nd}+|x[0-9a-fA-F]+);`)
)
