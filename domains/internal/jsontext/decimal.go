package jsontext

import (
	"strconv"
	"strings"
)

// Decimal is an exact decimal number: digits · 10^exponent. Equal numbers are equal
// values: there are no zeros at either end of digits, and zero is 0 · 10⁰.
type Decimal struct {
	negative bool
	digits   string
	Exponent int
}

// ReadDecimal reads a number as JSON writes it, leading zeros and a point without digits on one side allowed.
func ReadDecimal(literal string) (Decimal, bool) {
	unsigned, negative := strings.CutPrefix(literal, "-")
	mantissa, power := unsigned, 0
	if at := strings.IndexAny(unsigned, "eE"); at >= 0 {
		var err error
		if power, err = strconv.Atoi(unsigned[at+1:]); err != nil {
			return Decimal{}, false
		}
		mantissa = unsigned[:at]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := whole + fraction
	if digits == "" || !areDigits(digits) {
		return Decimal{}, false
	}
	digits = strings.TrimLeft(digits, "0")
	if digits == "" {
		return Decimal{digits: "0"}, true
	}
	short := strings.TrimRight(digits, "0")
	return Decimal{negative, short, power - len(fraction) + len(digits) - len(short)}, true
}

// mostZeros is how many zeros are written out to avoid an exponent.
const mostZeros = 20

// String writes the number without exponent where that is not too long, as JSON and YAML 1.1 both read it.
func (n Decimal) String() string {
	sign := ""
	if n.negative {
		sign = "-"
	}
	point := len(n.digits) + n.Exponent // digits in front of the point
	switch {
	case n.Exponent >= 0 && n.Exponent <= mostZeros:
		return sign + n.digits + strings.Repeat("0", n.Exponent)
	case n.Exponent < 0 && point > 0:
		return sign + n.digits[:point] + "." + n.digits[point:]
	case n.Exponent < 0 && point >= -mostZeros:
		return sign + "0." + strings.Repeat("0", -point) + n.digits
	}
	power := strconv.Itoa(n.Exponent)
	if n.Exponent > 0 {
		power = "+" + power
	}
	return sign + n.digits + ".0e" + power
}

// CanonicalNumber writes a number the same way however it was written.
func CanonicalNumber(literal string) string {
	if isShortInteger(literal) || len(literal) <= mostZeros && IsShortFraction(literal) {
		return literal
	}
	if n, ok := ReadDecimal(literal); ok {
		return n.String()
	}
	return literal
}

// isShortInteger reports whether a number is written as String would write it.
func isShortInteger(literal string) bool {
	if literal == "" || len(literal) > mostZeros || literal[0] == '0' && len(literal) > 1 {
		return false
	}
	return areDigits(literal)
}

// IsShortFraction reports whether a number has a fraction, and neither an exponent nor a zero too many.
func IsShortFraction(literal string) bool {
	whole, fraction, _ := strings.Cut(strings.TrimPrefix(literal, "-"), ".")
	if whole == "" || whole[0] == '0' && len(whole) > 1 || fraction == "" || fraction[len(fraction)-1] == '0' {
		return false
	}
	return areDigits(whole) && areDigits(fraction)
}

func areDigits(text string) bool {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return true
}
