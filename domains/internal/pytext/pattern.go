package pytext

import (
	"regexp"
	"strings"
)

// Pattern compiles a pattern in which \s, \S and \d mean what they do in Python: white space, all
// else, and the decimal digits of any script. \s and \S may not stand in a class of characters.
func Pattern(pattern string) *regexp.Regexp {
	const space = `\t-\r\x1c-\x1f\x{85}\pZ`
	return regexp.MustCompile(strings.NewReplacer(`\s`, `[`+space+`]`, `\S`, `[^`+space+`]`, `\d`, `\p{Nd}`).Replace(pattern))
}
