// Package robotics is the published reading and score of the domain robotics.
//
// Names are compared lower-case and trimmed; a repeated name keeps the last element. For each list pair: both empty 1,
// one empty 0 (all parts of that list).
//
// Pose similarity P: both nil 1, one nil 0, else 0.5·s(xyz) + 0.5·s(rpy) with s by Euclidean distance: < 1e-6: 1; <
// 1e-3: 0.95; < 0.01: 0.7; < 0.1: 0.3; else 0; s = 1 if either vector has not three numbers. Angles are not taken
// modulo 2π.
//
// Geometry similarity G: both nil 1; one nil or different kinds 0; box 1 if all |Δ| < 1e-4 else 0.3 (0 if not three
// numbers); cylinder 0.5 each for length and radius within 1e-4; sphere 1 or 0.3; mesh 0.8·ratio(base names after the
// last /, lower-case) + 0.2·scale, scale = 1 if all |Δ| < 1e-6 or both nil or lengths differ; max(0, 1 − Σ|Δ|)
// otherwise; 0.5 if one is nil.
//
// Inertial similarity I: both nil 1, one nil 0, else 0.4·mass + 0.3·P(origins) + 0.3·mean over six tensor entries, with
// mass 1 if |Δ| < 1e-6 else max(0, 1 − |Δ|/max(|a|,|b|,1e-9)), entries the same with 1e-8.
//
//   - link coverage = Jaccard of names (15 %)
//   - link accuracy (20 %) = mean over matched links of 0.4·I + 0.35·V + 0.25·C, times matched/max(nr, nc) counting
//     distinct names; 0 if nothing matched. V: both empty 1, one empty 0, else the mean of G and P over pairs by
//     position (up to the shorter list), times min/max of the counts. C the same with G only.
//   - joint coverage = Jaccard of names (15 %)
//   - joint accuracy (20 %) = mean over matched joints of points/total, times matched/max(nr, nc). Type 2 points
//     (case-insensitive), parent 1, child 1, origin P (1). If either has an axis, total +1: all three |Δ| < 1e-4 gives
//     1, else 0.8·|cos| (0 if one is absent, not of length 3, or zero). If either has a limit, total +1: mean over
//     lower, upper, effort, velocity of 1 if |Δ| < 1e-3 else max(0, 1 − |Δ|/max(|a|,|b|,1e-9)); 0 if one is nil.
//   - transmissions (15 %) = Jaccard of names · mean over matched of (type, joint, actuator equal, case-insensitive, a
//     third each); 0 when nothing matched
//   - gazebo (15 %): elements keyed by lower-case trimmed reference ("" for none), last wins; Jaccard of keys · mean
//     over matched of points/total: plugins, if any: 1 if the sets of (name, filename) are equal, 0.5 if they
//     intersect; properties, if any: share of equal values (case-insensitive) over the union of tags, absent counting
//     as ""; neither: 1. With no key matched the mean counts 1 but the Jaccard is 0.
//   - score = weighted sum, not rounded. (The published helper page calls it a product; it is a sum.)
//
// R, or ratio, is that of package ratio, with the reference first.
package robotics

