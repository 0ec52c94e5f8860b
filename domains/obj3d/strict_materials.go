package obj3d

import (
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/lists"
)

// properties are the keywords of a material, other than those of texture maps.
var properties = map[string]bool{
	"Ka": true, "Kd": true, "Ks": true, "Ke": true, "Tf": true, "Ns": true, "Ni": true, "d": true, "Tr": true,
	"illum": true, "sharpness": true, "bump": true, "disp": true, "decal": true, "refl": true, "norm": true,
	"Pr": true, "Pm": true, "Ps": true, "Pc": true, "Pcr": true, "aniso": true, "anisor": true,
}

func isProperty(keyword string) bool {
	return properties[keyword] || strings.HasPrefix(keyword, "map_")
}

// materials flattens an MTL file. What stands above the first material is no part
// of the format.
func (f *flattener) materials(lines []string) {
	name, current := "", []domains.Field(nil)
	end := func() {
		if current != nil {
			current = append(current, domains.Field{Name: "name", Value: name})
			f.add(materialKind, "material "+name, append(f.room(len(current)), current...))
		}
	}
	eachStatement(lines, func(s *statement) {
		if s.comment != "" {
			f.comment(s, true)
		}
		switch {
		case s.keyword == "":
		case s.keyword == "newmtl":
			end()
			name, current = s.name(), []domains.Field{}
		case current != nil && isProperty(s.keyword):
			current = s.appendProperty(current)
		default:
			f.line(s)
		}
	})
	end()
}

var colourParts = [...]string{" red", " green", " blue"}

// appendProperty adds the values of a property; a colour of one number is grey.
func (s *statement) appendProperty(fields []domains.Field) []domains.Field {
	values := lists.Map(s.words, plainNumber)
	isColour := slices.Contains(colourNames, s.keyword) || s.keyword == "Tf"
	if !isColour || len(values) != 1 && len(values) != len(colourParts) || !startsNumber(s.words[0]) {
		return append(fields, domains.Field{Name: s.keyword, Value: strings.Join(values, " ")})
	}
	for n, part := range colourParts {
		fields = append(fields, domains.Field{Name: s.keyword + part, Value: values[n%len(values)]})
	}
	return fields
}
