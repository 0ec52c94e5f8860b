package robotics

import (
	"errors"
	"fmt"
	"path"

	"agentd/domains/internal/pytext"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

// document is what the published evaluator reads.
type document struct {
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

// parse reads a document as the published evaluator does. A file that it gives up on contributes nothing.
func parse(files vfs.Files) (document, error) {
	var doc document
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
		if repaired := xml.ReadStrictly(repairEndTags(text), xml.Expat); repaired.Broken == "" {
			x = repaired
		}
	}
	if x.Broken != "" {
		return nil, errors.New(x.Broken)
	}
	root := x.Root()
	if !isPlain(root, "robot") {
		return nil, errors.New("the root element is not <robot>")
	}
	return root, nil
}

// take adds what a root element has.
func (d *document) take(root *xml.Node) {
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
	if c := first(n, "inertial"); c != nil {
		l.inertial = newInertial(c)
	}
	for _, c := range n.Children {
		switch {
		case isPlain(c, "visual"):
			l.visuals = append(l.visuals, newShape(c))
		case isPlain(c, "collision"):
			l.collisions = append(l.collisions, newShape(c))
		}
	}
	return l
}

func newInertial(n *xml.Node) *inertial {
	i := inertial{origin: newPose(n), mass: scalar(first(n, "mass"), "value")}
	tensor := first(n, "inertia")
	for k, name := range []string{"ixx", "ixy", "ixz", "iyy", "iyz", "izz"} {
		i.inertia[k] = scalar(tensor, name)
	}
	return &i
}

func newShape(n *xml.Node) shape { return shape{newPose(n), newGeometry(first(n, "geometry"))} }

// newPose reads the origin of an element; nil if it has none.
func newPose(n *xml.Node) *pose {
	origin := first(n, "origin")
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
				g.scale, _ = floats(scale)
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
		parent: first(n, "parent").Value("link"), child: first(n, "child").Value("link"),
		origin: newPose(n),
	}
	if axis := first(n, "axis"); axis != nil {
		j.axis = vector(axis, "xyz", 0, 0, 1)
	}
	if limit := first(n, "limit"); limit != nil {
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
		kind:     pytext.Strip(first(n, "type").Content()),
		joint:    first(n, "joint").Value("name"),
		actuator: first(n, "actuator").Value("name"),
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

func isPlain(n *xml.Node, name string) bool {
	return n.IsIn("", name)
}

// first returns the first child of a name, in no namespace; nil if there is none.
func first(n *xml.Node, name string) *xml.Node {
	return n.FirstIn("", name)
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
	if all, ok := floats(value); ok {
		return all
	}
	return otherwise
}

// floats reads numbers between blanks; nil and false if one is none.
func floats(text string) ([]float64, bool) {
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
