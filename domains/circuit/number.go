package circuit

import (
	"strconv"
	"strings"
)

// number is an exact decimal: digits times a power of ten. The digits have no
// zeros at either end; those of zero are empty.
type number struct {
	negative bool
	digits   string
	exponent int
}

// suffixes are the scale factors of SPICE, the longest first.
var suffixes = []struct {
	text     string
	exponent int
}{
	{"meg", 6},
	{"t", 12}, {"g", 9}, {"k", 3}, {"m", -3}, {"u", -6}, {"µ", -6}, {"μ", -6},
	{"n", -9}, {"p", -12}, {"f", -15}, {"a", -18},
}

// mostExponent bounds the numbers that are compared by value.
const mostExponent = 60

// readNumber reads a number in lower case, with a scale factor and a unit, which
// means nothing: 10pF is 10p, and 1F is 1f.
func readNumber(text string) (number, bool) {
	var n number
	rest := text
	if rest, n.negative = strings.CutPrefix(rest, "-"); !n.negative {
		rest = strings.TrimPrefix(rest, "+")
	}
	whole := digitsOf(rest)
	rest = rest[len(whole):]
	fraction := ""
	if strings.HasPrefix(rest, ".") {
		fraction = digitsOf(rest[1:])
		rest = rest[1+len(fraction):]
	}
	if whole == "" && fraction == "" {
		return number{}, false
	}
	n.digits = whole + fraction
	n.exponent = -len(fraction)
	if power, size, ok := readPower(rest); ok {
		n.exponent += power
		rest = rest[size:]
	}
	if strings.HasPrefix(rest, "mil") {
		// A thousandth of an inch, 25.4 micrometres.
		thousandths, err := strconv.ParseUint(n.digits, 10, 48)
		if err != nil {
			return number{}, false
		}
		n.digits = strconv.FormatUint(thousandths*254, 10)
		n.exponent -= 7
	} else {
		for _, s := range suffixes {
			if unit, scaled := strings.CutPrefix(rest, s.text); scaled {
				n.exponent += s.exponent
				rest = unit
				break
			}
		}
	}
	if strings.ContainsFunc(rest, func(r rune) bool { return !isUnitRune(r) }) {
		return number{}, false
	}
	n.tidy()
	if n.magnitude() > mostExponent || n.magnitude() < -mostExponent {
		return number{}, false
	}
	return n, true
}

func isUnitRune(r rune) bool { return 'a' <= r && r <= 'z' || r == 'ω' || r == 'Ω' || r == '%' }

func digitsOf(text string) string {
	return text[:lengthOf(text, func(r rune) bool { return '0' <= r && r <= '9' })]
}

// readPower reads e and a whole number.
func readPower(text string) (power, size int, ok bool) {
	if !strings.HasPrefix(text, "e") {
		return 0, 0, false
	}
	size = 1
	if len(text) > 1 && (text[1] == '+' || text[1] == '-') {
		size++
	}
	digits := digitsOf(text[size:])
	size += len(digits)
	power, err := strconv.Atoi(text[1:size])
	const most = 1000
	return power, size, err == nil && -most < power && power < most
}

// tidy takes the zeros at both ends away.
func (n *number) tidy() {
	n.digits = strings.TrimLeft(n.digits, "0")
	kept := strings.TrimRight(n.digits, "0")
	n.exponent += len(n.digits) - len(kept)
	n.digits = kept
	if kept == "" {
		*n = number{}
	}
}

// magnitude is the power of ten of the first digit.
func (n *number) magnitude() int {
	if n.digits == "" {
		return 0
	}
	return n.exponent + len(n.digits) - 1
}

// engineering writes the number with one to three digits before the point and a
// scale factor.
func (n *number) engineering() string {
	const least, most = -18, 12
	power := n.magnitude()
	power = min(max(power-(power%3+3)%3, least), most)
	for _, s := range suffixes {
		if s.exponent == power {
			return n.plain(power) + s.text
		}
	}
	return n.plain(power)
}

// plain writes the number in units of a power of ten.
func (n *number) plain(power int) string {
	if n.digits == "" {
		return "0"
	}
	digits, shift := n.digits, n.exponent-power
	switch {
	case shift >= 0:
		digits += strings.Repeat("0", shift)
	case -shift >= len(digits):
		digits = "0." + strings.Repeat("0", -shift-len(digits)) + digits
	default:
		digits = digits[:len(digits)+shift] + "." + digits[len(digits)+shift:]
	}
	if n.negative {
		return "-" + digits
	}
	return digits
}

// normal is a word in one spelling: numbers by value, expressions in braces and
// without blanks, all in lower case but what is in double quotes.
func normal(word string) string {
	if len(word) > 1 && word[0] == '"' {
		return word
	}
	lower := strings.ToLower(word)
	if n, ok := readNumber(lower); ok {
		return n.engineering()
	}
	if len(lower) > 1 && (lower[0] == '{' && lower[len(lower)-1] == '}' || lower[0] == '\'' && lower[len(lower)-1] == '\'') {
		inner := strings.Join(strings.Fields(lower[1:len(lower)-1]), "")
		if n, ok := readNumber(inner); ok {
			return n.engineering()
		}
		return "{" + inner + "}"
	}
	return lower
}
