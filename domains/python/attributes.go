package python

import (
	"slices"
	"strconv"
	"strings"
)

// deciding are the words that add a path through a function.
var deciding = []string{"if", "elif", "for", "while", "except", "and", "or"}

// complexity is McCabe's, as far as words of the code tell it.
func complexity(code string) string {
	lines, _ := scan(plainSource(code))
	n := 1
	for _, l := range lines {
		for _, t := range l.tokens {
			if t.kind == nameToken && slices.Contains(deciding, t.text) {
				n++
			}
		}
	}
	return strconv.Itoa(n)
}

// lineCount is the number of lines that are not blank.
func lineCount(code string) string {
	n := 0
	for line := range strings.Lines(code) {
		if strings.TrimSpace(line) != "" {
			n++
		}
	}
	return strconv.Itoa(n)
}
