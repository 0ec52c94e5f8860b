package quantum

import (
	"regexp"
	"strconv"
	"strings"
)

var remark = regexp.MustCompile(`//.*|/\*(?s:.*?)\*/|"[^"\n]*"`)

// semicolons is how many statements a block holds, at any depth: its semicolons, comments aside. Empty for
// what is no block.
func semicolons(part string) string {
	part = remark.ReplaceAllString(part, "")
	if !strings.Contains(part, "{") {
		return ""
	}
	return strconv.Itoa(strings.Count(part, ";"))
}
