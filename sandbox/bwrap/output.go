package bwrap

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"unicode/utf8"
)

// output is the budget of characters that the streams of one script share.
type output struct {
	mu        sync.Mutex
	left      int
	truncated bool
}

// stream keeps the part of one stream that is within the budget, as valid
// UTF-8. It reads on when the budget is spent: a script that is not read from
// would hang.
type stream struct {
	budget *output
	text   strings.Builder
	rune   []byte // the beginning of a character whose rest has not come yet
	tail   []byte // the last bytes of all, kept or not
}

const tailBytes = 512

// drain reads until the last process that could write has ended.
func (s *stream) drain(from io.Reader) {
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		s.add(buffer[:n], err != nil)
		if err != nil {
			return
		}
	}
}

// add takes the next bytes of the stream; last says that no more will come.
func (s *stream) add(p []byte, last bool) {
	s.tail = append(s.tail, p[max(0, len(p)-tailBytes):]...)
	s.tail = s.tail[max(0, len(s.tail)-tailBytes):]

	s.budget.mu.Lock()
	defer s.budget.mu.Unlock()
	if len(s.rune) > 0 {
		p = append(s.rune, p...)
		s.rune = nil
	}
	for len(p) > 0 {
		if !last && !utf8.FullRune(p) {
			s.rune = bytes.Clone(p)
			return
		}
		if s.budget.left == 0 {
			s.budget.truncated = true
			return
		}
		r, size := utf8.DecodeRune(p)
		s.text.WriteRune(r) // U+FFFD for a byte that is none of UTF-8
		s.budget.left--
		p = p[size:]
	}
}

// lastLine returns the last line of a text that is not blank.
func lastLine(text string) string {
	text = strings.TrimSpace(text)
	return text[strings.LastIndexByte(text, '\n')+1:]
}
