package crystal

import "agentd/domains/edit"

// atomStart is the label of an atom, with its element or without; coordinate is a coordinate.
const (
	atomStart  = `[A-Z]\w*'*[ \t]+(?:[A-Z][a-z]?[-+\d]*[ \t]+)?`
	coordinate = `-?\d*\.\d+(?:\(\d+\))?[ \t]+`
)

// vocabulary makes parts of the atom sites; of data items with their loops where there are none.
func vocabulary() edit.Format {
	return edit.Format{
		Document: "structure", Part: "atom site", Parts: "atom sites",
		Cut: edit.Headed(`^[ \t]*#`, edit.Starting(`^[ \t]*`+atomStart+coordinate+coordinate+coordinate, `^[ \t]*(?:_|loop_|#END|$)`)),
		Attributes: []edit.Attribute{
			edit.Key("element symbol", "element symbols", `^[ \t]*([A-Z][a-z]?)`),
			edit.Key("label", "labels", `^[ \t]*(\S+)`),
			edit.Key("x coordinate", "x coordinates", `^[ \t]*`+atomStart+`(\S+)`),
			edit.Key("y coordinate", "y coordinates", `^[ \t]*`+atomStart+coordinate+`(\S+)`),
			edit.Key("z coordinate", "z coordinates", `^[ \t]*`+atomStart+coordinate+coordinate+`(\S+)`),
			edit.Has("displacement parameter", "displacement parameters", `^[ \t]*`+atomStart+coordinate+coordinate+coordinate+`(\d\S*)`),
			edit.Has("calculation flag", "calculation flags", `[ \t](calc|d|dum|R|c)\b`),
			edit.Has("displacement type", "displacement types", `[ \t](U[a-z]{3})\b`),
		},
		Finer: &edit.Format{
			Document: "structure", Part: "data item", Parts: "data items",
			Cut: edit.Inline(`^[ \t]*(?:loop_\s+(?:_\S+\s+)+|_\S+)`, `^;(?s:.*?)\n;`, ""),
			Attributes: []edit.Attribute{
				edit.Key("category", "categories", `_([a-z]+)[_.]`),
				edit.Key("second word of the name", "second words of names", `_[a-z]+[_.]([A-Za-z]+)`),
				edit.Key("name", "names", `(_\S+)`),
				edit.HasNumber("number", "numbers", `\A[ \t]*_\S+\s+(-?\d+(?:\.\d+)?)\s*\z`),
				edit.Has("quoted text", "quoted texts", `[ \t\n]'([^'\n]+)'`),
			},
		},
	}
}
