//go:build linux

package output

import (
	"testing"
	"unicode/utf8"
)

func TestStreams(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		limit     int
		chunks    []string
		want      string
		truncated bool
	}{
		"nothing":                      {5, nil, "", false},
		"just the limit":               {5, []string{"abc", "de"}, "abcde", false},
		"one over":                     {5, []string{"abc", "def"}, "abcde", true},
		"characters, not bytes":        {3, []string{"éüö"}, "éüö", false},
		"a character in pieces":        {3, []string{"\xe2", "\x9c", "\x93a", "\xf0\x9f"}, "✓a\ufffd", true},
		"half a character at the end":  {9, []string{"a\xe2\x9c"}, "a\ufffd\ufffd", false},
		"bytes that are no characters": {9, []string{"a\xff\xfeb"}, "a\ufffd\ufffdb", false},
		"controls become visible":      {20, []string{"\x1b[2J\x00\x7f\u009b\t\n"}, "␛[2J␀␡\ufffd\t\n", false},
		"line ends of DOS":             {20, []string{"a\r\nb\r", "\nc\rd\r"}, "a\r\nb\r\nc␍d␍", false},
		"no room at all":               {0, []string{"a"}, "", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &Stream{budget: &budget{left: c.limit}}
			for _, chunk := range c.chunks {
				s.add([]byte(chunk), false)
			}
			s.add(nil, true)
			if got := s.text.String(); got != c.want || s.budget.truncated != c.truncated {
				t.Errorf("got %q, truncated: %v", got, s.budget.truncated)
			}
		})
	}
}

func TestStreamsShareOneLimit(t *testing.T) {
	t.Parallel()
	s := NewStreams(4)
	stdout, stderr := &s.Out, &s.Err
	stdout.add([]byte("abc"), true)
	stderr.add([]byte("def"), true)
	if stdout.text.String() != "abc" || stderr.text.String() != "d" || !s.Truncated() || string(stderr.tail) != "def" {
		t.Errorf("got %q and %q, tail %q", stdout.text.String(), stderr.text.String(), stderr.tail)
	}
}

// However a stream is cut into pieces, the text is the same and valid.
func FuzzStream(f *testing.F) {
	f.Add([]byte("a✓\xff\xe2\x9c"), uint8(2), uint8(3))
	f.Fuzz(func(t *testing.T, data []byte, limit, cut uint8) {
		whole, pieces := &Stream{budget: &budget{left: int(limit)}}, &Stream{budget: &budget{left: int(limit)}}
		whole.add(data, true)
		for rest := data; ; {
			n := min(len(rest), int(cut)+1)
			pieces.add(rest[:n], n == len(rest))
			if rest = rest[n:]; len(rest) == 0 {
				break
			}
		}
		got := pieces.text.String()
		if got != whole.text.String() || !utf8.ValidString(got) || utf8.RuneCountInString(got) > int(limit) {
			t.Errorf("got %q in pieces, %q at once", got, whole.text.String())
		}
	})
}
