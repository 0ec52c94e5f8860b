package main

import (
	"fmt"
	"os/exec"
	"testing"

	"agentd/internal/layout/layouttest"
)

// What lists print is as a person would want to read it on terminals of three widths.
func TestOutputFitsTheScreen(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{
		"domains":  {"domains"},
		"policies": {"policies"},
		"models":   {"models"},
		"env_list": {"env", "list"},
		"doctor":   {"doctor", "--db", t.TempDir() + "/x.db"},
		"rules":    {"env", "validate", "--rules"},
		"score":    {"score", "--domain", "spreadsheet", "--reference", "testdata/screens/reference.csv", "--candidate", "testdata/screens/candidate.csv"},
	} {
		for _, columns := range []int{40, 80, 120} {
			t.Run(fmt.Sprint(name, columns), func(t *testing.T) {
				t.Parallel()
				c := exec.CommandContext(t.Context(), "agentd", args...)
				c.Env = append(c.Environ(), fmt.Sprint("COLUMNS=", columns))
				out, err := c.Output()
				if err != nil && name != "doctor" { // which says what is missing
					t.Fatal(err)
				}
				if name == "doctor" { // is of the machine
					layouttest.Fits(t, columns, string(out))
					return
				}
				layouttest.Golden(t, "screens/"+name, columns, string(out), *update)
			})
		}
	}
}
