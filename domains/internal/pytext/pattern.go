package pytext

import (
	"regexp"
	"strings"
)

// Pattern compiles a pattern in which \s, \w and \d match what they do in Python: white space,
// characters of words and digits of all scripts. Capital letters stand for all others, but not
// in brackets.
func Pattern(pattern string) *regexp.Regexp {
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
	return regexp.MustCompile(b.String())
}

// classes are what the letters stand for, in brackets.
var classes = map[byte]string{'s': `\t-\r\x1c-\x1f\x{85}\pZ`, 'w': `\pL\pN_`, 'd': `\p{Nd}`}
