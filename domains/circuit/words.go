package circuit

import (
	"iter"
	"strings"
)

// word is a part of a statement, an equals sign or what stands between blanks:
// expressions in braces and quotes, and what is in parentheses, are in one.
type word struct {
	text  string
	start int // in the statement
}

// lexer finds the words and comments of a statement.
type lexer struct {
	text string
	at   int
	end  int // of the line in hand
	// open makes parentheses and commas blanks, as in PULSE(0 1.8 2n).
	open    bool
	words   []word
	remarks []word
}

// words finds the words of a statement. Those of sources and models are without
// parentheses and commas.
func (s *statement) words() []word {
	words, _ := s.parts()
	return words
}

// parts finds the words and the comments.
func (s *statement) parts() (words, remarks []word) {
	if s.lexed {
		return s.code, s.remarks
	}
	start := strings.TrimLeft(s.text, " \t")
	model := len(start) >= len(".model") && strings.EqualFold(start[:len(".model")], ".model")
	l := lexer{text: s.text, open: model || start != "" && strings.IndexByte("vViI", start[0]) >= 0}
	l.words = make([]word, 0, 4+len(s.text)/8)
	l.run()
	s.lexed, s.code, s.remarks = true, l.words, l.remarks
	return s.code, s.remarks
}

func (l *lexer) run() {
	fresh := true // at the beginning of a line
	l.findEnd()
	for l.at < len(l.text) {
		c := l.text[l.at]
		switch {
		case c == '\n':
			fresh = true
			l.at++
			l.findEnd()
		case strings.IndexByte(" \t\r\f\v", c) >= 0 || l.open && strings.IndexByte("(),", c) >= 0:
			l.at++
		case fresh && l.at > 0 && c == '+':
			fresh = false
			l.at++
		case fresh && l.at > 0 && kindOfLine(l.line()) == commentLine, l.commentStarts():
			l.remarks = append(l.remarks, word{l.line(), l.at})
			l.at = l.end
		default:
			fresh = false
			l.words = append(l.words, l.word())
		}
	}
}

// findEnd finds the end of the line in hand.
func (l *lexer) findEnd() {
	l.end = len(l.text)
	if n := strings.IndexByte(l.text[l.at:], '\n'); n >= 0 {
		l.end = l.at + n
	}
}

// line is the rest of the line.
func (l *lexer) line() string { return l.text[l.at:l.end] }

// commentStarts reports whether a comment begins here: a semicolon, or after a
// blank two slashes or a dollar sign that stands alone.
func (l *lexer) commentStarts() bool {
	rest := l.text[l.at:]
	if rest[0] == ';' {
		return true
	}
	if l.at == 0 || strings.IndexByte(" \t", l.text[l.at-1]) < 0 {
		return false
	}
	return strings.HasPrefix(rest, "//") || rest[0] == '$' && (len(rest) == 1 || strings.IndexByte(" \t\n", rest[1]) >= 0)
}

// word reads a word at the place in hand.
func (l *lexer) word() word {
	start := l.at
	if l.text[l.at] == '=' {
		l.at++
	} else {
		l.toWordEnd()
	}
	return word{l.text[start:l.at], start}
}

func (l *lexer) toWordEnd() {
	depth := 0 // of parentheses
	for ; l.at < len(l.text); l.at++ {
		switch c := l.text[l.at]; {
		case c == '\n' || c == ';' || l.open && strings.IndexByte("(),", c) >= 0:
			return
		case c == '{' || c == '\'' || c == '"':
			l.at += groupLength(l.line()) - 1
		case c == '(':
			depth++
		case c == ')':
			depth = max(depth-1, 0)
		case depth == 0 && (c == '=' || strings.IndexByte(" \t\r\f\v", c) >= 0):
			return
		}
	}
}

// groupLength is the length of a text up to the brace or quote that closes its
// first, or all of it if none does.
func groupLength(text string) int {
	if text[0] != '{' {
		if n := strings.IndexByte(text[1:], text[0]); n >= 0 {
			return n + 2
		}
		return len(text)
	}
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(text)
}

// assignment is a name with a value, or a word without one.
type assignment struct {
	name, value word
	given       bool // the value
}

// assignments yields names with the words after equals signs, and their numbers
// from 0.
func assignments(words []word) iter.Seq2[int, assignment] {
	return func(yield func(int, assignment) bool) {
		n := 0
		for i := 0; i < len(words); i++ {
			a := assignment{name: words[i]}
			if i+2 < len(words) && words[i+1].text == "=" && words[i].text != "=" {
				a.value, a.given = words[i+2], true
				i += 2
			}
			if !yield(n, a) {
				return
			}
			n++
		}
	}
}

// positional counts the words before the first equals sign, without the name in
// front of it.
func positional(words []word) int {
	for i, w := range words {
		if w.text == "=" {
			return max(i-1, 0)
		}
	}
	return len(words)
}
