package latex

import (
	"path"
	"strings"

	"agentd/vfs"
)

// without leaves out entries. What cites them stays.
func without(files vfs.Files, leave func(n int) bool) vfs.Files {
	left := vfs.Files{}
	n := 0
	for _, name := range files.Names() {
		text := files[name]
		if path.Ext(name) != ".bib" {
			left[name] = text
			continue
		}
		var kept strings.Builder
		from := 0
		for _, it := range readBib(text) {
			if it.kind != entryItem {
				continue
			}
			n++
			if leave(n - 1) {
				kept.WriteString(text[from:it.at])
				from = afterLines(text, it.end)
			}
		}
		left[name] = kept.String() + text[from:]
	}
	return left
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
