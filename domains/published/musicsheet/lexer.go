package musicsheet

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// lexeme is a piece of text as the published reading takes it. What it is depends on the mode that what came before has
// left open, as brackets, strings and commands without their ends do.
type lexeme struct {
	kind lexemeKind
	text string
}

type lexemeKind uint8

const (
	strayLexeme lexemeKind = iota // what nothing is read from
	spaceLexeme
	commentLexeme
	schemeLexeme // with its datum
	quoteLexeme
	dynamicLexeme
	wordLexeme // of letters a to x, perhaps a note
	fractionLexeme
	numberLexeme
	lengthLexeme
	scalingLexeme // a dot or a factor
	octaveLexeme  // or its check, or a reminder of the accidental
	markLexeme    // stands for itself, such as an articulation
	openLexeme    // { or <<
	closeLexeme
	chordLexeme
	chordEndLexeme
	commandLexeme
	markupLexeme  // with its argument
	contextLexeme // the command with the kind of a context and its name
	nameLexeme
	variableLexeme // a name in braces that hold settings
	pathLexeme     // a dot in a path
	equalLexeme
	unitLexeme
	specifierLexeme
	syllableLexeme
)

// lexer divides a text into lexemes, line by line.
type lexer struct {
	text  string
	pos   int
	modes []mode // the innermost last; the first is never left
	// end is that of the line, where known; up to barren nothing matches.
	end, barren int
}

// deepestMode bounds the modes that are kept apart; the published program fails long before.
const deepestMode = 4096

func (l *lexer) mode() *mode { return &l.modes[len(l.modes)-1] }

func (l *lexer) enter(kind modeKind, arguments int) {
	if len(l.modes) < deepestMode {
		l.modes = append(l.modes, mode{kind, arguments})
	}
}

func (l *lexer) leave() {
	if len(l.modes) > 1 {
		l.modes = l.modes[:len(l.modes)-1]
	}
}

func (l *lexer) become(kind modeKind, arguments int) { *l.mode() = mode{kind, arguments} }

// endArgument counts an argument of the modes that wait for a number of them.
func (l *lexer) endArgument() {
	for len(l.modes) > 1 {
		m := l.mode()
		if m.arguments != 1 {
			m.arguments = max(m.arguments-1, 0)
			return
		}
		l.leave()
	}
}

// next returns the next lexeme; it is not ok at the end of the text.
func (l *lexer) next() (found lexeme, ok bool) {
	for l.pos < len(l.text) {
		if l.text[l.pos] == '\n' {
			l.pos++
			return lexeme{spaceLexeme, "\n"}, true
		}
		if l.mode().kind.falls() {
			kind, n := l.match(l.pos)
			if n == 0 {
				l.fall()
				continue
			}
			return l.took(kind, n), true
		}
		for at := l.pos; at < len(l.text) && l.text[at] != '\n'; {
			kind, n := l.match(at)
			if n > 0 && at == l.pos {
				return l.took(kind, n), true
			}
			if n > 0 {
				return l.passed(at), true
			}
			_, size := utf8.DecodeRuneInString(l.text[at:])
			at = max(at+size, l.barren)
		}
		return l.passed(l.pos + len(l.line(l.pos))), true
	}
	return lexeme{}, false
}

// passed is what stands before a lexeme and is none.
func (l *lexer) passed(end int) lexeme {
	found := lexeme{strayLexeme, l.text[l.pos:end]}
	l.pos = end
	return found
}

func (l *lexer) took(kind lexemeKind, n int) lexeme {
	found := lexeme{kind, l.text[l.pos : l.pos+n]}
	l.pos += n
	l.follow(found)
	return found
}

func LineLength(text string) int {
	if n := strings.IndexByte(text, '\n'); n >= 0 {
		return n
	}
	return len(text)
}

// identifierLength is that of letters joined by single - or _, 0 if more of a word follows.
func identifierLength(text string) int {
	n, joined := 0, false
	for n < len(text) {
		c, size := utf8.DecodeRuneInString(text[n:])
		if unicode.IsLetter(c) {
			n += size
			joined = false
			continue
		}
		if n == 0 || joined || c != '-' && c != '_' {
			break
		}
		next, _ := utf8.DecodeRuneInString(text[n+1:])
		if !unicode.IsLetter(next) {
			break
		}
		n++
		joined = true
	}
	rest := text[n:]
	if strings.HasPrefix(rest, "_") || strings.HasPrefix(rest, "-_") {
		return 0
	}
	return n
}

func isWord(c rune) bool { return c == '_' || unicode.IsLetter(c) || unicode.IsDigit(c) }

