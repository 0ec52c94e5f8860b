package screenplay

import (
	"testing"

	"agentd/domains"
	"agentd/domains/domaintest"
)

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "screenplay1") }

func TestWordsOfASpeech(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ part, want string }{
		"parentheses are not said":            {"MATE (off): Who had (points) the lamp? (going)", "4"},
		"a speech of two lines":               {"O'DWYER: God save\nall here.", "4"},
		"directions and headings are no part": {"KIT: Where do I sign?\n\n(KIT comes in.)\n\n# THE OLD METER\n\nLX 7, SQ 12.", "4"},
		"a dash between blanks is a word":     {"LEN: Well -- he'd need it.", "5"},
		"nothing is said":                     {"LEN: (nods)", "0"},
		"no speech":                           {"(Pause.)", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := words(tt.part); got != tt.want {
				t.Errorf("%q words, want %q", got, tt.want)
			}
		})
	}
}
