package foodmenu

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	published "agentd/domains/published/foodmenu"
	"agentd/internal/lazyregexp"
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
func withoutMarks(line string) string { return strings.ReplaceAll(published.CutMarks(line), "**", "") }

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
		description = strings.TrimPrefix(description+" "+published.Joined(d.below), " ")
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

var tagsForm = lazyregexp.New(tagGroup)

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

// isLegend reports whether a line begins with a code or a mark, as a legend does.
func isLegend(line string) bool {
	return strings.ContainsAny(line, "[(") && legendStart.MatchString(bullet.ReplaceAllString(line, ""))
}

var legendStart = pytext.Pattern(`^\s*` + tagGroup)

// meaning is what a code or a mark stands for.
type meaning struct{ tag, text string }

// meanings reads a line of a legend, which may say what several tags stand for.
func meanings(line string) []meaning {
	var all []meaning
	groups := tagsForm.FindAllStringIndex(line, -1)
	for n, at := range groups {
		end := len(line)
		if n+1 < len(groups) {
			end = groups[n+1][0]
		}
		text := strings.Trim(line[at[1]:end], " \t=:-–—,;.|/")
		all = append(all, meaning{tag: line[at[0]:at[1]], text: pytext.Collapse(text)})
	}
	return all
}

func (f *flattener) legend(line string) {
	for _, m := range meanings(line) {
		f.add("legend", "legend "+m.tag, 0,
			domains.Field{Name: "tag", Value: m.tag}, domains.Field{Name: "meaning", Value: folded(m.text)})
	}
}

// price is what an item costs, with its place in a line.
type price struct {
	start, end int
	amount     string // a decimal, with its currency unless that is the dollar
}

// trailing are blanks, cell borders and tags at the end of a line.
var trailing = pytext.Pattern(`(?:\s|\||` + tagGroup + `)*$`)

// findAmount finds the price of an item: dollars and cents anywhere, or any other
// form at the end of the words or at their beginning.
func findAmount(line string) (price, bool) {
	if at, end := published.FindPrice(line); at >= 0 {
		end = len(line) - len(strings.TrimLeft(line[end:], "0123456789"))
		return price{at, end, decimal(line[at+1 : end])}, true
	}
	if !strings.ContainsAny(line, "0123456789") {
		return price{}, false
	}
	bare := strings.TrimRightFunc(line, isBetween)
	if strings.HasSuffix(bare, "]") || strings.HasSuffix(bare, ")") {
		bare = line[:trailing.FindStringIndex(line)[0]]
	}
	words := strings.FieldsFunc(bare, isBetween)
	if len(words) == 0 {
		return price{}, false
	}
	first, last := words[0], words[len(words)-1]
	if amount, ok := readAmount(last); ok {
		return price{len(bare) - len(last), len(bare), amount}, true
	}
	start := strings.Index(line, first)
	amount, ok := readAmount(first)
	return price{start, start + len(first), amount}, ok
}

// isBetween reports whether a character divides words, or cells of a table.
func isBetween(r rune) bool { return r == '|' || pytext.IsSpace(r) }

// amountForm is a number with the sign of a currency before or after it.
var amountForm = lazyregexp.New(`^(US\$|[$€£¥])?([0-9.,]+)(US\$|[$€£¥])?$`)

// readAmount reads a word as a price. Without a currency it must have two decimals.
func readAmount(word string) (amount string, ok bool) {
	const longest = 24
	if len(word) > longest || !strings.ContainsAny(word, ".,$€£¥") {
		return "", false // without cents and currency
	}
	found := amountForm.FindStringSubmatch(strings.Trim(word, "*"))
	if found == nil || found[1] != "" && found[3] != "" {
		return "", false
	}
	number, currency := found[2], found[1]+found[3]
	if comma := len(number) - 3; comma > 0 && number[comma] == ',' {
		number = number[:comma] + "." + number[comma+1:]
	}
	number = strings.ReplaceAll(number, ",", "")
	whole, cents, pointed := strings.Cut(number, ".")
	if whole == "" || strings.Contains(cents, ".") || pointed && cents == "" || currency == "" && len(cents) != 2 {
		return "", false
	}
	return strings.TrimSuffix(strings.TrimPrefix(currency, "US"), "$") + decimal(number), true
}

// replacePrices puts others in the place of dollars and cents in a text.
func replacePrices(text string, with func(written string) string) string {
	var b strings.Builder
	for {
		at, end := published.FindPrice(text)
		if at < 0 {
			return b.String() + text
		}
		b.WriteString(text[:at] + with(text[at:end]))
		text = text[end:]
	}
}

// decimal writes an amount with at least two decimals, without separators.
func decimal(number string) string {
	const cents = 2
	whole, fraction, _ := strings.Cut(number, ".")
	fraction += strings.Repeat("0", max(0, cents-len(fraction)))
	return cmp.Or(strings.TrimLeft(whole, "0"), "0") + "." + fraction[:cents] + strings.TrimRight(fraction[cents:], "0")
}
