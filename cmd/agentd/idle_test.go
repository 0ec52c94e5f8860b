package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// Models that do nothing have no RS in anything that a run or a report prints, and both end with
// exit status 4.
func TestNothingDoneIsInSight(t *testing.T) {
	t.Parallel()
	for _, model := range []string{"refuse", "echo", "cut"} {
		t.Run(model, func(t *testing.T) {
			t.Parallel()
			db := filepath.Join(t.TempDir(), "x.db")
			call := func(want int, args ...string) string {
				t.Helper()
				stdout, stderr := program(t, want, append(args, "--db", db)...)
				return stdout + stderr
			}
			said := map[string]string{
				"run":        call(exitNothingDone, "run", "--name", model, "--model", "sim:"+model, "--policy", "agentic,direct", "--env", "accounting1", "--round-trips", "1"),
				"report":     call(exitNothingDone, "report", "--section", "survival,comparison"),
				"report csv": call(exitNothingDone, "report", "--format", "csv", "--section", "survival"),
				"page":       call(exitNothingDone, "report", "--format", "html"),
				"export":     call(0, "export", "--format", "csv"),
			}
			for what, wants := range map[string][]string{
				"run":        {"–       0.0         –   0.0", "0 % of the edits: RS says nothing", ", RS –, no-ops 0 0.0, done 0.0"},
				"report":     {"agentic (did 0 of 1 edit)", "direct (did 0 of 1 edit)"},
				"report csv": {",rs_2,,,,,", ",rs_noops_zero_2,0,"},
				"page":       {`<td class="score" data-headline>–</td><td class="bar">did 0 of 1 edit</td><td data-label="no-ops 0">0.0</td>`},
				"export":     {"rs_noops_zero"},
			} {
				for _, want := range wants {
					if text := said[what]; !strings.Contains(strings.Join(strings.Fields(text), " "), strings.Join(strings.Fields(want), " ")) {
						t.Errorf("%s does not say %q:\n%.3000s", what, want, text)
					}
				}
			}
		})
	}
}
