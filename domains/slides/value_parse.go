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
	kind  partKind
	text  string
	at    position
	level int // of a bullet
}

// position is a place on the grid of a slide.
type position struct {
	x, y  int
	given bool
}

// deck is the published reading of a document: the items of all its slides.
type deck []item

// parse reads all .md files in name order.
func parse(files vfs.Files) (deck, error) {
	var d deck
	for _, name := range files.Names() {
		if strings.HasSuffix(name, ".md") {
			d.addFile(files[name])
		}
	}
	return d, nil
}

const slideMark = "## "

func (d *deck) addFile(text string) {
	const atLine = "\n" + slideMark
	text = body(text)
	rest, more := strings.CutPrefix(text, slideMark)
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
func (d *deck) addSlide(text string) {
	line, rest, more := strings.Cut(text, "\n")
	d.add(item{kind: headingPart, text: unmarked(line), at: findPosition(line)})
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
				d.add(item{kind: notesPart, text: strings.Join(spoken, " ")})
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

func (d *deck) add(it item) { *d = plain.Append(*d, it) }

const (
	notesStart = "::: {.notes}"
	notesEnd   = ":::"
)

// parseLine reads a line outside of notes.
func parseLine(line, stripped string) (item, bool) {
	switch {
	case strings.HasPrefix(stripped, "- "):
		indent := utf8.RuneCountInString(line) - utf8.RuneCountInString(pytext.StripLeft(line))
		return item{kind: bulletPart, text: unmarked(stripped[2:]), at: findPosition(stripped), level: indent / 2}, true
	case strings.HasPrefix(stripped, "[IMAGE:"):
		return parsePlaceholder(imagePart, stripped), true
	case strings.HasPrefix(stripped, "[CHART:"):
		return parsePlaceholder(chartPart, stripped), true
	case strings.HasPrefix(stripped, "[TABLE"):
		return item{kind: tablePart, at: findPosition(stripped)}, true
	case strings.HasPrefix(stripped, "*") && strings.Contains(stripped[1:], "*"):
		text := strings.TrimFunc(unmarked(stripped), func(r rune) bool { return r == '*' || pytext.IsSpace(r) })
		return item{kind: subtitlePart, text: text, at: findPosition(stripped)}, true
	case strings.HasPrefix(stripped, "|") && strings.Contains(stripped[1:], "|"):
		cells := cellsOf(stripped)
		return item{kind: rowPart, text: cells, at: findPosition(stripped)}, cells != ""
	}
	return item{}, false
}

// cellsOf joins the cells between the first and the last bar that are not empty.
// The row below a table's header has none.
func cellsOf(row string) string {
	if strings.HasSuffix(row, "|") && strings.TrimLeftFunc(row, ofRuler) == "" {
		return ""
	}
	return strings.Join(pytext.Parts(row[1:strings.LastIndexByte(row, '|')], "|"), " | ")
}

func ofRuler(r rune) bool { return strings.ContainsRune("-:|", r) || pytext.IsSpace(r) }

// parsePlaceholder reads "[IMAGE: name @(x,y)]" or "[CHART: …]"; without a name where that is malformed.
func parsePlaceholder(k partKind, line string) item {
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
