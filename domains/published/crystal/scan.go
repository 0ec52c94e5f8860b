package crystal

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"agentd/domains/internal/pytext"
	"agentd/internal/lazyregexp"
)

// kind is a kind of token of PyCifRW, the reader of the published evaluator.
type kind uint16

const (
	loopToken kind = 1 << iota
	tagToken
	headingToken
	valueToken
	endToken
)

// Kinds that may stand at the same place.
const (
	blockStarts = endToken | headingToken
	itemStarts  = loopToken | tagToken | blockStarts
)

var errSyntax = errors.New("syntax error")

// scanner finds the tokens that may stand at a place, as PyCifRW does: what a word is depends on what is wanted there.
type scanner struct {
	text     string
	at       int
	brackets bool // may begin a bare value, as they might in CIF 1.0
	cif2     bool

	found kind   // the token in hand, 0 after an error
	word  string // its text, of a value without delimiters
	err   error  // the first; the scanner stays where it was met
}

// fail notes an error. There is no text then.
func (s *scanner) fail(err error) string {
	s.err, s.found = cmp.Or(s.err, err), 0
	return ""
}

// next goes to the next token, which is of the kinds that are wanted.
func (s *scanner) next(wanted kind) {
	if s.err != nil {
		return
	}
	s.word = ""
	for s.at < len(s.text) {
		switch c := s.text[s.at]; {
		case c == ' ' || c == '\t':
			s.at++
		case c == '#':
			s.at = commentEnd(s.text, s.at)
		case c == '\n' || c == '\r':
			rest := s.text[s.at+1:]
			opens := c == '\n' && strings.HasPrefix(rest, ";") || c == '\r' && strings.HasPrefix(rest, "\n;")
			switch {
			case opens && wanted&valueToken != 0:
				s.found = valueToken
				s.word = s.field()
				return
			case strings.HasPrefix(rest, ";"):
				s.fail(errSyntax)
				return
			}
			s.at++
		default:
			s.bareToken(wanted)
			return
		}
	}
	s.found = endToken
	if wanted&endToken == 0 {
		s.fail(errSyntax)
	}
}

// commentEnd is where a comment ends: after its line end, unless a text field follows.
func commentEnd(text string, at int) int {
	line := text[at:]
	newline := strings.IndexByte(line, '\n')
	if newline >= 0 {
		if !strings.HasPrefix(line[newline+1:], ";") {
			return at + newline + 1
		}
		line = line[:newline]
	}
	return at + len(line)
}

// field reads a text field, which begins with the line end before it. A line in it that is a comment by its looks is
// dropped, unless a blank line or the end of the field follows.
func (s *scanner) field() string {
	at := s.at + strings.IndexByte(s.text[s.at:], ';') + 1
	var kept []byte
	for start, from := at, at; ; {
		end := linesEnd(s.text, at)
		switch {
		case end < 0:
			return s.fail(errSyntax)
		case at > start && s.text[at] == '#' && commentEnd(s.text, at) >= end:
			kept = append(kept, s.text[from:at]...)
			end = commentEnd(s.text, at)
			from = end
		}
		if at = end; strings.HasPrefix(s.text[at:], ";") {
			s.at = at + 1
			kept = append(kept, s.text[from:at-1]...)
			return strings.TrimSuffix(string(kept), "\r")
		}
	}
}

// linesEnd is where the line ends with the empty lines after it, -1 if the text ends before.
func linesEnd(text string, at int) int {
	length := strings.IndexAny(text[at:], "\r\n")
	if length < 0 {
		return -1
	}
	for at += length; at < len(text) && (text[at] == '\r' || text[at] == '\n'); at++ {
	}
	return at
}

// keywords are the reserved words with which no bare value begins.
var keywords = []string{"data_", "save_", "global_", "stop_"}

