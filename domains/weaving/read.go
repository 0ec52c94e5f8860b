package weaving

import (
	"regexp"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
)

// file is a WIF file as a tolerant reader takes it, line by line, so that it prints as it was.
type file struct{ sections []section }

// section is a headline with the lines below it. The first of a file may have no headline.
type section struct {
	head  string // the line as it is, empty if there is none
	name  string // in upper case
	lines []line
}

type lineKind uint8

const (
	blank lineKind = iota
	comment
	entry
	foreign // neither of these
)

// line is printed as before, value and tail.
type line struct {
	kind   lineKind
	before string // of an entry, what stands before its value
	key    string // of an entry
	value  string // of an entry of numbers, without the comment after it
	tail   string
}

func (l *line) print() string { return l.before + l.value + l.tail }

// mostLines bounds what is read of a file line by line. What follows is one foreign line.
const mostLines = 1 << 15

// read has an answer for any text.
func read(text string) file {
	f := file{sections: make([]section, 1)}
	lines := plain.Lines(text)
	rest := ""
	if len(lines) > mostLines {
		rest = strings.Join(lines[mostLines:], "\n")
		lines = lines[:mostLines]
	}
	for _, raw := range lines {
		content := pytext.Strip(raw)
		if name, ok := headline(content); ok {
			f.sections = plain.Append(f.sections, section{head: raw, name: name})
			continue
		}
		f.last().add(readLine(raw, content, f.last()))
	}
	if rest != "" {
		f.last().add(line{kind: foreign, value: rest})
	}
	return f
}

func (f *file) last() *section { return &f.sections[len(f.sections)-1] }

func (s *section) add(l line) { s.lines = plain.Append(s.lines, l) }

// headline returns the name of a section in upper case, with single blanks. A comment may stand after it.
func headline(content string) (string, bool) {
	if content == "" || content[0] != '[' {
		return "", false
	}
	inner, rest, _ := strings.Cut(content[1:], "]")
	name := strings.ToUpper(pytext.Collapse(inner))
	rest = pytext.Strip(rest)
	return name, name != "" && len(inner)+1 < len(content) && (rest == "" || isComment(rest))
}

func isComment(content string) bool { return content[0] == ';' || content[0] == '#' }

func readLine(raw, content string, s *section) line {
	switch {
	case content == "":
		return line{kind: blank, before: raw}
	case isComment(content):
		return line{kind: comment, before: raw}
	}
	at := strings.IndexAny(raw, "=:")
	if at < 0 {
		at = lostSign(raw, s)
	}
	if at < 0 {
		return line{kind: foreign, before: raw}
	}
	key := pytext.Strip(raw[:at])
	if key == "" || s.head == "" {
		return line{kind: foreign, before: raw}
	}
	value := pytext.StripLeft(raw[at+1:])
	l := line{kind: entry, key: key, before: raw[:len(raw)-len(value)]}
	l.value = pytext.StripRight(value)
	if !s.isText() {
		numbers, _, _ := strings.Cut(l.value, ";")
		l.value = pytext.StripRight(numbers)
	}
	l.tail = value[len(l.value):]
	return l
}

// lostSign is where a blank stands in the place of the sign after a number, in a section of numbers; -1 if
// the line is no such entry.
func lostSign(raw string, s *section) int {
	at := signless.FindStringSubmatchIndex(raw)
	if at == nil || s.isText() {
		return -1
	}
	return at[2]
}

var signless = regexp.MustCompile(`^\s*[0-9]+([ \t])\s*[0-9][0-9., \t]*(?:;.*)?$`)

// print is the file with a newline after each line.
func (f *file) print() string {
	var b strings.Builder
	for i := range f.sections {
		s := &f.sections[i]
		if s.head != "" {
			b.WriteString(s.head + "\n")
		}
		for k := range s.lines {
			b.WriteString(s.lines[k].print() + "\n")
		}
	}
	return b.String()
}

// commentText is a comment without its mark.
func commentText(text string) string {
	return pytext.Strip(strings.TrimLeft(pytext.Strip(text), ";# \t"))
}

// Sections in which the entries are numbered and have numbers for values.
var numberSections = map[string]bool{
	"THREADING": true, "TREADLING": true, "TIEUP": true, "LIFTPLAN": true, "COLOR TABLE": true,
	"WARP COLORS": true, "WARP SPACING": true, "WARP THICKNESS": true, "WARP SPACING ZOOM": true, "WARP THICKNESS ZOOM": true,
	"WEFT COLORS": true, "WEFT SPACING": true, "WEFT THICKNESS": true, "WEFT SPACING ZOOM": true, "WEFT THICKNESS ZOOM": true,
}

// Sections of named settings with numbers, truth values or words of the format.
var settingSections = map[string]bool{
	"WEAVING": true, "WARP": true, "WEFT": true, "COLOR PALETTE": true, "CONTENTS": true,
}

// isText reports whether the values of a section may be any text, so that a semicolon belongs to them.
func (s *section) isText() bool { return !numberSections[s.name] && !settingSections[s.name] }
