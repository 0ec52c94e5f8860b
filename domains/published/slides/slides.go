// Package slides is the published reading and score of the domain slides.
//
// score = 0.20 V + 0.10 O + 0.40 C + 0.075 I + 0.075 J + 0.15 P, not rounded.
//
//   - norm(title) = lower case, trimmed. For V only, a title that is exactly slide <digits> becomes empty and is left
//     out.
//   - V coverage: Jaccard of the sets of non-empty normalised titles. Both sets empty 1. One empty: smaller / larger
//     number of slides.
//   - O order: ratio over the two lists of norm(title), placeholders included; autojunk on (200 slides). Both empty 1,
//     one empty 0.
//   - C content: over elements of kind title, bullet, subtitle, table_row, notes. No such element in the reference: 1
//     if the candidate has none, else 0. None in the candidate: 0. Otherwise optimal one-to-one assignment (largest
//     summed similarity), then C = (sum of matched similarities / n_ref) * (0.5 + 0.5 * min(n_ref, n_gen) / max(n_ref,
//     n_gen)). Similarity = 0.55 t + 0.20 k + 0.15 p + 0.10 l: t = ratio over the characters of the two lower-cased
//     texts, autojunk on (it acts on candidate texts of 200 characters and more, that is notes), both empty 1, one
//     empty 0; k = 1 for the same kind else 0.5; p = max(0, 1 - (|dx| + |dy|)/20) when both have positions, else 1; l =
//     1 for the same level else 0.7.
//   - I images: Jaccard of the sets of non-empty image names. Both empty 1, one empty 0.
//   - J image order: ratio over the lists of non-empty image names (case kept). Both empty 1, one empty 0.
//   - P positions: two maps from (kind, first 50 characters of the lower-cased text) to position, over elements of any
//     kind with non-empty text and a position; a repeated key keeps the last. No key in the reference: 1. Else the mean
//     over reference keys of max(0, 1 - (|dx| + |dy|)/10), 0 for a key the candidate lacks. Candidate-only keys are
//     free.
//
// R, or ratio, is that of package ratio, with the reference first; assignments are those of package assign.
package slides

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// item is a part of a slide as the published evaluator has it.
type item struct {
	kind  PartKind
	text  string
	at    position
	level int // of a bullet
}

// position is a place on the grid of a slide.
type position struct {
	x, y  int
	given bool
}

// Deck is the published reading of a document: the items of all its slides.
type Deck []item

// Parse reads all .md files in name order.
func Parse(files vfs.Files) (Deck, error) {
	var d Deck
	for _, name := range files.Names() {
		if strings.HasSuffix(name, ".md") {
			d.addFile(files[name])
		}
	}
	return d, nil
}

// SlideMark begins the title of a slide.
const SlideMark = "## "

func (d *Deck) addFile(text string) {
	const atLine = "\n" + SlideMark
	text = body(text)
	rest, more := strings.CutPrefix(text, SlideMark)
	if !more {
		_, rest, more = strings.Cut(text, atLine)
	}
	for more {
		var slide string
		slide, rest, more = strings.Cut(rest, atLine)
		d.addSlide(pytext.Strip(slide))
	}
}

// body is the text after the front matter, which ends at the second "---" wherever that stands.
func body(text string) string {
	const rule, parts = "---", 3
	if !strings.HasPrefix(text, rule) {
		return text
	}
	if split := strings.SplitN(text, rule, parts); len(split) == parts {
		return split[parts-1]
	}
	return text
}

// addSlide reads a slide, the first line of which is its title, however empty the heading was.
func (d *Deck) addSlide(text string) {
	line, rest, more := strings.Cut(text, "\n")
	d.add(item{kind: HeadingPart, text: unmarked(line), at: findPosition(line)})
	var spoken []string
	inNotes := false
	for more {
		line, rest, more = strings.Cut(rest, "\n")
		stripped := pytext.Strip(line)
		switch {
		case stripped == notesStart && !inNotes:
			inNotes = true
		case inNotes && stripped == notesEnd:
			if len(spoken) > 0 {
				d.add(item{kind: NotesPart, text: strings.Join(spoken, " ")})
			}
			inNotes, spoken = false, nil
		case inNotes:
			if stripped != "" {
				spoken = append(spoken, stripped)
			}
		default:
			if it, ok := parseLine(line, stripped); ok {
				d.add(it)
			}
		}
	}
}

func (d *Deck) add(it item) { *d = plain.Append(*d, it) }

const (
	notesStart = "::: {.notes}"
	notesEnd   = ":::"
)

// parseLine reads a line outside of notes.
func parseLine(line, stripped string) (item, bool) {
	switch {
	case strings.HasPrefix(stripped, "- "):
		indent := utf8.RuneCountInString(line) - utf8.RuneCountInString(pytext.StripLeft(line))
		return item{kind: BulletPart, text: unmarked(stripped[2:]), at: findPosition(stripped), level: indent / 2}, true
	case strings.HasPrefix(stripped, "[IMAGE:"):
		return parsePlaceholder(ImagePart, stripped), true
	case strings.HasPrefix(stripped, "[CHART:"):
		return parsePlaceholder(ChartPart, stripped), true
	case strings.HasPrefix(stripped, "[TABLE"):
		return item{kind: TablePart, at: findPosition(stripped)}, true
	case strings.HasPrefix(stripped, "*") && strings.Contains(stripped[1:], "*"):
		text := strings.TrimFunc(unmarked(stripped), func(r rune) bool { return r == '*' || pytext.IsSpace(r) })
		return item{kind: SubtitlePart, text: text, at: findPosition(stripped)}, true
	case strings.HasPrefix(stripped, "|") && strings.Contains(stripped[1:], "|"):
		cells := cellsOf(stripped)
		return item{kind: RowPart, text: cells, at: findPosition(stripped)}, cells != ""
	}
	return item{}, false
}

