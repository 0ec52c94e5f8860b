package foodmenu

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
)

// dish is what an item says.
type dish struct {
	words string   // name and description, as far as they are in one
	below []string // what stands on lines of its own, further in
	price string   // a decimal, with its currency unless that is the dollar
	more  []string // further prices
	codes []string // as in [Sh]
	marks []string // as in (A)
	note  string   // words after the price
}

// readDish reads a line with a price.
func readDish(line string) (*dish, bool) {
	p, ok := findAmount(line)
	if !ok {
		return nil, false
	}
	d := &dish{price: p.amount}
	before, after := line[:p.start], line[p.end:]
	if strings.HasPrefix(pytext.StripLeft(line), "|") {
		before, after = strings.ReplaceAll(before, "|", " "), strings.ReplaceAll(after, "|", " ")
	}
	before = d.takeTags(withoutMarks(before))
	after = d.takeTags(strings.ReplaceAll(after, "**", ""))
	after = replacePrices(after, func(written string) string {
		d.more = append(d.more, decimal(written[1:]))
		return ""
	})
	d.words, d.note = trimmed(before), strings.Trim(pytext.Collapse(after), "/ ")
	if d.words == "" {
		d.words, d.note = trimmed(after), ""
	}
	return d, true
}

// withoutMarks is a line without list marks and emphasis.
func withoutMarks(line string) string { return strings.ReplaceAll(cutMarks(line), "**", "") }

// trimmed are the words of a text without leaders.
func trimmed(text string) string {
	const leaders = " \t.·…_-–—:"
	return pytext.Collapse(strings.Trim(text, leaders))
}

// addAbove puts the line above in front of the words.
func (d *dish) addAbove(line string) {
	line = d.takeTags(withoutMarks(line))
	if d.words != "" {
		line += " " + d.words
	}
	d.words = trimmed(line)
}

// addBelow adds a line to the description.
func (d *dish) addBelow(text string) {
	d.below = plain.Append(d.below, pytext.Collapse(d.takeTags(text)))
}

// divided are the name and the description.
func (d *dish) divided() (name, description string) {
	name, description = divide(d.words)
	if len(d.below) > 0 {
		description = strings.TrimPrefix(description+" "+joined(d.below), " ")
	}
	return name, description
}

// divide ends the name where capitals end, if small letters follow.
func divide(words string) (name, description string) {
	const fewLetters = 4
	lower := strings.IndexFunc(words, unicode.IsLower)
	capitals := words[:strings.LastIndex(words[:max(lower, 0)], " ")+1]
	if countLetters(capitals) < fewLetters {
		return words, ""
	}
	last := strings.LastIndexFunc(capitals, unicode.IsLetter)
	end := last + strings.Index(capitals[last:], " ")
	return words[:end], words[end+1:]
}

func countLetters(text string) int {
	n := 0
	for _, r := range text {
		if unicode.IsLetter(r) {
			n++
		}
	}
	return n
}

// Tags as the strict reader takes them: codes such as [Sh] or [D, G] and marks such as (V).
const (
	codeGroup = `\[[ ,/;+&]*(?:[A-Za-z]+|[A-Za-z]{1,3}(?:[ ,/;+&]+[A-Za-z]{1,3})+)[ ,/;+&]*\]`
	markGroup = `\([ ,/;+&]*(?:[AVG]+|[AVG]{1,3}(?:[ ,/;+&]+[AVG]{1,3})+)[ ,/;+&]*\)`
	tagGroup  = `(?:` + codeGroup + `|` + markGroup + `)`
)

var tagsForm = regexp.MustCompile(tagGroup)

// takeTags takes codes and marks, and returns the text without them.
func (d *dish) takeTags(text string) string {
	first := strings.IndexAny(text, "[(")
	if first < 0 {
		return text
	}
	rest := tagsForm.ReplaceAllStringFunc(text[first:], func(group string) string {
		into := &d.codes
		if group[0] == '(' {
			into = &d.marks
		}
		*into = append(*into, strings.FieldsFunc(group, func(r rune) bool { return !unicode.IsLetter(r) })...)
		return " "
	})
	d.codes, d.marks = ordered(d.codes), ordered(d.marks)
	return text[:first] + rest
}

// ordered sorts tags and keeps one of each.
func ordered(tags []string) []string {
	slices.Sort(tags)
	return slices.Compact(tags)
}
