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
	got, ok := Updated("run …: 2 relays\nRS 70.1\nin … s", "run a1b2: 2 relays\nRS 80.2  \nin 3 s\nnew\n")
	if want := "run …: 2 relays\nRS 80.2\nin … s\nnew"; got != want || !ok {
		t.Errorf("%q, %v", got, ok)
	}
	if _, ok := Updated("one\n…", "two\nthree\n"); ok {
		t.Error("lines that a person left out are decided on")
	}
}
