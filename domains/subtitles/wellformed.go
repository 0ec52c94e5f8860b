package subtitles

import (
	"regexp"
	"strings"

	"agentd/domains"
)

// wellFormed checks that cues are apart by a blank line, each with its times as the format has them, and in SubRip with a number.
// WebVTT is what begins with its name; the name of the file says nothing, since other programs take either.
func wellFormed(_, text string) []domains.Slip {
	var all []domains.Slip
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	isVTT, firstLine := vttHead.MatchString(text), 1
	exact, times := timesExact, "00:00:00,000 --> 00:00:00,000"
	if isVTT {
		exact, times, firstLine = vttExact, "00:00:00.000 --> 00:00:00.000", 2
		if lines = lines[1:]; len(lines) > 0 && timesLike.MatchString(lines[0]) {
			all = append(all, domains.Slip{Line: 2, What: "no blank line stands above a cue", Text: lines[0]})
		}
	}
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
		slip := func(what string) {
			all = append(all, domains.Slip{Line: n + firstLine, What: what, Text: line})
		}
		switch {
		case isVTT && at(n-1) != "" && at(n-2) != "":
			slip("no blank line stands above a cue")
		case isVTT:
		case !isDigits(at(n - 1)):
			slip("a cue has no number")
		case at(n-2) != "":
			slip("no blank line stands above a cue")
		}
		switch {
		case !exact.MatchString(line):
			slip("the times are not written as " + times)
		case n+1 >= len(lines):
			slip("the last cue has no text")
		}
	}
	if last := at(len(lines) - 1); isDigits(last) && at(len(lines)-2) == "" && len(lines) > 1 {
		all = append(all, domains.Slip{Line: len(lines) - 1 + firstLine, What: "the last cue has no times"})
	}
	if isVTT {
		return all
	}
	if first := at(0); first != "" && !isDigits(first) && !timesLike.MatchString(first) {
		all = append(all, domains.Slip{Line: 1, What: "a cue does not begin the file", Text: first})
	}
	return all
}

var (
	timesLike  = regexp.MustCompile(`^\S+\s*--+>\s*\S+|^\d+:\d\d\S*\s*-*>?\s*\d+:\d\d\S*$`)
	vttHead    = regexp.MustCompile(`^WEBVTT(?:[ \t][^\n]*)?(?:\n|$)`)
	vttExact   = regexp.MustCompile(`^(?:\d{2,}:)?[0-5]\d:[0-5]\d\.\d{3}[ \t]+-->[ \t]+(?:\d{2,}:)?[0-5]\d:[0-5]\d\.\d{3}(?:\s|$)`)
	timesExact = regexp.MustCompile(`^\d{1,3}:\d{2}:\d{2},\d{3} *--> *\d{1,3}:\d{2}:\d{2},\d{3}(?:\s|$)`)
)

func isDigits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}
