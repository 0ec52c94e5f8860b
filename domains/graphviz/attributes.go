package graphviz

import (
	"regexp"
	"strconv"
)

var (
	quoted = regexp.MustCompile(`"(?:[^"\\]|\\(?s:.))*"|//.*|/\*(?s:.*?)\*/`)
	arrow  = regexp.MustCompile(`-[->]`)
)

// edges is how many edges a statement draws between single nodes, comments aside; a chain of three nodes
// has two. Empty for none.
func edges(part string) string {
	n := len(arrow.FindAllStringIndex(quoted.ReplaceAllString(part, "x"), -1))
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}
