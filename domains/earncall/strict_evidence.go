package earncall

import (
	"regexp"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/sets"
	"agentd/vfs"
)

// evidence counts the turns in which somebody speaks. There are none if other turns,
// or lines that begin as headings and items of lists do, outnumber them: other
// documents have lines that begin with a label and a colon too.
func evidence(files vfs.Files, elements []domains.Element) int {
	spoken := domains.Where(isSpoken)(files, elements)
	others := domains.OfKinds(counted)(files, elements) - spoken
	for _, text := range files {
		others += len(listed.FindAllStringIndex(text, spoken+1))
	}
	if others > spoken {
		return 0
	}
	return spoken
}

// listed is how a heading, an item of a list or a row of a table begins.
var listed = regexp.MustCompile(`(?m)^[ \t]*(?:[#|]|[-*+] |[0-9]+[.)] )`)

// isSpoken reports whether an element is a turn in which a person, called by first and
// last name or by a part in the call, says a sentence.
func isSpoken(e *domains.Element) bool {
	const least = 2 // words, which tell a sentence from a label's value
	speaker := e.Value("speaker")
	if e.Kind != counted || len(pytext.Fields(speaker)) < 2 && !unnamed[speaker] {
		return false
	}
	words := 0
	for _, f := range e.Fields {
		if f.Name == "sentence" && strings.ContainsAny(lastOf(f.Value), ".?!") {
			words += len(pytext.Fields(f.Value))
		}
	}
	return words >= least
}

// unnamed are what speakers are called whose names the transcript does not know.
var unnamed = sets.Words("operator moderator analyst")

// lastOf is the last character of a sentence, without the quotes and brackets after it.
func lastOf(sentence string) string {
	sentence = strings.TrimRight(sentence, `"')]`)
	return sentence[max(0, len(sentence)-1):]
}
