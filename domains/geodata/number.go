package geodata

import (
	"strconv"
	"strings"
)

// exactNumber is an exact decimal number: digits · 10^exponent. Equal numbers are
// equal values: there are no zeros at either end of digits, and zero is 0 · 10⁰.
type exactNumber struct {
	negative bool
	digits   string
	exponent int
}

// readNumber reads a number as JSON writes it, leading zeros and a point
// without digits on one side allowed.
func readNumber(literal string) (exactNumber, bool) {
	unsigned, negative := strings.CutPrefix(literal, "-")
	mantissa, power := unsigned, 0
	if at := strings.IndexAny(unsigned, "eE"); at >= 0 {
		var err error
		if power, err = strconv.Atoi(unsigned[at+1:]); err != nil {
			return exactNumber{}, false
		}
		mantissa = unsigned[:at]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := whole + fraction
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return exactNumber{}, false
	}
	digits = strings.TrimLeft(digits, "0")
	if digits == "" {
		return exactNumber{digits: "0"}, true
	}
	short := strings.TrimRight(digits, "0")
	return exactNumber{negative, short, power - len(fraction) + len(digits) - len(short)}, true
}

// mostZeros is how many zeros are written out to avoid an exponent.
const mostZeros = 30

// String writes the number without exponent where that is not too long.
func (d exactNumber) String() string {
	sign := ""
	if d.negative {
		sign = "-"
	}
	point := len(d.digits) + d.exponent // digits in front of the point
	switch {
	case d.exponent >= 0 && d.exponent <= mostZeros:
		return sign + d.digits + strings.Repeat("0", d.exponent)
	case d.exponent < 0 && point > 0:
		return sign + d.digits[:point] + "." + d.digits[point:]
	case d.exponent < 0 && point >= -mostZeros:
		return sign + "0." + strings.Repeat("0", -point) + d.digits
	}
	return sign + d.digits + "e" + strconv.Itoa(d.exponent)
}

// normalDigits writes a number the same way however it was written.
func normalDigits(literal string) string {
	if d, ok := readNumber(literal); ok {
		return d.String()
	}
	return literal
}
