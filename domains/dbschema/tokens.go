package dbschema

import (
	"strings"
	"unicode/utf8"

	"agentd/internal/lazyregexp"
)

// tokenKind is what a token of SQL is.
type tokenKind uint8

const (
	endToken     tokenKind = iota
	wordToken              // a keyword or a name without quotes
	nameToken              // a name in quotes
	stringToken            // '...'
	numberToken            // without a sign
	markToken              // one character
	commentToken           // one comment, with its marks
	versionToken           // a comment of MySQL's that it runs, with its marks
	brokenToken            // a quote or comment that is not closed
)

// token is a piece of SQL, as written.
type token struct {
	text  string
	kind  tokenKind
	space bool // white space stands before it
	line  bool // it is the first on its line
}

// is reports whether a token is a keyword, given in upper case, or a mark.
func (t token) is(word string) bool {
	return (t.kind == wordToken || t.kind == markToken) && len(t.text) == len(word) && strings.EqualFold(t.text, word)
}

// value is the text of a name or string without its quotes.
func (t token) value() string {
	if t.kind != nameToken && t.kind != stringToken {
		return t.text
	}
	inner := t.text[1 : len(t.text)-1]
	mark := t.text[len(t.text)-1:]
	if t.kind == stringToken {
		inner = unescaped.Replace(inner)
	}
	return strings.ReplaceAll(inner, mark+mark, mark)
}

// unescaped reads MySQL's escapes. A backslash before any other character means nothing.
var unescaped = strings.NewReplacer(
	`\n`, "\n", `\t`, "\t", `\r`, "\r", `\%`, `\%`, `\_`, `\_`, `\'`, `''`, `\\`, `\`, `\`, "",
)

// lexer cuts a text into tokens. Backslashes in strings are escapes and # begins a comment, as MySQL has it.
type lexer struct {
	text string
	position
	noEnd [256]bool // marks of which no more is found
}

type position struct {
	at     int
	start  int // of the last token
	before int // where the white space before it begins
}

// next returns the next token and moves after it.
func (l *lexer) next() token {
	l.before = l.at
	t := token{line: l.at == 0}
	for l.at < len(l.text) && isSQLSpace(l.text[l.at]) {
		t.space = true
		t.line = t.line || l.text[l.at] == '\n'
		l.at++
	}
	if l.start = l.at; l.at == len(l.text) {
		return t
	}
	t.kind = l.scan()
	t.text = l.text[l.start:l.at]
	return t
}

// again makes the last token the next one.
func (l *lexer) again() { l.at = l.before }

// ahead is the next token.
func (l *lexer) ahead() token {
	t := l.next()
	l.again()
	return t
}

func isSQLSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' && c != '\v' }

func isNameByte(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || isLetter(c) || isDigit(c)
}

func (l *lexer) scan() tokenKind {
	rest := l.text[l.at:]
	switch c := rest[0]; {
	case c == '\'':
		return l.quoted('\'', stringToken)
	case c == '"', c == '`':
		return l.quoted(c, nameToken)
	case c == '[' && l.isBracketName():
		return l.upTo("]", 1, nameToken)
	case strings.HasPrefix(rest, "--") && l.isLineComment(rest), c == '#':
		l.at += lineLength(rest)
		return commentToken
	case strings.HasPrefix(rest, "/*!"):
		return l.upTo("*/", 3, versionToken)
	case strings.HasPrefix(rest, "/*"):
		return l.upTo("*/", 2, commentToken)
	case isDigit(c) || c == '.' && len(rest) > 1 && isDigit(rest[1]):
		return l.number()
	case c == '$' && dollarQuote.MatchString(rest):
		l.at += len(dollarQuote.FindString(rest))
		return wordToken
	case isNameByte(c):
		for l.at < len(l.text) && isNameByte(l.text[l.at]) && !strings.HasPrefix(l.text[l.at:], "$$") {
			l.at++
		}
		return wordToken
	}
	_, size := utf8.DecodeRuneInString(rest)
	l.at += size
	return markToken
}

// dollarQuote begins and ends a text of PostgreSQL, as the body of a function.
var dollarQuote = lazyregexp.New(`^\$(?:[A-Za-z_]\w*)?\$`)

// isDollarQuote reports whether a token begins or ends a text of PostgreSQL.
func (t token) isDollarQuote() bool {
	return t.kind == wordToken && len(dollarQuote.FindString(t.text)) == len(t.text)
}

// isLineComment reports whether two hyphens begin a comment. MySQL wants white space after them, other
// databases do not; where an operand stands right before them, as in 5--1, they are two signs.
func (l *lexer) isLineComment(rest string) bool {
	return len(rest) == 2 || rest[2] <= ' ' || l.at == 0 || isSQLSpace(l.text[l.at-1]) || strings.IndexByte(",;(", l.text[l.at-1]) >= 0
}

var bracketName = lazyregexp.New(`^\[[\pL_][^\[\]\n,]*\]`)

// isBracketName reports whether a bracket begins a name of SQL Server, and no place or type of an array.
func (l *lexer) isBracketName() bool {
	if l.at > 0 && (isNameByte(l.text[l.at-1]) || strings.IndexByte(")]", l.text[l.at-1]) >= 0) {
		return false
	}
	return bracketName.MatchString(l.text[l.at:])
}

// isBracketName reports whether a token is a name as SQL Server writes all of them, types too.
func (t token) isBracketName() bool { return t.kind == nameToken && t.text[0] == '[' }

func lineLength(s string) int {
	line, _, _ := strings.Cut(s, "\n")
	return len(line)
}

func (l *lexer) quoted(mark byte, kind tokenKind) tokenKind {
	if l.noEnd[mark] {
		l.at++
		return brokenToken
	}
	for at := l.at + 1; at < len(l.text); at++ {
		switch c := l.text[at]; {
		case c == '\\' && kind == stringToken:
			at++
		case c == '\n' && l.beginsEntry(at):
			l.at = l.at + len(strings.TrimRight(l.text[l.at:at], " ,"))
			return brokenToken
		case c == mark:
			if at+1 < len(l.text) && l.text[at+1] == mark {
				at++
				continue
			}
			l.at = at + 1
			return kind
		}
	}
	l.noEnd[mark] = true
	l.at++
	return brokenToken
}

// beginsEntry reports whether the line after a place looks like one of a table,
// so that a quote that is open there lacks its end.
func (l *lexer) beginsEntry(at int) bool {
	rest := strings.TrimLeft(l.text[at:min(at+64, len(l.text))], " \t\n")
	return strings.HasPrefix(rest, "`") || strings.HasPrefix(rest, ") ENGINE") ||
		strings.HasPrefix(rest, "PRIMARY KEY") || strings.HasPrefix(rest, "KEY `")
}

// upTo reads to an end mark that stands at least that far in.
func (l *lexer) upTo(end string, from int, kind tokenKind) tokenKind {
	if !l.noEnd[end[0]] {
		if length := strings.Index(l.text[l.at+from:], end); length >= 0 {
			l.at += from + length + len(end)
			return kind
		}
		l.noEnd[end[0]] = true
	}
	l.at++
	return brokenToken
}

func (l *lexer) number() tokenKind {
	kind := numberToken
	for l.at < len(l.text) && (isNameByte(l.text[l.at]) || l.text[l.at] == '.') {
		if c := l.text[l.at]; !isDigit(c) && c != '.' {
			kind = wordToken // such as 1e5 or 2fa
		}
		l.at++
	}
	return kind
}
