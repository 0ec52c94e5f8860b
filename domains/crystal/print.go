package crystal

import "strings"

// print is the reverse of read.
func (d document) print() string {
	var p printer
	for i := range d.parts {
		p.part(&d.parts[i])
	}
	p.endLine()
	return p.String()
}

type printer struct {
	strings.Builder
	open bool // the last line has no end yet
}

func (p *printer) write(text string) {
	if text != "" {
		p.WriteString(text)
		p.open = text[len(text)-1] != '\n'
	}
}

func (p *printer) endLine() {
	if p.open {
		p.write("\n")
	}
}

// line writes a text that begins on a line of its own.
func (p *printer) line(text string) {
	p.endLine()
	p.write(text)
}

func (p *printer) part(t *part) {
	if t.source != "" && (t.kind != loopPart || t.loop.isUnchanged(t.source)) {
		p.line(t.source)
		return
	}
	switch t.kind {
	case loopPart:
		p.loop(t.loop)
		return
	case blockPart:
		p.line("data_" + t.text)
	case framePart:
		p.line("save_" + t.text)
	case itemPart:
		p.item(t)
		return
	default:
		p.line(t.text)
	}
	p.note(t.note)
}

func (p *printer) note(note string) {
	if note != "" {
		p.write(" " + note)
	}
	p.endLine()
}

func (p *printer) item(t *part) {
	const column = 34 // of values
	p.line(t.text)
	p.write(strings.Repeat(" ", max(column-1-len(t.text), 0)))
	p.value(t.value)
	p.note(t.note)
}

func (p *printer) value(v value) {
	if v.form == fieldForm {
		p.line(v.raw)
		p.endLine()
		return
	}
	if p.open {
		p.write(" ")
	}
	p.write(v.raw)
}

// isUnchanged reports whether a loop is that of a text.
func (l *loop) isUnchanged(source string) bool {
	source, same := strings.CutPrefix(source, l.header)
	same = same && l.header != ""
	for i := range l.rows {
		same = same && l.rows[i].source != "" && strings.HasPrefix(source, l.rows[i].source)
		source = strings.TrimPrefix(source, l.rows[i].source)
	}
	return same && source == ""
}

func (p *printer) loop(l *loop) {
	header := l.header
	if header == "" {
		header = "loop_\n" + strings.Join(l.tags, "\n") + "\n"
		for _, comment := range l.comments {
			header += comment + "\n"
		}
	}
	p.line(header)
	for i := range l.rows {
		p.row(&l.rows[i])
	}
}

func (p *printer) row(w *row) {
	if w.source != "" {
		p.line(w.source)
		return
	}
	p.endLine()
	for _, comment := range w.comments {
		p.line(comment)
		p.endLine()
	}
	for i, v := range w.values {
		if i == 0 && strings.HasPrefix(v.raw, ";") && v.form == bareForm {
			p.write(" ") // no text field begins there
		}
		p.value(v)
	}
	p.endLine()
}

// text is what a value says, without delimiters and, in a text field, without
// the line breaks of folded lines.
func (v value) text() string {
	switch {
	case v.form == bareForm || len(v.raw) < 2:
		return v.raw
	case v.form == quotedForm || v.raw[0] != ';':
		text := v.raw[1:]
		if text[len(text)-1] == v.raw[0] {
			text = text[:len(text)-1]
		}
		return text
	}
	text := strings.TrimSuffix(strings.TrimSuffix(v.raw[1:], ";"), "\n")
	if first, rest, ok := strings.Cut(text, "\n"); ok && strings.TrimRight(first, " \t") == `\` {
		text = strings.ReplaceAll(rest, "\\\n", "")
	}
	return text
}

// written is a value that says a text, in quotes where they are needed.
func written(text string) value {
	bare := text != "" && text != "?" && text != "." && !strings.ContainsAny(text, " \t\n") &&
		!strings.ContainsAny(text[:1], `"#$'_;[]{}`) && kindOfWord(text) == lexValue && startsValue(text)
	switch {
	case bare:
		return value{raw: text}
	case !strings.Contains(text, "\n") && !strings.Contains(text+" ", "' "):
		return value{raw: "'" + text + "'", form: quotedForm}
	case !strings.Contains(text, "\n") && !strings.Contains(text+" ", `" `):
		return value{raw: `"` + text + `"`, form: quotedForm}
	}
	return value{raw: ";" + text + "\n;", form: fieldForm}
}
