package edifact

import (
	"strings"

	"github.com/shopspring/decimal"

	"agentd/domains/internal/plain"
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

// isNumber reports whether a text is a number, with a point or a comma as decimal sign.
func isNumber(text string) bool {
	digits := strings.TrimPrefix(text, "-")
	if at := strings.IndexAny(digits, ".,"); at >= 0 {
		digits = digits[:at] + digits[at+1:]
	}
	return plain.IsDigits(digits)
}

// normalNumber writes equal numbers alike; text that is no number stays as it
// is.
func normalNumber(text string) string {
	if !isNumber(text) {
		return text
	}
	return plain.Number(strings.Replace(text, ",", ".", 1))
}

// decimalOf reads a number exactly; false if it is none.
func decimalOf(text string) (decimal.Decimal, bool) {
	if !isNumber(text) {
		return decimal.Decimal{}, false
	}
	value, err := decimal.NewFromString(normalNumber(text))
	return value, err == nil
}
