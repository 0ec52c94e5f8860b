package latex

import (
	"path"
	"strings"
)

// without leaves out entries. What cites them stays.
func without(name, text string, leave func() bool) string {
	if path.Ext(name) != ".bib" {
		return text
	}
	var kept strings.Builder
	from := 0
	for _, it := range readBib(text) {
		if it.kind == entryItem && leave() {
			kept.WriteString(text[from:it.at])
			from = afterLines(text, it.end)
		}
	}
	return kept.String() + text[from:]
}

// afterLines is the place after the line ends that follow an item, and the
// blanks between them.
func afterLines(text string, at int) int {
	for end := at; end < len(text) && strings.IndexByte(" \t\r\n", text[end]) >= 0; end++ {
		if text[end] == '\n' {
			at = end + 1
		}
	}
	return at
}
