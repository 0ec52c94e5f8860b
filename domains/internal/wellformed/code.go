package wellformed

import (
	"strings"

	"agentd/internal/lazyregexp"
)

// Code says how a language writes comments, texts and brackets.
type Code struct {
	Line     []string    // marks of comments to the end of a line
	AtStart  []string    // marks that make a whole line a comment or a text, at its beginning only
	Block    [][2]string // marks of comments over several lines
	Nested   bool        // block comments stand in each other
	Quotes   string      // characters that begin and end a text
	Long     []string    // longer marks of texts that may go over lines, such as """
	Wrapped  bool        // texts in Quotes may go over lines
	Escape   bool        // \ keeps the next character from meaning anything, in texts
	EscapeIn bool        // the same outside of texts
	Doubled  bool        // a doubled quote in a text is the character
	Word     bool        // a quote straight after a letter or digit begins no text, as in x'
	Here     bool        // a text may stand between <<WORD and a line that is the word
	Template bool        // in a text, ${ and %{ begin an expression, which ends with its } and may have texts and line ends
	Brackets string      // pairs, as in "(){}"
}

// Check finds brackets, texts and comments that are not closed, and brackets that close nothing.
func (c Code) Check(_, text string) []Slip {
	s := scanner{Code: &c, text: text}
	for s.at < len(text) && s.slip == nil {
		s.next()
	}
	if s.slip == nil && len(s.open) > 0 {
		last := s.open[len(s.open)-1]
		s.slip = &Slip{Line: lineOf(text, last.at), What: string(last.mark) + " is not closed"}
	}
	if s.slip == nil {
		return nil
	}
	s.slip.Stops = true
	return []Slip{*s.slip}
}

type scanner struct {
	*Code
	text string
	at   int
	open []opened
	slip *Slip
	// isText says that next went over a text, otherwise over a comment or one character.
	isText bool
}

type opened struct {
	at   int
	mark rune
}

func (s *scanner) stop(at int, what string) { s.slip = &Slip{Line: lineOf(s.text, at), What: what} }

func (s *scanner) rest() string { return s.text[s.at:] }

// next goes over a comment, a text, a bracket, or a character.
func (s *scanner) next() {
	rest := s.rest()
	s.isText = false
	if s.at == 0 || s.text[s.at-1] == '\n' {
		for _, mark := range s.AtStart {
			if strings.HasPrefix(rest, mark) {
				s.skipLine()
				return
			}
		}
	}
	for _, mark := range s.Block {
		if strings.HasPrefix(rest, mark[0]) {
			s.comment(mark)
			return
		}
	}
	for _, mark := range s.Code.Line {
		if strings.HasPrefix(rest, mark) {
			s.skipLine()
			return
		}
	}
	for _, mark := range s.Long {
		if strings.HasPrefix(rest, mark) {
			s.quoted(mark, true)
			return
		}
	}
	if s.Here && rest[0] == '<' {
		if m := hereMark.FindStringSubmatch(rest); m != nil {
			s.here(m[0], m[1])
			return
		}
	}
	c := rest[0]
	switch {
	case c == '\\' && s.EscapeIn && len(rest) > 1:
		s.at += 2
	case strings.IndexByte(s.Quotes, c) >= 0:
		if s.Word && s.at > 0 && isWord(s.text[s.at-1]) {
			s.at++
			return
		}
		s.quoted(string(c), s.Wrapped)
	default:
		s.bracket(c)
		s.at++
	}
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80 || c == '\''
}

func (s *scanner) skipLine() {
	if end := strings.IndexByte(s.rest(), '\n'); end >= 0 {
		s.at += end
		if end == 0 {
			s.at++
		}
		return
	}
	s.at = len(s.text)
}

// hereMark begins a text that ends with a line that is its word.
var hereMark = lazyregexp.New(`^<<[-~]?["']?([A-Za-z_]\w*)["']?[^\n]*\n`)

func (s *scanner) here(head, word string) {
	from := s.at
	s.isText = true
	s.at += len(head)
	for s.at < len(s.text) {
		line, _, _ := strings.Cut(s.rest(), "\n")
		s.at = min(s.at+len(line)+1, len(s.text))
		if strings.TrimSpace(line) == word {
			return
		}
	}
	s.stop(from, "a here-document is not closed")
}

func (s *scanner) comment(mark [2]string) {
	from, depth := s.at, 1
	for s.at += len(mark[0]); s.at < len(s.text) && depth > 0; {
		switch rest := s.rest(); {
		case strings.HasPrefix(rest, mark[1]):
			s.at += len(mark[1])
			depth--
		case s.Nested && strings.HasPrefix(rest, mark[0]):
			s.at += len(mark[0])
			depth++
		default:
			s.at++
		}
	}
	if depth > 0 {
		s.stop(from, "a comment is not closed")
	}
}

func (s *scanner) quoted(mark string, wrapped bool) {
	from := s.at
	s.isText = true
	for s.at += len(mark); s.at < len(s.text); {
		rest := s.rest()
		switch {
		case rest[0] == '\\' && s.Escape:
			s.at += min(2, len(rest))
		case s.Doubled && len(mark) == 1 && strings.HasPrefix(rest, mark+mark):
			s.at += 2
		case s.Template && (strings.HasPrefix(rest, "$${") || strings.HasPrefix(rest, "%%{")):
			s.at += 3
		case s.Template && (strings.HasPrefix(rest, "${") || strings.HasPrefix(rest, "%{")):
			if s.expression(); s.slip != nil {
				return
			}
		case strings.HasPrefix(rest, mark):
			s.at += len(mark)
			return
		case rest[0] == '\n' && !wrapped:
			s.stop(from, "a text in quotes is not closed")
			return
		default:
			s.at++
		}
	}
	s.stop(from, "a text in quotes is not closed")
}

// expression goes over what stands in a text from ${ to its }.
func (s *scanner) expression() {
	from, depth := s.at, 0
	for s.at++; s.at < len(s.text) && s.slip == nil; {
		switch c := s.text[s.at]; {
		case strings.IndexByte(s.Quotes, c) >= 0:
			s.quoted(string(c), s.Wrapped)
			continue
		case c == '{':
			depth++
		case c == '}':
			depth--
		}
		s.at++
		if depth == 0 {
			return
		}
	}
	if s.slip == nil {
		s.stop(from, "an expression in a text is not closed")
	}
}

func (s *scanner) bracket(c byte) {
	k := strings.IndexByte(s.Brackets, c)
	switch {
	case k < 0:
	case k%2 == 0:
		s.open = append(s.open, opened{s.at, rune(c)})
	case len(s.open) == 0:
		s.stop(s.at, string(c)+" closes nothing")
	default:
		last := s.open[len(s.open)-1]
		if byte(last.mark) != s.Brackets[k-1] {
			s.stop(last.at, string(last.mark)+" is not closed")
			return
		}
		s.open = s.open[:len(s.open)-1]
	}
}
