package fonteng

import (
	"regexp"
	"strconv"
)

var (
	aside = regexp.MustCompile(`#.*|"[^"]*"`)
	rule  = regexp.MustCompile(`(?:^|[;{}\s])(?:ignore[ \t]+|enum[ \t]+)?(?:substitute|sub|reversesub|rsub|position|pos)\s`)
)

// rules is how many substitution and positioning rules a statement holds, comments aside; empty for none.
func rules(part string) string {
	n := len(rule.FindAllStringIndex(aside.ReplaceAllString(part, ""), -1))
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}
