package slides

import (
	"strings"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	published "agentd/domains/published/slides"
	"agentd/internal/lazyregexp"
)

// part is some lines of a deck that belong together.
type part struct {
	kind  published.PartKind
	own   int      // lines without the blank ones after
	lines []string // as they stand
}

// isCounted reports whether a part is an element of its slide.
func (p *part) isCounted() bool {
	return p.kind >= published.HeadingPart && p.kind != published.RulerPart
}

// mostLines of a file are read one by one; what follows is one text.
const mostLines = 65_536

// read divides a file of any name into its parts. Blank lines belong to the part
// above; those at the beginning are left out.
func read(text string) []part {
	r := newReader(text)
	r.frontMatter()
	for r.at < len(r.lines) {
		r.next()
	}
	return r.parts
}

type reader struct {
	lines   []string
	isText  []bool // lines of code and of comments, regardless of their look
	at      int
	inTable bool
	stops   nextLines // those that begin a slide or end notes
	parts   []part
}

func newReader(text string) *reader {
	text = strings.TrimSuffix(pytext.UniversalNewlines(strings.TrimPrefix(text, "\ufeff")), "\n")
	r := &reader{lines: strings.SplitN(text, "\n", min(strings.Count(text, "\n")+1, mostLines+1))}
	rest := r.lines[min(len(r.lines), mostLines):]
	r.lines, r.isText = unfenced(r.lines[:len(r.lines)-len(rest)])
	for _, line := range rest {
		r.lines, r.isText = append(r.lines, line), append(r.isText, true)
	}
	isStop := func(line string) bool { return isHeading(line) || isNotesEnd(pytext.Strip(line)) }
	r.stops = nextLines{lines: r.lines, is: isStop}
	for r.at < len(r.lines) && isBlank(r.lines[r.at]) {
		r.at++
	}
	return r
}

func isBlank(line string) bool { return pytext.Strip(line) == "" }

const (
	fence        = "```"
	commentStart = "<!--"
	commentEnd   = "-->"
)

// unfenced marks the lines of code blocks and of comments. A fence around slides
// is left out, as is one without another.
func unfenced(lines []string) (kept []string, isText []bool) {
	kept, isText = make([]string, 0, len(lines)), make([]bool, 0, len(lines))
	fences := nextLines{lines: lines, is: isFence}
	comments := nextLines{lines: lines, is: func(line string) bool { return strings.Contains(line, commentEnd) }}
	headings := nextLines{lines: lines, is: isHeading}
	for at := 0; at < len(lines); at++ {
		line := strings.TrimLeft(lines[at], " \t")
		end := at
		switch {
		case strings.HasPrefix(line, fence):
			if end = fences.from(at + 1); end > headings.from(at) || end == len(lines) {
				continue
			}
		case strings.HasPrefix(line, commentStart):
			if end = comments.from(at); end > headings.from(at) || end == len(lines) {
				end = at
			}
		default:
			kept, isText = append(kept, lines[at]), append(isText, false)
			continue
		}
		for ; at < end; at++ {
			kept, isText = append(kept, lines[at]), append(isText, true)
		}
		kept, isText = append(kept, lines[end]), append(isText, true)
	}
	return kept, isText
}

// nextLines finds lines of a sort, each time further on.
type nextLines struct {
	lines []string
	is    func(line string) bool
	at    int
}

// from is the first such line at or after a place, the number of lines if there
// is none.
func (n *nextLines) from(at int) int {
	n.at = max(n.at, at)
	for n.at < len(n.lines) && !n.is(n.lines[n.at]) {
		n.at++
	}
	return n.at
}

// isFence reports whether a line is a fence that may end a block of code.
func isFence(line string) bool {
	line = strings.Trim(line, " \t")
	return strings.HasPrefix(line, fence) && strings.Trim(line, "`") == ""
}

func isHeading(line string) bool {
	const margin = 3 // blanks before a heading
	for range margin {
		line = strings.TrimPrefix(line, " ")
	}
	return strings.HasPrefix(line, published.SlideMark) || strings.TrimRight(line, " \t") == headingMark
}

const headingMark = "##"

// add makes the next lines a part, with the blank lines after them.
func (r *reader) add(kind published.PartKind, lines int) {
	end := r.at + lines
	for end < len(r.lines) && isBlank(r.lines[end]) {
		end++
	}
	r.parts = plain.Append(r.parts, part{kind: kind, own: lines, lines: r.lines[r.at:end:end]})
	r.at = end
}

