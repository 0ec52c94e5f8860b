package printable

import (
	"fmt"
	"io"
	"sync"
	"unicode/utf8"
)

// NewText returns a writer that shows all that is written to it as Text does. It is
// for the outermost edge, where everything passes: what Fprintf has shown already
// passes unchanged. It may be used concurrently.
func NewText(to io.Writer) io.Writer {
	return &writer{to: to, show: func(b []byte, r rune) []byte { return utf8.AppendRune(b, inText(r)) }}
}

// NewJSON returns a writer for JSON. Characters that would do something on a terminal
// are written as escapes, which mean the same to every reader of JSON. It may be used
// concurrently.
func NewJSON(to io.Writer) io.Writer {
	return &writer{to: to, show: func(b []byte, r rune) []byte {
		if r == 0x7f || isDangerous(r) {
			return fmt.Appendf(b, `\u%04x`, r)
		}
		return utf8.AppendRune(b, r)
	}}
}

// writer maps characters on their way.
type writer struct {
	to   io.Writer
	show func([]byte, rune) []byte
	mu   sync.Mutex
	part []byte // the beginning of a character whose rest has not come yet
	out  []byte
}

func (w *writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	length := len(p)
	if len(w.part) > 0 {
		p = append(w.part, p...)
		w.part = nil
	}
	w.out = w.out[:0]
	for len(p) > 0 {
		if p[0] < utf8.RuneSelf {
			w.out = w.show(w.out, rune(p[0]))
			p = p[1:]
			continue
		}
		if !utf8.FullRune(p) {
			w.part = append(w.part, p...)
			break
		}
		r, size := utf8.DecodeRune(p)
		w.out = w.show(w.out, r)
		p = p[size:]
	}
	if len(w.out) == 0 {
		return length, nil
	}
	if _, err := w.to.Write(w.out); err != nil {
		return 0, err
	}
	return length, nil
}
