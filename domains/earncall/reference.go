package earncall

import (
	"regexp"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// evidence counts the turns in which a person, called by first and last name, or
// the operator says a sentence. There are none if other turns, or lines that begin
// as headings and items of lists do, outnumber them: other documents have lines that
// begin with a label and a colon too.
func evidence(files vfs.Files, elements []domains.Element) int {
	spoken, others := 0, 0
	for i := range elements {
		switch {
		case elements[i].Kind != counted:
		case isSpoken(elements[i].Fields):
			spoken++
		default:
			others++
		}
	}
	for _, text := range files {
		others += len(listed.FindAllString(text, spoken+1))
	}
	if others > spoken {
		return 0
	}
	return spoken
}

// listed is how a heading, an item of a list or a row of a table begins.
var listed = regexp.MustCompile(`(?m)^[ \t]*(#|\||[-*+] |\d+[.)] )`)

// leastWords is the length of a turn that tells speech from a label's value.
const leastWords = 2

func isSpoken(fields []domains.Field) bool {
	words := 0
	for _, f := range fields {
		switch f.Name {
		case "speaker":
			if f.Value != "operator" && len(pytext.Fields(f.Value)) < 2 {
				return false
			}
		case "sentence":
			if strings.ContainsAny(f.Value[max(0, len(f.Value)-2):], ".?!") {
				words += len(pytext.Fields(f.Value))
			}
		}
	}
	return words >= leastWords
}
