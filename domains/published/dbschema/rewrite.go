package dbschema

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/domains/internal/pytext"
)

// script is a text that is rewritten, and the same in lower case, in which the words of rules are looked for.
type script struct{ text, lower string }

func newScript(text string) script { return script{text, lowerASCII(text)} }

func lowerASCII(text string) string {
	b := []byte(text)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// rule replaces every stretch of a text that a word begins.
type rule struct {
	word string // in lower case
	lead lead
	rest pattern
	with string
	// keepList puts the last list in parentheses after the replacement.
	keepList bool
}

// lead finds where the stretch begins whose word stands at a place. It does not
// reach back over done, where the stretch before ended.
type lead func(text string, done, word int) (start int, ok bool)

func (s *script) apply(r rule) {
	if !strings.Contains(s.lower, r.word) {
		return
	}
	var out, lower strings.Builder
	copyTo := func(from, to int, with string) {
		out.WriteString(s.text[from:to])
		out.WriteString(with)
		lower.WriteString(s.lower[from:to])
		lower.WriteString(lowerASCII(with))
	}
	c := cursor{script: *s}
	done, from := 0, 0
	for {
		next := strings.Index(s.lower[from:], r.word)
		if next < 0 {
			break
		}
		word := from + next
		from = word + 1
		start, ok := r.lead(s.text, done, word)
		if c.at = word + len(r.word); !ok || !r.rest(&c) {
			continue
		}
		if done == 0 {
			out.Grow(len(s.text))
			lower.Grow(len(s.text))
		}
		copyTo(done, start, r.with)
		if r.keepList {
			copyTo(c.list, c.at, "")
		}
		done, from = c.at, c.at
	}
	if done > 0 {
		copyTo(done, len(s.text), "")
		*s = script{out.String(), lower.String()}
	}
}

// cursor is a place in a script at which patterns are matched.
type cursor struct {
	script
	at     int
	list   int // where the last list in parentheses began
	finder finder
}

// finder remembers where a byte comes next, so that looking for it again and
// again from places before that costs nothing.
type finder struct{ after, next [128]int }

// find returns the first place of b at or after from; len(text) if there is none.
func (f *finder) find(text string, b byte, from int) int {
	if f.next[b] < from || from < f.after[b] || f.next[b] == 0 {
		f.after[b], f.next[b] = from, len(text)
		if at := strings.IndexByte(text[from:], b); at >= 0 {
			f.next[b] = from + at
		}
	}
	return f.next[b]
}

// pattern moves a cursor after what it matches; false if there is no match.
type pattern func(*cursor) bool

func nothing(*cursor) bool { return true }

func sequence(parts ...pattern) pattern {
	return func(c *cursor) bool {
		for _, part := range parts {
			if !part(c) {
				return false
			}
		}
		return true
	}
}

func optional(parts ...pattern) pattern {
	whole := sequence(parts...)
	return func(c *cursor) bool {
		if start := c.at; !whole(c) {
			c.at = start
		}
		return true
	}
}

func repeated(parts ...pattern) pattern {
	whole := sequence(parts...)
	return func(c *cursor) bool {
		start := c.at
		for whole(c) {
			start = c.at
		}
		c.at = start
		return true
	}
}

func either(patterns ...pattern) pattern {
	return func(c *cursor) bool {
		start := c.at
		for _, p := range patterns {
			if c.at = start; p(c) {
				return true
			}
		}
		return false
	}
}

// literal matches a text that is given in lower case.
func literal(text string) pattern {
	return func(c *cursor) bool {
		if !strings.HasPrefix(c.lower[c.at:], text) {
			return false
		}
		c.at += len(text)
		return true
	}
}

// words matches words that are given in lower case, each after white space.
func words(words ...string) pattern {
	var parts []pattern
	for _, word := range words {
		parts = append(parts, gap, literal(word))
	}
	return sequence(parts...)
}

// while matches runes that a condition holds for, at least that many.
func while(least int, holds func(rune) bool) pattern {
	return func(c *cursor) bool {
		for met := 0; ; met++ {
			r, size := utf8.DecodeRuneInString(c.text[c.at:])
			if size == 0 || !holds(r) {
				return met >= least
			}
			c.at += size
		}
	}
}

var (
	blanks   = while(0, pytext.IsSpace)
	gap      = while(1, pytext.IsSpace)
	name     = while(1, pytext.IsWord)
	digits   = while(1, unicode.IsDigit)
	equals   = sequence(blanks, literal("="), blanks)
	width    = sequence(literal("("), digits, literal(")"))
	list     = sequence(blanks, markList, enclosed('(', ')'))
	quoted   = enclosed('"', '"')
	wordEnds = func(c *cursor) bool {
		r, size := utf8.DecodeRuneInString(c.text[c.at:])
		return size == 0 || !pytext.IsWord(r)
	}
)

func markList(c *cursor) bool {
	c.list = c.at
	return true
}

// enclosed matches at least one character between two marks, up to the first of the second.
func enclosed(open, closing byte) pattern {
	return func(c *cursor) bool {
		if c.at == len(c.text) || c.text[c.at] != open {
			return false
		}
		end := c.finder.find(c.text, closing, c.at+1)
		if end == len(c.text) || end == c.at+1 {
			return false
		}
		c.at = end + 1
		return true
	}
}

// upTo matches everything up to a byte, and that.
func upTo(b byte) pattern {
	return func(c *cursor) bool {
		end := c.finder.find(c.text, b, c.at)
		c.at = min(end+1, len(c.text))
		return end < len(c.text)
	}
}

// The leads that rules have.

func atWord(_ string, _, word int) (int, bool) { return word, true }

// atBoundary wants a word that is not the end of a longer one.
func atBoundary(text string, _, word int) (int, bool) {
	r, size := utf8.DecodeLastRuneInString(text[:word])
	return word, size == 0 || !pytext.IsWord(r)
}

// atLine wants a word with only blanks before it on its line, and takes blank lines above.
func atLine(text string, done, word int) (int, bool) {
	start := blanksBefore(text, done, word)
	if start == 0 || start == done && text[start-1] == '\n' {
		return start, true
	}
	line := strings.IndexByte(text[start:word], '\n')
	return start + line + 1, line >= 0
}

// atComma takes the comma and blanks before the word.
func atComma(text string, done, word int) (int, bool) {
	start := blanksBefore(text, done, word)
	if start > done && text[start-1] == ',' {
		return start - 1, true
	}
	return start, false
}

// atAnyComma takes the blanks before the word, and the comma if there is one.
func atAnyComma(text string, done, word int) (int, bool) {
	start, _ := atComma(text, done, word)
	return start, true
}

// atDefault takes the word DEFAULT before the word.
func atDefault(text string, done, word int) (int, bool) {
	const before = "default"
	end := blanksBefore(text, done, word)
	if start := end - len(before); end < word && start >= done && strings.EqualFold(text[start:end], before) {
		return start, true
	}
	return word, true
}

// atQuoted wants a name in double quotes before the word, and takes the blanks between.
func atQuoted(text string, done, word int) (int, bool) {
	end := blanksBefore(text, done, word)
	before, closed := strings.CutSuffix(text[done:end], `"`)
	if !closed {
		return end, false
	}
	open := strings.LastIndexByte(before, '"')
	return end, open >= 0 && open < len(before)-1
}

// blanksBefore is where the blanks begin that end at a place.
func blanksBefore(text string, done, end int) int {
	return done + len(pytext.StripRight(text[done:end]))
}
