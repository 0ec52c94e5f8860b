package pytext

import (
	"strings"
	"unicode"
)

// MostDigits is how many digits int() takes.
const MostDigits = 4300

// Int is int(s) as text: blanks around it, a sign, decimal digits of any script
// with single underscores between them. It has no plus sign and no zeros in
// front. ok is false where int() raises.
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
