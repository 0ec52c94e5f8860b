package foodmenu

import "agentd/domains/edit"

// end is what comes after all sections.
const end = `^[ \t]*(?:[-=]{10,}[ \t]*$|(?:ALLERGEN|OTHER)\b)`

// vocabulary makes parts of sections; of the priced items where there are few.
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
			Cut: edit.Starting(`\$[ \t]?\d`, `^[ \t]*(?:[-=]{3,}|(?:ALLERGEN|OTHER)\b)`),
			Attributes: []edit.Attribute{
				edit.Has("name", "names", `\A[ \t]*(?:[-•*][ \t]+)?(\p{L}[^$\n]*?)[ \t.]*\$`),
				edit.HasNumber("price", "prices", `\$(\d+(?:\.\d+)?)`),
				edit.Has("allergen tag", "allergen tags", `(\[[A-Z][a-z]?\])`),
				edit.Has("diet tag", "diet tags", `(\([AVG]{1,2}\))`),
			},
		},
	}
}
