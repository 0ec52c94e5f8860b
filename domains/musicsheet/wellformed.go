package musicsheet

import (
	"regexp"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/wellformed"
)

// wellFormed checks braces, texts and comments, and how names are written.
var wellFormed = wellformed.All(wellformed.Code{
	Line: []string{"%"}, Block: [][2]string{{"%{", "%}"}}, Quotes: "\"", Wrapped: true, Escape: true, Brackets: "{}",
}.Check, names)

// A name that is given a value, at the beginning of a line, and a name that is used.
var (
	given = regexp.MustCompile(`(?m)^[ \t]*"?([A-Za-z]+)"?[ \t]*=`)
	used  = regexp.MustCompile(`\\([A-Za-z]+)`)
)

// names finds the names that are used in another letter case than the one in which the file gives them a value. LilyPond stops there.
func names(_, text string) []domains.Slip {
	exact, folded := map[string]bool{}, map[string]bool{}
	for _, m := range given.FindAllStringSubmatch(text, -1) {
		exact[m[1]], folded[strings.ToLower(m[1])] = true, true
	}
	n := 0
	var all []domains.Slip
	for line := range strings.Lines(text) {
		n++
		code, _, _ := strings.Cut(line, "%")
		for _, m := range used.FindAllStringSubmatch(code, -1) {
			if name := m[1]; folded[strings.ToLower(name)] && !exact[name] {
				all = append(all, domains.Slip{Line: n, What: `\` + name + " is the name of nothing; it is defined in another letter case", Text: line})
			}
		}
	}
	return all
}
