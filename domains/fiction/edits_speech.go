package fiction

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// Speech in a file of its own.
const (
	narrativeFile = "narrative.txt"
	dialogueFile  = "dialogue.csv"
)

var speechMark = regexp.MustCompile(`\[\[(\d+)\]\]`)

// quoted is speech within a paragraph, with its quotes: between curly ones, or
// between two straight ones.
var quoted = regexp.MustCompile(`“[^“”]*”|"[^"]*"`)

func takeSpeech(files vfs.Files) (vfs.Files, error) {
	s, err := storyOf(files, document)
	if err != nil {
		return nil, err
	}
	if speechMark.MatchString(s.print()) {
		return nil, fmt.Errorf("%s has marks for speech already", document)
	}
	rows := [][]string{{"number", "paragraph", "speech"}}
	paragraph := 0
	narrative := s.each(func(text string) string {
		paragraph++
		return quoted.ReplaceAllStringFunc(text, func(speech string) string {
			n := strconv.Itoa(len(rows))
			rows = append(rows, []string{n, strconv.Itoa(paragraph), strings.ReplaceAll(speech, "\n", " ")})
			return "[[" + n + "]]"
		})
	})
	return vfs.Files{narrativeFile: narrative.print(), dialogueFile: plain.WriteCSV(rows)}, nil
}

func putSpeech(files vfs.Files) (vfs.Files, error) {
	s, err := storyOf(files, narrativeFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, dialogueFile, "number", "speech")
	if err != nil {
		return nil, err
	}
	speeches := map[string]string{}
	for _, row := range rows {
		speeches["[["+strings.TrimSpace(row[0])+"]]"] = row[1]
	}
	told := s.each(func(text string) string {
		return speechMark.ReplaceAllStringFunc(text, func(m string) string {
			if speech, known := speeches[m]; known {
				return speech
			}
			return m
		})
	})
	return vfs.Files{document: told.print()}, nil
}
