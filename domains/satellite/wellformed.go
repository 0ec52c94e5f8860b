package satellite

import (
	"strings"

	"agentd/domains"
)

// wellFormed checks that lines 1 and 2 follow each other and are 69 characters long.
func wellFormed(_, text string) []domains.Slip {
	var all []domains.Slip
	n, first := 0, 0
	slip := func(line int, what string) { all = append(all, domains.Slip{Line: line, What: what}) }
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimRight(line, " \t\n")
		isFirst, isSecond := isLineOf(line, "1 "), isLineOf(line, "2 ")
		if (isFirst || isSecond) && len(line) < shortestLine {
			slip(n, "a line of elements is too short")
		}
		switch {
		case isSecond && first == 0:
			slip(n, "line 2 of an element set does not follow line 1")
		case first > 0 && !isSecond && line != "" && !strings.HasPrefix(line, "#"):
			slip(first, "line 1 of an element set is not followed by line 2")
		}
		switch {
		case isFirst:
			first = n
		case isSecond, line != "" && !strings.HasPrefix(line, "#"):
			first = 0
		}
	}
	if first > 0 {
		slip(first, "line 1 of an element set is not followed by line 2")
	}
	return all
}

// shortestLine is the length of a line of elements without its checksum.
const shortestLine = 68

func isLineOf(line, mark string) bool {
	return strings.HasPrefix(line, mark) && len(line) > 6 && line[2] >= '0' && line[2] <= '9' && line[6] >= '0' && line[6] <= '9'
}
