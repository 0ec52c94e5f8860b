package edifact

import (
	"strings"

	"github.com/shopspring/decimal"
)

// place is a component in a segment, both counted from 1.
type place struct{ element, component int }

// numeric are the places of numbers, by tag.
var numeric = map[string][]place{
	"APR": {{2, 1}},
	"CNT": {{1, 2}},
	"CUX": {{3, 1}},
	"MEA": {{3, 2}, {3, 3}, {3, 4}},
	"MOA": {{1, 2}},
	"PCD": {{1, 2}},
	"PRI": {{1, 2}, {1, 5}},
	"QTY": {{1, 2}},
	"QVR": {{1, 1}},
	"RNG": {{2, 2}, {2, 3}},
	"RTE": {{1, 2}, {1, 4}},
	"TAX": {{4, 1}, {5, 4}},
	"UNE": {{1, 1}},
	"UNT": {{1, 1}},
	"UNZ": {{1, 1}},
}

// cutNumber reads a number with a point or a comma as decimal sign, and returns
// its sign, its whole part without leading zeros and its fraction without
// trailing ones.
func cutNumber(text string) (sign, whole, fraction string, ok bool) {
	digits := strings.TrimPrefix(text, "-")
	whole, fraction = digits, ""
	if at := strings.IndexAny(digits, ".,"); at >= 0 {
		whole, fraction = digits[:at], digits[at+1:]
	}
	if whole+fraction == "" || strings.Trim(whole+fraction, "0123456789") != "" {
		return "", "", "", false
	}
	whole, fraction = strings.TrimLeft(whole, "0"), strings.TrimRight(fraction, "0")
	if whole == "" {
		whole = "0"
	}
	if len(digits) < len(text) && whole+fraction != "0" {
		sign = "-"
	}
	return sign, whole, fraction, true
}

// normalNumber writes equal numbers alike; text that is no number stays as it
// is.
func normalNumber(text string) string {
	sign, whole, fraction, ok := cutNumber(text)
	switch {
	case !ok:
		return text
	case fraction == "":
		return sign + whole
	}
	return sign + whole + "." + fraction
}

// decimalOf reads a number exactly; false if it is none.
func decimalOf(text string) (decimal.Decimal, bool) {
	if !isNumber(text) {
		return decimal.Decimal{}, false
	}
	value, err := decimal.NewFromString(normalNumber(text))
	return value, err == nil
}

func isNumber(text string) bool {
	_, _, _, ok := cutNumber(text)
	return ok
}
