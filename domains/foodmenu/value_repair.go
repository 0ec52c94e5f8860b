package foodmenu

import (
	"strings"

	"agentd/domains/internal/pytext"
)

// repaired is the line of an item without list marks and leaders, its price
// after the words.
func repaired(line string) string {
	line = cutMarks(line)
	if strings.Contains(line, "...") {
		line = leaders.ReplaceAllString(line, gap)
	}
	if strings.Contains(line, "---") {
		line = dashes.ReplaceAllString(line, gap+"$$")
	}
	if strings.Contains(line, "—") || strings.Contains(line, "–") {
		line = longDash.ReplaceAllString(line, gap+"$$")
	}
	if strings.HasPrefix(pytext.StripLeft(line), "$") {
		line = priceFirst.ReplaceAllString(line, "${words}"+gap+"${price}"+gap+"${tags}")
	}
	return line
}

// gap stands for leaders that were removed.
const gap = "  "

var (
	bullet   = pytext.Pattern(`^\s*[-•*]\s+`)
	marks    = pytext.Pattern(`^(?:\s*[-•*]\s+)?(?:\s*\d+[.)]\s+)?`)
	leaders  = pytext.Pattern(`\s*\.{3,}\s*`)
	dashes   = pytext.Pattern(`\s*-{3,}\s*\$`)
	longDash = pytext.Pattern(`\s*[—–]\s*\$`)
	// priceFirst is a line with the price at its beginning. It goes after the words, before the tags.
	priceFirst = pytext.Pattern(`^\s*(?P<price>\$\d+\.\d\d)\s+(?P<words>.*?)(?P<tags>(?:(?:\[[A-Za-z]+\]|\([AVG]+\))\s*)*)$`)
)

// cutMarks removes a list mark and then a number such as "12." or "3)", and the blanks around
// them.
func cutMarks(line string) string {
	if text := pytext.StripLeft(line); text == "" || 'A' <= text[0] && text[0] <= 'z' {
		return line // as most are
	}
	return line[len(marks.FindString(line)):]
}
