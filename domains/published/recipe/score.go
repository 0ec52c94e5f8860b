package recipe

import (
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
	"agentd/domains/internal/texts"
)

// Compare orders numbers by their size.
func (o Ordinal) Compare(other Ordinal) int {
	if len(o) != len(other) {
		return len(o) - len(other)
	}
	return strings.Compare(string(o), string(other))
}

// method is the text of the steps in the order of their numbers.
func (doc *Published) method() string {
	steps := slices.Clone(doc.steps)
	slices.SortStableFunc(steps, func(a, b instruction) int { return a.number.Compare(b.number) })
	return strings.Join(lists.Each(steps, func(s *instruction) string { return s.text }), "\n")
}

// Stats counts the parts of a document.
func Stats(doc Published) domains.Stats {
	return domains.StatsOf(len(doc.ingredients)+len(doc.steps), "Ingredients", len(doc.ingredients),
		"Steps", len(doc.steps), "Tips", len(doc.tips))
}

// Score is the published formula: 0.4 ingredients + 0.4 steps + 0.2 tips.
func Score(reference, candidate Published, noted *notes.Notes) domains.Reading {
	name := func(p *portion) string { return p.name }
	refNames, gotNames := lists.Each(reference.ingredients, name), lists.Each(candidate.ingredients, name)
	ingredients := pairScore(refNames, gotNames, func(i, j int) float64 {
		return quantitySimilarity(reference.ingredients[i], candidate.ingredients[j])
	}, noted)
	steps := stepScore(&reference, &candidate, noted)
	tips := pairScore(reference.tips, candidate.tips, func(int, int) float64 { return 1 }, noted)
	return domains.Reading{
		// Conversions keep the compiler from fusing products into the sums.
		RS: float64(0.4*ingredients) + float64(0.4*steps) + float64(0.2*tips),
		Components: map[string]float64{
			"score_ingredients": ingredients, "score_steps": steps, "score_tips": tips,
		},
		Elements: domains.Elements{
			Reference: len(reference.ingredients) + len(reference.steps),
			Candidate: len(candidate.ingredients) + len(candidate.steps),
		},
	}
}

// pairScore pairs texts so that they agree best, and weighs how well each pair does.
func pairScore(reference, candidate []string, weight func(ref, got int) float64, noted *notes.Notes) float64 {
	if similarity, empty := sets.EitherEmpty(reference, candidate); empty {
		return similarity
	}
	sum := 0.0
	shortened := func(text string) string { return ratio.Beginning(text, noted) }
	ref, got := lists.Map(reference, shortened), lists.Map(candidate, shortened)
	pairing := texts.Pair(ref, got, noted)
	for k, p := range pairing.Pairs {
		similarity := pairing.Ratio(k)
		if ref[p.Row] == got[p.Col] {
			// The pairing takes them for equal, which texts without a rare character are not in the published score.
			similarity = ratio.Long(ref[p.Row], got[p.Col], noted)
		}
		sum += float64(similarity * weight(p.Row, p.Col))
	}
	return sum / float64(len(reference))
}

// stepScore compares the whole texts of both methods.
func stepScore(reference, candidate *Published, noted *notes.Notes) float64 {
	if similarity, empty := sets.EitherEmpty(reference.steps, candidate.steps); empty {
		return similarity
	}
	refs, gots := len(reference.steps), len(candidate.steps)
	return float64(min(refs, gots)) / float64(refs) * ratio.Long(reference.method(), candidate.method(), noted)
}

// quantitySimilarity is the ratio of the smaller quantity to the larger in base units.
func quantitySimilarity(ref, got portion) float64 {
	refBase, a := ref.inBase()
	gotBase, b := got.inBase()
	switch {
	case refBase != "" && gotBase != "" && refBase != gotBase:
		return 0.5
	case !ref.measured || !got.measured:
		if ref.measured == got.measured {
			return 1
		}
		return 0.5
	case a == 0 || b == 0:
		return sets.OneIf(a == b)
	}
	return sets.Positive(min(a, b) / max(a, b)) // 0 for two infinite ones
}

// inBase is a portion's base unit and its quantity in that. A word that is no known unit is its own base.
func (p *portion) inBase() (base string, quantity float64) {
	if known, ok := publishedUnits[p.unit]; ok {
		return known.base, p.quantity * known.factor
	}
	return p.unit, p.quantity
}

type publishedUnit struct {
	base   string
	factor float64
}

var publishedUnits = map[string]publishedUnit{
	"l": {"L", 1}, "liter": {"L", 1}, "liters": {"L", 1}, "litre": {"L", 1}, "litres": {"L", 1},
	"ml": {"L", 0.001}, "milliliter": {"L", 0.001}, "milliliters": {"L", 0.001},
	"cup": {"L", 0.237}, "cups": {"L", 0.237},
	"g": {"g", 1}, "gram": {"g", 1}, "grams": {"g", 1},
	"kg": {"g", 1000}, "kilogram": {"g", 1000}, "kilograms": {"g", 1000},
	"oz": {"g", 28.35}, "ounce": {"g", 28.35}, "ounces": {"g", 28.35},
	"lb": {"g", 453.6}, "pound": {"g", 453.6}, "pounds": {"g", 453.6},
	"tablespoon": {"tbsp", 1}, "tablespoons": {"tbsp", 1}, "tbsp": {"tbsp", 1},
	"teaspoon": {"tbsp", 0.333}, "teaspoons": {"tbsp", 0.333}, "tsp": {"tbsp", 0.333},
	"pinch": {"pinch", 1},
}

// NumberField is the field, always the last of a record, that has its number.
func (l Label) NumberField() string {
	switch l {
	case Ingredient:
		return "ingredient number"
	case Step:
		return "step number"
	}
	return "tip number"
}
