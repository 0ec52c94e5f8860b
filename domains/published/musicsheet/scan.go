package musicsheet

import (
	"strings"
	"unicode/utf8"
)

// Scanner is a place in a text. Its methods take what stands there, however the text goes on.
type Scanner struct {
	Text string
	Pos  int
}

// Rest is what is left of the text.
func (s *Scanner) Rest() string { return s.Text[s.Pos:] }

// AtEnd reports whether nothing is left.
func (s *Scanner) AtEnd() bool { return s.Pos >= len(s.Text) }

// At reports whether a text stands at the place.
func (s *Scanner) At(prefix string) bool { return strings.HasPrefix(s.Text[s.Pos:], prefix) }

// Peek is the byte at the place, 0 at the end.
func (s *Scanner) Peek() byte {
	if s.AtEnd() {
		return 0
	}
	return s.Text[s.Pos]
}

// Take returns the next n bytes.
func (s *Scanner) Take(n int) string {
	start := s.Pos
	s.Pos = min(s.Pos+n, len(s.Text))
	return s.Text[start:s.Pos]
}

// SkipBlanks passes over white space and comments.
func (s *Scanner) SkipBlanks() {
	for !s.AtEnd() {
		if c := s.Text[s.Pos]; c > ' ' && c < utf8.RuneSelf && c != '%' {
			return
		}
		n := BlankLength(s.Rest())
		s.Pos += n
		if s.Peek() == '%' {
			s.Comment()
		} else if n == 0 {
			return
		}
	}
}

// SkipOne passes over a character.
func (s *Scanner) SkipOne() {
	_, n := utf8.DecodeRuneInString(s.Rest())
	s.Pos += n
}

// Comment takes a comment, to the end of the line or to %}.
func (s *Scanner) Comment() string {
	end, past := "\n", 0
	if s.At("%{") {
		end, past = "%}", len("%}")
	}
	if n := strings.Index(s.Rest(), end); n >= 0 {
		return s.Take(n + past)
	}
	return s.Take(len(s.Text))
}

// Quoted takes a string with its quotes.
func (s *Scanner) Quoted() string {
	for i := s.Pos + 1; i < len(s.Text); i++ {
		switch s.Text[i] {
		case '\\':
			i++
		case '"':
			return s.Take(i + 1 - s.Pos)
		}
	}
	return s.Take(len(s.Text))
}

// Unquoted is what a string says.
func Unquoted(quoted string) string {
	text := strings.TrimPrefix(quoted, `"`)
	if len(text) < len(quoted) {
		text = strings.TrimSuffix(text, `"`)
	}
	if !strings.Contains(text, `\`) {
		return text
	}
	return unescaped.Replace(text)
}

var unescaped = strings.NewReplacer(`\\`, `\`, `\"`, `"`)

// Scheme takes # or $ and the datum after it.
func (s *Scanner) Scheme() string {
	start := s.Pos
	s.Pos++
	for !s.AtEnd() && strings.IndexByte("'`,@", s.Text[s.Pos]) >= 0 {
		s.Pos++
	}
	switch c := s.Peek(); {
	case c == '(':
		s.schemeList()
	case c == '"':
		s.Quoted()
	case c == '{':
		_, after, _ := strings.Cut(s.Rest(), "#}")
		s.Pos = len(s.Text) - len(after)
	default:
		for !s.AtEnd() && !isBlank(s.Text[s.Pos]) && strings.IndexByte("(){}\"", s.Text[s.Pos]) < 0 {
			s.Pos++
		}
	}
	return s.Text[start:s.Pos]
}

func (s *Scanner) schemeList() {
	s.enclosed('(', ')', `";`)
}

// enclosed takes brackets and what they enclose. Within what begins with one of others, brackets
// do not count.
func (s *Scanner) enclosed(open, shut byte, others string) string {
	start := s.Pos
	for depth := 0; !s.AtEnd(); {
		c := s.Peek()
		if strings.IndexByte(others, c) >= 0 {
			s.aside(c)
			continue
		}
		switch c {
		case open:
			depth++
		case shut:
			depth--
		}
		s.Pos++
		if depth == 0 {
			break
		}
	}
	return s.Text[start:s.Pos]
}

// aside takes a comment, a string or a scheme datum.
func (s *Scanner) aside(begin byte) {
	switch begin {
	case '%':
		s.Comment()
	case ';':
		s.Take(LineLength(s.Rest()))
	case '"':
		s.Quoted()
	default:
		s.Scheme()
	}
}

// Command takes a backslash and the letters after it, joined by single - or _.
func (s *Scanner) Command() string {
	return s.Take(1 + NameLength(s.Text[s.Pos+1:]))
}

// NameLength is that of a variable's name: letters, joined by single - or _.
func NameLength(text string) int {
	n := WordLength(text)
	for n > 0 && n+1 < len(text) && (text[n] == '-' || text[n] == '_') && IsLetter(text[n+1]) {
		n += 1 + WordLength(text[n+1:])
	}
	return n
}

// Block takes braces and what they enclose.
func (s *Scanner) Block() string {
	return s.enclosed('{', '}', `%"#$`)
}

// Markup takes the argument of \markup: commands, then a block, a string or a
// word.
func (s *Scanner) Markup() string {
	start := s.Pos
	for {
		s.SkipBlanks()
		switch c := s.Peek(); {
		case c == '\\' && s.Pos+1 < len(s.Text) && IsLetter(s.Text[s.Pos+1]):
			s.Command()
			continue
		case c == '#' || c == '$':
			s.Scheme()
			continue
		case c == '{':
			s.Block()
		case c == '"':
			s.Quoted()
		default:
			for !s.AtEnd() && !isBlank(s.Text[s.Pos]) && strings.IndexByte("{}\"\\", s.Text[s.Pos]) < 0 {
				s.Pos++
			}
		}
		return s.Text[start:s.Pos]
	}
}

// Comes reports whether a text comes next. If so it passes over the blanks and comments before it.
func (s *Scanner) Comes(text string) bool {
	before := s.Pos
	if s.SkipBlanks(); s.At(text) {
		return true
	}
	s.Pos = before
	return false
}

// StringOrWord takes a string or a name.
func (s *Scanner) StringOrWord() {
	s.SkipBlanks()
	if s.Peek() == '"' {
		s.Quoted()
		return
	}
	s.Pos += NameLength(s.Rest())
}

// ContextName takes the type of a context and, after =, its name.
func (s *Scanner) ContextName() {
	s.StringOrWord()
	if s.Comes("=") {
		s.Pos++
		s.StringOrWord()
	}
}
