package crystal

import (
	"strings"
	"unicode"
)

// lexKind is a kind of word in a file as CIF 1.1 has it.
type lexKind uint8

const (
	lexEnd lexKind = iota
	lexComment
	lexTag
	lexValue
	lexLoop
	lexBlock // data_ with a name
)

// lexeme is a word with its place in the text.
type lexeme struct {
	kind       lexKind
	form       form // of a value
	opens      bool // it is the first of its line
	start, end int
}

// form is how a value is delimited.
type form uint8

const (
	bareForm form = iota
	quotedForm
	fieldForm // a text field, or a text between lines that are only quotes
)

// lexer divides any text into words. Where text fields are damaged they end
// before the next item, so that little is lost.
type lexer struct {
	text    string
	at      int
	broken  bool // text fields are known to be damaged
	damaged bool // a text field has no proper end
	state   lexState
}

// lexState says whether a value may follow.
type lexState uint8

const (
	afterItem lexState = iota // no value may
	afterTag
	afterLoop // or a tag of the loop
	amongValues
)

func (l *lexer) next() lexeme {
	opens := l.skipBlanks()
	w := lexeme{start: l.at, opens: opens}
	if l.at == len(l.text) {
		w.end = l.at
		return w
	}
	rest := l.text[l.at:]
	switch c := rest[0]; {
	case c == '#':
		w.kind, w.end = lexComment, l.at+lineLength(rest)
	case c == ';' && l.atLineStart():
		w.kind, w.form, w.end = lexValue, fieldForm, l.at+l.fieldLength(rest)
	case c == '\'' || c == '"':
		w.kind, w.form, w.end = lexValue, quotedForm, l.at+quotedLength(rest)
		if length := betweenQuoteLines(rest, opens); length > 0 {
			w.form, w.end = fieldForm, l.at+length
		}
	default:
		length := wordLength(rest)
		w.kind, w.end = kindOfWord(rest[:length]), l.at+length
	}
	l.at = w.end
	l.note(w.kind)
	return w
}

// note remembers what decides whether a value may follow.
func (l *lexer) note(kind lexKind) {
	switch kind {
	case lexTag:
		if l.state != afterLoop {
			l.state = afterTag
		}
	case lexLoop:
		l.state = afterLoop
	case lexBlock:
		l.state = afterItem
	case lexValue:
		if l.state == afterLoop {
			l.state = amongValues
		} else if l.state == afterTag {
			l.state = afterItem
		}
	}
}

// skipBlanks reports whether it came to the beginning of a line.
func (l *lexer) skipBlanks() bool {
	from := l.at
	l.at = len(l.text) - len(strings.TrimLeftFunc(l.text[from:], isBlank))
	return from == 0 || strings.IndexByte(l.text[from:l.at], '\n') >= 0
}

func isBlank(r rune) bool { return r <= ' ' || unicode.IsSpace(r) }

func (l *lexer) atLineStart() bool { return l.at == 0 || l.text[l.at-1] == '\n' }

func lineLength(text string) int {
	if end := strings.IndexByte(text, '\n'); end >= 0 {
		return end
	}
	return len(text)
}

func wordLength(text string) int {
	if end := strings.IndexFunc(text, isBlank); end >= 0 {
		return end
	}
	return len(text)
}

func kindOfWord(word string) lexKind {
	switch {
	case len(word) > 1 && word[0] == '_':
		return lexTag
	case strings.EqualFold(word, loopWord):
		return lexLoop
	case hasWord(word, "data_") && len(word) > len("data_"):
		return lexBlock
	}
	return lexValue
}

// quotedLength is the length of a text in quotes: up to a quote that white space
// follows, or to the end of the line if there is none.
func quotedLength(text string) int {
	line := text[:lineLength(text)]
	for i := 1; i < len(line); i++ {
		if line[i] == line[0] && (i+1 == len(line) || line[i+1] <= ' ') {
			return i + 1
		}
	}
	return len(strings.TrimRight(line, " \t"))
}

// betweenQuoteLines is the length of a text that begins with a line that is only
// a quote and ends with a line that ends in one, 0 if the text is no such.
func betweenQuoteLines(text string, opens bool) int {
	if !opens || strings.TrimSpace(text[1:lineLength(text)]) != "" {
		return 0
	}
	const most = 100 // lines
	end := lineLength(text)
	for range most {
		if end == len(text) {
			return 0
		}
		line := text[end+1:][:lineLength(text[end+1:])]
		if strings.HasSuffix(strings.TrimRight(line, " \t"), text[:1]) {
			return end + 1 + len(strings.TrimRight(line, " \t"))
		}
		end += 1 + len(line)
	}
	return 0
}

// fieldLength is the length of a text field with both semicolons.
func (l *lexer) fieldLength(text string) int {
	first := lineLength(text)
	if l.broken {
		if line := strings.TrimRight(text[:first], " \t"); len(line) > 2 && line[len(line)-1] == ';' || l.state == afterItem {
			return len(line)
		}
	}
	for at := first; at < len(text); {
		line := text[at+1:][:lineLength(text[at+1:])]
		switch {
		case strings.HasPrefix(line, ";"):
			l.damaged = l.damaged || wordLength(line) > 1
			return at + len("\n;")
		case l.broken && beginsItem(line):
			return at
		}
		at += 1 + len(line)
	}
	l.damaged = true
	return len(text)
}

func beginsItem(line string) bool {
	line = strings.TrimLeft(line, " \t")
	return kindOfWord(line[:wordLength(line)]) != lexValue
}
