package slides

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// document is the file that the edits begin and end with.
const document = "aeration_review.md"

func edits() []domains.Edit {
	return []domains.Edit{
		{Name: "widescreen", Forward: widen, Backward: narrow},
		{Name: "speaker_script", Forward: takeNotes, Backward: putNotes},
		{Name: "handout", Forward: toHandout, Backward: fromHandout},
		{Name: "six_bullets", Forward: splitDense, Backward: joinSplit},
		{Name: "gradual_build", Forward: buildUp, Backward: keepLast},
		{Name: "clear_titles", Forward: clearTitles, Backward: restoreTitles},
		{Name: "appendix", Forward: toAppendix, Backward: fromAppendix},
		{Name: "decks_by_content", Forward: divide, Backward: merge},
		{Name: "figure_numbers", Forward: numberFigures, Backward: nameFigures},
	}
}

// talk is a deck by its slides.
type talk struct {
	head   []part // what stands above the first slide
	slides []slide
}

// slide is a slide with its heading.
type slide []part

// talkOf reads a file that must have slides.
func talkOf(files vfs.Files, name string) (talk, error) {
	text, err := plain.File(files, name)
	if err != nil {
		return talk{}, err
	}
	t := divided(read(text))
	if len(t.slides) == 0 {
		return talk{}, fmt.Errorf("%s: no slides found", name)
	}
	return t, nil
}

func divided(parts []part) talk {
	var t talk
	for i := range parts {
		switch {
		case parts[i].kind == headingPart:
			t.slides = append(t.slides, slide{parts[i]})
		case len(t.slides) == 0:
			t.head = append(t.head, parts[i])
		default:
			last := &t.slides[len(t.slides)-1]
			*last = append(*last, parts[i])
		}
	}
	return t
}

func (t *talk) print() string {
	parts := slices.Clone(t.head)
	for _, s := range t.slides {
		parts = append(parts, s...)
	}
	return printed(parts)
}

// count is the number of parts that fit.
func (s slide) count(fits func(*part) bool) int {
	n := 0
	for i := range s {
		if fits(&s[i]) {
			n++
		}
	}
	return n
}

func of(kinds ...partKind) func(*part) bool {
	return func(p *part) bool { return slices.Contains(kinds, p.kind) }
}

// mark is a position, with or without a font size, at the end of a line.
var mark = regexp.MustCompile(`\s*\[@\(\d+,\s*\d+\)(\s*\|\s*\d+pt)?\]\s*$`)

// wording is the text of a line and where it stands in it.
func wording(line, before string) (text string, start, end int) {
	end = len(line)
	if found := mark.FindStringIndex(line); found != nil {
		end = found[0]
	}
	start = min(strings.Index(line, before)+len(before), end)
	text = pytext.Strip(line[start:end])
	start += strings.Index(line[start:end], text)
	return text, start, start + len(text)
}

func (s slide) title() string {
	text, _, _ := wording(s[0].lines[0], headingMark)
	return text
}

// titled is the slide with another title.
func (s slide) titled(title string) slide {
	line := s[0].lines[0]
	_, start, end := wording(line, headingMark)
	if start == len(headingMark) {
		title = " " + title
	}
	changed := append(slide{}, s...)
	changed[0].lines = append([]string{line[:start] + title + line[end:]}, s[0].lines[1:]...)
	return changed
}

// number reads a cell with a number, 0 if there is none.
func number(cell string) int { return plain.LineNumber(cell) }

// bySlide files rows under the slide number in their first cell, the first row of
// a number counting.
func bySlide(rows [][]string) map[int][]string {
	filed := make(map[int][]string, len(rows))
	for _, row := range rows {
		if n := number(row[0]); n > 0 && filed[n] == nil {
			filed[n] = row
		}
	}
	return filed
}

// record is a row of a table, of numbers and texts.
func record(cells ...any) []string {
	texts := make([]string, len(cells))
	for i, cell := range cells {
		texts[i] = fmt.Sprint(cell)
	}
	return texts
}

func asDocument(t talk) vfs.Files { return vfs.Files{document: t.print()} }
