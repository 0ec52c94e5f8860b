package docs

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestStepsOfAPage(t *testing.T) {
	t.Parallel()
	page := "# A page\n\nText.\n\n```sh\none\ntwo\n```\n\nIt prints:\n\n```text\nthree\n```\n\n" +
		"```sh\nfour\n```\n\n<!-- not run: needs a key -->\n```sh\nfive\n```\n\n```yaml\nsix: 6\n```\n\n```text\nseven\n```\n\n```text\na second block is no output\n```\n"
	want := []Step{
		{Line: 6, Script: "one\ntwo", Output: "three", Shown: true, From: 12, To: 13},
		{Line: 17, Script: "four"},
		{Line: 22, Script: "five", Skipped: "needs a key", Output: "seven", Shown: true, From: 29, To: 30},
	}
	if diff := cmp.Diff(want, Steps(page)); diff != "" {
		t.Error(diff)
	}
}

func TestWhatIsShownMatchesTheOutput(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		shown, output string
		want          bool
	}{
		{"one", "one\n", true},
		{"one", "one  \n\n", true},
		{"one", "two\n", false},
		{"one", "one\ntwo\n", false},
		{"", "", true},
		{"", "one\n", false},
		{"in … s", "in 12.5 s\n", true},
		{"in … s", "in 12\n5 s\n", false},
		{"one\n…", "one\ntwo\nthree\n", true},
		{"one\n…", "one\n", true},
		{"one\n…\nfour", "one\ntwo\nthree\nfour\n", true},
		{"one\n…\nfour", "one\ntwo\nthree\n", false},
		{"a.b", "a-b\n", false},
	} {
		if got := Matches(test.shown, test.output); got != test.want {
			t.Errorf("%q matches %q: %v", test.shown, test.output, got)
		}
	}
}

func TestAnUpdateKeepsWhatVaries(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		shown, output, want string
		ok                  bool
	}{
		"within lines":    {"run …: 2 relays\nRS 70.1\nin … s", "run a1b2: 2 relays\nRS 80.2  \nin 3 s\nnew\n", "run …: 2 relays\nRS 80.2\nin … s\nnew", true},
		"at the end":      {"model RS\nweak 40\n…", "model RS\nweak 41\nmuch\nmore\n", "model RS\nweak 41\n…", true},
		"at the start":    {"…\nmodel RS\nweak 40", "much\nmodel RS\nweak 41\n", "…\nmodel RS\nweak 41", true},
		"in the middle":   {"head\n…\nlost tip 9\n…\nend of all", "head\nmuch\nmore\nlost tip 8\nlost cue\nend of all\n", "head\n…\nlost tip 8\n…\nend of all", true},
		"nothing is left": {"one\n…\ntwo words", "three\nfour\n", "", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, ok := Updated(test.shown, test.output)
			if got != test.want || ok != test.ok {
				t.Errorf("%q, %v; want %q, %v", got, ok, test.want, test.ok)
			}
			if ok && !Matches(got, test.output) {
				t.Errorf("%q does not match its output", got)
			}
		})
	}
}
