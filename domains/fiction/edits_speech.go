package fiction

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

var speechMark = regexp.MustCompile(`\[\[(\d+)\]\]`)

// quoted is speech within a paragraph, with its quotes: between curly ones, or
// between two straight ones.
var quoted = regexp.MustCompile(`“[^“”]*”|"[^"]*"`)

// speechAside moves speech to a table.
func speechAside(p struct{ Document, To, Table string }) exact.Steps {
	change := func(s *story) (vfs.Files, error) {
		if speechMark.MatchString(s.print()) {
			return nil, fmt.Errorf("%s has marks for speech already", p.Document)
		}
		rows := [][]string{{"number", "paragraph", "speech"}}
		s.each(func(number int, paragraph string) string {
			return quoted.ReplaceAllStringFunc(paragraph, func(speech string) string {
				n := strconv.Itoa(len(rows))
				rows = append(rows, []string{n, strconv.Itoa(number), strings.ReplaceAll(speech, "\n", " ")})
				return "[[" + n + "]]"
			})
		})
		return vfs.Files{p.Table: plain.WriteCSV(rows)}, nil
	}
	return stories.Rewrite(p.Document, p.To, change, func(s *story, files vfs.Files) error {
		speeches, err := exact.ReadRegister(files, p.Table, "number", "speech")
		s.each(func(_ int, paragraph string) string {
			return speechMark.ReplaceAllStringFunc(paragraph, func(mark string) string {
				if speech, known := speeches[strings.Trim(mark, "[]")]; known {
					return speech
				}
				return mark
			})
		})
		return err
	})
}
