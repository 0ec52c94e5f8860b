package foodmenu

import (
	"cmp"
	"regexp"
	"strings"

	"agentd/domains/internal/pytext"
)

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
	if at, end := findPrice(line); at >= 0 {
		end = len(line) - len(strings.TrimLeft(line[end:], "0123456789"))
		return price{at, end, decimal(line[at+1 : end])}, true
	}
	if !strings.ContainsAny(line, "0123456789") {
		return price{}, false
	}
	bare := line[:trailing.FindStringIndex(line)[0]]
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

var (
	currency     = regexp.MustCompile(`^(?:US\$|[$€£¥])|(?:US\$|[$€£¥])$`)
	decimalComma = regexp.MustCompile(`(.),(..)$`)
	numeral      = regexp.MustCompile(`^[0-9]+(?:\.([0-9]+))?$`)
)

// readAmount reads a word as a price. Without a currency it must have two
// decimals.
func readAmount(word string) (amount string, ok bool) {
	const longest = 24
	if len(word) > longest {
		return "", false
	}
	word = strings.Trim(word, "*")
	sign := currency.FindString(word)
	number := strings.Replace(word, sign, "", 1)
	number = strings.ReplaceAll(decimalComma.ReplaceAllString(number, "$1.$2"), ",", "")
	found := numeral.FindStringSubmatch(number)
	if found == nil || sign == "" && len(found[1]) != 2 {
		return "", false
	}
	return strings.TrimSuffix(strings.TrimPrefix(sign, "US"), "$") + decimal(number), true
}

// replacePrices puts others in the place of dollars and cents in a text.
func replacePrices(text string, with func(written string) string) string {
	var b strings.Builder
	for {
		at, end := findPrice(text)
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