// wordBefore and wordAfter report whether a letter, digit or underscore stands there.
func (l *lexer) wordBefore(at int) bool {
	c, _ := utf8.DecodeLastRuneInString(l.text[:at])
	return isWord(c)
}

func (l *lexer) wordAfter(at int) bool {
	c, _ := utf8.DecodeRuneInString(l.text[at:])
	return isWord(c)
}

// line is what is left of the line at a place.
func (l *lexer) line(at int) string {
	if at >= l.end {
		l.end = at + LineLength(l.text[at:])
	}
	return l.text[at:l.end]
}

// spaces is the length of white space within the line.
func (l *lexer) spaces(at int) int { return BlankLength(l.line(at)) }

// span is the length of what a scanner takes at a place.
func (l *lexer) span(take func(*Scanner) string, at int) int {
	return len(take(&Scanner{Text: l.text, Pos: at}))
}

// basics matches what may stand in nearly every mode.
func (l *lexer) basics(at int) (lexemeKind, int) {
	if kind, n := l.blanks(at); n > 0 {
		return kind, n
	}
	switch c := l.text[at]; c {
	case '#', '$':
		if at+1 >= len(l.text) || l.text[at+1] != '{' && l.text[at+1] != '}' {
			return schemeLexeme, l.span((*Scanner).Scheme, at)
		}
	case '"':
		return quoteLexeme, l.span((*Scanner).Quoted, at)
	}
	return 0, 0
}

// blanks matches white space and comments.
func (l *lexer) blanks(at int) (lexemeKind, int) {
	switch c := l.text[at]; {
	case c == '%':
		return commentLexeme, l.span((*Scanner).Comment, at)
	case c <= ' ' || c >= utf8.RuneSelf:
		if n := l.spaces(at); n > 0 {
			return spaceLexeme, n
		}
	}
	return 0, 0
}

// command matches a backslash and a name.
func (l *lexer) command(at int) (lexemeKind, int) {
	text := l.line(at)
	word := 1 + WordLength(text[1:])
	name := text[:word]
	if name == `\repeat` || IsMode[name] || modeCommands[name] != 0 && !l.wordAfter(at+word) {
		return commandLexeme, word
	}
	n := identifierLength(text[1:])
	if n == 0 {
		return 0, 0
	}
	switch text[:1+n] {
	case `\new`, `\context`, `\change`:
		after := Scanner{Text: l.text, Pos: at + 1 + n}
		after.ContextName()
		return contextLexeme, after.Pos - at
	case `\markup`, `\markuplines`, `\markuplist`:
		return markupLexeme, 1 + n + l.span((*Scanner).Markup, at+1+n)
	}
	return commandLexeme, 1 + n
}

// blockCommand matches a command that opens a block, if it is one of names.
func (l *lexer) blockCommand(at int, names string) (lexemeKind, int) {
	if l.text[at] != '\\' {
		return 0, 0
	}
	word := WordLength(l.text[at+1:])
	name := l.text[at+1 : at+1+word]
	if word == 0 || !strings.Contains(names, " "+name+" ") || l.wordAfter(at+1+word) {
		return 0, 0
	}
	return commandLexeme, 1 + word
}

// identifier matches a name.
func (l *lexer) identifier(at int) (lexemeKind, int) {
	if c, _ := utf8.DecodeLastRuneInString(l.text[:at]); c == '_' || unicode.IsLetter(c) {
		return 0, 0
	}
	return nameLexeme, identifierLength(l.line(at))
}

// length matches the base of a duration.
func (l *lexer) length(at int) (lexemeKind, int) {
	if n := baseLength(l.line(at)); n > 0 && (l.text[at] != '\\' || !l.wordAfter(at+n)) {
		return lengthLexeme, n
	}
	return 0, 0
}

// fraction matches n/m or a number.
func (l *lexer) fraction(at int) (lexemeKind, int) {
	if n := RatioLength(l.line(at)); n > 0 {
		return fractionLexeme, n
	}
	return numberLexeme, DigitsLength(l.line(at))
}

// decimal matches n/m or a number, with a sign and a fraction.
func (l *lexer) decimal(at int) (lexemeKind, int) {
	text := l.line(at)
	if n := RatioLength(text); n > 0 {
		return fractionLexeme, n
	}
	digits := strings.TrimPrefix(text, "-")
	n := DigitsLength(digits)
	if n == 0 {
		return 0, 0
	}
	if rest := digits[n:]; strings.HasPrefix(rest, ".") && DigitsLength(rest[1:]) > 0 {
		n += 1 + DigitsLength(rest[1:])
	}
	return numberLexeme, len(text) - len(digits) + n
}
