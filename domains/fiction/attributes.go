package fiction

import (
	"regexp"
	"strconv"
	"strings"

	"agentd/domains/internal/pytext"
)

// words is the number of words between blanks in a paragraph, without a line of signs below it.
func words(part string) string { return strconv.Itoa(len(pytext.Fields(firstParagraph(part)))) }

// quoted is speech in a paragraph: between curly quotes, or between two straight ones.
var quoted = regexp.MustCompile(`“[^“”]*”|"[^"]*"`)

// spokenWords is the number of words between blanks in the speech of a paragraph, each passage by
// itself.
func spokenWords(part string) string {
	n := 0
	for _, speech := range quoted.FindAllString(firstParagraph(part), -1) {
		n += len(pytext.Fields(strings.Trim(speech, `“”"`)))
	}
	return strconv.Itoa(n)
}

func firstParagraph(part string) string {
	for _, lines := range paragraphsOf(part) {
		return strings.Join(lines, "\n")
	}
	return ""
}
