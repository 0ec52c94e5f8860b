package foodmenu

import (
	"slices"

	"agentd/domains"
)

// division is the text of an item as a name and a description, on its own.
type division struct{ name, description string }

// forgives divides the text of a candidate's item as the reference's item of the
// same words is: where names in capitals became small, or descriptions large, or
// stand on lines of their own, nothing else tells the two apart.
func forgives(ref, got []domains.Element) (same, divided []domains.Element) {
	if !slices.ContainsFunc(ref, hasDescription) && !slices.ContainsFunc(got, hasDescription) {
		return ref, got
	}
	divisions := map[string]division{}
	eachText(ref, func(_ int, text string, d division) { divisions[text] = d })
	divided = slices.Clone(got)
	eachText(got, func(i int, text string, d division) {
		if wanted := divisions[text]; wanted.name != "" && wanted != d {
			divided[i].Fields = wanted.in(got[i].Fields)
		}
	})
	return ref, divided
}

func hasDescription(e domains.Element) bool {
	return e.Kind == counted && len(e.Fields) > 1 && e.Fields[1].Name == descriptionField
}

// eachText visits the items with their texts.
func eachText(elements []domains.Element, visit func(i int, text string, d division)) {
	for i := range elements {
		e := &elements[i]
		if e.Kind != counted || e.Fields[0].Name != nameField {
			continue
		}
		d := division{name: e.Fields[0].Value}
		text := d.name
		if hasDescription(*e) {
			d.description = e.Fields[1].Value
			text += " " + d.description
		}
		visit(i, text, d)
	}
}

// in returns an item's fields with this name and description.
func (d division) in(fields []domains.Field) []domains.Field {
	all := []domains.Field{{Name: nameField, Value: d.name}}
	if d.description != "" {
		all = append(all, domains.Field{Name: descriptionField, Value: d.description})
	}
	for _, f := range fields {
		if f.Name != nameField && f.Name != descriptionField {
			all = append(all, f)
		}
	}
	return all
}
