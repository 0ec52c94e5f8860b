package quantum

import (
	"regexp"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/wellformed"
)

// wellFormed has a file judged by the grammar of OpenQASM 3, and by its brackets and quotes.
var wellFormed = wellformed.All(
	wellformed.Code{Line: []string{"//"}, Block: [][2]string{{"/*", "*/"}}, Quotes: `"`, Brackets: "(){}[]"}.Check,
	grammatical,
)

// grammatical has the file read by the grammar, and finds the first line at whose end a statement seems to go on.
func grammatical(_, text string) []domains.Slip {
	if _, err := parseGrammar(text); err == nil {
		return nil
	}
	n := 0
	for line := range strings.Lines(text) {
		n++
		line, _, _ = strings.Cut(line, "//")
		if line = strings.TrimSpace(line); unended.MatchString(line) {
			return []domains.Slip{{Line: n, What: "a semicolon is missing, or a statement is not of the grammar", Stops: true}}
		}
	}
	return []domains.Slip{{What: "a statement is not of the grammar", Stops: true}}
}

// unended is a line of code that is no annotation, pragma or calibration, and ends in a name, a number or a bracket.
var unended = regexp.MustCompile(`^[^@#/*].*[\w\])"]$`)