import (
	"errors"
	"fmt"
	"path"
	"strings"
	"unicode"

	"agentd/domains/internal/pytext"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

// Document is what the published evaluator reads.
type Document struct {
	name          string
	links         []link
	joints        []joint
	transmissions []transmission
	gazebos       []gazebo
	materials     int
	problem       string // of the first file that it gives up on
}

type link struct {
	name                string
	inertial            *inertial
	visuals, collisions []shape
}

type inertial struct {
	origin  *pose
	mass    float64
	inertia [6]float64
}

type shape struct {
	origin   *pose
	geometry *geometry
}

type pose struct{ xyz, rpy []float64 }

type geometry struct {
	kind     string    // box, cylinder, sphere or mesh
	sizes    []float64 // of a box; length and radius of a cylinder; radius of a sphere
	filename string    // of a mesh
	scale    []float64 // of a mesh; nil if there is none
}

type joint struct {
	name, kind, parent, child string
	origin                    *pose
	axis                      []float64 // nil if there is none
	limit                     *[4]float64
}

type transmission struct{ name, kind, joint, actuator string }

type gazebo struct {
	reference  string
	plugins    []plugin
	properties map[string]string
}

type plugin struct{ name, filename string }

// Parse reads a document as the published evaluator does. A file that it gives up on contributes nothing.
func Parse(files vfs.Files) (Document, error) {
	var doc Document
	for _, name := range files.Names() {
		if path.Ext(name) != ".urdf" {
			continue
		}
		root, err := parseFile(files[name])
		if err != nil {
			if doc.problem == "" {
				doc.problem = fmt.Sprintf("%s: %v", name, err)
			}
			continue
		}
		doc.take(root)
	}
	return doc, nil
}

// parseFile reads a file's root element, after a repair where it needs one.
func parseFile(text string) (*xml.Node, error) {
	x := xml.ReadStrictly(text, xml.Expat)
	if x.Broken != "" {
		if repaired := xml.ReadStrictly(RepairEndTags(text), xml.Expat); repaired.Broken == "" {
			x = repaired
		}
	}
	if x.Broken != "" {
		return nil, errors.New(x.Broken)
	}
	root := x.Root()
	if !root.IsIn("", "robot") {
		return nil, errors.New("the root element is not <robot>")
	}
	return root, nil
}

// take adds what a root element has.
func (d *Document) take(root *xml.Node) {
	if d.name == "" {
		d.name, _ = root.Attribute("name")
	}
	for _, c := range root.Children {
		if c.Kind != xml.Element || c.Space != "" {
			continue
		}
		switch pytext.Lower(c.Name) {
		case "link":
			d.links = append(d.links, newLink(c))
		case "joint":
			d.joints = append(d.joints, newJoint(c))
		case "transmission":
			d.transmissions = append(d.transmissions, newTransmission(c))
		case "gazebo":
			d.gazebos = append(d.gazebos, newGazebo(c))
		case "material":
			d.materials++
		}
	}
}

func newLink(n *xml.Node) link {
	l := link{name: n.Value("name")}
	if c := n.FirstIn("", "inertial"); c != nil {
		l.inertial = newInertial(c)
	}
	for _, c := range n.Children {
		switch {
		case c.IsIn("", "visual"):
			l.visuals = append(l.visuals, newShape(c))
		case c.IsIn("", "collision"):
			l.collisions = append(l.collisions, newShape(c))
		}
	}
	return l
}

func newInertial(n *xml.Node) *inertial {
	i := inertial{origin: newPose(n), mass: scalar(n.FirstIn("", "mass"), "value")}
	tensor := n.FirstIn("", "inertia")
	for k, name := range []string{"ixx", "ixy", "ixz", "iyy", "iyz", "izz"} {
		i.inertia[k] = scalar(tensor, name)
	}
	return &i
}

func newShape(n *xml.Node) shape { return shape{newPose(n), newGeometry(n.FirstIn("", "geometry"))} }

// newPose reads the origin of an element; nil if it has none.
func newPose(n *xml.Node) *pose {
	origin := n.FirstIn("", "origin")
	if origin == nil {
		return nil
	}
	return &pose{vector(origin, "xyz", 0, 0, 0), vector(origin, "rpy", 0, 0, 0)}
}

// newGeometry reads the first child that is a shape; nil if there is none.
func newGeometry(n *xml.Node) *geometry {
	if n == nil {
		return nil
	}
	for _, c := range n.Children {
		if c.Kind != xml.Element || c.Space != "" {
			continue
		}
		g := geometry{kind: pytext.Lower(c.Name)}
		switch g.kind {
		case "box":
			g.sizes = vector(c, "size", 0, 0, 0)
		case "cylinder":
			length, okLength := number(c, "length")
			radius, okRadius := number(c, "radius")
			if !okLength || !okRadius {
				length, radius = 0, 0
			}
			g.sizes = []float64{length, radius}
		case "sphere":
			g.sizes = []float64{scalar(c, "radius")}
		case "mesh":
			g.filename = c.Value("filename")
			if scale, ok := c.Attribute("scale"); ok {
				g.scale, _ = Floats(scale)
			}
		default:
			continue
		}
		return &g
	}
	return nil
}

func newJoint(n *xml.Node) joint {
	j := joint{
		name: n.Value("name"), kind: n.Value("type"),
		parent: n.FirstIn("", "parent").Value("link"), child: n.FirstIn("", "child").Value("link"),
		origin: newPose(n),
	}
	if axis := n.FirstIn("", "axis"); axis != nil {
		j.axis = vector(axis, "xyz", 0, 0, 1)
	}
	if limit := n.FirstIn("", "limit"); limit != nil {
		j.limit = &[4]float64{}
		for k, name := range limitAttributes {
			j.limit[k] = scalar(limit, name)
		}
	}
	return j
}

var limitAttributes = []string{"lower", "upper", "effort", "velocity"}

func newTransmission(n *xml.Node) transmission {
	return transmission{
		name:     n.Value("name"),
		kind:     pytext.Strip(n.FirstIn("", "type").Content()),
		joint:    n.FirstIn("", "joint").Value("name"),
		actuator: n.FirstIn("", "actuator").Value("name"),
	}
}

func newGazebo(n *xml.Node) gazebo {
	g := gazebo{reference: n.Value("reference"), properties: map[string]string{}}
	for _, c := range n.Children {
		if c.Kind != xml.Element {
			continue
		}
		if c.Space == "" && pytext.Lower(c.Name) == "plugin" {
			g.plugins = append(g.plugins, plugin{c.Value("name"), c.Value("filename")})
		} else if value := pytext.Strip(c.Content()); value != "" {
			g.properties[pytext.Lower(c.Space+" "+xml.Local(c.Name))] = value
		}
	}
	return g
}

// scalar reads an attribute as a number, 0 if it is none.
func scalar(n *xml.Node, attribute string) float64 {
	value, _ := number(n, attribute)
	return value
}

// number reads an attribute as a number, 0 if it is missing.
func number(n *xml.Node, attribute string) (float64, bool) {
	if text, ok := n.Attribute(attribute); ok {
		return pytext.Float(text)
	}
	return 0, true
}

// vector reads an attribute as numbers between blanks; otherwise stands for one that is missing or has anything else.
func vector(n *xml.Node, attribute string, otherwise ...float64) []float64 {
	value, ok := n.Attribute(attribute)
	if !ok {
		return otherwise
	}
	if all, ok := Floats(value); ok {
		return all
	}
	return otherwise
}

// Floats reads numbers between blanks; nil and false if one is none.
func Floats(text string) ([]float64, bool) {
	all := []float64{}
	for _, word := range pytext.Fields(text) {
		value, ok := pytext.Float(word)
		if !ok {
			return nil, false
		}
		all = append(all, value)
	}
	return all, true
}

// RepairEndTags gives every closing tag the name of the element that is open,
// as the published reading does with a text that is not well-formed.
func RepairEndTags(text string) string {
	var b strings.Builder
	var open []string
	t := tokenizer{missing: map[string]bool{}}
	for {
		start := strings.IndexByte(text, '<')
		if start < 0 {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(text[:start])
		token := t.tokenAt(text[start:])
		text = text[start+len(token):]
		switch name := token[1:][:tagNameLength(token[1:])]; {
		case strings.HasPrefix(token, "</"):
			if len(open) > 0 {
				token = "</" + open[len(open)-1] + ">"
				open = open[:len(open)-1]
			}
		case name != "" && !strings.HasSuffix(token, "/>"):
			open = append(open, name)
		}
		b.WriteString(token)
	}
}

// tokenizer remembers the marks that a text has no more.
type tokenizer struct{ missing map[string]bool }

// tokenAt returns the tag, comment or instruction at the start of a text; of anything else the < alone.
func (t *tokenizer) tokenAt(text string) string {
	skip, end := 1, ">"
	switch {
	case strings.HasPrefix(text, "<!--"):
		skip, end = len("<!--"), "-->"
	case strings.HasPrefix(text, "<?"):
		skip, end = len("<?"), "?>"
	case !strings.HasPrefix(text, "</") && tagNameLength(text[1:]) == 0:
		return text[:1]
	}
	if t.missing[end] {
		return text[:1]
	}
	length := strings.Index(text[skip:], end)
	if length < 0 {
		t.missing[end] = true
		return text[:1]
	}
	return text[:skip+length+len(end)]
}

// tagNameLength is the length of what counts as a name in the repair.
func tagNameLength(text string) int {
	for i, c := range text {
		if !unicode.IsLetter(c) && !unicode.IsNumber(c) && c != '_' && c != '.' && c != '-' {
			return i
		}
	}
	return len(text)
}
