package quantum

import (
	"strings"
	"unicode/utf8"

	"agentd/domains/internal/pytext"
)

// TokenKind is what a token is.
type TokenKind uint8

// The kinds of tokens.
const (
	WordToken TokenKind = iota
	NumberToken
	QuotedToken
	MarkToken
	directiveToken // a pragma or annotation, to the end of its line
)

// Token is a token, by its place in the text.
type Token struct {
	Kind       TokenKind
	Start, End int32 // in the text
	Line       int32 // on which it begins, from 0
}

// Comment is a comment, by its place in the text.
type Comment struct {
	Start, End     int32
	line, lastLine int32
	next           int32 // the token that follows
}

// Source is a program's text with its tokens.
type Source struct {
	Name     string
	Text     string
	Tokens   []Token
	Comments []Comment
}

// Of is the text of a token.
func (s *Source) Of(at int32) string { return s.Text[s.Tokens[at].Start:s.Tokens[at].End] }

// Is reports whether a token is a text.
func (s *Source) Is(at int32, text string) bool {
	return at >= 0 && int(at) < len(s.Tokens) && s.Of(at) == text
}

// IsWord reports whether a token is a word.
func (s *Source) IsWord(at int32) bool {
	return at >= 0 && int(at) < len(s.Tokens) && s.Tokens[at].Kind == WordToken
}

// lexer reads tokens.
type lexer struct {
	Source
	at, line int32
	noClose  bool // no block comment closes any more
}

// Lex reads the tokens of a text.
func Lex(name, text string) Source {
	l := lexer{Source: Source{Name: name, Text: text}}
	l.Tokens = make([]Token, 0, len(text)/4)
	for int(l.at) < len(text) {
		l.next()
	}
	return l.Source
}

func (l *lexer) rest() string { return l.Text[l.at:] }

func (l *lexer) next() {
	c := l.Text[l.at]
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
		l.add(QuotedToken, quotedLength(rest))
	case '0' <= c && c <= '9' || c == '.' && len(rest) > 1 && '0' <= rest[1] && rest[1] <= '9':
		l.add(NumberToken, numberLength(rest))
	default:
		l.wordOrMark(rest)
	}
}

func (l *lexer) wordOrMark(rest string) {
	r, size := utf8.DecodeRuneInString(rest)
	switch {
	case r == '$' || pytext.IsWord(r):
		l.add(WordToken, size+wordLength(rest[size:]))
	case pytext.IsSpace(r) || r == '\ufeff':
		l.at += int32(size)
	default:
		l.add(MarkToken, markLength(rest, size))
	}
}

func (l *lexer) add(kind TokenKind, length int) {
	l.Tokens = append(l.Tokens, Token{kind, l.at, l.at + int32(length), l.line})
	l.at += int32(length)
}

func (l *lexer) comment(length int) {
	text := l.Text[l.at : int(l.at)+length]
	last := l.line + int32(strings.Count(text, "\n"))
	l.Comments = append(l.Comments, Comment{l.at, l.at + int32(length), l.line, last, int32(len(l.Tokens))})
	l.at += int32(length)
	l.line = last
}

// beginsLine reports whether no token stands before on the line.
func (l *lexer) beginsLine() bool {
	return len(l.Tokens) == 0 || l.Tokens[len(l.Tokens)-1].Line < l.line
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
