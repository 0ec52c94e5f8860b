package satellite

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"agentd/domains/internal/doc"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	published "agentd/domains/published/satellite"
)

type lineKind uint8

const (
	blankLine lineKind = iota
	commentLine
	nameLine // or any other text
	firstLine
	secondLine
)

// format finds the element sets of a catalogue of any name, comments, and other lines. All have an order.
var format = doc.Format{
	Counted: counted,
	Orders:  map[string]doc.Order{counted: doc.InOrder, commentKind: doc.InOrder, outsideKind: doc.InOrder},
	Read: func(text string) []doc.Part {
		r := reader{nameAt: -1}
		for _, line := range doc.Lines(text) {
			r.take(line)
		}
		r.finish()
		r.texts(r.above)
		return r.parts
	},
}

const (
	counted     = "element set"
	commentKind = "comment"
	outsideKind = "line"
)

type reader struct {
	parts  []doc.Part
	set    *entry     // the last one, nil before the first
	above  []doc.Line // what was read since its last line
	nameAt int        // the place there of what may be the next one's name, or -1
	open   bool       // it may yet get its line 2
}

// entry is an element set as it is written. A line that it does not have is empty.
type entry struct{ name, one, two doc.Line }

func (r *reader) take(line doc.Line) {
	kind := kindOf(line.Text)
	switch {
	case kind == firstLine:
		r.enter(entry{one: line})
	case kind == secondLine && r.open:
		r.set.two = line
	case kind == secondLine:
		r.enter(entry{two: line})
	case kind == nameLine:
		r.nameAt = len(r.above)
		r.above = append(r.above, line)
	default:
		r.above = append(r.above, line)
		return
	}
	r.open = kind == firstLine
}

// enter begins an element set below the lines that were read last.
func (r *reader) enter(e entry) {
	r.finish()
	above := r.above
	if r.nameAt >= 0 && isName(above[r.nameAt:]) {
		e.name = above[r.nameAt]
		above = slices.Delete(above, r.nameAt, r.nameAt+1)
	}
	r.texts(above)
	r.set, r.above, r.nameAt = &e, nil, -1
	r.parts = plain.Append(r.parts, doc.Part{})
}

// finish makes a part of the last element set.
func (r *reader) finish() {
	if r.set != nil {
		r.parts[len(r.parts)-1] = r.set.part()
	}
}

// texts makes parts of the comments and other lines among lines, with single blanks.
func (r *reader) texts(lines []doc.Line) {
	for _, line := range lines {
		text := plain.SingleBlanks(line.Text)
		switch kindOf(text) {
		case blankLine:
		case commentLine:
			r.parts = append(r.parts, doc.Loose(line, commentKind, "", strings.TrimSpace(strings.TrimLeft(text, "#"))))
		default:
			r.parts = append(r.parts, doc.Loose(line, outsideKind, "line outside of element sets", text))
		}
	}
}

// part is the element set from its name to its last line.
func (e *entry) part() doc.Part {
	f, faults := e.read()
	p := doc.Part{From: math.MaxInt}
	for _, line := range []doc.Line{e.name, e.one, e.two} {
		if line.To > 0 {
			p.From, p.To = min(p.From, line.From), line.To
		}
	}
	p.Kind, p.Key = counted, key(e.title(), &f)
	p.Fields = append(comparedFields(e.title(), &f), faults...)
	return p
}

// isName reports whether a text is the name of the entry below it. With a blank
// line between them it must be as short as the format has names.
func isName(lines []doc.Line) bool {
	const longest = 24
	for _, line := range lines[1:] {
		if kindOf(line.Text) == blankLine {
			return utf8.RuneCountInString(pytext.Strip(lines[0].Text)) <= longest
		}
	}
	return true
}

func kindOf(line string) lineKind {
	line = pytext.Strip(line)
	switch {
	case line == "":
		return blankLine
	case line[0] == '#':
		return commentLine
	case isElementLine(line, '1'):
		return firstLine
	case isElementLine(line, '2'):
		return secondLine
	}
	return nameLine
}

// isElementLine tells lines 1 and 2 from names such as "2 PALLAS" by the catalog number, unless they are long.
func isElementLine(line string, number byte) bool {
	const short, long = 20, 60
	const longestNumber = 6 // with the classification
	if len(line) < short || line[0] != number || line[1] != ' ' {
		return false
	}
	if len(line) >= long {
		return true
	}
	word, _, _ := strings.Cut(strings.TrimLeft(line[1:], " "), " ")
	return len(word) <= longestNumber && strings.ContainsAny(word, "0123456789")
}

// separators are the columns of each line that hold a blank.
var separators = [2][]int{{2, 9, 18, 33, 44, 53, 62, 64}, {2, 8, 17, 26, 34, 43, 52}}

// separated reports whether a line has its blanks where they must be, as far as it goes.
func separated(line string, number int) bool {
	line = pytext.First(line, published.Width)
	return !slices.ContainsFunc(separators[number-1], func(at int) bool { return strings.Trim(pytext.Slice(line, at-1, at), " ") != "" })
}

// cutLine divides a line into what its checksum is of and what stands after its last column.
func cutLine(line string) (body, rest string) {
	return pytext.First(line, published.Width-1), pytext.Strip(pytext.Slice(line, published.Width, len(line)))
}

// readWords takes the fields of a line that is out of its columns from its
// words; false if it has not one for each group of columns.
func readWords(f *published.Fields, line string, number int) bool {
	const longest = 200 // bytes, of what may be such a line at all
	if len(line) > longest || strings.ContainsFunc(line, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return false
	}
	words := strings.Fields(line)
	if number == 1 {
		return len(words) == 9 && readWordsOfOne(f, words)
	}
	return (len(words) == 8 || len(words) == 9) && readWordsOfTwo(f, words)
}

func readWordsOfOne(f *published.Fields, words []string) bool {
	const yearDigits = 2
	if len(words[3]) < yearDigits {
		return false
	}
	last := len(words[1]) - 1
	f[published.Catalog], f[published.Class] = words[1][:last], words[1][last:]
	f[published.Designator] = words[2]
	f[published.Year], f[published.Day] = words[3][:yearDigits], words[3][yearDigits:]
	f[published.MotionDot], f[published.MotionDotDot], f[published.Bstar], f[published.Ephemeris] = words[4], words[5], words[6], words[7]
	last = len(words[8]) - 1
	f[published.SetNumber], f[published.Checksum] = words[8][:last], words[8][last:]
	return true
}

// readWordsOfTwo takes the revolution number as a word of its own or from after the decimals of the mean motion.
func readWordsOfTwo(f *published.Fields, words []string) bool {
	const decimals = 8
	end := strings.IndexByte(words[7], '.') + 1 + decimals
	if end == decimals || len(words[7]) < end {
		return false
	}
	tail := words[7][end:] + strings.Join(words[8:], "")
	if tail == "" {
		return false
	}
	f[published.CatalogTwo], f[published.Inclination], f[published.Node], f[published.Eccentricity] = words[1], words[2], words[3], words[4]
	f[published.Perigee], f[published.Anomaly], f[published.Motion] = words[5], words[6], words[7][:end]
	last := len(tail) - 1
	f[published.Revolution], f[published.ChecksumTwo] = tail[:last], tail[last:]
	return true
}

// checksumOf is the last digit of the sum of a line's digits, each minus sign counting as 1.
func checksumOf(line string) byte {
	sum := strings.Count(line, "-")
	for i := range len(line) {
		if c := line[i]; c >= '0' && c <= '9' {
			sum += int(c - '0')
		}
	}
	return byte('0' + sum%10)
}
