package obj3d

import (
	"slices"
	"strings"

	"agentd/domains"
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
	var current *materialFields
	eachStatement(lines, func(s *statement) {
		if s.comment != "" {
			f.comment(s, true)
		}
		switch {
		case s.keyword == "":
		case s.keyword == "newmtl":
			f.end(current)
			current = &materialFields{name: strings.Join(s.words, " ")}
		case current != nil && isProperty(s.keyword):
			current.add(s)
		default:
			f.line(s)
		}
	})
	f.end(current)
}

// materialFields are a material in the making.
type materialFields struct {
	name   string
	fields []domains.Field
}

func (f *flattener) end(m *materialFields) {
	if m == nil {
		return
	}
	fields := append(m.fields, domains.Field{Name: "name", Value: m.name})
	f.add(materialKind, "material "+m.name, fields)
}

var colourParts = [...]string{" red", " green", " blue"}

// add adds the values of a property; a colour of one number is grey.
func (m *materialFields) add(s *statement) {
	values := make([]string, len(s.words))
	for n, word := range s.words {
		values[n] = plainNumber(word)
	}
	switch text := strings.Join(values, " "); {
	case isColour(s.keyword) && (len(values) == 1 || len(values) == len(colourParts)) && startsNumber(s.words[0]):
		for n, part := range colourParts {
			m.fields = append(m.fields, domains.Field{Name: s.keyword + part, Value: values[n%len(values)]})
		}
	default:
		m.fields = append(m.fields, domains.Field{Name: s.keyword, Value: text})
	}
}

func isColour(keyword string) bool {
	return slices.Contains(colourNames, keyword) || keyword == "Tf"
}
