package recipe

import (
	"math"
	"strconv"

	"agentd/domains"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/texts"
)

// counted is the kind of the elements that are counted.
const counted = "ingredient or step"

func stats(doc published) domains.Stats {
	return domains.Stats{
		Elements: len(doc.ingredients) + len(doc.steps),
		Counts: []domains.Count{
			{Name: "Ingredients", Value: strconv.Itoa(len(doc.ingredients))},
			{Name: "Steps", Value: strconv.Itoa(len(doc.steps))},
			{Name: "Tips", Value: strconv.Itoa(len(doc.tips))},
		},
	}
}

// score is the published formula: 0.4 ingredients + 0.4 steps + 0.2 tips.
func score(reference, candidate published, noted *notes.Notes) domains.Reading {
	ingredients := ingredientScore(reference.ingredients, candidate.ingredients, noted)
	steps := stepScore(&reference, &candidate, noted)
	tips := tipScore(reference.tips, candidate.tips, noted)
	reading := domains.Reading{
		// Conversions keep the compiler from fusing products into the sums.
		Value: float64(0.4*ingredients) + float64(0.4*steps) + float64(0.2*tips),
		Components: map[string]float64{
			"score_ingredients": ingredients, "score_steps": steps, "score_tips": tips,
		},
		Elements: domains.Elements{
			Reference: len(reference.ingredients) + len(reference.steps),
			Candidate: len(candidate.ingredients) + len(candidate.steps),
		},
	}
	if math.IsNaN(reading.Value) {
		reading.Value, reading.Components = 0, nil
		reading.Problem = "the published score is no number: two quantities are infinite"
	}
	return reading
}

// ingredientScore pairs ingredients so that their names agree best, and weighs
// each pair with how well the quantities do.
func ingredientScore(reference, candidate []portion, noted *notes.Notes) float64 {
	if len(reference) == 0 || len(candidate) == 0 {
		return whereOneIsEmpty(len(reference), len(candidate))
	}
	sum := 0.0
	refNames, gotNames := names(reference, noted), names(candidate, noted)
	pairing := texts.Pair(refNames, gotNames, noted)
	for k, p := range pairing.Pairs {
		name := pairRatio(&pairing, k, refNames[p.Row], gotNames[p.Col], noted)
		sum += float64(name * quantitySimilarity(reference[p.Row], candidate[p.Col]))
	}
	return sum / float64(len(reference))
}

func tipScore(reference, candidate []string, noted *notes.Notes) float64 {
	if len(reference) == 0 || len(candidate) == 0 {
		return whereOneIsEmpty(len(reference), len(candidate))
	}
	sum := 0.0
	ref, got := shortened(reference, noted), shortened(candidate, noted)
	pairing := texts.Pair(ref, got, noted)
	for k, p := range pairing.Pairs {
		sum += pairRatio(&pairing, k, ref[p.Row], got[p.Col], noted)
	}
	return sum / float64(len(reference))
}

func shortened(tips []string, noted *notes.Notes) []string {
	all := make([]string, len(tips))
	for i, text := range tips {
		all[i] = ratio.Beginning(text, noted)
	}
	return all
}

// stepScore compares the whole texts of both methods.
func stepScore(reference, candidate *published, noted *notes.Notes) float64 {
	refs, gots := len(reference.steps), len(candidate.steps)
	if refs == 0 || gots == 0 {
		return whereOneIsEmpty(refs, gots)
	}
	return float64(min(refs, gots)) / float64(refs) * ratio.Long(reference.method(), candidate.method(), noted)
}

// whereOneIsEmpty is the score of two lists of which at least one is empty.
func whereOneIsEmpty(reference, candidate int) float64 {
	if reference == candidate {
		return 1
	}
	return 0
}

func names(portions []portion, noted *notes.Notes) []string {
	all := make([]string, len(portions))
	for i := range portions {
		all[i] = ratio.Beginning(portions[i].name, noted)
	}
	return all
}

// pairRatio is the ratio of the k-th pair. The pairing takes equal texts for
// equal, which those without a rare character are not in the published score.
func pairRatio(pairing *texts.Pairing, k int, ref, got string, noted *notes.Notes) float64 {
	if ref == got {
		return ratio.Long(ref, got, noted)
	}
	return pairing.Ratio(k)
}

// quantitySimilarity is the ratio of the smaller quantity to the larger in base
// units.
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
	case a == 0 && b == 0:
		return 1
	case a == 0 || b == 0:
		return 0
	}
	return min(a, b) / max(a, b)
}

// inBase is a portion's base unit and its quantity in that. A word that is no
// known unit is its own base.
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
