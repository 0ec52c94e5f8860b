package molecule

import (
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/doc"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	published "agentd/domains/published/molecule"
)

// entry is a record of an SD file by the rules of the format, read with
// tolerance.
type entry struct {
	from, to int      // where it stands in the file, from its header on
	header   []string // the lines above the counts line: title, program, comment
	counts   string
	atoms    []string
	bonds    []string
	block    []string // the lines after the bonds, M  END included
	data     []datum
	stray    []string // lines that are no part of a record
	unended  bool     // M  END is missing
	unparted bool     // another record follows without a delimiter, or without a blank line before it
}

// datum is a data field.
type datum struct {
	header string
	lines  []string
}

// isRecord tells a record from lines that belong to none.
func (e *entry) isRecord() bool { return e.counts != "" }

// title is the first line of a record. Where there is a header line too many, or
// too few, it is the first that is not blank.
func (e *entry) title() string {
	if len(e.header) == published.HeaderLines {
		return strings.TrimSpace(e.header[0])
	}
	for _, line := range e.header {
		if strings.TrimSpace(line) != "" {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

// comment is the third line of a record, which is for somebody's words.
func (e *entry) comment() string {
	if len(e.header) != published.HeaderLines {
		return ""
	}
	return plain.SingleBlanks(e.header[published.HeaderLines-1])
}

// value is the value of a data field, with its lines joined.
func (e *entry) value(name string) (string, bool) {
	for i := range e.data {
		if e.data[i].name() == name {
			return strings.Join(e.data[i].lines, "\n"), true
		}
	}
	return "", false
}

// name is what stands in angle brackets, empty if there is nothing.
func (d *datum) name() string {
	name, _ := published.DataName(d.header)
	return name
}

// isExtended tells a V3000 record.
func (e *entry) isExtended() bool { return strings.Contains(e.counts, "V3000") }

// readFile divides a file into its records.
func readFile(text string) []*entry {
	lines := doc.Lines(text)
	r := &reader{lines: lists.Map(lines, func(line doc.Line) string { return line.Text })}
	var all []*entry
	for r.at < len(r.lines) {
		e := r.entry()
		e.from, e.to = lines[e.from].From, lines[r.at-1].To
		all = append(all, e)
	}
	return all
}

type reader struct {
	lines []string
	at    int
}

// peek is the line in hand; the end of the file looks like a delimiter.
func (r *reader) peek() string {
	if r.at < len(r.lines) {
		return r.lines[r.at]
	}
	return published.Delimiter
}

func (r *reader) entry() *entry {
	e := &entry{from: r.at}
	start := r.at
	above := r.while(func(line string) bool { return !published.IsDelimiter(line) && !isCounts(line, r.at-start) })
	if published.IsDelimiter(r.peek()) {
		e.stray = above
		r.close()
		return e
	}
	if len(above) > 1+published.HeaderLines {
		e.stray, above = slices.Clip(above[:len(above)-published.HeaderLines]), above[len(above)-published.HeaderLines:]
	}
	e.header = above
	e.from = r.at - len(above)
	e.counts = r.peek()
	r.at++
	r.body(e)
	r.fields(e)
	return e
}

// close moves after the delimiter, which the last record may lack.
func (r *reader) close() {
	if r.at < len(r.lines) {
		r.at++
	}
}

// isCounts recognizes a counts line by its version, or as the fourth line of a record by its columns.
func isCounts(line string, place int) bool {
	if published.HasVersion(line) {
		return true
	}
	if place != 3 || len(line) < 6 || strings.TrimSpace(line[:6]) == "" {
		return false
	}
	_, err := strconv.Atoi(strings.TrimSpace(line[:3]))
	_, errToo := strconv.Atoi(strings.TrimSpace(line[3:6]))
	return err == nil && errToo == nil
}

// body reads what stands between the counts line and the data fields.
func (r *reader) body(e *entry) {
	if !e.isExtended() {
		e.atoms, e.bonds = r.while(isAtom), r.while(isBond)
	}
	for {
		line := r.peek()
		if published.IsDelimiter(line) || strings.HasPrefix(line, ">") {
			e.unended = true
			return
		}
		r.at++
		switch {
		case strings.HasPrefix(line, published.BlockEnd):
			e.block = append(e.block, line)
			return
		case !published.MayBeProperty(line):
			e.addStray(line)
			continue
		}
		e.block = append(e.block, line)
		if strings.HasPrefix(line, "A  ") || strings.HasPrefix(line, "G  ") {
			e.block = append(e.block, r.peek())
			r.at++
		}
	}
}

// while takes the lines that are of a kind.
func (r *reader) while(isOne func(line string) bool) []string {
	start := r.at
	for isOne(r.peek()) {
		r.at++
	}
	return r.lines[start:r.at:r.at]
}

func (e *entry) addStray(line string) {
	if strings.TrimSpace(line) != "" {
		e.stray = append(e.stray, line)
	}
}

// isAtom recognizes an atom line: three coordinates and a symbol, in any columns.
func isAtom(line string) bool {
	words := strings.Fields(line)
	if len(words) < 4 {
		return false
	}
	for _, word := range words[:3] {
		if _, err := strconv.ParseFloat(word, 64); err != nil || !strings.Contains(word, ".") {
			return false
		}
	}
	first := words[3][0]
	return first >= 'A' && first <= 'Z' || first >= 'a' && first <= 'z' || first == '*'
}

// isBond recognizes a bond line, which has nothing but numbers.
func isBond(line string) bool {
	if len(line) < 5 {
		return false
	}
	return strings.Trim(line, "0123456789 \t") == "" && len(strings.Fields(line)) >= 2
}

// fields reads data fields and the delimiter.
func (r *reader) fields(e *entry) {
	for {
		line := r.peek()
		switch {
		case published.IsDelimiter(line):
			r.close()
			return
		case strings.HasPrefix(line, ">"):
			r.at++
			e.data = append(e.data, r.datum(line, e))
		case r.beginsRecord():
			e.unparted = true
			return
		default:
			r.at++
			e.addStray(line)
		}
	}
}

func (r *reader) datum(header string, e *entry) datum {
	d := datum{header: header}
	d.lines = r.while(func(line string) bool { return line != "" && !published.IsDelimiter(line) })
	if published.IsDelimiter(r.peek()) {
		e.unparted = e.unparted || r.at < len(r.lines)-1
	} else {
		r.at++
	}
	return d
}

// beginsRecord reports whether the line in hand is the title of a record.
func (r *reader) beginsRecord() bool {
	if strings.TrimSpace(r.peek()) == "" {
		return false
	}
	for ahead := 1; ahead <= 3 && r.at+ahead < len(r.lines); ahead++ {
		line := r.lines[r.at+ahead]
		if published.IsDelimiter(line) || strings.HasPrefix(line, ">") {
			return false
		}
		if isCounts(line, 0) {
			return true
		}
	}
	return false
}
