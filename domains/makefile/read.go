package makefile

import (
	"strings"

	"agentd/domains"
	"agentd/domains/internal/wellformed"
	published "agentd/domains/published/makefile"
	"agentd/internal/lazyregexp"
)

// printed is the text of statements.
func printed(all []published.Statement) string {
	var b strings.Builder
	for i := range all {
		b.WriteString(all[i].Text)
		b.WriteByte('\n')
	}
	return b.String()
}

// wellFormed checks what make says of lines: what is no recipe is a rule, an assignment or a directive, and
// conditions and definitions are ended.
var wellFormed = wellformed.All(
	separators,
	wellformed.Blocks(`^ *(if(?:n?eq|n?def)|define)\b`, `^ *(?:endif()|endef())\b`, ""),
	recipes,
)

var (
	ruleTargets = lazyregexp.New(`^([^\s#:=][^:=#]*):(?:[^:=]|$)`)
	begins      = lazyregexp.New(`^ *(?:if(?:n?eq|n?def)|(?:override +|export +)?define)\b`)
	ends        = lazyregexp.New(`^ *(?:endif|endef)\b`)
)

// recipes finds targets with a second recipe, of which make says that it overrides the first. What depends on a condition is
// not looked at.
func recipes(_, text string) []domains.Slip {
	var all []domains.Slip
	var targets []string
	seen := map[string]bool{}
	n, depth, at, carried := 0, 0, 0, false
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimRight(line, "\n")
		was := carried
		carried = carriesOn.MatchString(line)
		switch {
		case was:
		case begins.MatchString(line):
			depth, targets = depth+1, nil
		case ends.MatchString(line):
			depth, targets = max(0, depth-1), nil
		case depth > 0:
		case strings.HasPrefix(line, "\t") && strings.TrimSpace(line) != "":
			for _, target := range targets {
				if seen[target] {
					all = append(all, domains.Slip{Line: at, What: "a target has two recipes", Text: target})
				}
				seen[target] = true
			}
			targets = nil
		case strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#"):
		default:
			targets = nil
			if m := ruleTargets.FindStringSubmatch(line); m != nil {
				targets, at = strings.Fields(m[1]), n
				if strings.Contains(m[1], "%") { // make chooses among pattern rules by what they need
					targets = []string{strings.TrimSpace(line)}
				}
			}
		}
	}
	return all
}

var (
	separated = lazyregexp.New(`^[^#]*[:=]|^ *(?:-?include|sinclude|if(?:n?eq|n?def)|else|endif|define|endef|export|unexport|override|undefine|private|vpath|load)\b|^\s*\$[({]`)
	carriesOn = lazyregexp.New(`(?:^|[^\\])(?:\\\\)*\\$`)
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