// frontMatter takes the lines between two rules at the beginning of a file. One
// that is not closed ends before a blank line or a slide.
func (r *reader) frontMatter() {
	if r.at == len(r.lines) || pytext.Strip(r.lines[r.at]) != frontRule {
		return
	}
	open, at := 0, r.at+1
	for ; at < len(r.lines) && !isHeading(r.lines[at]); at++ {
		line := pytext.Strip(r.lines[at])
		if isFrontEnd(line) {
			r.add(published.FrontPart, at+1-r.at)
			return
		}
		if line == "" && open == 0 {
			open = at - r.at
		}
	}
	if open == 0 {
		open = at - r.at
	}
	if open > 1 {
		r.add(published.FrontPart, open)
	}
}

const frontRule = "---"

func isFrontEnd(stripped string) bool { return stripped == frontRule || stripped == "..." }

// next takes the next part.
func (r *reader) next() {
	line := r.lines[r.at]
	stripped := pytext.Strip(line)
	kind := published.TextPart
	switch {
	case r.isText[r.at]:
	case isHeading(line):
		kind = published.HeadingPart
	case startsNotes(stripped):
		if lines := r.notes(); lines > 0 {
			r.inTable = false
			r.add(published.NotesPart, lines)
			return
		}
	default:
		kind = kindOf(stripped)
		if kind == published.TextPart && strings.Contains(stripped, "|") && (r.inTable || r.aboveRuler()) {
			kind = published.RowPart
		}
		if kind == published.RowPart && len(cells(stripped)) == 0 {
			kind = published.TextPart
		}
	}
	r.inTable = kind == published.RowPart || kind == published.RulerPart
	r.add(kind, 1)
}

// underlined is a subtitle in the other of Markdown's two signs of emphasis.
var underlined = lazyregexp.New(`^_([^_]+)_(\s*(?:\[@.*)?)$`)

// kindOf tells a line by how it begins.
func kindOf(stripped string) published.PartKind {
	switch {
	case len(stripped) > 2 && strings.IndexByte("-*+", stripped[0]) >= 0 && (stripped[1] == ' ' || stripped[1] == '\t'):
		return published.BulletPart
	case strings.HasPrefix(stripped, "[IMAGE:"):
		return published.ImagePart
	case strings.HasPrefix(stripped, "[CHART:"):
		return published.ChartPart
	case strings.HasPrefix(stripped, "[TABLE"):
		return published.TablePart
	case strings.HasPrefix(stripped, "*") && strings.Contains(stripped[1:], "*"), underlined.MatchString(stripped):
		return published.SubtitlePart
	case isRuler(stripped):
		return published.RulerPart
	case strings.HasPrefix(stripped, "|") && strings.Contains(stripped[1:], "|"):
		return published.RowPart
	}
	return published.TextPart
}

// isRuler reports whether a line divides the header of a table from its rows.
func isRuler(stripped string) bool {
	return strings.Contains(stripped, "|") && strings.Contains(stripped, "-") &&
		strings.TrimLeftFunc(stripped, published.OfRuler) == ""
}

// aboveRuler reports whether the next line that is not blank is a ruler.
func (r *reader) aboveRuler() bool {
	for at := r.at + 1; at < len(r.lines); at++ {
		if stripped := pytext.Strip(r.lines[at]); stripped != "" {
			return !r.isText[at] && isRuler(stripped)
		}
	}
	return false
}

// startsNotes takes the short form ("::: notes") for the long one.
func startsNotes(stripped string) bool {
	name, found := strings.CutPrefix(stripped, ":::")
	if !found {
		return false
	}
	name = strings.Trim(name, ": \t")
	return name == "notes" || strings.HasPrefix(name, "{") && strings.Trim(name, "{} \t") == ".notes"
}

// notes is the number of lines of the notes that begin here, 0 if nothing is said
// in them. Those that are not closed go as far as their text does.
func (r *reader) notes() int {
	first := r.at + 1
	stop := r.stops.from(first)
	end, closing := stop, 0
	if stop < len(r.lines) && !isHeading(r.lines[stop]) {
		closing = stop + 1 - r.at
	} else {
		end = first
		for end < stop && kindOf(pytext.Strip(r.lines[end])) == published.TextPart && !startsNotes(pytext.Strip(r.lines[end])) {
			end++
		}
	}
	for end > first && isBlank(r.lines[end-1]) {
		end--
	}
	if end == first {
		return 0
	}
	return max(end-r.at, closing)
}

func isNotesEnd(stripped string) bool {
	return strings.HasPrefix(stripped, ":::") && strings.Trim(stripped, ":") == ""
}
