package plain

import (
	"math/big"
	"strings"

	"agentd/domains/internal/pytext"
)

// Number writes a decimal number in a form that is equal for equal numbers;
// other text stays, without outer blanks.
func Number(text string) string {
	text = pytext.Strip(text)
	digits := strings.TrimLeft(text, "+-")
	if len(text)-len(digits) > 1 || digits == "" || strings.Trim(digits, "0123456789.") != "" {
		return exponential(text)
	}
	whole, fraction, _ := strings.Cut(digits, ".")
	if strings.Contains(fraction, ".") || whole+fraction == "" {
		return text
	}
	whole, fraction = strings.TrimLeft(whole, "0"), strings.TrimRight(fraction, "0")
	sign := ""
	if text[0] == '-' && whole+fraction != "" {
		sign = "-"
	}
	if whole == "" {
		whole = "0"
	}
	if fraction == "" {
		return sign + whole
	}
	return sign + whole + "." + fraction
}

// exponential does the same for a number with an exponent of up to two digits.
func exponential(text string) string {
	const longest = 24
	mantissa, exponent, found := strings.Cut(strings.ToLower(text), "e")
	if !found || len(text) > longest || strings.Trim(mantissa, "+-.0123456789") != "" || len(strings.TrimLeft(exponent, "+-")) > 2 {
		return text
	}
	value, ok := new(big.Rat).SetString(text)
	if !ok {
		return text
	}
	const places = 40
	written := value.FloatString(places)
	if again, _ := new(big.Rat).SetString(written); again.Cmp(value) != 0 {
		return text
	}
	return Number(written)
}
