package robotics

import "agentd/domains/edit"

// vocabulary makes parts of links, joints and what else a robot has, or of the lines of one that
// has few.
func vocabulary() edit.Format {
	attributes := []edit.Attribute{
		edit.Has("name", "names", edit.ValueOf(`[A-Za-z_]+`, "name")),
		edit.Has("joint type", "joint types", edit.ValueOf("joint", "type")),
		edit.Has("parent link", "parent links", edit.ValueOf("parent", "link")),
		edit.Has("origin", "origins", edit.ValueOf("origin", "xyz")),
		edit.Has("orientation", "orientations", edit.ValueOf("origin", "rpy")),
		edit.HasNumber("mass", "masses", edit.ValueOf("mass", "value")),
		edit.Has("mesh file", "mesh files", edit.ValueOf("mesh", "filename")),
	}
	attributes = append([]edit.Attribute{edit.Key("kind", "kinds", `<([A-Za-z_]+)`)}, attributes...)
	return edit.Format{
		Document: "robot description", Part: "component", Parts: "components",
		Cut: edit.Outer("link", "joint", "material", "transmission", "gazebo"), Attributes: attributes,
		Finer: &edit.Format{
			Document: "robot description", Part: "line", Parts: "lines", Cut: edit.Lines(), Attributes: attributes,
		},
	}
}
