package python

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

type tokenKind uint8

const (
	nameToken tokenKind = iota // keywords included
	numberToken
	stringToken // with its prefix and quotes
	operatorToken
	commentToken
	strangeToken // a character that Python has no use for
)

// token is a piece of a source.
type token struct {
	text  string
	start int32 // in the source
	kind  tokenKind
}

func (t token) end() int { return int(t.start) + len(t.text) }

func (t token) opens() bool  { return t.kind == operatorToken && opens(t.text[0]) }
func (t token) closes() bool { return t.kind == operatorToken && closes(t.text[0]) }

// line is a logical line: a statement that may go over several lines of the
// source, several statements, or nothing but a comment.
type line struct {
	start, end int // of its lines in the source, the last line end included
	indent     int // columns
	tokens     []token
	comments   []token
	broken     bool // Python could not read its tokens
}

// mostLines is how many logical lines of a file are read one by one, and how many parts of a line;
// what follows them is taken as one.
const mostLines = 1 << 14

// tokensAtOnce is how many tokens room is made for, for many lines together.
const tokensAtOnce = 512

// scan reads the logical lines of a source with universal newlines. The rest is
// where it stopped, the length of the source if it read all of it.
func scan(source string) (lines []line, rest int) {
	s := scanner{source: source}
	if lines, rest = s.lines(); s.unclosed {
		s = scanner{source: source, wary: true}
		lines, rest = s.lines()
	}
	return lines, rest
}

type scanner struct {
	source   string
	at       int
	tokens   []token // of the line in hand
	comments []token
	brackets []byte // that are open
	unclosed bool   // a bracket is, at the end
	// wary says that a line in brackets that looks like a statement is one: a bracket before it was not closed.
	wary bool
	// endless is from where no end of a text in three quotes was found.
	endless map[string]int
}

func (s *scanner) lines() (lines []line, rest int) {
	for s.at < len(s.source) && len(lines) < mostLines {
		start := s.at
		indent := s.indentation()
		if s.at == len(s.source) || s.source[s.at] == '\n' {
			s.at++
			continue
		}
		l := line{start: start, indent: indent}
		s.tokens, s.comments = s.tokens[len(s.tokens):], nil
		if cap(s.tokens) == 0 {
			s.tokens = make([]token, 0, tokensAtOnce)
		}
		l.broken = !s.line(indent)
		l.tokens, l.comments = slices.Clip(s.tokens), s.comments
		l.end = s.at
		l.broken = l.broken || !plausible(l.tokens)
		lines = append(lines, l)
	}
	return lines, min(s.at, len(s.source))
}

// indentation passes the blanks at the beginning of a line.
func (s *scanner) indentation() int {
	const tab = 8
	columns := 0
	for ; s.at < len(s.source); s.at++ {
		switch s.source[s.at] {
		case ' ':
			columns++
		case '\t':
			columns += tab - columns%tab
		case '\f':
			columns = 0
		default:
			return columns
		}
	}
	return columns
}

// line reads up to the end of a logical line. It reports whether all could be read.
func (s *scanner) line(indent int) (sound bool) {
	sound = true
	s.brackets = s.brackets[:0]
	for s.at < len(s.source) {
		switch c := s.source[s.at]; {
		case c == '\n':
			s.at++
			if len(s.brackets) == 0 {
				return sound
			}
			if s.wary && s.looksLikeStatement(indent) {
				return false
			}
		case c == ' ' || c == '\t' || c == '\f':
			s.at++
		case c == '#':
			end := s.lineEnd()
			s.comments = append(s.comments, token{s.source[s.at:end], int32(s.at), commentToken})
			s.at = end
		case c == '\\' && s.at+1 < len(s.source) && s.source[s.at+1] == '\n':
			s.at += 2
		default:
			sound = s.token() && sound
		}
	}
	if len(s.brackets) > 0 {
		s.unclosed, sound = true, false
	}
	return sound
}

func (s *scanner) lineEnd() int {
	if at := strings.IndexByte(s.source[s.at:], '\n'); at >= 0 {
		return s.at + at
	}
	return len(s.source)
}

// token reads one token and reports whether Python would.
func (s *scanner) token() bool {
	start := s.at
	c := s.source[s.at]
	add := func(kind tokenKind) { s.tokens = append(s.tokens, token{s.source[start:s.at], int32(start), kind}) }
	if size := stringPrefix(s.source[s.at:]); size >= 0 {
		s.at += size
		sound := s.text()
		add(stringToken)
		return sound
	}
	switch {
	case isDigit(c) || c == '.' && s.at+1 < len(s.source) && isDigit(s.source[s.at+1]):
		s.number()
		add(numberToken)
	case c == '_' || isLetter(c) || c >= utf8.RuneSelf:
		if s.at = nameEnd(s.source, s.at); s.at == start {
			_, size := utf8.DecodeRuneInString(s.source[s.at:])
			s.at += size
			add(strangeToken)
			return false
		}
		add(nameToken)
	default:
		size := operator(s.source[s.at:])
		s.at += max(size, 1)
		if size == 0 {
			add(strangeToken)
			return false
		}
		add(operatorToken)
		return s.bracket(c)
	}
	return true
}

