package slides

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// decks says how decks are taken apart and put together.
var decks = exact.Format[talk, slide]{
	Patterns: []string{"*.md"},
	Read:     divided,
	Print:    talk.print,
	Parts:    func(t *talk) *[]slide { return &t.slides },
	Join: func(all []talk) (joined talk) {
		for _, t := range all {
			joined.head = append(joined.head, t.head...)
			joined.slides = append(joined.slides, t.slides...)
		}
		return joined
	},
	Empty: errors.New("no slides found"),
}

func edits() []domains.Edit {
	return []domains.Edit{
		domains.Taking("scale_columns", scaleColumns),
		domains.Taking("take_notes", takeNotes),
		domains.Taking("table", inTable),
		domains.Taking("split_dense", splitDense),
		domains.Taking("build_up", buildUp),
		domains.Taking("clear_titles", clearTitles),
		domains.Taking("append_tables", appendTables),
		domains.Taking("split_by_content", splitByContent),
		domains.Taking("number_images", numberImages),
	}
}

// talk is a deck by its slides.
type talk struct {
	head   []part // what stands above the first slide
	slides []slide
}

// slide is a slide with its heading.
type slide []part

func divided(text string) (t talk) {
	parts := read(text)
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

func (t talk) print() string {
	parts := slices.Clone(t.head)
	for _, s := range t.slides {
		parts = append(parts, s...)
	}
	return printed(parts)
}

// count is the number of parts of some kinds.
func (s slide) count(kinds ...partKind) int {
	return lists.Count(s, func(p *part) bool { return slices.Contains(kinds, p.kind) })
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

// retitle gives a slide another title.
func (s slide) retitle(title string) {
	line := s[0].lines[0]
	_, start, end := wording(line, headingMark)
	if start == len(headingMark) {
		title = " " + title
	}
	s[0].lines[0] = line[:start] + title + line[end:]
}

// bySlide reads a table with a value for the numbers of slides, the first row of a number
// counting.
func bySlide(files vfs.Files, name, value string) (map[int]string, error) {
	rows, err := plain.Table(files, name, "slide", value)
	values := make(map[int]string, len(rows))
	for _, row := range rows {
		n := plain.LineNumber(row[0])
		if _, twice := values[n]; !twice {
			values[n] = row[1]
		}
	}
	return values, err
}

// record is a row of a table, of numbers and texts.
func record(cells ...any) []string {
	return lists.Map(cells, func(cell any) string { return fmt.Sprint(cell) })
}
