package foodmenu

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/domains/internal/pytext"
)

// price is what an item costs, with its place in a line.
type price struct {
	start, end int
	amount     string // a decimal, with its currency unless that is the dollar
}

// findAmount finds the price of an item: dollars and cents anywhere, or any other
// form at the end of the words or at their beginning.
func findAmount(line string) (price, bool) {
	if at, end := findPrice(line); at >= 0 {
		for end < len(line) && isDigit(line[end]) {
			end++
		}
		return price{at, end, decimal(line[at+1 : end])}, true
	}
	if !strings.ContainsAny(line, "0123456789") {
		return price{}, false
	}
	end := len(trimTags(line))
	start := strings.LastIndexFunc(line[:end], isBetween) + 1
	if start > 0 {
		_, size := utf8.DecodeRuneInString(line[start-1:])
		start += size - 1
	}
	if amount, ok := readAmount(line[start:end]); ok {
		return price{start, end, amount}, true
	}
	start = len(line) - len(strings.TrimLeftFunc(line, isBetween))
	size := strings.IndexFunc(line[start:], isBetween)
	if size < 0 || strings.TrimFunc(line[start+size:], isBetween) == "" {
		return price{}, false
	}
	if amount, ok := readAmount(line[start : start+size]); ok {
		return price{start, start + size, amount}, true
	}
	return price{}, false
}

// isBetween reports whether a character divides words, or cells of a table.
func isBetween(r rune) bool { return r == '|' || pytext.IsSpace(r) }

// trimTags cuts blanks, cell borders and tags off the end of a line.
func trimTags(line string) string {
	for {
		line = strings.TrimRightFunc(line, isBetween)
		if !strings.HasSuffix(line, "]") && !strings.HasSuffix(line, ")") {
			return line
		}
		at := strings.LastIndexAny(line, "[(")
		if at < 0 {
			return line
		}
		if _, size := tagsAt(line[at:]); at+size != len(line) {
			return line
		}
		line = line[:at]
	}
}

var currencies = []string{"US$", "$", "€", "£", "¥"}

// readAmount reads a word as a price. Without a currency it must have two
// decimals.
func readAmount(word string) (amount string, ok bool) {
	const longest = 24
	if len(word) > longest {
		return "", false
	}
	word = strings.Trim(word, "*")
	currency, number := "", word
	for _, sign := range currencies {
		if rest, found := strings.CutPrefix(word, sign); found {
			currency, number = sign, rest
			break
		}
		if rest, found := strings.CutSuffix(word, sign); found {
			currency, number = sign, rest
			break
		}
	}
	if len(number) > 3 && number[len(number)-3] == ',' {
		number = number[:len(number)-3] + "." + number[len(number)-2:]
	}
	whole, cents, pointed := strings.Cut(strings.ReplaceAll(number, ",", ""), ".")
	switch {
	case !allBytes(whole, isDigit) || pointed && !allBytes(cents, isDigit):
		return "", false
	case currency == "" && len(cents) != 2:
		return "", false
	}
	if currency == "$" || currency == "US$" {
		currency = ""
	}
	return currency + decimal(number), true
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// decimal writes an amount with at least two decimals, without separators.
func decimal(number string) string {
	const cents = 2
	whole, fraction, _ := strings.Cut(strings.ReplaceAll(number, ",", ""), ".")
	if strings.ContainsFunc(whole+fraction, func(r rune) bool { return !unicode.IsDigit(r) }) {
		return number
	}
	whole = strings.TrimLeft(whole, "0")
	if whole == "" {
		whole = "0"
	}
	for len(fraction) > cents && fraction[len(fraction)-1] == '0' {
		fraction = fraction[:len(fraction)-1]
	}
	return whole + "." + fraction + strings.Repeat("0", max(0, cents-len(fraction)))
}
