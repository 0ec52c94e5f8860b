package quantum

import (
	"strings"
	"unicode/utf8"

	"agentd/domains/internal/pytext"
)

type tokenKind uint8

const (
	wordToken tokenKind = iota
	numberToken
	quotedToken
	markToken
	directiveToken // a pragma or annotation, to the end of its line
)

type token struct {
	kind       tokenKind
	start, end int32 // in the text
	line       int32 // on which it begins, from 0
}

type comment struct {
	start, end     int32
	line, lastLine int32
	next           int32 // the token that follows
}

// source is a program's text with its tokens.
type source struct {
	name     string
	text     string
	tokens   []token
	comments []comment
}

func (s *source) of(at int32) string { return s.text[s.tokens[at].start:s.tokens[at].end] }

func (s *source) is(at int32, text string) bool {
	return at >= 0 && int(at) < len(s.tokens) && s.of(at) == text
}

func (s *source) isWord(at int32) bool {
	return at >= 0 && int(at) < len(s.tokens) && s.tokens[at].kind == wordToken
}

// lexer reads tokens.
type lexer struct {
	source
	at, line int32
	noClose  bool // no block comment closes any more
}

func lex(name, text string) source {
	l := lexer{source: source{name: name, text: text}}
	l.tokens = make([]token, 0, len(text)/4)
	for int(l.at) < len(text) {
		l.next()
	}
	return l.source
}

func (l *lexer) rest() string { return l.text[l.at:] }

func (l *lexer) next() {
	c := l.text[l.at]
	rest := l.rest()
	switch {
	case c == '\n':
		l.line++
		l.at++
	case c == ' ' || c == '\t' || c == '\r':
		l.at++
	case strings.HasPrefix(rest, "//"):
		l.comment(lineEnd(rest))
	case strings.HasPrefix(rest, "/*") && !l.noClose:
		if n := strings.Index(rest[2:], "*/"); n >= 0 {
			l.comment(n + 4)
		} else {
			l.noClose = true
		}
	case c == '#' || l.beginsLine() && (c == '@' || rest[:wordLength(rest)] == "pragma"):
		l.add(directiveToken, len(pytext.StripRight(rest[:lineEnd(rest)])))
	case c == '"' || c == '\'':
		l.add(quotedToken, quotedLength(rest))
	case '0' <= c && c <= '9' || c == '.' && len(rest) > 1 && '0' <= rest[1] && rest[1] <= '9':
		l.add(numberToken, numberLength(rest))
	default:
		l.wordOrMark(rest)
	}
}

func (l *lexer) wordOrMark(rest string) {
	r, size := utf8.DecodeRuneInString(rest)
	switch {
	case r == '$' || pytext.IsWord(r):
		l.add(wordToken, size+wordLength(rest[size:]))
	case pytext.IsSpace(r) || r == '\ufeff':
		l.at += int32(size)
	default:
		l.add(markToken, markLength(rest, size))
	}
}

func (l *lexer) add(kind tokenKind, length int) {
	l.tokens = append(l.tokens, token{kind, l.at, l.at + int32(length), l.line})
	l.at += int32(length)
}

func (l *lexer) comment(length int) {
	text := l.text[l.at : int(l.at)+length]
	last := l.line + int32(strings.Count(text, "\n"))
	l.comments = append(l.comments, comment{l.at, l.at + int32(length), l.line, last, int32(len(l.tokens))})
	l.at += int32(length)
	l.line = last
}

// beginsLine reports whether no token stands before on the line.
func (l *lexer) beginsLine() bool {
	return len(l.tokens) == 0 || l.tokens[len(l.tokens)-1].line < l.line
}

func lineEnd(text string) int {
	line, _, _ := strings.Cut(text, "\n")
	return len(line)
}

func wordLength(text string) int { return len(text) - len(strings.TrimLeftFunc(text, pytext.IsWord)) }

// quotedLength is the length of a quoted text, which does not go beyond its line.
func quotedLength(text string) int {
	for i := 1; i < len(text) && text[i] != '\n'; i++ {
		if text[i] == text[0] {
			return i + 1
		}
	}
	return 1
}

// numberLength is the length of a number with its exponent and unit.
func numberLength(text string) int {
	hexadecimal := strings.HasPrefix(text, "0x") || strings.HasPrefix(text, "0X")
	n := 0
	for n < len(text) {
		r, size := utf8.DecodeRuneInString(text[n:])
		exponent := (r == '+' || r == '-') && !hexadecimal && (text[n-1] == 'e' || text[n-1] == 'E') &&
			n+1 < len(text) && '0' <= text[n+1] && text[n+1] <= '9'
		if r != '.' && !pytext.IsWord(r) && !exponent {
			break
		}
		n += size
	}
	return n + unitLength(text[n:])
}

// unitLength is the length of a unit that stands apart from its number.
func unitLength(text string) int {
	unit := strings.TrimLeft(text, " \t")
	if len(unit) == len(text) {
		return 0
	}
	n := wordLength(unit)
	switch unit[:n] {
	case "dt", "ns", "us", "µs", "μs", "ms", "s", "im":
		return len(text) - len(unit) + n
	}
	return 0
}

// marks are those of several characters, the longer ones first.
var marks = []string{
	"**=", "<<=", ">>=", "->", "++", "**", "==", "!=", "<=", ">=", "&&", "||", "<<", ">>",
	"+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "~=",
}

func markLength(text string, size int) int {
	if len(text) > 1 && strings.IndexByte("*<>-+=&|/%^~!", text[0]) >= 0 {
		for _, mark := range marks {
			if strings.HasPrefix(text, mark) {
				return len(mark)
			}
		}
	}
	return size
}
