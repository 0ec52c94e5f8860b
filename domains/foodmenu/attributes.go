package foodmenu

import (
	"strings"

	"agentd/domains/edit"
)

// end is what comes after all sections.
const end = `^[ \t]*(?:[-=]{10,}[ \t]*$|(?:ALLERGEN|OTHER)\b)`

// priced is the price of an item: tags, another price or the line's end follow it.
const priced = `\$[ \t]?(\d+(?:\.\d+)?)(?:[ \t\r]*$|[ \t]+[\[(/])`

// vocabulary makes parts of sections; of the priced items, with a header above, where there are few.
func vocabulary() edit.Format {
	return edit.Format{
		Document: "menu", Part: "section", Parts: "sections",
		Cut: edit.First(
			edit.Starting(`^[ \t]*-{2,}[ \t]*[\p{L}\d][^\n$]*-{2,}[ \t]*$`, end),
			edit.Within(`^[ \t]*(?:Date|Location):`, "", edit.Starting(`^[ \t]*\p{Lu}[\p{Lu} &/'’-]{2,38}\p{Lu}[ \t]*$`, end))),
		Attributes: []edit.Attribute{
			edit.Key("heading", "headings", `\A[ \t-]*([\p{L}\d][^\n]*?)[ \t-]*$`),
			edit.Key("initial letter", "initial letters", `\A[ \t-]*(\p{L})`),
			edit.Has("note in parentheses", "notes in parentheses", `\(([^()\n]{4,})\)`),
			edit.HasNumber("price", "prices", `\$(\d+(?:\.\d+)?)`),
			edit.Has("allergen tag", "allergen tags", `(\[[A-Z][a-z]?\])`),
			edit.Has("diet tag", "diet tags", `(\([AVG]{1,2}\))`),
			edit.Has("line up to the price", "lines up to prices", `^[ \t]*(?:[-•*][ \t]+)?(\p{L}[^$\n]*?)[ \t.]*\$`),
		},
		Finer: &edit.Format{
			Document: "menu", Part: "priced item", Parts: "priced items",
			Cut: edit.Inline(`(?:^[ \t]*-{2,}[ \t]*[\p{L}\d][^\n$]*-{2,}[ \t\r]*\n(?:[^\n$]*\n)*?)?^[^\n$]*`+priced, "", end),
			Attributes: []edit.Attribute{
				edit.Has("name", "names", `^[ \t]*(?:[-•*][ \t]+)?(\p{L}[^$\n]*?)[ \t.]*`+priced),
				edit.Has("description", "descriptions", `^[ \t]*(?:[-•*][ \t]+)?\p{Lu}[^\p{Ll}$\n]{3,}[ \t]+(\p{Ll}[^$\n]*?)[ \t.]*`+priced),
				edit.HasNumber("price", "prices", priced),
				edit.Has("allergen tag", "allergen tags", `(\[[A-Z][a-z]?\])`),
				edit.Has("diet tag", "diet tags", `(\([AVG]{1,2}\))`),
				edit.Computed("dish", "dishes", dishName),
				edit.Computed("allergens", "lists of allergens", allergens),
			},
		},
	}
}

// dishName is the name of a part's item, without its description; empty if it has none.
func dishName(part string) string {
	d := itemIn(part)
	if d == nil {
		return ""
	}
	name, _ := d.divided()
	return name
}

// allergens are the codes of a part's item, each once and in order: "D, F".
func allergens(part string) string {
	d := itemIn(part)
	if d == nil {
		return ""
	}
	return strings.Join(d.codes, ", ")
}

// itemIn is the first item of a part; nil if it has none.
func itemIn(part string) *dish {
	for _, e := range read(part) {
		if e.kind == itemEntry {
			return e.dish
		}
	}
	return nil
}
