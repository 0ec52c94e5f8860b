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
// R, or ratio, is that of package ratio, with the reference first.
package recipe

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
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
