package treebank

import (
	"regexp"
	"strconv"
)

var wordLine = regexp.MustCompile(`(?m)^\d+\t`)

// wordsOf is how many words a sentence has: its lines with a whole number, not ranges nor empty nodes.
func wordsOf(part string) string { return strconv.Itoa(len(wordLine.FindAllString(part, -1))) }
