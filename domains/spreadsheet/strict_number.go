package spreadsheet

import (
	"strconv"
	"strings"
)

// plainNumber writes a decimal number in one way: no plus sign, no exponent,
// no zeros at the end of the fraction, at full precision. A cell that is no
// number, or one with leading zeros as codes have them, is returned as it is.
func plainNumber(cell string) string {
	n, ok := readNumber(cell)
	if !ok {
		return cell
	}
	n = n.withoutNoise()
	n.digits = strings.TrimRight(n.digits, "0")
	if n.digits == "" {
		return "0"
	}
	const longest = 40 // digits; beyond, the exponent stays
	switch {
	case n.point > longest || n.point < -longest:
		return n.sign + "0." + n.digits + "e" + strconv.Itoa(n.point)
	case n.point <= 0:
		return n.sign + "0." + strings.Repeat("0", -n.point) + n.digits
	case n.point >= len(n.digits):
		return n.sign + n.digits + strings.Repeat("0", n.point-len(n.digits))
	}
	return n.sign + n.digits[:n.point] + "." + n.digits[n.point:]
}

// number is sign 0.digits × 10^point, with no zero at the front of digits.
type number struct {
	sign   string // "-" or nothing
	digits string
	point  int
}

func readNumber(cell string) (number, bool) {
	var n number
	rest := strings.TrimPrefix(cell, "+")
	if unsigned, negative := strings.CutPrefix(cell, "-"); negative {
		n.sign, rest = "-", unsigned
	}
	mantissa, exponent := rest, 0
	if at := strings.IndexAny(rest, "eE"); at >= 0 {
		var err error
		mantissa = rest[:at]
		if exponent, err = strconv.Atoi(rest[at+1:]); err != nil || exponent > 1e6 || exponent < -1e6 {
			return n, false
		}
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	n.digits = whole + fraction
	if n.digits == "" || strings.Trim(n.digits, "0123456789") != "" || len(whole) > 1 && whole[0] == '0' {
		return n, false
	}
	significant := strings.TrimLeft(n.digits, "0")
	n.point = len(whole) - (len(n.digits) - len(significant)) + exponent
	n.digits = significant
	return n, true
}

// withoutNoise rounds what binary arithmetic leaves of a shorter number: more
// than ten significant digits with, in the fraction, a run of zeros or nines.
func (n number) withoutNoise() number {
	const (
		exact = 10 // significant digits that are always kept
		run   = 6
	)
	fraction := max(n.point, 1) // the run begins after a significant digit
	if len(n.digits) <= exact || fraction >= len(n.digits) {
		return n
	}
	if at := strings.Index(n.digits[fraction:], strings.Repeat("0", run)); at >= 0 {
		n.digits = n.digits[:fraction+at]
	} else if at := strings.Index(n.digits[fraction:], strings.Repeat("9", run)); at >= 0 {
		return n.roundedUp(fraction + at)
	}
	return n
}

// roundedUp keeps the first digits, the last of them one larger.
func (n number) roundedUp(keep int) number {
	kept := strings.TrimRight(n.digits[:keep], "9")
	if kept == "" {
		n.digits = "1"
		n.point++
		return n
	}
	last := len(kept) - 1
	n.digits = kept[:last] + string(kept[last]+1)
	return n
}
