package fiction

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// document is the file that the edits begin and end with.
const document = "saltmarsh_bell.txt"

func edits() []domains.Edit {
	return []domains.Edit{
		{Name: "scene_cards", Forward: splitScenes, Backward: joinScenes},
		{Name: "cast_list", Forward: codeNames, Backward: nameCodes},
		{Name: "reading_edition", Forward: numberParagraphs, Backward: unnumberParagraphs},
		{Name: "dialogue_apart", Forward: takeSpeech, Backward: putSpeech},
		{Name: "american_spelling", Forward: toAmerican, Backward: toBritish},
		{Name: "story_json", Forward: toJSON, Backward: fromJSON},
		{Name: "by_length", Forward: sortParagraphs, Backward: unsortParagraphs},
		{Name: "concordance", Forward: toConcordance, Backward: fromConcordance},
	}
}

// story is what the edits work on: paragraphs, each of one or more lines.
type story []string

// storyOf reads a file that must have a story.
func storyOf(files vfs.Files, name string) (story, error) {
	text, err := plain.File(files, name)
	if err != nil {
		return nil, err
	}
	var s story
	for _, lines := range paragraphsOf(text) {
		s = append(s, strings.Join(lines, "\n"))
	}
	if len(s) == 0 {
		return nil, fmt.Errorf("%s has no paragraphs", name)
	}
	return s, nil
}

func (s story) print() string { return printed(s) }

// each returns the story with every paragraph changed.
func (s story) each(change func(paragraph string) string) story {
	changed := make(story, len(s))
	for i := range s {
		changed[i] = change(s[i])
	}
	return changed
}

// Scenes.
const scenesFile = "scenes.csv"

// isBreak reports whether a paragraph is a line that parts scenes: signs only.
func isBreak(paragraph string) bool {
	return strings.Trim(paragraph, "*#~-—·• ") == ""
}

func sceneFile(n int) string { return fmt.Sprintf("scene_%02d.txt", n) }

// firstWords are the words that a scene is known by.
func firstWords(paragraph string, n int) string {
	words := pytext.Fields(paragraph)
	return strings.Join(words[:min(n, len(words))], " ")
}

func splitScenes(files vfs.Files) (vfs.Files, error) {
	s, err := storyOf(files, document)
	if err != nil {
		return nil, err
	}
	out := vfs.Files{}
	rows := [][]string{{"scene", "paragraphs", "words", "opening", "break_after"}}
	var scene story
	end := func(line string) error {
		if len(scene) == 0 {
			return errors.New("a scene has no paragraphs")
		}
		n := len(out) + 1
		out[sceneFile(n)] = scene.print()
		rows = append(rows, []string{
			strconv.Itoa(n), strconv.Itoa(len(scene)), strconv.Itoa(len(pytext.Fields(scene.print()))), firstWords(scene[0], 5), line,
		})
		scene = nil
		return nil
	}
	for _, paragraph := range s {
		if !isBreak(paragraph) {
			scene = append(scene, paragraph)
			continue
		}
		if err := end(paragraph); err != nil {
			return nil, err
		}
	}
	if err := end(""); err != nil {
		return nil, err
	}
	out[scenesFile] = plain.WriteCSV(rows)
	return out, nil
}

func joinScenes(files vfs.Files) (vfs.Files, error) {
	rows, err := plain.Table(files, scenesFile, "scene", "break_after")
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(rows, plain.ByNumber)
	var s story
	for _, row := range rows {
		n, _ := strconv.Atoi(strings.TrimSpace(row[0]))
		scene, err := storyOf(files, sceneFile(n))
		if err != nil {
			return nil, err
		}
		s = append(s, scene...)
		if row[1] != "" {
			s = append(s, row[1])
		}
	}
	if len(s) == 0 {
		return nil, fmt.Errorf("%s lists no scenes", scenesFile)
	}
	return vfs.Files{document: s.print()}, nil
}

// Paragraphs by length.
const (
	sortedFile = "by_length.txt"
	orderFile  = "order.csv"
)

func sortParagraphs(files vfs.Files) (vfs.Files, error) {
	s, err := storyOf(files, document)
	if err != nil {
		return nil, err
	}
	order := make([]int, len(s))
	words := make([]int, len(s))
	for i := range s {
		order[i], words[i] = i, len(pytext.Fields(s[i]))
	}
	slices.SortStableFunc(order, func(a, b int) int { return words[b] - words[a] })
	sorted := make(story, len(s))
	rows := [][]string{{"place", "paragraph", "words"}}
	for place, i := range order {
		sorted[place] = s[i]
		rows = append(rows, []string{strconv.Itoa(place + 1), strconv.Itoa(i + 1), strconv.Itoa(words[i])})
	}
	return vfs.Files{sortedFile: sorted.print(), orderFile: plain.WriteCSV(rows)}, nil
}

func unsortParagraphs(files vfs.Files) (vfs.Files, error) {
	sorted, err := storyOf(files, sortedFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, orderFile, "paragraph", "place")
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(rows, plain.ByNumber)
	s := make(story, 0, len(sorted))
	for _, row := range rows {
		place, err := strconv.Atoi(strings.TrimSpace(row[1]))
		if err != nil || place < 1 || place > len(sorted) {
			return nil, fmt.Errorf("%s: there is no place %q", orderFile, row[1])
		}
		s = append(s, sorted[place-1])
	}
	if len(s) == 0 {
		return nil, fmt.Errorf("%s lists no paragraphs", orderFile)
	}
	return vfs.Files{document: s.print()}, nil
}

// A reading edition: paragraphs have numbers in front and, after, how many words
// there are so far.
const (
	editionFile  = "reading_edition.txt"
	contentsFile = "contents.csv"
)

var numberedParagraph = regexp.MustCompile(`(?s)^\[\d+\] (.*) \(\d+\)$`)

func numberParagraphs(files vfs.Files) (vfs.Files, error) {
	s, err := storyOf(files, document)
	if err != nil {
		return nil, err
	}
	total := len(pytext.Fields(s.print()))
	rows := [][]string{{"paragraph", "words", "percent"}}
	number, so := 0, 0
	edition := s.each(func(paragraph string) string {
		number++
		words := len(pytext.Fields(paragraph))
		so += words
		rows = append(rows, []string{strconv.Itoa(number), strconv.Itoa(words), fmt.Sprintf("%.1f", 100*float64(words)/float64(total))})
		return fmt.Sprintf("[%d] %s (%d)", number, paragraph, so)
	})
	return vfs.Files{editionFile: edition.print(), contentsFile: plain.WriteCSV(rows)}, nil
}

func unnumberParagraphs(files vfs.Files) (vfs.Files, error) {
	edition, err := storyOf(files, editionFile)
	if err != nil {
		return nil, err
	}
	s := edition.each(func(paragraph string) string { return numberedParagraph.ReplaceAllString(paragraph, "$1") })
	return vfs.Files{document: s.print()}, nil
}
