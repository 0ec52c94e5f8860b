package treebank

import (
	"strings"

	"agentd/domains"
)

// wellFormed checks that each line is a comment or has ten columns, and that each sentence begins with token 1.
func wellFormed(_, text string) []domains.Slip {
	var all []domains.Slip
	n, words, among := 0, 0, false
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimRight(line, "\n")
		slip := func(what string) { all = append(all, domains.Slip{Line: n, What: what, Text: line}) }
		switch cells := strings.Split(line, "\t"); {
		case strings.TrimSpace(line) == "":
			among, words = false, 0
		case strings.HasPrefix(line, "#"):
			if among {
				slip("no blank line stands above a sentence")
			}
		case len(cells) != columnsOfToken:
			slip("the line has not ten columns")
		default:
			if cells[0] == "1" && words > 0 {
				slip("no blank line stands above a sentence")
			}
			if cells[0] == "1" {
				words++
			}
			among = true
		}
	}
	if among {
		all = append(all, domains.Slip{Line: n, What: "no blank line ends the last sentence"})
	}
	return all
}

const columnsOfToken = 10
