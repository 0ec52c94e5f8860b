package edit

import (
	"strings"

	"github.com/shopspring/decimal"

	"agentd/internal/lazyregexp"
)

// mostDigits are those of a decimal number on either side of its point.
const mostDigits = 18

// plainNumber reports whether a text is a decimal number without a plus sign, leading zeros, thousands separators or an
// exponent.
func plainNumber(text string) bool {
	whole, fraction, pointed := strings.Cut(strings.TrimPrefix(text, "-"), ".")
	return digits(whole) && (whole[0] != '0' || len(whole) == 1) && (!pointed || digits(fraction))
}

// digits reports whether a text is one to mostDigits digits.
func digits(text string) bool {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return text != "" && len(text) <= mostDigits
}

// decimalOf reads a decimal number; false if it is not one in plain form, or a negative zero.
func decimalOf(text string) (decimal.Decimal, bool) {
	if !plainNumber(text) {
		return decimal.Decimal{}, false
	}
	d, err := decimal.NewFromString(text)
	return d, err == nil && !(d.IsZero() && text[0] == '-')
}

// Number is a decimal number as a document writes it, with its unit.
type Number struct {
	Value         decimal.Decimal
	before, after string // the unit with its blank, as in "$" or " EUR"
	signFirst     bool   // the minus sign stands before a unit that comes first
	grouped       bool   // thousands are apart by commas
}

var writtenNumber = lazyregexp.New(`^(-?)([^\d\s.,+-]{0,4} ?)(-?)(\d{1,3}(?:,\d{3})+|\d{1,18})(\.\d{1,18})?( ?[^\d\s.,]{0,12})$`)

// ReadNumber reads a number with or without a unit: $-1,875.00, 18.40 EUR, 12 %.
func ReadNumber(text string) (Number, bool) {
	if d, ok := decimalOf(text); ok {
		return Number{Value: d, signFirst: text[0] == '-'}, true
	}
	if !strings.ContainsAny(text, "0123456789") {
		return Number{}, false
	}
	m := writtenNumber.FindStringSubmatch(text)
	if m == nil || m[1] != "" && m[3] != "" {
		return Number{}, false
	}
	d, err := decimal.NewFromString(m[1] + m[3] + strings.ReplaceAll(m[4], ",", "") + m[5])
	return Number{d, m[2], m[6], m[1] != "", strings.Contains(m[4], ",")}, err == nil
}

// Unit is that of the number, without blanks.
func (n Number) Unit() string { return strings.TrimSpace(n.before + n.after) }

// in is the number in another unit, at the same place. Without any it stands after the number.
func (n Number) in(unit string) Number {
	switch old := n.Unit(); {
	case n.before != "":
		n.before = strings.Replace(n.before, old, unit, 1)
	case n.after != "":
		n.after = strings.Replace(n.after, old, unit, 1)
	default:
		n.after = unit
	}
	return n
}

// With is another value, written alike. Thousands of an amount of money, whose unit comes first,
// are apart where it had none.
func (n Number) With(value decimal.Decimal) Number {
	thousand := decimal.New(1000, 0)
	if n.before != "" && n.Value.Abs().LessThan(thousand) && !value.Abs().LessThan(thousand) {
		n.grouped = true
	}
	n.Value = value
	return n
}

// String writes the number with so many decimals as its value has.
func (n Number) String() string {
	whole, fraction, pointed := strings.Cut(n.Value.Abs().StringFixed(max(-n.Value.Exponent(), 0)), ".")
	if n.grouped {
		for at := len(whole) - 3; at > 0; at -= 3 {
			whole = whole[:at] + "," + whole[at:]
		}
	}
	if pointed {
		whole += "." + fraction
	}
	switch {
	case !n.Value.IsNegative():
		return n.before + whole + n.after
	case n.signFirst:
		return "-" + n.before + whole + n.after
	}
	return n.before + "-" + whole + n.after
}
