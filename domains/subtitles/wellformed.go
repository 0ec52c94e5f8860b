package subtitles

import (
	"regexp"
	"strings"

	"agentd/domains"
)

// wellFormed checks that cues are apart by a blank line, each with a number and its times, written as SubRip has them.
func wellFormed(_, text string) []domains.Slip {
	var all []domains.Slip
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	at := func(n int) string {
		if n < 0 || n >= len(lines) {
			return ""
		}
		return strings.TrimSpace(lines[n])
	}
	for n := range lines {
		line := at(n)
		if !timesLike.MatchString(line) {
			continue
		}
		slip := func(what string) { all = append(all, domains.Slip{Line: n + 1, What: what, Text: line}) }
		switch {
		case !isDigits(at(n - 1)):
			slip("a cue has no number")
		case at(n-2) != "":
			slip("no blank line stands above a cue")
		}
		switch {
		case !timesExact.MatchString(line):
			slip("the times are not written as 00:00:00,000 --> 00:00:00,000")
		case n+1 >= len(lines):
			slip("the last cue has no text")
		}
	}
	if last := at(len(lines) - 1); isDigits(last) && at(len(lines)-2) == "" && len(lines) > 1 {
		all = append(all, domains.Slip{Line: len(lines), What: "the last cue has no times"})
	}
	if first := at(0); first != "" && !isDigits(first) && !timesLike.MatchString(first) {
		all = append(all, domains.Slip{Line: 1, What: "a cue does not begin the file", Text: first})
	}
	return all
}

var (
	timesLike  = regexp.MustCompile(`^\S+\s*--+>\s*\S+|^\d+:\d\d\S*\s*-*>?\s*\d+:\d\d\S*$`)
	timesExact = regexp.MustCompile(`^\d{1,3}:\d{2}:\d{2},\d{3} *--> *\d{1,3}:\d{2}:\d{2},\d{3}(?:\s|$)`)
)

func isDigits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}
