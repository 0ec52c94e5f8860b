package fonteng

import (
	"strings"

	"agentd/domains"
)

func isComment(line string) bool {
	return strings.HasPrefix(line, "#") || strings.HasPrefix(line, "//")
}

// comments adds the comments of a stretch between words, a line each.
func (f *flattener) comments(between string) {
	if strings.Trim(between, " \t\r\n;") == "" {
		return
	}
	for _, line := range strings.Split(between, "\n") {
		if text := strings.Join(strings.Fields(strings.Trim(strings.TrimLeft(line, "; \t"), "#/* \t\r")), " "); text != "" {
			f.add(domains.Element{Kind: commentKind, Key: "comment: " + text, Fields: []domains.Field{
				{Name: "text", Value: text}, {Name: "kind", Value: commentKind},
			}})
		}
	}
}

func (f *flattener) commentsAmong(words []word) {
	for i := range words {
		if words[i].lead != "" {
			f.comments(words[i].lead)
		}
	}
}
