package main

import (
	"encoding/csv"
	"encoding/json"
	"path/filepath"
	"slices"
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
			}
			for what, wants := range map[string][]string{
				"run":        {"–       0.0         –   0.0", "0 % of the edits: RS says nothing", ", RS –, no-ops 0 0.0, done 0.0"},
				"report":     {"agentic (did 0 of 1 edit)", "direct (did 0 of 1 edit)"},
				"report csv": {",rs_2,,,,,", ",rs_noops_zero_2,0,"},
				"page":       {`<td class="score" data-headline>–</td><td class="bar">did 0 of 1 edit</td><td data-label="no-ops 0">0.0</td>`},
			} {
				for _, want := range wants {
					if text := said[what]; !strings.Contains(strings.Join(strings.Fields(text), " "), strings.Join(strings.Fields(want), " ")) {
						t.Errorf("%s does not say %q:\n%.3000s", what, want, text)
					}
				}
			}
			wantZeroRows(t, call(0, "export", "--format", "csv"), call(0, "export", "--format", "jsonl"))
		})
	}
}

// wantZeroRows checks the two exports of two relays of one round trip: each backward row counts 0 with
// no-ops as 0, and says that its forward step was not carried out.
func wantZeroRows(t *testing.T, table, lines string) {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil || len(rows) != 5 {
		t.Fatalf("%d rows, %v:\n%s", len(rows), err, table)
	}
	of := func(row []string, column string) string { return row[slices.Index(rows[0], column)] }
	for i, line := range strings.Split(strings.TrimSpace(lines), "\n") {
		var object map[string]any
		if err := json.Unmarshal([]byte(line), &object); err != nil {
			t.Fatal(err)
		}
		row := rows[i+1]
		for _, column := range []string{"rs_noops_zero", "strict_noops_zero"} {
			text, value := of(row, column), object[column]
			switch {
			case object["direction"] == "forward" && (text != "" || value != nil || object["executed"] != false || of(row, "executed") != "false"):
				t.Errorf("a forward row has %s %q and %v, executed %v", column, text, value, object["executed"])
			case object["direction"] == "backward" && (text != "0" || value != 0.0):
				t.Errorf("a backward row has %s %q and %v, want 0", column, text, value)
			}
		}
	}
}
