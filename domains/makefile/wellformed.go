package makefile

import (
	"regexp"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/wellformed"
)

// wellFormed checks what make says of lines: what is no recipe is a rule, an assignment or a directive, and
// conditions and definitions are ended.
var wellFormed = wellformed.All(
	separators,
	wellformed.Blocks(`^ *(if(?:n?eq|n?def)|define)\b`, `^ *(?:endif()|endef())\b`, ""),
)

var (
	separated = regexp.MustCompile(`^[^#]*[:=]|^ *(?:-?include|sinclude|if(?:n?eq|n?def)|else|endif|define|endef|export|unexport|override|undefine|private|vpath|load)\b|^\s*\$[({]`)
	carriesOn = regexp.MustCompile(`(?:^|[^\\])(?:\\\\)*\\$`)
)

// separators finds lines at which make stops with "missing separator".
func separators(_, text string) []domains.Slip {
	var all []domains.Slip
	n, carried, defining, quiet := 0, false, 0, false
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimRight(line, "\n")
		was := carried
		carried = carriesOn.MatchString(line)
		trimmed := strings.TrimLeft(line, " ")
		switch {
		case was:
			continue
		case strings.HasPrefix(trimmed, "define ") || strings.HasPrefix(trimmed, "override define "):
			defining++
			continue
		case strings.HasPrefix(trimmed, "endef"):
			defining--
			continue
		case defining > 0, strings.TrimSpace(line) == "", strings.HasPrefix(trimmed, "#"), strings.HasPrefix(line, "\t"):
			continue
		}
		if strings.HasPrefix(trimmed, ".RECIPEPREFIX") {
			quiet = true
		}
		first, _, _ := strings.Cut(trimmed, ":")
		isRemark := strings.HasSuffix(line, ":") && strings.Count(first, " ") > 2 && !strings.ContainsAny(first, "./$%")
		if !quiet && (!separated.MatchString(line) || isRemark) {
			all = append(all, domains.Slip{Line: n, What: "a separator is missing: the line is no rule, no assignment and no recipe", Text: line})
		}
	}
	return all
}
