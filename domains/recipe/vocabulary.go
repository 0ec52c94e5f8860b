package recipe

import verbs "agentd/domains/edit"

// vocabulary cuts before each ingredient, step and tip. A heading goes with what is below it.
func vocabulary() verbs.Format {
	const item = `^[ \t*-]*(?:Ingredient|Step|Tip)[ \t]+\d+[ \t*]*[:.)-]+[ \t*]*`
	return verbs.Format{
		Document: "recipe", Part: "item", Parts: "items",
		Cut: verbs.Headed(`^#`, verbs.Starting(`^[ \t*-]*(?:Ingredient|Step|Tip)[ \t]+\d+`, "")),
		Attributes: []verbs.Attribute{
			verbs.Key("kind", "kinds", `^[ \t*-]*(Ingredient|Step|Tip)[ \t]+\d`),
			verbs.Has("description", "descriptions", item+`(\S[^\n]*)`),
			verbs.Has("first word", "first words", item+`([\pL]+)`),
			verbs.HasNumber("quantity", "quantities", item+`(\d+(?:\.\d+)?)[ \t]`),
			verbs.Has("unit", "units", item+`[\d½¼¾][\d./½¼¾ -]*(g|kg|mL|ml|cl|dl|l|L|oz|lb|cups?|tsp|tbsp|teaspoons?|tablespoons?|pinch|cloves?|sprigs?)\b`),
			verbs.HasNumber("time in minutes", "times in minutes", `\b(\d+)[ \t]*min`),
			verbs.Has("remark in brackets", "remarks in brackets", `\(([^()\n]+)\)`),
		},
	}
}