// bracket notes an opening or closing one; false if it closes none.
func (s *scanner) bracket(c byte) bool {
	last := len(s.brackets) - 1
	switch {
	case opens(c):
		s.brackets = append(s.brackets, c)
	case closes(c) && last < 0:
		return false
	case closes(c):
		opened := s.brackets[last]
		s.brackets = s.brackets[:last]
		return opened == closedBy[c]
	}
	return true
}

var closedBy = map[byte]byte{')': '(', ']': '[', '}': '{'}

// stringPrefix is the length of what stands before the quote of a text, -1 if no text begins here.
func stringPrefix(s string) int {
	for i := 0; i < len(s) && i < 3; i++ {
		switch s[i] {
		case '"', '\'':
			return i
		case 'r', 'R', 'b', 'B', 'u', 'U', 'f', 'F':
		default:
			return -1
		}
	}
	return -1
}

// text passes a string from its quote on. One that does not end goes to the end of its line.
func (s *scanner) text() bool {
	quote := quotesBefore(s.source[s.at:])
	if len(quote) > 1 {
		return s.longText(quote)
	}
	for s.at++; s.at < len(s.source); s.at++ {
		switch s.source[s.at] {
		case '\\':
			s.at++
		case '\n':
			return false
		case quote[0]:
			s.at++
			return true
		}
	}
	s.at = len(s.source)
	return false
}

// quotesBefore are the quotes that a text begins with, three or one.
func quotesBefore(text string) string {
	for _, three := range [...]string{`"""`, "'''"} {
		if strings.HasPrefix(text, three) {
			return three
		}
	}
	return text[:1]
}

func (s *scanner) longText(quotes string) bool {
	if from, known := s.endless[quotes]; !known || s.at < from {
		for at := s.at + len(quotes); at < len(s.source); at++ {
			if s.source[at] == '\\' {
				at++
			} else if s.source[at] == quotes[0] && strings.HasPrefix(s.source[at:], quotes) {
				s.at = at + len(quotes)
				return true
			}
		}
		if s.endless == nil {
			s.endless = map[string]int{}
		}
		s.endless[quotes] = s.at
	}
	s.at = s.lineEnd()
	return false
}

func (s *scanner) number() {
	start := s.at
	hex := strings.HasPrefix(s.source[s.at:], "0x") || strings.HasPrefix(s.source[s.at:], "0X")
	for ; s.at < len(s.source); s.at++ {
		c := s.source[s.at]
		exponent := !hex && s.at > start && (s.source[s.at-1] == 'e' || s.source[s.at-1] == 'E')
		if !isDigit(c) && !isLetter(c) && c != '_' && c != '.' && !(exponent && (c == '+' || c == '-')) {
			return
		}
	}
}

// nameEnd is where a name that begins at a place ends; the place itself if none does.
func nameEnd(source string, at int) int {
	for start := at; at < len(source); {
		if c := source[at]; c == '_' || isLetter(c) || isDigit(c) {
			at++
			continue
		}
		r, size := utf8.DecodeRuneInString(source[at:])
		if r < utf8.RuneSelf || !unicode.IsLetter(r) && (at == start || !unicode.In(r, unicode.Mn, unicode.Mc, unicode.Nd)) {
			break
		}
		at += size
	}
	return at
}

func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

var longOperators = strings.Fields("**= //= >>= <<= ... ** // >> << <= >= == != -> := += -= *= /= %= @= &= |= ^=")

// operator is the length of the operator that a text begins with, 0 if it begins with none.
func operator(s string) int {
	if len(s) > 1 && strings.IndexByte("=*/<>.", s[1]) >= 0 {
		for _, o := range longOperators {
			if strings.HasPrefix(s, o) {
				return len(o)
			}
		}
	}
	if strings.IndexByte("()[]{}:,;+-*/|&<>=.%~^@", s[0]) >= 0 {
		return 1
	}
	return 0
}

// looksLikeStatement reports whether the next line that is not blank begins one that is indented no deeper.
func (s *scanner) looksLikeStatement(indent int) bool {
	at := s.at
	defer func() { s.at = at }()
	found := s.indentation()
	for s.at < len(s.source) && s.source[s.at] == '\n' {
		s.at++
		found = s.indentation()
	}
	if found > indent {
		return false
	}
	text := s.source[s.at:s.lineEnd()]
	word := text[:nameEnd(text, 0)]
	after := text[len(word):]
	switch {
	case strings.HasPrefix(text, "@"):
		return true
	case slices.Contains(alwaysFirst, word):
		return true
	case slices.Contains(compound, word):
		return strings.HasSuffix(strings.TrimRight(text, " \t"), ":")
	}
	return word != "" && strings.HasPrefix(after, " = ")
}
