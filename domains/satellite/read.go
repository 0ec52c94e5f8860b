package satellite

import (
	"slices"
	"strings"
	"unicode/utf8"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
)

// catalogue is a file as written. Printing it gives the lines that were read.
type catalogue struct {
	entries []entry
	below   []string // what stands below the last entry
}

// entry is an element set with the comments, blank and foreign lines above it. A line that it does not have is empty.
type entry struct {
	above          []string
	name, one, two string
}

type lineKind uint8

const (
	blankLine lineKind = iota
	commentLine
	nameLine // or any other text
	firstLine
	secondLine
)

// reader is a reading of a file.
type reader struct {
	catalogue
	above  []string // the lines since the last entry
	nameAt int      // the place among them of what may be the next one's name, or -1
	open   bool     // the last entry may yet get its line 2
}

// read takes in any text.
func read(text string) catalogue {
	r := reader{nameAt: -1}
	for _, line := range plain.Lines(text) {
		switch kindOf(line) {
		case firstLine:
			r.enter(entry{one: line})
			r.open = true
		case secondLine:
			if r.open {
				r.entries[len(r.entries)-1].two = line
			} else {
				r.enter(entry{two: line})
			}
			r.open = false
		case nameLine:
			r.nameAt = len(r.above)
			r.above = append(r.above, line)
			r.open = false
		default:
			r.above = append(r.above, line)
		}
	}
	r.below = r.above
	return r.catalogue
}

// enter adds an entry below the lines that were read last.
func (r *reader) enter(e entry) {
	e.above = r.above
	if r.nameAt >= 0 && isName(e.above[r.nameAt:]) {
		e.name = e.above[r.nameAt]
		e.above = append(e.above[:r.nameAt:r.nameAt], e.above[r.nameAt+1:]...)
	}
	r.entries = plain.Append(r.entries, e)
	r.above, r.nameAt = nil, -1
}

