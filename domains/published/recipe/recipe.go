// Package recipe is the published reading and score of the domain recipe.
//
// score = 0.4·ingredients + 0.4·steps + 0.2·tips, not rounded.
//
// Ingredients: both lists empty 1; only the reference empty 0; only the candidate empty 0. Else build the matrix of
// ratio(reference name, candidate name), case-sensitive; assignment maximising the sum (cost 1 − ratio); result = Σ
// over pairs ratio·quantity similarity, divided by the number of reference ingredients.
//
// Quantity similarity: convert both to base units. Both bases known (not nil) and different: 0.5. Otherwise, if either
// quantity is absent: 1 when both are absent, else 0.5. Both zero 1, one zero 0, else min/max. (A missing unit is
// compatible with any.)
//
// Steps: reference empty: 1 if the candidate is empty too, else 0; candidate empty 0. Else min(nc, nr)/nr · ratio(text
// of reference, text of candidate), text = descriptions stably sorted by number, joined with line feeds. Numbers
// themselves are not compared. There is no shortcut for equal texts: the ratio of two equal texts is 1 unless all
// characters are "popular" (below).
//
// Tips: as ingredients, with ratio of whole descriptions and no quantity term. No tips on both sides: 1, so a document
// without tips leaves 0.2 to an empty candidate.
//
// R, or ratio, is that of package ratio, with the reference first. The weights are the published program's; the golden
// rows hold them.
package recipe

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
	"agentd/domains/internal/texts"
	"agentd/vfs"
)

// Published is a recipe as the published evaluator has it.
type Published struct {
	ingredients []portion
	steps       []instruction
	tips        []string
}

// portion is an ingredient.
type portion struct {
	quantity float64
	measured bool   // whether there is a quantity
	unit     string // in small letters, "" if there is none
	name     string
}

// instruction is a step.
type instruction struct {
	number Ordinal
	text   string
}

// Parse is the published reading of all files, in name order.
func Parse(files vfs.Files) (Published, error) {
	var doc Published
	for _, name := range files.Names() {
		text := files[name]
		err := errors.Join(
			search(text, Ingredient, func(_ Ordinal, description string) error {
				p, err := parsePortion(description)
				doc.ingredients = plain.Append(doc.ingredients, p)
				return err
			}),
			search(text, Step, func(number Ordinal, description string) error {
				doc.steps = plain.Append(doc.steps, instruction{number, description})
				return nil
			}),
			search(text, Tip, func(_ Ordinal, description string) error {
				doc.tips = plain.Append(doc.tips, description)
				return nil
			}))
		if err != nil {
			return Published{}, err
		}
	}
	return doc, nil
}

// search finds the records of one label, anywhere in a line, and stops at the
// first error. What a record says is the rest of the first line with anything on it.
func search(text string, l Label, found func(number Ordinal, description string) error) error {
	for {
		_, after, more := strings.Cut(text, string(l))
		if !more {
			return nil
		}
		text = after
		numbered := pytext.StripLeft(after)
		rest := strings.TrimLeftFunc(numbered, unicode.IsDigit)
		number := numbered[:len(numbered)-len(rest)]
		body, colon := strings.CutPrefix(rest, ":")
		if len(numbered) == len(after) || number == "" || !colon || strings.Trim(body, "\n") == "" {
			continue
		}
		description, below, _ := strings.Cut(pytext.StripLeft(body), "\n")
		if err := found(OrdinalOf(number), pytext.StripRight(description)); err != nil {
			return err
		}
		text = below
	}
}

// inFraction is what stands before the name of an ingredient in fractions.
var inFraction = pytext.Pattern(`^(\d+)/(\d+)\s+(\S+)\s+`)

// parsePortion takes a description apart: a number or a fraction, the next word as unit, of any
// kind, if more follows, and the name. Numbers that Python does not take are errors.
func parsePortion(text string) (portion, error) {
	noNumber := func(r rune) bool { return r != '.' && !unicode.IsDigit(r) }
	if number, rest := CutWord(text); rest != "" && !strings.ContainsFunc(number, noNumber) {
		quantity, ok := pytext.Float(number)
		if !ok {
			return portion{}, fmt.Errorf("%w: ingredient %.40q has a quantity that is no number", domains.ErrCrash, text)
		}
		if unit, name := CutWord(rest); name != "" {
			return portion{quantity, true, pytext.Lower(unit), name}, nil
		}
		return portion{quantity: quantity, measured: true, name: rest}, nil
	}
	if found := inFraction.FindStringSubmatch(text); found != nil {
		numerator, _ := pytext.Float(found[1])
		denominator, _ := pytext.Float(found[2])
		if denominator == 0 {
			return portion{}, fmt.Errorf("%w: ingredient %.40q divides by zero", domains.ErrCrash, text)
		}
		return portion{numerator / denominator, true, pytext.Lower(found[3]), text[len(found[0]):]}, nil
	}
	return portion{name: text}, nil
}

// Ordinal is a record's number, of any size: ASCII digits without idle zeros.
type Ordinal string

// OrdinalOf is the number that digits of any script write.
func OrdinalOf(digits string) Ordinal {
	plain := strings.Map(func(r rune) rune { return rune('0' + pytext.DigitValue(r)) }, digits)
	if plain = strings.TrimLeft(plain, "0"); plain == "" {
		return "0"
	}
	return Ordinal(plain)
}

// CutWord cuts a text after its first word.
func CutWord(text string) (word, rest string) {
	rest = strings.TrimLeftFunc(text, func(r rune) bool { return !pytext.IsSpace(r) })
	return text[:len(text)-len(rest)], pytext.Strip(rest)
}

// Label is the word that begins a record; "" is none.
type Label string

// The words that begin records.
const (
	Ingredient Label = "Ingredient"
	Step       Label = "Step"
	Tip        Label = "Tip"
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
