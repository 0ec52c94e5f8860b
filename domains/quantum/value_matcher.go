package quantum

import (
	"slices"
	"strings"
	"unicode/utf8"

	"agentd/domains/internal/pytext"
)

// matcher matches parts of a text from left to right, as the published patterns
// do.
type matcher struct {
	text string
	at   int
	// ends remembers where a byte was found last, since the patterns may look for
	// the same one again and again.
	ends [128]struct{ from, at int }
}

// skip passes over characters of a kind and reports whether there were any.
func (m *matcher) skip(of func(rune) bool) bool {
	start := m.at
	for m.at < len(m.text) {
		r, size := utf8.DecodeRuneInString(m.text[m.at:])
		if !of(r) {
			break
		}
		m.at += size
	}
	return m.at > start
}

func (m *matcher) spaces() bool { return m.skip(pytext.IsSpace) }

func (m *matcher) word() string {
	start := m.at
	m.skip(pytext.IsWord)
	return m.text[start:m.at]
}

func (m *matcher) is(text string) bool {
	if !strings.HasPrefix(m.text[m.at:], text) {
		return false
	}
	m.at += len(text)
	return true
}

// upTo takes what stands before the next end, at least a character, and the end.
func (m *matcher) upTo(end byte) (string, bool) {
	at := m.next(end)
	if at <= m.at {
		return "", false
	}
	text := pytext.Strip(m.text[m.at:at])
	m.at = at + 1
	return text, true
}

// next is where the byte stands next, -1 if nowhere.
func (m *matcher) next(b byte) int {
	known := &m.ends[b]
	if known.from > 0 && m.at >= known.from-1 && (known.at < 0 || m.at <= known.at) {
		return known.at
	}
	known.from, known.at = m.at+1, strings.IndexByte(m.text[m.at:], b)
	if known.at >= 0 {
		known.at += m.at
	}
	return known.at
}

// signature matches `\s+(\w+)\s*\(([^)]*)\)`.
func (m *matcher) signature(name *string) (params string, ok bool) {
	if !m.spaces() {
		return "", false
	}
	*name = m.word()
	m.spaces()
	if *name == "" || !m.is("(") {
		return "", false
	}
	end := m.next(')')
	if end < 0 {
		return "", false
	}
	params = m.text[m.at:end]
	m.at = end + 1
	return params, true
}

// deepest is how deep in braces a subroutine's body is read. Subroutines lie in
// each other where closing braces were lost.
const deepest = 32

// bodies finds what stands between braces.
type bodies struct {
	text  string
	open  []int // after opening braces
	close []int // where each ends, 0 if it is too deep
}

func newBodies(text string) bodies {
	b := bodies{text: text}
	var stack []int // of places in open
	for at := 0; ; at++ {
		n := strings.IndexAny(text[at:], "{}")
		if n < 0 {
			break
		}
		at += n
		switch {
		case text[at] == '{':
			stack = append(stack, len(b.open))
			b.open, b.close = append(b.open, at+1), append(b.close, 0)
		case len(stack) > 0:
			last := len(stack) - 1
			if last < deepest {
				b.close[stack[last]] = at
			}
			stack = stack[:last]
		}
	}
	for _, i := range stack[:min(len(stack), deepest)] {
		b.close[i] = max(b.open[i], len(text)-1)
	}
	return b
}

// after is the body after an opening brace.
func (b *bodies) after(at int) string {
	i, _ := slices.BinarySearch(b.open, at)
	if b.close[i] == 0 {
		return ""
	}
	return pytext.Strip(b.text[at:b.close[i]])
}