// isName reports whether a text is the name of the entry below it. With a blank
// line between them it must be as short as the format has names.
func isName(lines []string) bool {
	const longest = 24
	for _, line := range lines[1:] {
		if kindOf(line) == blankLine {
			return utf8.RuneCountInString(pytext.Strip(lines[0])) <= longest
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

func (c *catalogue) print() string {
	var b strings.Builder
	for i := range c.entries {
		c.entries[i].print(&b)
	}
	write(&b, c.below)
	return b.String()
}

func (e *entry) print(b *strings.Builder) {
	write(b, e.above)
	for _, line := range []string{e.name, e.one, e.two} {
		if line != "" {
			write(b, []string{line})
		}
	}
}

func write(b *strings.Builder, lines []string) {
	for _, line := range lines {
		b.WriteString(line)
		b.WriteByte('\n')
	}
}

// without leaves out entries; comments and foreign lines stay.
func without(_, text string, leave func() bool) string {
	c := read(text)
	for i := range c.entries {
		if e := &c.entries[i]; leave() {
			*e = entry{above: e.above}
		}
	}
	return c.print()
}

// The fields of an element set, in the order of their columns.
const (
	catalog = iota
	class
	designator
	year
	day
	motionDot
	motionDotDot
	bstar
	ephemeris
	setNumber
	checksum
	catalogTwo
	inclination
	node
	eccentricity
	perigee
	anomaly
	motion
	revolution
	checksumTwo
	fieldCount
)

// fields are the texts of an element set's columns, trimmed.
type fields [fieldCount]string

// column says where a field stands, in characters counted from 1.
type column struct {
	name        string
	line        int
	first, last int
}

var columns = [fieldCount]column{
	catalog:      {"catalog number", 1, 3, 7},
	class:        {"classification", 1, 8, 8},
	designator:   {"launch designator", 1, 10, 17},
	year:         {"epoch year", 1, 19, 20},
	day:          {"epoch day", 1, 21, 32},
	motionDot:    {"first derivative of mean motion", 1, 34, 43},
	motionDotDot: {"second derivative of mean motion", 1, 45, 52},
	bstar:        {"drag term", 1, 54, 61},
	ephemeris:    {"ephemeris type", 1, 63, 63},
	setNumber:    {"element set number", 1, 65, 68},
	checksum:     {"checksum of line 1", 1, 69, 69},
	catalogTwo:   {"catalog number of line 2", 2, 3, 7},
	inclination:  {"inclination", 2, 9, 16},
	node:         {"right ascension of the node", 2, 18, 25},
	eccentricity: {"eccentricity", 2, 27, 33},
	perigee:      {"argument of perigee", 2, 35, 42},
	anomaly:      {"mean anomaly", 2, 44, 51},
	motion:       {"mean motion", 2, 53, 63},
	revolution:   {"revolution number", 2, 64, 68},
	checksumTwo:  {"checksum of line 2", 2, 69, 69},
}

// width is the number of columns of a line.
const width = 69

// readFields cuts the columns out of line 1 and line 2. What a short line does not reach is empty.
func readFields(one, two string) fields {
	lines := [2][]rune{firstRunes(one, width), firstRunes(two, width)}
	var f fields
	for k := range columns {
		c := &columns[k]
		line := lines[c.line-1]
		if len(line) >= c.first {
			f[k] = pytext.Strip(string(line[c.first-1 : min(c.last, len(line))]))
		}
	}
	return f
}

// firstRunes returns at most the first n characters of a text.
func firstRunes(text string, n int) []rune {
	runes := make([]rune, 0, n)
	for _, r := range text {
		if len(runes) == n {
			break
		}
		runes = append(runes, r)
	}
	return runes
}

// separators are the columns of each line that hold a blank.
var separators = [2][]int{{2, 9, 18, 33, 44, 53, 62, 64}, {2, 8, 17, 26, 34, 43, 52}}

// separated reports whether a line has its blanks where they must be, as far as it goes.
func separated(line string, number int) bool {
	runes := firstRunes(line, width)
	return !slices.ContainsFunc(separators[number-1], func(at int) bool { return len(runes) >= at && runes[at-1] != ' ' })
}

// cutLine divides a line into what its checksum is of and what stands after its last column.
func cutLine(line string) (body, rest string) {
	runes := []rune(line)
	if len(runes) < width {
		return line, ""
	}
	return string(runes[:width-1]), pytext.Strip(string(runes[width:]))
}

// readWords takes the fields of a line that is out of its columns from its
// words; false if it has not one for each group of columns.
func (f *fields) readWords(line string, number int) bool {
	const longest = 200 // bytes, of what may be such a line at all
	if len(line) > longest || strings.ContainsFunc(line, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return false
	}
	words := strings.Fields(line)
	if number == 1 {
		return len(words) == 9 && f.readWordsOfOne(words)
	}
	return (len(words) == 8 || len(words) == 9) && f.readWordsOfTwo(words)
}

func (f *fields) readWordsOfOne(words []string) bool {
	const yearDigits = 2
	if len(words[3]) < yearDigits {
		return false
	}
	last := len(words[1]) - 1
	f[catalog], f[class] = words[1][:last], words[1][last:]
	f[designator] = words[2]
	f[year], f[day] = words[3][:yearDigits], words[3][yearDigits:]
	f[motionDot], f[motionDotDot], f[bstar], f[ephemeris] = words[4], words[5], words[6], words[7]
	last = len(words[8]) - 1
	f[setNumber], f[checksum] = words[8][:last], words[8][last:]
	return true
}

// readWordsOfTwo takes the revolution number as a word of its own or from after the decimals of the mean motion.
func (f *fields) readWordsOfTwo(words []string) bool {
	const decimals = 8
	end := strings.IndexByte(words[7], '.') + 1 + decimals
	if end == decimals || len(words[7]) < end {
		return false
	}
	tail := words[7][end:] + strings.Join(words[8:], "")
	if tail == "" {
		return false
	}
	f[catalogTwo], f[inclination], f[node], f[eccentricity] = words[1], words[2], words[3], words[4]
	f[perigee], f[anomaly], f[motion] = words[5], words[6], words[7][:end]
	last := len(tail) - 1
	f[revolution], f[checksumTwo] = tail[:last], tail[last:]
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
