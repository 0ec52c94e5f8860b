package catalog_test

import (
	"fmt"
	"strings"
	"testing"

	"agentd/domains"
	"agentd/domains/catalog"
	"agentd/vfs"
)

// Where elements tell no difference, lines do: what is the expected file except for few lines is damaged, and what is written
// in another way is not.
func TestDamageThatNoReaderSees(t *testing.T) {
	t.Parallel()
	d, ok := catalog.Lookup("subtitles")
	if !ok {
		t.Fatal("there is no domain subtitles")
	}
	var cues strings.Builder
	for n := range 20 {
		fmt.Fprintf(&cues, "%d\n00:00:%02d,000 --> 00:00:%02d,500\nGauge %d stands on the roof.\n\n", n+1, n, n, n)
	}
	const notes = "# Cues\n\n```\nfive\n```\n"
	expected := vfs.Files{"talk.srt": cues.String(), "notes.md": notes}
	x := domains.Expect(d, nil, expected)
	lines := 0
	for _, text := range expected {
		for line := range strings.Lines(text) {
			if strings.TrimSpace(line) != "" {
				lines++
			}
		}
	}
	for name, c := range map[string]struct {
		file, was, is string
		count         int // of was; all of them if it is negative
		says          string
	}{
		"a closing fence is missing":       {"notes.md", "five\n```\n", "five\n", 1, "notes.md, line 5: lost (```)"},
		"the number of a cue is missing":   {"talk.srt", "\n7\n", "\n", 1, "talk.srt, line 25: lost (7)"},
		"the number of a cue is another":   {"talk.srt", "\n7\n", "\n8\n", 1, "talk.srt, line 25: 7 -> 8"},
		"nothing is missing":               {"talk.srt", "x", "y", 0, ""},
		"line ends are others":             {"talk.srt", "\n", "\r\n", -1, ""},
		"a byte order mark is there":       {"talk.srt", "1\n", "\ufeff1\n", 1, ""},
		"there are more blank lines":       {"talk.srt", "\n\n", "\n\n\n", -1, ""},
		"numbers have zeros in front":      {"talk.srt", "\n7\n", "\n007\n", 1, ""},
		"a fence is around the whole file": {"notes.md", notes, "```\n" + notes + "```\n", 1, ""},
	} {
		got := expected.Clone()
		if got[c.file] = strings.Replace(got[c.file], c.was, c.is, c.count); got[c.file] == expected[c.file] && c.count != 0 {
			t.Fatalf("%s: %q is not there", name, c.was)
		}
		want := 1.0
		if c.says != "" {
			want = 1 - 1/float64(lines)
		}
		score, _ := x.Score(got)
		compared, differences := x.Compare(got)
		if score != want || compared != want {
			t.Errorf("%s: %v and %v, want %v: %v", name, score, compared, want, differences)
		}
		if says := fmt.Sprint(differences); says != "["+c.says+"]" {
			t.Errorf("%s: %s, want [%s]", name, says, c.says)
		}
	}
	// Who counts cues from 0 does so everywhere.
	counted := cues.String()
	for n := range 20 {
		counted = strings.Replace(counted, fmt.Sprintf("%d\n00:00:%02d", n+1, n), fmt.Sprintf("%d\n00:00:%02d", n, n), 1)
	}
	if score, _ := x.Score(vfs.Files{"talk.srt": counted, "notes.md": notes}); score != 1 {
		t.Errorf("cues that are counted from 0: %v", score)
	}
}

// A comment that is lost is a difference in whatever is asked, though it weighs nothing: of a document that was restored, and of what a
// forward step should make. A comment more is none.
func TestALostCommentIsNotTheSame(t *testing.T) {
	t.Parallel()
	for domain, c := range map[string]struct{ file, text, comment string }{
		"makefile": {"Makefile", "count = 1 # of the boats\n\nall: boats\n\techo $(count)\n", " # of the boats"},
		"json":     {"a.yaml", "count: 1 # of the boats\nplace: quay\n", " # of the boats"},
		"malware":  {"a.yar", "rule boat { // seen at the quay\n  condition:\n    true\n}\n", " // seen at the quay"},
	} {
		d, _ := catalog.Lookup(domain)
		whole, without := vfs.Files{c.file: c.text}, vfs.Files{c.file: strings.Replace(c.text, c.comment, "", 1)}
		review := d.Against(whole).Review(without)
		if review.Strict != 1 || len(review.Differences) != 1 || review.Same() {
			t.Errorf("%s: strict %v, same: %t, %v", domain, review.Strict, review.Same(), review.Differences)
		}
		x := domains.Expect(d, nil, whole)
		score, _ := x.Score(without)
		if compared, found := x.Compare(without); score >= 1 || score < 0.5 || compared != score || len(found) != 1 {
			t.Errorf("%s: a forward step scores %v and %v, %v", domain, score, compared, found)
		}
		if score, _ := domains.Expect(d, nil, without).Score(whole); score != 1 || !d.Against(without).Review(whole).Same() {
			t.Errorf("%s: a comment more scores %v, %v", domain, score, d.Against(without).Review(whole))
		}
	}
}
