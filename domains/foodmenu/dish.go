package foodmenu

import (
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
	// after is what stands after the price but tags.
	after string
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
	before = d.takeTags(strings.ReplaceAll(cutNumber(cutBullet(before)), "**", ""))
	after = d.takeTags(strings.ReplaceAll(after, "**", ""))
	d.after = spaced(after)
	after = d.takePrices(after)
	d.words, d.note = trimmed(before), strings.Trim(spaced(after), "/ ")
	if d.words == "" {
		d.words, d.note, d.after = trimmed(after), "", ""
	}
	return d, true
}

// trimmed are the words of a text without leaders.
func trimmed(text string) string {
	const leaders = " \t.·…_-–—:"
	return spaced(strings.Trim(text, leaders))
}

// addAbove puts the line above in front of the words.
func (d *dish) addAbove(line string) {
	line = d.takeTags(strings.ReplaceAll(cutNumber(cutBullet(line)), "**", ""))
	if d.words != "" {
		line += " " + d.words
	}
	d.words = trimmed(line)
}

// addBelow adds a line to the description.
func (d *dish) addBelow(text string) {
	d.below = plain.Append(d.below, spaced(d.takeTags(text)))
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
	end, letters := 0, 0
	for at := 0; at < len(words); {
		word, _, _ := strings.Cut(words[at:], " ")
		if strings.ContainsFunc(word, unicode.IsLower) {
			break
		}
		at += len(word) + 1
		if n := countLetters(word); n > 0 {
			letters += n
			end = at
		}
	}
	if letters < fewLetters || end >= len(words) || !strings.ContainsFunc(words[end:], unicode.IsLower) {
		return words, ""
	}
	return words[:end-1], words[end:]
}

func countLetters(word string) int {
	n := 0
	for _, r := range word {
		if unicode.IsLetter(r) {
			n++
		}
	}
	return n
}

// takeTags takes codes and marks, and returns the text without them.
func (d *dish) takeTags(text string) string {
	if !strings.ContainsAny(text, "[(") {
		return text
	}
	var rest strings.Builder
	for {
		at := strings.IndexAny(text, "[(")
		if at < 0 {
			break
		}
		tags, size := tagsAt(text[at:])
		if size == 0 {
			rest.WriteString(text[:at+1])
			text = text[at+1:]
			continue
		}
		if text[at] == '[' {
			d.codes = append(d.codes, tags...)
		} else {
			d.marks = append(d.marks, tags...)
		}
		rest.WriteString(text[:at])
		rest.WriteByte(' ')
		text = text[at+size:]
	}
	d.codes, d.marks = ordered(d.codes), ordered(d.marks)
	return rest.String() + text
}

// ordered sorts tags and keeps one of each.
func ordered(tags []string) []string {
	slices.Sort(tags)
	return slices.Compact(tags)
}

// tagsAt returns the tags that a text begins with, as in [Sh], [D, G] or (V), and
// the size of what holds them, 0 if there are none.
func tagsAt(text string) (tags []string, size int) {
	const longest = 40
	closing, fits := "]", isLetter
	if text[0] == '(' {
		closing, fits = ")", isMark
	}
	end := strings.Index(text[:min(len(text), longest)], closing)
	if end < 0 {
		return nil, 0
	}
	tags = strings.FieldsFunc(text[1:end], func(r rune) bool { return strings.ContainsRune(" ,/;+&", r) })
	for _, tag := range tags {
		const longestListed = 3
		if !allBytes(tag, fits) || len(tags) > 1 && len(tag) > longestListed {
			return nil, 0
		}
	}
	if len(tags) == 0 {
		return nil, 0
	}
	return tags, end + 1
}

// takePrices takes further prices out of the text after the first.
func (d *dish) takePrices(text string) string {
	var rest strings.Builder
	for {
		at, end := findPrice(text)
		if at < 0 {
			return rest.String() + text
		}
		d.more = append(d.more, decimal(text[at+1:end]))
		rest.WriteString(text[:at])
		text = text[end:]
	}
}
