package latex

import (
	"regexp"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/wellformed"
)

// wellFormed checks braces and environments, and that a document that begins is ended.
var wellFormed = wellformed.All(
	wellformed.Code{Line: []string{"%"}, EscapeIn: true, Brackets: "{}"}.Check,
	wellformed.For(environmentsEnd, ".tex"),
)

// environmentsEnd checks that environments are begun and ended in the order of brackets, also several in a line.
func environmentsEnd(_, text string) []domains.Slip {
	var open []domains.Slip
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.ReplaceAll(line, `\%`, "")
		line, _, _ = strings.Cut(line, "%")
		for _, m := range environmentMark.FindAllStringSubmatch(line, -1) {
			switch name := m[2]; {
			case m[1] == "begin":
				open = append(open, domains.Slip{Line: n, What: name + " is not ended", Stops: true})
				if name == "verbatim" || name == "lstlisting" || name == "comment" {
					return nil // what follows may be anything
				}
			case len(open) == 0:
				return []domains.Slip{{Line: n, What: name + " is ended and was not begun", Stops: true}}
			case open[len(open)-1].What != name+" is not ended":
				return open[len(open)-1:]
			default:
				open = open[:len(open)-1]
			}
		}
	}
	return open[max(0, len(open)-1):]
}

var environmentMark = regexp.MustCompile(`\\(begin|end)\s*\{([^}]*)\}`)
