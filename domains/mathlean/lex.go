package mathlean

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/domains"
	"agentd/domains/internal/wellformed"
	"agentd/internal/lazyregexp"
)

type tokenKind uint8

const (
	word tokenKind = iota
	number
	quoted // a text or a character
	symbol
	comment   // -- or /- -/
	docText   // /-- -/
	moduleDoc // /-! -/
)

// token is a stretch of a text.
type token struct {
	start, end int32
	kind       tokenKind
	begins     bool // its line
}

// file is a Lean source divided into tokens.
type file struct {
	text   string
	tokens []token
}

func (f *file) of(t token) string { return f.text[t.start:t.end] }

// at is the text of token n, empty after the last.
func (f *file) at(n int) string {
	if n >= len(f.tokens) {
		return ""
	}
	return f.of(f.tokens[n])
}

// column is the number of characters before a token in its line.
func (f *file) column(t token) int {
	before := f.text[:t.start]
	return utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
}

type lexer struct {
	text     string
	at       int
	comments []stretch // block comments by the marks that open and close them
}

type stretch struct{ start, end int }

func lex(text string) file {
	l := lexer{text: text, comments: blockComments(text)}
	f := file{text: text}
	begins := true
	for l.at < len(text) {
		r, size := l.rune()
		if unicode.IsSpace(r) {
			begins = begins || r == '\n'
			l.at += size
			continue
		}
		start := l.at
		kind := l.token(r, size)
		if len(f.tokens) == cap(f.tokens) {
			f.tokens = slices.Grow(f.tokens, len(f.tokens)+len(text)/8+1)
		}
		f.tokens = append(f.tokens, token{int32(start), int32(l.at), kind, begins})
		begins = false
	}
	return f
}

func (l *lexer) rune() (rune, int) {
	if c := l.text[l.at]; c < utf8.RuneSelf {
		return rune(c), 1
	}
	return utf8.DecodeRuneInString(l.text[l.at:])
}

// token goes after the token that begins with r and returns its kind.
func (l *lexer) token(r rune, size int) tokenKind {
	rest := l.text[l.at:]
	switch {
	case strings.HasPrefix(rest, "--"):
		l.at += lineLength(rest)
		return comment
	case strings.HasPrefix(rest, "/-"):
		return l.blockComment(rest)
	case r == '"':
		l.at += quotedLength(rest)
		return quoted
	case r == '\'':
		if n := characterLength(rest); n > 0 {
			l.at += n
			return quoted
		}
	case isDigit(r):
		l.at += numberLength(rest)
		return number
	case beginsName(r) || r == '#' && len(rest) > 1 && isASCIILetter(rest[1]):
		l.at += size
		l.name()
		return word
	}
	l.at += max(size, signLength(rest))
	return symbol
}

func lineLength(text string) int {
	if end := strings.IndexByte(text, '\n'); end >= 0 {
		return end
	}
	return len(text)
}

// blockComments are the comments between /- and -/, nested ones too, in order
// of their beginning. One that is not closed has no end.
func blockComments(text string) []stretch {
	var all []stretch
	var open []int // in all
	for at := 0; ; {
		slash := strings.IndexByte(text[at:], '/')
		if slash < 0 {
			return all
		}
		at += slash
		switch {
		case at+1 < len(text) && text[at+1] == '-':
			open = append(open, len(all))
			all = append(all, stretch{start: at})
			at += 2
			continue
		case at > 0 && text[at-1] == '-' && len(open) > 0:
			if last := open[len(open)-1]; all[last].start+2 < at {
				all[last].end = at + 1
				open = open[:len(open)-1]
			}
		}
		at++
	}
}

func (l *lexer) blockComment(rest string) tokenKind {
	for l.comments[0].start < l.at {
		l.comments = l.comments[1:]
	}
	if end := l.comments[0].end; end > 0 {
		l.at = end
	} else {
		l.at += openCommentLength(rest)
	}
	switch {
	case strings.HasPrefix(rest, "/--"):
		return docText
	case strings.HasPrefix(rest, "/-!"):
		return moduleDoc
	}
	return comment
}

// openCommentLength is the length of a comment that is not closed: up to a blank
// line, or to a line that begins a declaration.
func openCommentLength(rest string) int {
	for at := lineLength(rest); at < len(rest); {
		line := rest[at+1:]
		line = line[:lineLength(line)]
		if first, _, _ := strings.Cut(line, " "); strings.TrimSpace(line) == "" || keywords[first] == strong {
			return at
		}
		at += 1 + len(line)
	}
	return len(rest)
}

