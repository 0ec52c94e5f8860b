package fiction

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// stories says how texts are taken apart and put together.
var stories = exact.Format[story, string]{
	Patterns: []string{"*.txt"},
	Read: func(text string) (s story) {
		for _, lines := range paragraphsOf(text) {
			s = append(s, strings.Join(lines, "\n"))
		}
		return s
	},
	Print: story.print,
	Parts: func(s *story) *[]string { return (*[]string)(s) },
	Empty: errors.New("no paragraphs in any *.txt"),
}

func edits() []domains.Edit {
	return []domains.Edit{
		domains.Taking("split_by_scene", splitByScene),
		domains.Taking("code_names", codeNames),
		domains.Taking("number_paragraphs", numberParagraphs),
		domains.Taking("speech_aside", speechAside),
		domains.Taking("respell", respell),
		domains.Taking("json", inJSON),
		domains.Taking("sort_by_length", sortByLength),
		domains.Taking("concordance", concordance),
	}
}

// story is what the edits work on: paragraphs, each of one or more lines.
type story []string

func (s story) print() string { return printed(s) }

// each changes every paragraph; number is its own, from 1.
func (s story) each(change func(number int, paragraph string) string) {
	for i := range s {
		s[i] = change(i+1, s[i])
	}
}

// isBreak reports whether a paragraph is a line that parts scenes: signs only.
func isBreak(paragraph string) bool {
	return strings.Trim(paragraph, "*#~-—·• ") == ""
}

// scenes are files of the parts of a story.
type scenes struct {
	Document, Begins, Table string
	Words                   int // of a scene's opening
}

// splitByScene makes a file of each scene.
func splitByScene(p scenes) exact.Steps {
	if p.Words < 0 {
		return exact.Refuse("words must not be below 0")
	}
	return stories.Whole(p.Document, p.write, p.read)
}

func (p *scenes) file(n int) string { return fmt.Sprintf("%s%02d.txt", p.Begins, n) }

func (p *scenes) write(s story) (vfs.Files, error) {
	made := vfs.Files{}
	rows := [][]string{{"scene", "paragraphs", "words", "opening", "break_after"}}
	var scene story
	for i, paragraph := range append(s, "") {
		if i < len(s) && !isBreak(paragraph) {
			scene = append(scene, paragraph)
			continue
		}
		if len(scene) == 0 {
			return nil, errors.New("a scene has no paragraphs")
		}
		n, words, opening := len(rows), pytext.Fields(scene.print()), pytext.Fields(scene[0])
		made[p.file(n)] = scene.print()
		rows = append(rows, []string{
			strconv.Itoa(n), strconv.Itoa(len(scene)), strconv.Itoa(len(words)),
			strings.Join(opening[:min(p.Words, len(opening))], " "), paragraph,
		})
		scene = nil
	}
	made[p.Table] = plain.WriteCSV(rows)
	return made, nil
}

func (p *scenes) read(files vfs.Files) (s story, err error) {
	rows, err := plain.Table(files, p.Table, "scene", "break_after")
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(rows, plain.ByNumber)
	for _, row := range rows {
		name := p.file(plain.LineNumber(row[0]))
		scene, err := stories.Named(files, name)
		if err == nil && len(scene) == 0 {
			err = fmt.Errorf("%s has no paragraphs", name)
		}
		if err != nil {
			return nil, err
		}
		s = append(s, scene...)
		if row[1] != "" {
			s = append(s, row[1])
		}
	}
	if len(s) == 0 {
		err = fmt.Errorf("%s lists no scenes", p.Table)
	}
	return s, err
}

// sortByLength puts the longest paragraph first.
func sortByLength(p struct{ Document, To, Table string }) exact.Steps {
	words := func(paragraph *string) int { return len(pytext.Fields(*paragraph)) }
	change := func(s *story) (vfs.Files, error) {
		positions := stories.Sort(s, func(a, b *string) int { return words(b) - words(a) })
		rows := [][]string{{"place", "paragraph", "words"}}
		for n, paragraph := range *s {
			rows = append(rows, []string{strconv.Itoa(n + 1), strconv.Itoa(positions[n]), strconv.Itoa(words(&paragraph))})
		}
		return vfs.Files{p.Table: plain.WriteCSV(rows)}, nil
	}
	return stories.Rewrite(p.Document, p.To, change, func(s *story, files vfs.Files) error {
		rows, err := plain.Table(files, p.Table, "paragraph", "place")
		if err != nil {
			return err
		}
		slices.SortStableFunc(rows, plain.ByNumber)
		var told story
		for _, row := range rows {
			place := plain.LineNumber(row[1])
			if place < 1 || place > len(*s) {
				return fmt.Errorf("%s: there is no place %q", p.Table, row[1])
			}
			told = append(told, (*s)[place-1])
		}
		if len(told) == 0 {
			return fmt.Errorf("%s lists no paragraphs", p.Table)
		}
		*s = told
		return nil
	})
}

var numberedParagraph = regexp.MustCompile(`(?s)^\[\d+\] (.*) \(\d+\)$`)

// numberParagraphs writes a number in front of each paragraph and, after it, how many words
// there are so far.
func numberParagraphs(p struct{ Document, To, Table string }) exact.Steps {
	change := func(s *story) (vfs.Files, error) {
		total, so := len(pytext.Fields(s.print())), 0
		rows := [][]string{{"paragraph", "words", "percent"}}
		s.each(func(number int, paragraph string) string {
			words := len(pytext.Fields(paragraph))
			so += words
			percent := fmt.Sprintf("%.1f", 100*float64(words)/float64(total))
			rows = append(rows, []string{strconv.Itoa(number), strconv.Itoa(words), percent})
			return fmt.Sprintf("[%d] %s (%d)", number, paragraph, so)
		})
		return vfs.Files{p.Table: plain.WriteCSV(rows)}, nil
	}
	return stories.Rewrite(p.Document, p.To, change, func(s *story, _ vfs.Files) error {
		s.each(func(_ int, paragraph string) string { return numberedParagraph.ReplaceAllString(paragraph, "$1") })
		return nil
	})
}
