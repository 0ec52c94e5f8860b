package recipe

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/domains"
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
			search(text, "Ingredient", func(_ ordinal, description string) error {
				p, err := parsePortion(description)
				doc.ingredients = plain.Append(doc.ingredients, p)
				return err
			}),
			search(text, "Step", func(number ordinal, description string) error {
				doc.steps = plain.Append(doc.steps, instruction{number, description})
				return nil
			}),
			search(text, "Tip", func(_ ordinal, description string) error {
				doc.tips = plain.Append(doc.tips, description)
				return nil
			}))
		if err != nil {
			return published{}, err
		}
	}
	return doc, nil
}

// mostDigits is the length up to which Python turns digits into an integer.
const mostDigits = 4300

// search finds the records of one label, anywhere in a line, and stops at the
// first error.
func search(text, label string, found func(number ordinal, description string) error) error {
	for at := 0; ; {
		next := strings.Index(text[at:], label)
		if next < 0 {
			return nil
		}
		at += next + len(label)
		blanks := skip(text, at, pytext.IsSpace)
		digits := skip(text, blanks, unicode.IsDigit)
		if blanks == at || digits == blanks || !strings.HasPrefix(text[digits:], ":") {
			continue
		}
		start, end := description(text, digits+1)
		if start < 0 {
			continue
		}
		if utf8.RuneCountInString(text[blanks:digits]) > mostDigits {
			return fmt.Errorf("%w: a %s has a number of more than %d digits", domains.ErrCrash, label, mostDigits)
		}
		if err := found(ordinalOf(text[blanks:digits]), pytext.Strip(text[start:end])); err != nil {
			return err
		}
		at = end
	}
}

// description finds what stands after a colon: the rest of the first line with
// anything on it. At the end of a text that can be a blank, but no line end;
// start is -1 where there is nothing else.
func description(text string, at int) (start, end int) {
	start = skip(text, at, pytext.IsSpace)
	if start == len(text) {
		after := strings.TrimRight(text[at:], "\n")
		if after == "" {
			return -1, -1
		}
		_, size := utf8.DecodeLastRuneInString(after)
		start = at + len(after) - size
	}
	if eol := strings.IndexByte(text[start:], '\n'); eol >= 0 {
		return start, start + eol
	}
	return start, len(text)
}

// skip returns the place after the characters of a sort.
func skip(text string, at int, is func(rune) bool) int {
	for at < len(text) {
		r, size := utf8.DecodeRuneInString(text[at:])
		if !is(r) {
			break
		}
		at += size
	}
	return at
}

// parsePortion takes a description apart: a fraction or a number, the next word
// as unit, of any kind, if more follows, and the name. Numbers that Python
// does not take are errors.
func parsePortion(text string) (portion, error) {
	whole := portion{name: text}
	digits := skip(text, 0, unicode.IsDigit)
	if digits > 0 && strings.HasPrefix(text[digits:], "/") {
		end := skip(text, digits+1, unicode.IsDigit)
		unit, name := words(text[end:])
		if end == digits+1 || unit == "" || name == "" {
			return whole, nil
		}
		numerator, _ := pytext.Float(text[:digits])
		denominator, _ := pytext.Float(text[digits+1 : end])
		if denominator == 0 {
			return whole, fmt.Errorf("%w: ingredient %q divides by zero", domains.ErrCrash, beginning(text))
		}
		return portion{numerator / denominator, true, pytext.Lower(unit), name}, nil
	}
	end := skip(text, 0, func(r rune) bool { return r == '.' || unicode.IsDigit(r) })
	unit, name := words(text[end:])
	if end == 0 || unit == "" {
		return whole, nil
	}
	quantity, ok := pytext.Float(text[:end])
	if !ok {
		return whole, fmt.Errorf("%w: ingredient %q has a quantity that is no number", domains.ErrCrash, beginning(text))
	}
	if name == "" {
		return portion{quantity: quantity, measured: true, name: unit}, nil
	}
	return portion{quantity, true, pytext.Lower(unit), name}, nil
}

// words divides a text that begins with white space into its first word and the
// rest; both are empty where it begins otherwise.
func words(text string) (first, rest string) {
	start := skip(text, 0, pytext.IsSpace)
	if start == 0 {
		return "", ""
	}
	end := skip(text, start, func(r rune) bool { return !pytext.IsSpace(r) })
	return text[start:end], pytext.Strip(text[end:])
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
	texts := make([]string, len(steps))
	for i := range steps {
		texts[i] = steps[i].text
	}
	return strings.Join(texts, "\n")
}
