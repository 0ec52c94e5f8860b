package translation

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	published "agentd/domains/published/translation"
)

// catalogue is a PO file as gettext reads it, as lines that print puts together again.
type catalogue struct {
	entries []entry // the header and obsolete ones included
	closing []line  // lines after the last entry
}

// entry is the lines of an entry with the comments above it.
type entry struct{ lines []line }

type lineKind uint8

const (
	blankLine lineKind = iota
	noteLine
	extractedLine
	referenceLine
	flagLine
	previousLine
	textLine
	foreignLine // what gettext would refuse to read
)

type line struct {
	kind lineKind
	raw  string
	// text is what stands after the marker of a comment, or between the quotes of a text with its escape sequences.
	text      string
	field     published.Field
	index     int  // of a plural form
	continues bool // it goes on with the text before
	obsolete  bool
}

// read takes in any text.
func read(text string) catalogue {
	var r reader
	for _, raw := range plain.Lines(text) {
		raw = strings.Trim(raw, " \t\v\f")
		if r.continues && raw != "" && !opensLine(raw) {
			raw = "#: " + raw
		}
		l := readLine(raw)
		r.continues = false
		if l.kind == referenceLine {
			l.text, r.continues = strings.CutSuffix(l.text, `\`)
		}
		r.take(l)
	}
	if r.seen != 0 {
		r.close()
	}
	r.closing = trimBlank(r.open)
	return r.catalogue
}

type reader struct {
	catalogue
	open []line // of the entry in hand
	seen fieldSet
	last published.Field // the text that a line in quotes continues
	// continues says that the references go on in the next line, as a backslash at their end says.
	continues bool
}

// opensLine reports whether a line begins as one of a PO file does.
func opensLine(raw string) bool {
	return raw[0] == '#' || raw[0] == '"' || strings.HasPrefix(raw, "msg")
}

// fieldSet are the texts that an entry has so far, plural forms by their index.
type fieldSet uint32

func (l *line) set() fieldSet { return 1 << (int(l.field) + l.index) }

const (
	keyTexts     fieldSet = 1<<published.ContextField | 1<<published.SourceField
	translations fieldSet = 1<<published.TranslationField | (1<<mostForms-1)<<published.FormField
)

// mostForms is a number of plural forms that no language reaches.
const mostForms = 10

func (r *reader) take(l line) {
	begins := !l.continues && (l.kind == textLine || l.kind == previousLine)
	switch {
	case l.kind == blankLine && len(r.open) == 0:
		return
	case l.kind == blankLine:
	case r.opens(&l):
		r.close()
	case l.continues && r.seen == 0, begins && l.set()&r.seen != 0:
		l.kind = foreignLine // it continues nothing, or says something again
		begins = false
	}
	if begins {
		r.seen |= l.set()
		r.last = l.field
	}
	if l.continues {
		l.field = r.last
	}
	r.open = plain.Append(r.open, l)
}

// opens reports whether a line belongs to the next entry: a comment does after
// a translation, a context or source after another one.
func (r *reader) opens(l *line) bool {
	switch {
	case l.continues:
		return false
	case l.kind != textLine:
		return r.seen&translations != 0
	case l.field == published.ContextField:
		return r.seen&keyTexts != 0
	}
	return l.field == published.SourceField && r.seen&l.set() != 0
}

// close ends the entry in hand with its last text. What follows that belongs to the next one.
func (r *reader) close() {
	end := len(r.open)
	for end > 0 && r.open[end-1].kind != textLine {
		end--
	}
	rest := slices.Clone(r.open[end:])
	if end > 0 {
		r.entries = plain.Append(r.entries, entry{slices.Clip(r.open[:end])})
	}
	r.open, r.seen = trimBlank(rest), 0
}

func trimBlank(lines []line) []line {
	return lists.Trim(lines, func(l line) bool { return l.kind == blankLine })
}

// commentKinds are the kinds of comments by the character after "#".
var commentKinds = map[byte]lineKind{'.': extractedLine, ':': referenceLine, ',': flagLine}

// readLine reads a trimmed line.
func readLine(raw string) line {
	l := line{kind: foreignLine, raw: raw, text: raw}
	switch {
	case raw == "":
		l.kind = blankLine
	case strings.HasPrefix(raw, "#~|"):
		l.readText(strings.TrimSpace(raw[3:]), published.PreviousKeywords, previousLine)
		l.obsolete = true
	case strings.HasPrefix(raw, "#~"):
		if inside := strings.TrimSpace(raw[2:]); !strings.HasPrefix(inside, "#~") {
			l = readLine(inside)
			l.raw, l.obsolete = raw, true
		}
	case strings.HasPrefix(raw, "#|"):
		l.readText(strings.TrimSpace(raw[2:]), published.PreviousKeywords, previousLine)
	case raw[0] == '#':
		l.kind = noteLine
		l.text = strings.TrimLeft(raw, "#")
		if len(raw) > 1 && commentKinds[raw[1]] != 0 {
			l.kind, l.text = commentKinds[raw[1]], raw[2:]
		}
		l.text = strings.TrimSpace(l.text)
	default:
		l.readText(raw, published.Keywords, textLine)
	}
	return l
}

// readText reads a keyword and a text in quotes, or only that, which continues the text before.
func (l *line) readText(text string, fields map[string]published.Field, kind lineKind) {
	if between, ok := unquote(text); ok {
		l.kind, l.text, l.continues = kind, between, true
		return
	}
	end := strings.IndexFunc(text, func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') })
	if end < 0 {
		end = len(text)
	}
	f, ok := fields[text[:end]]
	if !ok {
		return
	}
	rest := text[end:]
	if f == published.TranslationField {
		if after := withoutIndex(rest); after != rest {
			index, err := strconv.Atoi(rest[1 : len(rest)-len(after)-1])
			if err != nil || index >= mostForms {
				return
			}
			f, l.index, rest = published.FormField, index, after
		}
	}
	bare := strings.TrimLeft(rest, " \t")
	between, ok := unquote(bare)
	if !ok && bare == rest {
		return // a longer word
	}
	l.kind, l.field, l.text = kind, f, between
}

// unquote takes the quotes off a text and reports whether it begins with one. Quotes of another kind, and a missing one
// at the end, are slips that lose nothing.
func unquote(text string) (string, bool) {
	if inside, ok := strings.CutPrefix(text, `"`); ok {
		if bare, closed := strings.CutSuffix(inside, `"`); closed && !endsInEscape(bare) {
			return bare, true
		}
		return inside, true
	}
	const opening, closing = "“”„‘'«", "“”\"’'»"
	first, size := utf8.DecodeRuneInString(text)
	last, end := utf8.DecodeLastRuneInString(text)
	if len(text) < size+end || !strings.ContainsRune(opening, first) || !strings.ContainsRune(closing, last) {
		return text, false
	}
	return text[size : len(text)-end], true
}

// endsInEscape reports whether a backslash at the end escapes what follows.
func endsInEscape(text string) bool {
	return (len(text)-len(strings.TrimRight(text, `\`)))%2 == 1
}

// message is what the lines of the entry say.
func (e *entry) message() published.Message {
	var m published.Message
	var open *published.Quoted
	for i := range e.lines {
		switch l := &e.lines[i]; l.kind {
		case noteLine:
			m.Notes = append(m.Notes, l.text)
		case extractedLine:
			m.Extracted = append(m.Extracted, l.text)
		case referenceLine:
			m.References = append(m.References, strings.Fields(l.text)...)
		case flagLine:
			m.AddFlags(l.text)
		case textLine, previousLine:
			if l.continues && open != nil {
				open.Parts = append(open.Parts, published.Unescape(l.text))
				continue
			}
			open = m.Begin(l.field, l.index, published.Unescape(l.text))
			if l.field == published.SourceField {
				m.Obsolete = l.obsolete
			}
		}
	}
	return m
}

// isHeader reports whether a message is the header of its file.
func isHeader(m *published.Message) bool {
	return !m.Obsolete && has(m, published.SourceField) && m.Text(published.SourceField) == "" && !has(m, published.ContextField) && !has(m, published.PluralField)
}

// isCounted reports whether a message is one of those that are counted.
func isCounted(m *published.Message) bool { return !m.Obsolete && !isHeader(m) }

// print is the reverse of read, with one blank line between entries.
func (c catalogue) print() string {
	var lines []string
	add := func(section []line) {
		if len(lines) > 0 && len(section) > 0 {
			lines = append(lines, "")
		}
		for i := range section {
			lines = append(lines, section[i].raw)
		}
	}
	for i := range c.entries {
		add(c.entries[i].lines)
	}
	add(c.closing)
	return plain.Text(lines)
}
