package recipe

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// published is a recipe as the published evaluator has it.
type published struct {
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
	number ordinal
	text   string
}

// parse is the published reading of all files, in name order.
func parse(files vfs.Files) (published, error) {
	var doc published
	for _, name := range files.Names() {
		text := files[name]
		err := errors.Join(
			search(text, ingredient, func(_ ordinal, description string) error {
				p, err := parsePortion(description)
				doc.ingredients = plain.Append(doc.ingredients, p)
				return err
			}),
			search(text, step, func(number ordinal, description string) error {
				doc.steps = plain.Append(doc.steps, instruction{number, description})
				return nil
			}),
			search(text, tip, func(_ ordinal, description string) error {
				doc.tips = plain.Append(doc.tips, description)
				return nil
			}))
		if err != nil {
			return published{}, err
		}
	}
	return doc, nil
}

// search finds the records of one label, anywhere in a line, and stops at the
// first error. What a record says is the rest of the first line with anything on it.
func search(text string, l label, found func(number ordinal, description string) error) error {
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
		if utf8.RuneCountInString(number) > pytext.MostDigits {
			return fmt.Errorf("%w: a %s has a number of more than %d digits", domains.ErrCrash, l, pytext.MostDigits)
		}
		description, below, _ := strings.Cut(pytext.StripLeft(body), "\n")
		if err := found(ordinalOf(number), pytext.StripRight(description)); err != nil {
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
	if number, rest := cutWord(text); rest != "" && !strings.ContainsFunc(number, noNumber) {
		quantity, ok := pytext.Float(number)
		if !ok {
			return portion{}, fmt.Errorf("%w: ingredient %q has a quantity that is no number", domains.ErrCrash, beginning(text))
		}
		if unit, name := cutWord(rest); name != "" {
			return portion{quantity, true, pytext.Lower(unit), name}, nil
		}
		return portion{quantity: quantity, measured: true, name: rest}, nil
	}
	if found := inFraction.FindStringSubmatch(text); found != nil {
		numerator, _ := pytext.Float(found[1])
		denominator, _ := pytext.Float(found[2])
		if denominator == 0 {
			return portion{}, fmt.Errorf("%w: ingredient %q divides by zero", domains.ErrCrash, beginning(text))
		}
		return portion{numerator / denominator, true, pytext.Lower(found[3]), text[len(found[0]):]}, nil
	}
	return portion{name: text}, nil
}

// beginning is a text as an error shows it.
func beginning(text string) string {
	const most = 40
	if runes := []rune(text[:min(len(text), 4*most)]); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// ordinal is a record's number, of any size: ASCII digits without idle zeros.
type ordinal string

func ordinalOf(digits string) ordinal {
	plain := strings.Map(func(r rune) rune { return rune('0' + pytext.DigitValue(r)) }, digits)
	if plain = strings.TrimLeft(plain, "0"); plain == "" {
		return "0"
	}
	return ordinal(plain)
}

func (o ordinal) compare(other ordinal) int {
	if len(o) != len(other) {
		return len(o) - len(other)
	}
	return strings.Compare(string(o), string(other))
}

// method is the text of the steps in the order of their numbers.
func (doc *published) method() string {
	steps := slices.Clone(doc.steps)
	slices.SortStableFunc(steps, func(a, b instruction) int { return a.number.compare(b.number) })
	return strings.Join(lists.Each(steps, func(s *instruction) string { return s.text }), "\n")
}