// bareToken reads a token that is no text field.
func (s *scanner) bareToken(wanted kind) {
	rest := s.text[s.at:]
	length := 0
	switch {
	case rest[0] == '_':
		s.found, length = tagToken, s.nameEnd(rest, 1)
		s.word = rest[:length]
	case wanted&loopToken != 0 && HasWord(rest, LoopWord) && (wanted&valueToken == 0 || len(s.bare(rest)) == len(LoopWord)):
		s.found, length = loopToken, len(LoopWord)
	case HasWord(rest, "data_"):
		length = s.nameEnd(rest, len("data_"))
		s.found, s.word = headingToken, rest[len("data_"):length]
	default:
		s.found = valueToken
	}
	switch {
	case wanted&s.found == 0, s.found == tagToken && length == 1, s.found == headingToken && s.word == "":
		s.fail(errSyntax)
	case s.found == valueToken:
		s.word = s.value(rest)
	default:
		s.at += length
	}
}

func (s *scanner) value(rest string) string {
	isBracket := strings.IndexByte("{[]", rest[0]) >= 0
	switch {
	case s.cif2:
		if found := quoted2.FindStringSubmatch(rest); found != nil {
			s.at += len(found[0])
			return strings.Join(found[1:], "")
		}
		if isBracket && rest[0] != ']' {
			return s.list()
		}
	case rest[0] == '\'' || rest[0] == '"':
		end := quoteEnd(rest)
		if end < 0 {
			return s.fail(errSyntax)
		}
		s.at += end + 1
		return rest[1:end]
	case isBracket && !s.brackets:
		return s.fail(errSyntax)
	}
	word := s.bare(rest)
	begins := func(keyword string) bool { return HasWord(word, keyword) }
	if word == "" || strings.IndexByte(`"#$'_`, word[0]) >= 0 || slices.ContainsFunc(keywords, begins) {
		return s.fail(errSyntax)
	}
	s.at += len(word)
	return word
}

// bare is the word with which a text begins, up to white space as Python has it.
func (s *scanner) bare(rest string) string {
	ends := func(r rune) bool { return pytext.IsSpace(r) || s.cif2 && strings.ContainsRune("{}[]", r) }
	if end := strings.IndexFunc(rest, ends); end >= 0 {
		return rest[:end]
	}
	return rest
}

// quoteEnd is the place of the quote that closes the one with which a text begins: one before white space, otherwise
// the last one of the line. It is -1 if there is none.
func quoteEnd(rest string) int {
	last := -1
	for i := 1; i < len(rest); i++ {
		switch c := rest[i]; {
		case c == '\n' || c == '\r' || c == '\f' && rest[0] == '\'':
			return last
		case c == rest[0]:
			last = i
			if next, _ := utf8.DecodeRuneInString(rest[i+1:]); i+1 == len(rest) || pytext.IsSpace(next) {
				return i
			}
		}
	}
	return last
}

// nameEnd is where the characters of a name end: printable ASCII, in CIF 2 also what is beyond.
func (s *scanner) nameEnd(text string, from int) int {
	ends := func(r rune) bool { return r <= ' ' || r == 0x7f || r > 0x7f && (!s.cif2 || r < 0xa0) }
	if length := strings.IndexFunc(text[from:], ends); length >= 0 {
		return from + length
	}
	return len(text)
}

// HasWord reports whether a text begins with a word, in any letter case.
func HasWord(text, word string) bool {
	return len(text) >= len(word) && strings.EqualFold(text[:len(word)], word)
}

// quoted2 is a value in quotes of CIF 2; three of them may span lines.
var quoted2 = lazyregexp.New(`^(?:'''((?s:.*?))'''|"""((?s:.*?))"""|'([^'\n\r]*)'|"([^"\n\r]*)")`)

// list reads a list or table of CIF 2. Its first entry is its value.
func (s *scanner) list() string {
	first, depth := "", 0
	for s.err == nil && s.at < len(s.text) {
		switch c := s.text[s.at]; {
		case c == '[' || c == '{':
			depth++
			s.at++
		case c == ']' || c == '}':
			s.at++
			if depth--; depth == 0 {
				return first
			}
		case c == ':' || c == ' ' || c == '\t' || c == '\r':
			s.at++
		case c == '\n' && !strings.HasPrefix(s.text[s.at+1:], ";"):
			s.at++
		default:
			s.next(valueToken)
			first = cmp.Or(first, s.word)
		}
	}
	return s.fail(errSyntax)
}
