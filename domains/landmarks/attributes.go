package landmarks

import (
	"regexp"
	"strconv"
	"strings"
)

var overview = regexp.MustCompile(`(?i)\bname\s*=\s*["']OVERVIEW["'][^<>]*>\s*(?:<(?:\w+:)?value>\s*)?([^<>]*)`)

// words is how many words the overviews of a part have, divided by white space; empty without an overview.
func words(part string) string {
	n := 0
	for _, m := range overview.FindAllStringSubmatch(part, -1) {
		n += len(strings.Fields(m[1]))
	}
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}
