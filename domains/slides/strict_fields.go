package slides

import (
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
)

// marked is a text and what its mark says.
type marked struct {
	text       string
	x, y, font string   // as numbers are compared; empty if not given
	more       []string // further marks
	after      string   // what follows a placeholder
}

func (m *marked) fields(kind, name string) []domains.Field {
	fields := make([]domains.Field, 2, 6)
	fields[0], fields[1] = domains.Field{Name: "kind", Value: kind}, domains.Field{Name: name, Value: m.text}
	add := func(name, value string) {
		if value != "" {
			fields = append(fields, domains.Field{Name: name, Value: value})
		}
	}
	add("x", m.x)
	add("y", m.y)
	add("font", m.font)
	add("further marks", strings.Join(m.more, " "))
	add("text after", m.after)
	return fields
}

// readMarks takes the marks out of a text. A mark may have blanks in it and
// numbers with a sign or fraction; what is none stays in the text.
func readMarks(line string) marked {
	var m marked
	var kept []string
	for at := 0; ; {
		mark := strings.Index(line[at:], "[@(")
		if mark < 0 {
			break
		}
		at += mark
		size := m.readMark(line[at:])
		if size == 0 {
			at++
			continue
		}
		kept = append(kept, line[:at])
		line, at = line[at+size:], 0
	}
	if kept == nil {
		m.text = oneBlank(line)
	} else {
		m.text = oneBlank(strings.Join(append(kept, line), " "))
	}
	return m
}

// oneBlank is a text with one blank for each run of white space.
func oneBlank(text string) string {
	text = pytext.Strip(text)
	if !strings.Contains(text, "  ") && !strings.ContainsAny(text, "\t\v\f\u00a0") {
		return text
	}
	return pytext.Collapse(text)
}

// readMark reads the mark that a text begins with and returns its length, 0 if it
// is none.
func (m *marked) readMark(text string) int {
	x, y, rest, ok := cutPair(text[1:])
	if !ok {
		return 0
	}
	font := ""
	if size, found := strings.CutPrefix(rest, "|"); found {
		if font, rest, ok = cutNumber(size, "pt"); !ok {
			return 0
		}
		rest = strings.TrimLeft(rest, " ")
	}
	if !strings.HasPrefix(rest, "]") {
		return 0
	}
	size := len(text) - len(rest) + 1
	if m.x == "" {
		m.x, m.y, m.font = x, y, font
	} else {
		m.more = append(m.more, oneBlank(text[:size]))
	}
	return size
}

// cutPair reads "@(x,y)" and the blanks after it.
func cutPair(text string) (x, y, rest string, ok bool) {
	if rest, ok = strings.CutPrefix(text, "@("); !ok {
		return "", "", "", false
	}
	if x, rest, ok = cutNumber(rest, ","); ok {
		y, rest, ok = cutNumber(rest, ")")
	}
	return x, y, strings.TrimLeft(rest, " "), ok
}

// cutNumber reads a number with blanks around it and what must follow it.
func cutNumber(text, after string) (number, rest string, ok bool) {
	const longest = 24
	text = strings.TrimLeft(text, " ")
	end := 0
	for end < len(text) && end < longest && strings.IndexByte("+-.0123456789", text[end]) >= 0 {
		end++
	}
	rest, ok = strings.CutPrefix(strings.TrimLeft(text[end:], " "), after)
	return plain.Number(text[:end]), rest, ok && strings.ContainsAny(text[:end], "0123456789")
}

// readPlaceholder reads "[IMAGE: name @(x,y)]" and its like. A position may also
// stand in a mark.
func readPlaceholder(line string) marked {
	m := readMarks(line)
	inside, after, _ := strings.Cut(m.text, "]")
	m.after = pytext.Strip(after)
	_, name, _ := strings.Cut(inside, ":")
	if strings.HasPrefix(inside, "[TABLE") {
		name = strings.TrimLeft(inside[len("[TABLE"):], ": ")
	}
	m.text = pytext.Strip(name)
	if at := strings.LastIndex(name, "@("); at >= 0 && m.x == "" {
		if x, y, rest, ok := cutPair(name[at:]); ok && rest == "" {
			m.text, m.x, m.y = pytext.Strip(name[:at]), x, y
		}
	}
	return m
}

// rowFields are the cells of a row by their number.
func rowFields(line, ruler string) []domains.Field {
	m := readMarks(line)
	const textAt = 1
	fields := slices.Delete(m.fields(names[rowPart], textField), textAt, textAt+1)
	for n, value := range cells(m.text) {
		if value != "" {
			fields = append(fields, domains.Field{Name: "cell " + strconv.Itoa(n+1), Value: value})
		}
	}
	if ruler != "" {
		fields = append(fields, domains.Field{Name: "header", Value: "yes"})
	}
	return fields
}

// cells are those of a row, nil if all are empty.
func cells(line string) []string {
	all := splitRow(line)
	filled := false
	for i := range all {
		all[i] = oneBlank(all[i])
		filled = filled || all[i] != ""
	}
	if !filled {
		return nil
	}
	return all
}

// splitRow divides a row at its bars, with or without those at its ends. A bar
// after a backslash is part of a cell.
func splitRow(line string) []string {
	line = strings.TrimPrefix(line, "|")
	if !strings.HasSuffix(line, `\|`) {
		line = strings.TrimSuffix(line, "|")
	}
	if !strings.Contains(line, `\|`) {
		return strings.Split(line, "|")
	}
	var all []string
	start := 0
	for at := range len(line) {
		if line[at] == '|' && (at == 0 || line[at-1] != '\\') {
			all = append(all, line[start:at])
			start = at + 1
		}
	}
	return append(all, line[start:])
}

// sentenceField is a sentence of notes.
const sentenceField = "sentence"

// notesFields are the sentences of notes, however they are wrapped.
func notesFields(p *part) []domains.Field {
	lines := p.lines[1:p.own]
	closed := len(lines) > 0 && isNotesEnd(pytext.Strip(lines[len(lines)-1]))
	if closed {
		lines = lines[:len(lines)-1]
	}
	fields := []domains.Field{{Name: "kind", Value: names[notesPart]}}
	if !closed {
		fields = append(fields, domains.Field{Name: "end", Value: "missing"})
	}
	for _, sentence := range sentences(oneBlank(strings.Join(lines, " "))) {
		if sentence != "" {
			fields = append(fields, domains.Field{Name: sentenceField, Value: sentence})
		}
	}
	return fields
}

// sentences divides a text after full stops and the like that a blank follows.
func sentences(text string) []string {
	var all []string
	start := 0
	for at := range len(text) - 1 {
		if text[at+1] == ' ' && strings.IndexByte(".!?", text[at]) >= 0 {
			all = append(all, text[start:at+1])
			start = at + 2
		}
	}
	return append(all, text[min(start, len(text)):])
}
