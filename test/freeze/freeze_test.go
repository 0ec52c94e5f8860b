package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentd/vfs"
)

const zone = "$ORIGIN kayak.example.\n@ 3600 IN SOA ns1 admin 1 7200 900 1209600 300\n@ 3600 IN NS ns1\nns1 3600 IN A 192.0.2.1\nmail 300 IN A 192.0.2.9\nshop 600 IN A 192.0.2.4\nftp 300 IN A 192.0.2.5\nwww 300 IN A 192.0.2.7\n"

// given writes a folder of golden rows, with one row for each candidate, and has no released environments.
func given(t *testing.T, candidates ...string) sources {
	t.Helper()
	dir := t.TempDir()
	var rows []byte
	for i, candidate := range candidates {
		row, err := json.Marshal(map[string]any{
			"id": "dns-" + string('a'+rune(i)), "corrupting": true,
			"reference": vfs.Files{"kayak.zone": zone}, "candidate": vfs.Files{"kayak.zone": candidate},
		})
		if err != nil {
			t.Fatal(err)
		}
		rows = append(append(rows, row...), '\n')
	}
	if err := os.WriteFile(filepath.Join(dir, "dns.jsonl"), rows, 0o600); err != nil {
		t.Fatal(err)
	}
	return sources{golden: dir, released: t.TempDir()}
}

func recordedIn(t *testing.T, from sources) string {
	t.Helper()
	dir := t.TempDir()
	o := options{sources: from, domains: []string{"dns"}, jobs: 2}
	if _, err := run(t.Context(), t.Output(), o, "", dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestRecordingsOfTheSameAreEqual(t *testing.T) {
	t.Parallel()
	from := given(t, zone, strings.Replace(zone, ".7\n", ".8\n", 1))
	before := recordedIn(t, from)
	var out strings.Builder
	n, err := run(t.Context(), &out, options{sources: from, domains: []string{"dns"}, jobs: 1, shown: 5}, before, "")
	if err != nil || n != 0 || !strings.Contains(out.String(), "no difference in 1 domains") {
		t.Errorf("%d differ, %v: %s", n, err, out.String())
	}
	r, err := load(file(before, "dns"))
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]bool{}
	for _, e := range r.entries {
		kind, _, _ := strings.Cut(e.Row, " ")
		rows[kind+", "+e.Field] = true
	}
	for _, want := range []string{
		"labelled, RS", "labelled, Strict", "labelled, differences", "labelled, elements", "labelled, elements left without every third",
		"generated, Strict", "seed, there", "seed, back", "reference, there", "reference, back",
	} {
		if !rows[want] {
			t.Errorf("%s is not recorded: %v", want, rows)
		}
	}
}

func TestWhatDiffersIsNamed(t *testing.T) {
	t.Parallel()
	before := recordedIn(t, given(t, zone, strings.Replace(zone, ".7\n", ".8\n", 1)))
	for rule, c := range map[string]struct {
		candidates []string
		want       []string
	}{
		"another score": {
			[]string{zone, strings.Replace(zone, "www 300 IN A 192.0.2.7\n", "", 1)},
			[]string{"1 × RS", "1 × Strict", "1 × differences", "labelled dns-b: Strict", `- "0.`, "192.0.2.8"},
		},
		"a row that is gone": {[]string{zone}, []string{"labelled dns-b: RS", "(is not recorded any more)"}},
		"a row that is new":  {[]string{zone, strings.Replace(zone, ".7\n", ".8\n", 1), zone}, []string{"labelled dns-c: RS", "(was not recorded)"}},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			after := recordedIn(t, given(t, c.candidates...))
			var out strings.Builder
			n, err := run(t.Context(), &out, options{shown: 20}, before, after)
			if err != nil || n == 0 {
				t.Fatalf("%d differ, %v", n, err)
			}
			for _, want := range c.want {
				if !strings.Contains(out.String(), want) {
					t.Errorf("no %q in:\n%s", want, out.String())
				}
			}
		})
	}
}

func TestTextsAreStoredAsTheyDiffer(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", longest)
	texts := []string{"", "a\n", "\xff", "\xfe", "�", long, long + "a", long + "b"}
	r := newRecording()
	r.add("row", "field", texts)
	r.add("row", "nothing", nil)
	name := file(t.TempDir(), "dns")
	if err := r.save(name); err != nil {
		t.Fatal(err)
	}
	again, err := load(name)
	if err != nil {
		t.Fatal(err)
	}
	if changes := compare(r, again); len(changes) != 0 {
		t.Errorf("saved and loaded: %v", changes)
	}
	if len(again.texts) != len(texts) {
		t.Errorf("%d texts of %d that differ", len(again.texts), len(texts))
	}
}

func TestArguments(t *testing.T) {
	t.Parallel()
	for line, ok := range map[string]bool{
		"-to x": true, "-against x": true, "-to x -against y -domain dns,json": true, "a b": true, "-domain dns a b": true,
		"a": false, "-to x a b": false, "-domain soup": false,
	} {
		if _, _, _, err := arguments(strings.Fields(line)); (err == nil) != ok {
			t.Errorf("%s: %v", line, err)
		}
	}
	if _, err := run(t.Context(), t.Output(), options{sources: sources{"not there", "not there"}}, "", t.TempDir()); err == nil {
		t.Error("folders that are not there are recorded")
	}
}
