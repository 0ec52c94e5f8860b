//go:build linux

// Package output keeps what a script prints, within a limit.
package output

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// Streams are the standard output and standard error of one script. A limited number of characters
// of both together is kept.
type Streams struct {
	Out, Err Stream
	budget   budget
	drained  sync.WaitGroup
	pipes    []*os.File // read ends, if Pipes made them
}

// NewStreams returns empty streams that keep this many characters.
func NewStreams(characters int) *Streams {
	s := &Streams{budget: budget{left: characters}}
	s.Out.budget, s.Err.budget = &s.budget, &s.budget
	return s
}

// Pipes begins to read from two pipes and returns their write ends, for the script. The caller
// must close those.
func (s *Streams) Pipes() (out, err *os.File, failed error) {
	ours := make([]*os.File, 2)
	if ours[0], out, failed = os.Pipe(); failed != nil {
		return nil, nil, failed
	}
	if ours[1], err, failed = os.Pipe(); failed != nil {
		return nil, nil, errors.Join(failed, ours[0].Close(), out.Close())
	}
	s.pipes = ours
	s.Drain(ours[0], ours[1])
	return out, err, nil
}

// Finish reads the rest of the pipes and closes them. It waits at most this long for processes
// that still have them open.
func (s *Streams) Finish(within time.Duration) {
	for _, pipe := range s.pipes {
		pipe.SetReadDeadline(time.Now().Add(within))
	}
	s.Wait()
	for _, pipe := range s.pipes {
		pipe.Close()
	}
}

// Drain begins to read what the script prints, until the last process that could print has
// ended.
func (s *Streams) Drain(out, err io.Reader) {
	s.drained.Go(func() { s.Out.drain(out) })
	s.drained.Go(func() { s.Err.drain(err) })
}

// Wait waits until everything is read. Then Text and Tail are complete.
func (s *Streams) Wait() { s.drained.Wait() }

// Truncated reports whether something was dropped.
func (s *Streams) Truncated() bool { return s.budget.truncated }

type budget struct {
	mu        sync.Mutex
	left      int // characters
	truncated bool
}

// Stream keeps one stream, as valid UTF-8, as far as the budget allows. It reads on when the
// budget is spent, because the script would block otherwise.
type Stream struct {
	budget *budget
	text   strings.Builder
	rune   []byte // the first bytes of an incomplete character
	tail   []byte // the last bytes of the stream, kept or not
}

const tailBytes = 2048

// Text returns what was kept.
func (s *Stream) Text() string { return s.text.String() }

// Tail returns the last bytes of the stream, kept or not.
func (s *Stream) Tail() string { return string(s.tail) }

func (s *Stream) drain(from io.Reader) {
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
func (s *Stream) add(p []byte, last bool) {
	s.tail = append(s.tail, p[max(0, len(p)-tailBytes):]...)
	s.tail = s.tail[max(0, len(s.tail)-tailBytes):]

	s.budget.mu.Lock()
	defer s.budget.mu.Unlock()
	if len(s.rune) > 0 {
		p = append(s.rune, p...)
		s.rune = nil
	}
	for len(p) > 0 {
		// A carriage return is a line's end only before a newline.
		if !last && (!utf8.FullRune(p) || string(p) == "\r") {
			s.rune = bytes.Clone(p)
			return
		}
		if s.budget.left == 0 {
			s.budget.truncated = true
			return
		}
		r, size := utf8.DecodeRune(p)
		s.text.WriteRune(visible(r, p[size:])) // U+FFFD for a byte that is not UTF-8
		s.budget.left--
		p = p[size:]
	}
}

// visible returns the character to show for another: a control character, which could move the
// cursor of a terminal or worse, becomes a visible symbol.
func visible(r rune, next []byte) rune {
	const pictures, pictureOfDelete = '␀', '␡'
	switch {
	case r == '\n' || r == '\t' || r == '\r' && len(next) > 0 && next[0] == '\n':
		return r
	case r < ' ':
		return pictures + r
	case r == 0x7f:
		return pictureOfDelete
	case r >= 0x80 && r < 0xa0: // to some terminals, escapes of one character
		return utf8.RuneError
	}
	return r
}

// LastLine returns the last line of a text that is not blank.
func LastLine(text string) string {
	text = strings.TrimSpace(text)
	return text[strings.LastIndexByte(text, '\n')+1:]
}
