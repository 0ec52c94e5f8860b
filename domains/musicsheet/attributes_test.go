package musicsheet

import "testing"

func TestComputedAttributes(t *testing.T) {
	t.Parallel()
	for part, want := range map[string][2]string{
		"alto = \\relative c' { c4 g'8 a bes, r4 }":     {"4", "bes - a'"},
		"bass = { <f, f>2 q des4 | % g\n s1 }":          {"3", "f, - f"},
		"flute = \\relative { \\grace { a''16 } b4 c }": {"3", "a'' - c'''"},
		"words = \\lyricmode { The fer -- ry }":         {"", ""},
		"\\paper { indent = 18\\mm }":                   {"", ""},
	} {
		if got := [2]string{noteCount(part), noteRange(part)}; got != want {
			t.Errorf("%s: %q, want %q", part, got, want)
		}
	}
}
