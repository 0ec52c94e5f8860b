package dbschema

import (
	"strings"

	"agentd/domains"
	"agentd/domains/internal/wellformed"
	"agentd/internal/lazyregexp"
)

// wellFormed checks brackets, quotes and comments, and that the last statement is ended.
var wellFormed = wellformed.All(
	wellformed.Code{Line: []string{"--"}, Block: [][2]string{{"/*", "*/"}}, Quotes: "'\"`", Wrapped: true, Escape: true, Doubled: true, Brackets: "()"}.Check,
	unended,
	withoutDefault,
)

// bareDefault is a DEFAULT of a column with nothing after it, or with the next clause.
var bareDefault = lazyregexp.New("(?i)^\\s*[\"`\\[\\w][^'\\n]*\\s(\\w+|\\S*[)\\]\"`])\\s+DEFAULT(?:\\s+(?:COMMENT\\s+'|NOT\\s+NULL)[^\\n]*|\\s*,?\\s*)$")

// withoutDefault finds defaults without a value.
func withoutDefault(_, text string) []domains.Slip {
	var all []domains.Slip
	n := 0
	for line := range strings.Lines(text) {
		n++
		if m := bareDefault.FindStringSubmatch(strings.TrimRight(line, " \t\n")); m != nil && !strings.EqualFold(m[1], "DROP") && !strings.EqualFold(m[1], "SET") {
			all = append(all, domains.Slip{Line: n, What: "a default has no value", Text: strings.TrimSpace(line)})
		}
	}
	return all
}

// statement begins a statement in the first column, where nothing else begins so.
var statement = lazyregexp.New(`(?i)^(?:CREATE|ALTER|DROP|INSERT|GRANT|COMMENT\s+ON)\s`)

// unended finds statements that begin in the first column although the statement before has no semicolon.
func unended(_, text string) []domains.Slip {
	var all []domains.Slip
	n, ended, since := 0, true, 0
	for line := range strings.Lines(text) {
		n++
		code, _, _ := strings.Cut(strings.TrimRight(line, " \t\n"), "--")
		if code = strings.TrimRight(code, " \t"); code == "" || strings.HasPrefix(strings.TrimSpace(code), "/*") || strings.HasPrefix(code, "#") {
			continue
		}
		if statement.MatchString(line) && !ended && n > since {
			all = append(all, domains.Slip{Line: n, What: "the statement before is not ended by a semicolon", Text: code})
		}
		ended = strings.HasSuffix(code, ";") || strings.HasSuffix(code, "*/") || strings.EqualFold(code, "GO") || strings.HasPrefix(code, "\\")
		since = n
	}
	if !ended {
		all = append(all, domains.Slip{Line: n, What: "the last statement is not ended by a semicolon"})
	}
	return all
}
