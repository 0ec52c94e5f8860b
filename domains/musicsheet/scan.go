package musicsheet

import (
	"strings"
	"unicode/utf8"
)

// scanner is a place in a text. Its methods take what stands there, however the text goes on.
type scanner struct {
	text string
	pos  int
}

func (s *scanner) rest() string { return s.text[s.pos:] }

func (s *scanner) atEnd() bool { return s.pos >= len(s.text) }

func (s *scanner) at(prefix string) bool { return strings.HasPrefix(s.text[s.pos:], prefix) }

// peek is the byte at the place, 0 at the end.
func (s *scanner) peek() byte {
	if s.atEnd() {
		return 0
	}
	return s.text[s.pos]
}

// take returns the next n bytes.
func (s *scanner) take(n int) string {
	start := s.pos
	s.pos = min(s.pos+n, len(s.text))
	return s.text[start:s.pos]
}

// skipBlanks passes over white space and comments.
func (s *scanner) skipBlanks() {
	for !s.atEnd() {
		if c := s.text[s.pos]; c > ' ' && c < utf8.RuneSelf && c != '%' {
			return
		}
		n := blankLength(s.rest())
		s.pos += n
		if s.peek() == '%' {
			s.comment()
		} else if n == 0 {
			return
		}
	}
}

// skipOne passes over a character.
func (s *scanner) skipOne() {
	_, n := utf8.DecodeRuneInString(s.rest())
	s.pos += n
}

// comment takes a comment, to the end of the line or to %}.
func (s *scanner) comment() string {
	end, past := "\n", 0
	if s.at("%{") {
		end, past = "%}", len("%}")
	}
	if n := strings.Index(s.rest(), end); n >= 0 {
		return s.take(n + past)
	}
	return s.take(len(s.text))
}

// quoted takes a string with its quotes.
func (s *scanner) quoted() string {
	for i := s.pos + 1; i < len(s.text); i++ {
		switch s.text[i] {
		case '\\':
			i++
		case '"':
			return s.take(i + 1 - s.pos)
		}
	}
	return s.take(len(s.text))
}

// unquoted is what a string says.
func unquoted(quoted string) string {
	text := strings.TrimPrefix(quoted, `"`)
	if len(text) < len(quoted) {
		text = strings.TrimSuffix(text, `"`)
	}
	if !strings.Contains(text, `\`) {
		return text
	}
	return strings.NewReplacer(`\\`, `\`, `\"`, `"`).Replace(text)
}

// scheme takes # or $ and the datum after it.
func (s *scanner) scheme() string {
	start := s.pos
	s.pos++
	for !s.atEnd() && strings.IndexByte("'`,@", s.text[s.pos]) >= 0 {
		s.pos++
	}
	switch c := s.peek(); {
	case c == '(':
		s.schemeList()
	case c == '"':
		s.quoted()
	case c == '{':
		_, after, _ := strings.Cut(s.rest(), "#}")
		s.pos = len(s.text) - len(after)
	default:
		for !s.atEnd() && !isBlank(s.text[s.pos]) && strings.IndexByte("(){}\"", s.text[s.pos]) < 0 {
			s.pos++
		}
	}
	return s.text[start:s.pos]
}

func (s *scanner) schemeList() {
	s.enclosed('(', ')', `";`)
}

// enclosed takes brackets and what they enclose. Within what begins with one of others, brackets
// do not count.
func (s *scanner) enclosed(open, shut byte, others string) string {
	start := s.pos
	for depth := 0; !s.atEnd(); {
		c := s.peek()
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
		s.pos++
		if depth == 0 {
			break
		}
	}
	return s.text[start:s.pos]
}

// aside takes a comment, a string or a scheme datum.
func (s *scanner) aside(begin byte) {
	switch begin {
	case '%':
		s.comment()
	case ';':
		s.take(lineLength(s.rest()))
	case '"':
		s.quoted()
	default:
		s.scheme()
	}
}

// command takes a backslash and the letters after it, joined by single - or _.
func (s *scanner) command() string {
	return s.take(1 + nameLength(s.text[s.pos+1:]))
}

// nameLength is that of a variable's name: letters, joined by single - or _.
func nameLength(text string) int {
	n := wordLength(text)
	for n > 0 && n+1 < len(text) && (text[n] == '-' || text[n] == '_') && isLetter(text[n+1]) {
		n += 1 + wordLength(text[n+1:])
	}
	return n
}

// block takes braces and what they enclose.
func (s *scanner) block() string {
	return s.enclosed('{', '}', `%"#$`)
}

// markup takes the argument of \markup: commands, then a block, a string or a
// word.
func (s *scanner) markup() string {
	start := s.pos
	for {
		s.skipBlanks()
		switch c := s.peek(); {
		case c == '\\' && s.pos+1 < len(s.text) && isLetter(s.text[s.pos+1]):
			s.command()
			continue
		case c == '#' || c == '$':
			s.scheme()
			continue
		case c == '{':
			s.block()
		case c == '"':
			s.quoted()
		default:
			for !s.atEnd() && !isBlank(s.text[s.pos]) && strings.IndexByte("{}\"\\", s.text[s.pos]) < 0 {
				s.pos++
			}
		}
		return s.text[start:s.pos]
	}
}

// comes reports whether a text comes next. If so it passes over the blanks and comments before it.
func (s *scanner) comes(text string) bool {
	before := s.pos
	if s.skipBlanks(); s.at(text) {
		return true
	}
	s.pos = before
	return false
}

// passBlock passes over a block if one comes next.
func (s *scanner) passBlock() {
	if s.comes("{") {
		s.block()
	}
}

func (s *scanner) stringOrWord() {
	s.skipBlanks()
	if s.peek() == '"' {
		s.quoted()
		return
	}
	s.pos += nameLength(s.rest())
}

// ratio takes n/m.
func (s *scanner) ratio() string { return s.take(ratioLength(s.rest())) }

// contextName takes the type of a context and, after =, its name.
func (s *scanner) contextName() {
	s.stringOrWord()
	if s.comes("=") {
		s.pos++
		s.stringOrWord()
	}
}

// setting takes a path, = and a value.
func (s *scanner) setting() {
	s.path()
	if s.skipBlanks(); s.peek() != '=' {
		return
	}
	s.pos++
	s.value()
}

// path takes what a setting is about, such as Staff.midiInstrument or
// Beam #'positions.
func (s *scanner) path() {
	for {
		n := wordLength(s.rest())
		s.pos += n
		for s.peek() == '.' || s.peek() == '-' {
			s.pos++
			s.pos += wordLength(s.rest())
		}
		before := s.pos
		if s.skipBlanks(); s.at("#'") {
			s.scheme()
			continue
		}
		if s.peek() != '.' {
			s.pos = before
			return
		}
		s.pos++
		s.skipBlanks()
	}
}

// value takes a scheme datum, a string, a markup or a word.
func (s *scanner) value() {
	s.skipBlanks()
	switch c := s.peek(); {
	case c == '#' || c == '$':
		s.scheme()
	case c == '"':
		s.quoted()
	case c == '\\':
		if s.command() == `\markup` {
			s.markup()
		}
	default:
		if isDigit(c) || c == '-' || isLetter(c) {
			s.pos++
		}
		for isDigit(s.peek()) || isLetter(s.peek()) || s.peek() == '.' || s.peek() == '-' {
			s.pos++
		}
	}
}