// cellsOf joins the cells between the first and the last bar that are not empty.
// The row below a table's header has none.
func cellsOf(row string) string {
	if strings.HasSuffix(row, "|") && strings.TrimLeftFunc(row, OfRuler) == "" {
		return ""
	}
	return strings.Join(pytext.Parts(row[1:strings.LastIndexByte(row, '|')], "|"), " | ")
}

// OfRuler reports whether a character may stand in the rule below the header of a table.
func OfRuler(r rune) bool { return strings.ContainsRune("-:|", r) || pytext.IsSpace(r) }

// parsePlaceholder reads "[IMAGE: name @(x,y)]" or "[CHART: …]"; without a name where that is malformed.
func parsePlaceholder(k PartKind, line string) item {
	named := line[len("[IMAGE:"):] // as long as "[CHART:"
	end := strings.IndexAny(named, "@]")
	if end < 0 {
		return item{kind: k}
	}
	it := item{kind: k, text: pytext.Strip(named[:end])}
	if named[end] == ']' {
		return it
	}
	at, after, ok := scanPair(named, end)
	if !ok || !strings.HasPrefix(named[after:], "]") {
		return item{kind: k}
	}
	it.at = at
	return it
}

// findPosition returns the first position that stands in a mark such as "[@(3,4)]" or "[@(3,4) | 24pt]".
func findPosition(line string) position {
	for at := 0; ; {
		mark := strings.Index(line[at:], "[@(")
		if mark < 0 {
			return position{}
		}
		at += mark + 1
		if p, end, ok := scanPair(line, at); ok && closesMark(line[end:]) {
			return p
		}
	}
}

// scanPair reads "@(x,y)" that stands at a place.
func scanPair(s string, at int) (p position, end int, ok bool) {
	if !strings.HasPrefix(s[at:], "@(") {
		return p, at, false
	}
	p.given = true
	if p.x, end = scanDigits(s, at+2); end == at+2 || !strings.HasPrefix(s[end:], ",") {
		return p, at, false
	}
	comma := end
	if p.y, end = scanDigits(s, comma+1); end == comma+1 || !strings.HasPrefix(s[end:], ")") {
		return p, at, false
	}
	return p, end + 1, true
}

// scanDigits reads a number in digits of any script. One of more than sixteen is as far away as any.
func scanDigits(s string, at int) (n, end int) {
	const most = 1e16
	for at < len(s) {
		r, size := utf8.DecodeRuneInString(s[at:])
		if !unicode.IsDigit(r) {
			break
		}
		n = min(10*n+pytext.DigitValue(r), most)
		at += size
	}
	return n, at
}

// closesMark reports whether a text begins with the end of a mark, after a font size or not.
func closesMark(s string) bool {
	if strings.HasPrefix(s, "]") {
		return true
	}
	size, found := strings.CutPrefix(pytext.StripLeft(s), "|")
	if !found {
		return false
	}
	size = pytext.StripLeft(size)
	_, end := scanDigits(size, 0)
	return end > 0 && strings.HasPrefix(size[end:], "pt]")
}

// unmarked is a text without marks and the blanks before them. A mark that goes is
// laxer than one that is read: what stands in its parentheses.
func unmarked(line string) string {
	last := strings.LastIndexByte(line, ']')
	if last < 0 || !strings.Contains(line, "[@(") {
		return pytext.Strip(line)
	}
	var b strings.Builder
	at := 0
	for {
		start := strings.Index(line[at:], "[@(")
		if start < 0 {
			break
		}
		start += at
		shut := strings.IndexByte(line[start:], ')') + start + 1
		if shut <= start || shut > last {
			break
		}
		if end := markEnd(line, shut); end > 0 {
			b.WriteString(pytext.StripRight(line[at:start]))
			at = end
		} else {
			b.WriteString(line[at:shut])
			at = shut
		}
	}
	b.WriteString(line[at:])
	return pytext.Strip(b.String())
}

// markEnd is where a mark ends of which the parenthesis ends at a place and after
// which a bracket follows; -1 if that is not its own.
func markEnd(line string, at int) int {
	if line[at] == ']' || strings.HasPrefix(pytext.StripLeft(line[at:]), "|") {
		return at + strings.IndexByte(line[at:], ']') + 1
	}
	return -1
}

// PartKind is what a line is.
type PartKind uint8

// The kinds of lines.
const (
	TextPart    PartKind = iota // a line that is no part of the format
	FrontPart                   // the front matter
	HeadingPart                 // the title of a slide
	BulletPart
	SubtitlePart
	RowPart
	RulerPart // what stands below the header of a table
	NotesPart
	ImagePart
	ChartPart
	TablePart // a placeholder of a table
)
