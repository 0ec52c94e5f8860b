package recipe

import (
	"math"
	"strconv"
	"strings"

	"agentd/domains/edit"
	"agentd/internal/lazyregexp"
)

// vocabulary cuts before each ingredient, step and tip, with the headings above it; or before each
// heading of a component.
func vocabulary() edit.Format {
	const record = `^[ \t*-]*(?:Ingredient|Step|Tip)[ \t]+\d+`
	const item = `(?:` + record + `[ \t*]*[:.)-]+|^[ \t]*(?:[-*+•]|\d+[.)])[ \t])[ \t*]*`
	sections := edit.Format{
		Document: "recipe", Part: "section", Parts: "sections",
		Cut:        edit.Inline(`(?:^##[^\n]*\n\s*)+`, "", ""),
		Attributes: []edit.Attribute{edit.Has("heading", "headings", `\A(?:#[^\n]*\n\s*)*#+[ \t]*([^\n]*[^\s#:])`)},
	}
	return edit.Format{
		Document: "recipe", Part: "item", Parts: "items",
		Cut: edit.Either(edit.Inline(`(?:^#[^\n]*\n\s*)*`+record, "", `^#+[ \t]*(?i:notes)\b`),
			edit.Starting(`^[ \t]*(?:[-*+•]|\d+[.)])[ \t]+\S`, ""), edit.Starting(`^[ \t]*[\d½¼¾⅓]`, "")),
		Named: func(parts string) (edit.Format, bool) { return sections, parts == sections.Parts },
		Attributes: []edit.Attribute{
			edit.Key("kind", "kinds", `^[ \t*-]*(Ingredient|Step|Tip)[ \t]+\d`),
			edit.Has("description", "descriptions", item+`(\S[^\r\n]*)`),
			edit.Has("first word", "first words", item+`([\pL]+)`),
			edit.HasNumber("quantity", "quantities", item+`(\d+(?:\.\d+)?)[ \t]+[^\s\d–-]`),
			edit.Has("unit", "units", item+`[\d½¼¾][\d./½¼¾ -]*(g|kg|mL|ml|cl|dl|l|L|oz|lb|cups?|tsp|tbsp|teaspoons?|tablespoons?|pinch|cloves?|sprigs?)\b`),
			edit.HasNumber("time in minutes", "times in minutes", `\b(\d+)[ \t]*min`),
			edit.Has("temperature", "temperatures", `((?:\d+(?:–|-| to )|-)?\d+(?:\.\d+)? ?°[CF])`),
			edit.Has("measure", "measures", `\b(\d+(?:\.\d+)?(?:–\d+| to \d+| x \d+)? ?(?:g|kg|mL|L|cm|mm|minutes|hours?|°C|degrees))\b`),
			edit.Has("remark in brackets", "remarks in brackets", `\(([^()\n]+)\)`),
			edit.Computed("fahrenheit", "temperatures in Fahrenheit", inFahrenheit),
		},
	}
}

var celsius = lazyregexp.New(`(-?\d{1,5})(?:(–|-| to )(\d{1,5}))? ?°C`)

// inFahrenheit lists the temperatures of a part that are in °C in °F, rounded half up to whole
// degrees, both ends of ranges: "302 °F, 185–194 °F".
func inFahrenheit(part string) string {
	converted := func(text string) string {
		c, err := strconv.Atoi(text)
		if err != nil {
			return ""
		}
		return strconv.Itoa(int(math.Floor(float64(c*9+5*32)/5 + 0.5)))
	}
	var all []string
	for _, m := range celsius.FindAllStringSubmatch(part, -1) {
		all = append(all, converted(m[1])+m[2]+converted(m[3])+" °F")
	}
	return strings.Join(all, ", ")
}
