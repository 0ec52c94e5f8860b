package genealogy

import (
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
)

// line is a line of GEDCOM with the lines below it. A record is a line of
// level 0.
type line struct {
	level   int
	pointer string // with its two signs
	tag     string // empty for a line that is none of GEDCOM
	value   string // as written, blanks at its end too; of a line without tag all
	jumped  bool   // the level is more than one above that of the line it is below
	lines   []*line
	title   *title // of a record, once it is known
}

// title is what a record is called.
type title struct {
	label string // in the fields of others: made of what the record says, and unique
	key   string // as a person would call it
}

// maxLevel is the largest level that the specification allows.
const maxLevel = 99

// read takes in any text as a list of records, indented or not. Blank lines
// are left out; a line that is none of GEDCOM stays below the line it follows.
func read(text string) []*line {
	root := &line{level: -1}
	open := []*line{root} // the last line and those it is below
	for _, text := range plain.Lines(text) {
		l := readLine(strings.TrimLeft(text, " \t\ufeff"))
		switch {
		case l.tag != "":
			for open[len(open)-1].level >= l.level {
				open = open[:len(open)-1]
			}
		case strings.Trim(l.value, " \t") == "":
			continue
		}
		parent := open[len(open)-1]
		parent.lines = plain.Append(parent.lines, l)
		l.jumped = l.level > parent.level+1
		if l.tag != "" {
			open = append(open, l)
		}
	}
	return root.lines
}

func readLine(text string) *line {
	foreign := &line{value: text}
	digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
	level, err := strconv.Atoi(text[:digits])
	if err != nil || level > maxLevel {
		return foreign
	}
	rest := strings.TrimLeft(text[digits:], " \t")
	if len(rest) == len(text)-digits {
		return foreign
	}
	l := &line{level: level}
	if pointer, after, ok := cutPointer(rest); ok {
		l.pointer, rest = pointer, strings.TrimLeft(after, " \t")
	}
	tag, value := cutTag(rest)
	if tag == "" || value != "" && value[0] != ' ' && value[0] != '\t' {
		return foreign
	}
	l.tag = tag
	if value != "" {
		l.value = value[1:]
	}
	return l
}

// print is the reverse of read, without indentation.
func print(records []*line) string {
	var b strings.Builder
	for _, r := range records {
		r.printTo(&b)
	}
	return b.String()
}

func (l *line) printTo(b *strings.Builder) {
	b.WriteString(l.text() + "\n")
	for _, below := range l.lines {
		below.printTo(b)
	}
}

// text is the line as it stands in a file.
func (l *line) text() string {
	if l.tag == "" {
		return l.value
	}
	text := strconv.Itoa(l.level) + " "
	if l.pointer != "" {
		text += l.pointer + " "
	}
	text += l.tag
	if l.value != "" {
		text += " " + l.value
	}
	return text
}

// first returns the first line of a tag below the line, nil if there is none.
func (l *line) first(tag string) *line {
	for _, below := range l.lines {
		if below.tag == tag {
			return below
		}
	}
	return nil
}

// below returns the value at a path of tags, empty if there is none.
func (l *line) below(path ...string) string {
	for _, tag := range path {
		if l = l.first(tag); l == nil {
			return ""
		}
	}
	return strings.Trim(l.value, " \t")
}

// link is the pointer that is the line's value, empty if the value is none.
func (l *line) link() string {
	value := strings.Trim(l.value, " \t")
	pointer, rest, ok := cutPointer(value)
	if !ok || rest != "" || pointer[1] == '#' {
		return ""
	}
	return pointer
}

// fullText is the line's value with those of its CONC and CONT lines.
func (l *line) fullText() string {
	var b strings.Builder
	b.WriteString(l.value)
	for _, below := range l.lines {
		switch below.tag {
		case "CONT":
			b.WriteString("\n" + below.value)
		case "CONC":
			b.WriteString(below.value)
		}
	}
	return b.String()
}

// each calls do with the line and all lines below it.
func (l *line) each(do func(*line)) {
	do(l)
	for _, below := range l.lines {
		below.each(do)
	}
}
