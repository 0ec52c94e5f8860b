package pytext

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"agentd/internal/lazyregexp"
)

// MostDigits is how many digits int() takes.
const MostDigits = 4300

// Int is int(s) as text: blanks around it, a sign, decimal digits of any script with single underscores between them.
// It has no plus sign and no zeros in front. ok is false where int() raises.
func Int(s string) (value string, ok bool) {
	s = Strip(s)
	sign := ""
	if s != "" && (s[0] == '-' || s[0] == '+') {
		sign, s = strings.Trim(s[:1], "+"), s[1:]
	}
	var digits strings.Builder
	between := false // the last character was a digit, so that _ may follow
	for _, r := range s {
		switch {
		case unicode.IsDigit(r):
			digits.WriteByte(byte('0' + DigitValue(r)))
			between = true
		case r == '_' && between:
			between = false
		default:
			return "", false
		}
	}
	if !between || digits.Len() > MostDigits {
		return "", false
	}
	value = strings.TrimLeft(digits.String(), "0")
	if value == "" {
		return "0", true
	}
	return sign + value, true
}

// Round is round(x, places) for places of 0 and more: to the nearest number with so many decimals,
// of two that are as near the even one, as its exact binary value decides.
func Round(x float64, places int) float64 {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(x, 'f', places, 64), 64)
	if err != nil {
		return x // it is beyond all numbers
	}
	return rounded
}

// WriteRepr writes repr(text).
func WriteRepr(b *strings.Builder, text string) {
	quote := '\''
	if strings.Contains(text, "'") && !strings.Contains(text, `"`) {
		quote = '"'
	}
	b.WriteRune(quote)
	for _, r := range text {
		switch {
		case r == '\\' || r == quote:
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r <= 0xff:
			fmt.Fprintf(b, `\x%02x`, r)
		case r <= 0xffff:
			fmt.Fprintf(b, `\u%04x`, r)
		default:
			fmt.Fprintf(b, `\U%08x`, r)
		}
	}
	b.WriteRune(quote)
}

// Bool is repr(value).
func Bool(value bool) string {
	if value {
		return "True"
	}
	return "False"
}

// Pattern compiles a pattern in which \s, \w and \d match what they do in Python: white space, characters of words and
// digits of all scripts. Capital letters stand for all others, but not in brackets.
func Pattern(pattern string) *lazyregexp.Regexp {
	var b strings.Builder
	inside := false // brackets
	for i := 0; i < len(pattern); i++ {
		c := pattern[i]
		if c != '\\' || i+1 == len(pattern) {
			inside = c == '[' || inside && c != ']'
			b.WriteByte(c)
			continue
		}
		i++
		switch class, negated := classes[pattern[i]|0x20], pattern[i] < 'a'; {
		case class == "":
			b.WriteString(pattern[i-1 : i+1])
		case inside:
			b.WriteString(class)
		case negated:
			b.WriteString("[^" + class + "]")
		default:
			b.WriteString("[" + class + "]")
		}
	}
	return lazyregexp.New(b.String())
}

// classes are what the letters stand for, in brackets.
var classes = map[byte]string{'s': `\t-\r\x1c-\x1f\x{85}\pZ`, 'w': `\pL\pN_`, 'd': `\p{Nd}`}
