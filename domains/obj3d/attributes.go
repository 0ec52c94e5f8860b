package obj3d

import (
	"strconv"

	"agentd/domains/edit"
	"agentd/internal/lazyregexp"
)

// vocabulary makes parts of groups, or of the materials of a library alone, or of lines where there are few of both.
func vocabulary() edit.Format {
	const keyword = `\A\s*([A-Za-z_]+)`
	coordinates := []edit.Attribute{
		edit.HasNumber("x coordinate", "x coordinates", `^[ \t]*v[ \t]+(\S+)`),
		edit.HasNumber("y coordinate", "y coordinates", `^[ \t]*v[ \t]+\S+[ \t]+(\S+)`),
		edit.HasNumber("z coordinate", "z coordinates", `^[ \t]*v[ \t]+\S+[ \t]+\S+[ \t]+(\S+)`),
		edit.Has("material", "materials", `^[ \t]*usemtl[ \t]+(\S[^\n]*)`),
		edit.Has("group name", "group names", `^[ \t]*[go][ \t]+(\S[^\n]*)`),
		edit.Has("vertex position", "vertex positions", `^[ \t]*v[ \t]+(\S[^\n]*)`),
	}
	line := []edit.Attribute{edit.Key("keyword", "keywords", keyword), edit.Has("face", "faces", `^[ \t]*f[ \t]+(\S[^\n]*)`)}
	return edit.Format{
		Document: "model", Part: "group", Parts: "groups", Remark: "# Computed: {}", RemarkAt: edit.Above,
		Attributes: append([]edit.Attribute{edit.ComputedNumber("number of faces", "numbers of faces", facesOf)}, coordinates...),
		Cut:        edit.Headed(`^\s*#`, edit.Starting(`^\s*[go]\s+\S`, "")),
		Finer: &edit.Format{
			Document: "material library", Part: "material", Parts: "materials", Cut: edit.Headed(`^\s*#`, edit.Starting(`^\s*newmtl\s`, "")),
			Attributes: []edit.Attribute{
				edit.Has("name", "names", `^\s*newmtl\s+(\S+)`), edit.Has("diffuse colour", "diffuse colours", `^\s*Kd\s+(\S[^\n]*)`),
				edit.Has("illumination model", "illumination models", `^\s*illum\s+(\d+)`), edit.HasNumber("shininess", "values of shininess", `^\s*Ns\s+(\S+)`),
				edit.Has("texture", "textures", `^\s*map_\w+\s+(\S[^\n]*)`),
			},
			Finer: &edit.Format{Document: "model", Part: "line", Parts: "lines", Cut: edit.Lines(), Attributes: append(line, coordinates...)},
		},
	}
}

var faceLine = lazyregexp.New(`(?m)^[ \t]*f[ \t]`)

// facesOf is how many faces a group has.
func facesOf(part string) string { return strconv.Itoa(len(faceLine.FindAllString(part, -1))) }
