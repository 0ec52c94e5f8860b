package weaving

import (
	"strings"

	"agentd/domains/internal/doc"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/pytext"
	"agentd/internal/lazyregexp"
)

type lineKind uint8

const (
	blank lineKind = iota
	heading
	comment
	entry
	foreign // none of these
)

// line is a line of a WIF file as a tolerant reader takes it.
type line struct {
	doc.Line
	kind       lineKind
	section    string // in upper case; empty before the first
	key, value string // of an entry
	comment    string // with its mark: that, or what stands after a headline or numbers
}

// mostLines bounds what is read of a file line by line. What follows is one foreign line.
const mostLines = 1 << 15

// read has an answer for any text.
func read(text string) []line {
	all := doc.Lines(text)
	if len(all) > mostLines {
		texts := lists.Map(all[mostLines:], func(l doc.Line) string { return l.Text })
		all[mostLines] = doc.Line{Text: strings.Join(texts, "\n"), From: all[mostLines].From, To: len(text)}
		all = all[:mostLines+1]
	}
	lines := make([]line, len(all))
	section := ""
	for n, at := range all {
		l := &lines[n]
		*l = line{Line: at, section: section, kind: foreign}
		if n < mostLines {
			l.read()
		}
		section = l.section
	}
	return lines
}

func (l *line) read() {
	content := pytext.Strip(l.Text)
	name, after, isHeading := headline(content)
	switch {
	case content == "":
		l.kind = blank
	case isHeading:
		l.kind, l.section, l.comment = heading, name, after
	case isComment(content):
		l.kind, l.comment = comment, content
	default:
		l.readEntry()
	}
}

// headline returns the name of a section in upper case, with single blanks, and the comment that may stand after it.
func headline(content string) (name, after string, ok bool) {
	if content == "" || content[0] != '[' {
		return "", "", false
	}
	inner, after, closed := strings.Cut(content[1:], "]")
	name, after = strings.ToUpper(pytext.Collapse(inner)), pytext.Strip(after)
	return name, after, name != "" && closed && (after == "" || isComment(after))
}

func isComment(content string) bool { return content[0] == ';' || content[0] == '#' }

func (l *line) readEntry() {
	at := strings.IndexAny(l.Text, "=:")
	if at < 0 {
		at = l.lostSign()
	}
	if at < 0 || l.section == "" {
		return
	}
	if l.key = pytext.Strip(l.Text[:at]); l.key == "" {
		return
	}
	l.kind, l.value = entry, pytext.Strip(l.Text[at+1:])
	if !isText(l.section) {
		l.value, l.comment, _ = strings.Cut(l.value, ";")
		l.value = pytext.StripRight(l.value)
	}
}

// lostSign is where a blank stands in the place of the sign after a number, in a section of numbers; -1 if
// the line is no such entry.
func (l *line) lostSign() int {
	at := signless.FindStringSubmatchIndex(l.Text)
	if at == nil || isText(l.section) {
		return -1
	}
	return at[2]
}

var signless = lazyregexp.New(`^\s*[0-9]+([ \t])\s*[0-9][0-9., \t]*(?:;.*)?$`)

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
func isText(section string) bool { return !numberSections[section] && !settingSections[section] }
