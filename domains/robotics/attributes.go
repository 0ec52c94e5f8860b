package robotics

import (
	"math"
	"strconv"
	"strings"

	"agentd/domains/edit"
	published "agentd/domains/published/robotics"
	"agentd/internal/lazyregexp"
)

// vocabulary makes parts of links, joints and what else a robot has, or of the lines of one that has few.
func vocabulary() edit.Format {
	attributes := []edit.Attribute{
		edit.Key("kind", "kinds", `<([A-Za-z_]+)`),
		edit.Has("name", "names", edit.ValueOf(`[A-Za-z_]+`, "name")),
		edit.Has("joint type", "joint types", edit.ValueOf("joint", "type")),
		edit.Has("parent link", "parent links", edit.ValueOf("parent", "link")),
		edit.Has("child link", "child links", edit.ValueOf("child", "link")),
		edit.Has("origin", "origins", edit.ValueOf("origin", "xyz")),
		edit.Has("orientation", "orientations", edit.ValueOf("origin", "rpy")),
		edit.HasNumber("mass", "masses", edit.ValueOf("mass", "value")),
		edit.HasNumber("effort", "efforts", edit.ValueOf("limit", "effort")),
		edit.Has("mesh file", "mesh files", edit.ValueOf("mesh", "filename")),
	}
	finer := edit.Format{
		Document: "robot description", Part: "line", Parts: "lines", Cut: edit.Lines(), Attributes: attributes,
	}
	coordinate := edit.HasEach("coordinate", "coordinates", edit.ValueOf("origin", "xyz"), `\S+`)
	dimension := edit.HasEach("dimension", "dimensions", `<(?:box|cylinder|sphere)\s[^<>]*>`, `\d[\d.eE+-]*`)
	coordinate.Number, dimension.Number = true, true
	return edit.Format{
		Document: "robot description", Part: "component", Parts: "components",
		Cut:    edit.Outer("link", "joint", "material", "transmission", "gazebo"),
		Remark: "<!-- {} -->", RemarkAt: edit.Above, Tree: edit.XMLTree(),
		Attributes: append(attributes[:len(attributes):len(attributes)],
			edit.Has("shape", "shapes", `<geometry>\s*(<[^<>]*/>)\s*</geometry>`),
			edit.Has("link", "links",
				`<(?:link\s(?:[^<>]*\s)?name|(?:parent|child)\s(?:[^<>]*\s)?link|gazebo\s(?:[^<>]*\s)?reference)\s*=\s*["']([^"'<>]+)["']`),
			coordinate, dimension,
			edit.Computed("turn in degrees", "turns in degrees", degrees)),
		Finer: &finer,
	}
}

var (
	isJoint   = lazyregexp.New(`^<joint\s`)
	rollPitch = lazyregexp.New(edit.ValueOf("origin", "rpy"))
)

// degrees are the roll, pitch and yaw of a joint's origin in degrees with two decimals: "0.00 -2.00 0.00". They are empty
// of anything else, and without three angles.
func degrees(part string) string {
	m := rollPitch.FindStringSubmatch(part)
	if m == nil || !isJoint.MatchString(part) {
		return ""
	}
	angles, ok := published.Floats(m[1])
	if !ok || len(angles) != 3 {
		return ""
	}
	var all []string
	for _, angle := range angles {
		rounded := math.Round(angle*180/math.Pi*100)/100 + 0 // no -0.00
		all = append(all, strconv.FormatFloat(rounded, 'f', 2, 64))
	}
	return strings.Join(all, " ")
}