// quotedLength is the length of a text in quotes. One that is not closed ends
// with its line, unless a backslash joins the next.
func quotedLength(rest string) int {
	for at := 1; at < len(rest); at++ {
		switch rest[at] {
		case '\\':
			at++
		case '"':
			return at + 1
		case '\n':
			return at
		}
	}
	return len(rest)
}

// characterLength is the length of a character in apostrophes, 0 if it is none.
func characterLength(rest string) int {
	const longest = 12 // '\u{10ffff}'
	inner := rest[1:min(len(rest), longest)]
	if strings.HasPrefix(inner, `\`) && len(inner) > 2 {
		if end := strings.IndexByte(inner[2:], '\''); end >= 0 {
			return 1 + 2 + end + 1
		}
		return 0
	}
	r, size := utf8.DecodeRuneInString(inner)
	if size > 0 && r != '\'' && r != '\n' && strings.HasPrefix(inner[size:], "'") {
		return 1 + size + 1
	}
	return 0
}

func numberLength(rest string) int {
	n := 0
	for n < len(rest) {
		switch c := rest[n]; {
		case isDigit(rune(c)), isASCIILetter(c), c == '_':
		case c == '.' && n+1 < len(rest) && isDigit(rune(rest[n+1])):
		default:
			return n
		}
		n++
	}
	return n
}

// name goes to the end of an identifier, whose first character it stands
// after. Parts of it are divided by points; «» quote a part.
func (l *lexer) name() {
	for quoting := strings.HasSuffix(l.text[:l.at], "«"); l.at < len(l.text); {
		r, size := l.rune()
		switch {
		case quoting:
			if r == '\n' {
				return
			}
			quoting = r != '»'
		case r == '.':
			next, _ := utf8.DecodeRuneInString(l.text[l.at+1:])
			if !beginsName(next) && !isDigit(next) {
				return
			}
			quoting = next == '«'
		case !isInName(r):
			return
		}
		l.at += size
	}
}

func isDigit(r rune) bool         { return '0' <= r && r <= '9' }
func isASCIILetter(c byte) bool   { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isSubscript(r rune) bool     { return '₀' <= r && r <= '₉' }
func isLetterOfNames(r rune) bool { return unicode.IsLetter(r) && r != 'λ' && r != 'Π' && r != 'Σ' }

func beginsName(r rune) bool { return r == '_' || r == '«' || isLetterOfNames(r) }

func isInName(r rune) bool {
	if r < utf8.RuneSelf {
		return isASCIILetter(byte(r)) || isDigit(r) || r == '_' || r == '\'' || r == '!' || r == '?'
	}
	return isLetterOfNames(r) || isSubscript(r)
}

// signs are the symbols of several characters, longer ones before their beginnings.
var signs = []string{
	"<->", "<;>", "<|>", ">>=", ":=", "=>", "->", "<-", "!=", "==", "<=", ">=", "<|", "|>", "&&", "||", "::", "++",
	"..", "/\\", "\\/", "@[",
}

// signLength is the length of a symbol of several characters, 0 if there is none.
func signLength(rest string) int {
	if strings.IndexByte("<>:=-!|&+./\\@", rest[0]) < 0 {
		return 0
	}
	for _, sign := range signs {
		if strings.HasPrefix(rest, sign) {
			return len(sign)
		}
	}
	return 0
}

var code = wellformed.Code{Line: []string{"--"}, Block: [][2]string{{"/-", "-/"}}, Nested: true, Quotes: "\"", Wrapped: true, Escape: true, Brackets: "(){}[]"}

// wellFormed checks brackets, texts and comments, code fences outside of comments, and that namespaces and sections are ended.
var wellFormed = wellformed.All(
	code.Check,
	code.Bare(wellformed.Fence),
	wellformed.Blocks(`^\s*(?:noncomputable\s+)?(namespace|section|mutual)\b`, `^end()\b`, ""),
	code.Bare(importsFirst),
)

var (
	importLine = lazyregexp.New(`^(?:(?:public|private|meta|all)\s+)*import\b`)
	headLine   = lazyregexp.New(`^(?:module|prelude)\s*$`)
)

// importsFirst checks that no import stands below another command, where Lean does not take it.
func importsFirst(_, text string) (all []domains.Slip) {
	begun, n := false, 0
	for line := range strings.Lines(text) {
		n++
		switch line = strings.TrimRight(line, " \t\n"); {
		case line == "" || strings.ContainsAny(line[:1], " \t") || headLine.MatchString(line):
		case !importLine.MatchString(line):
			begun = true
		case begun:
			all = append(all, domains.Slip{Line: n, What: "an import stands below another command", Text: line})
		}
	}
	return all
}
