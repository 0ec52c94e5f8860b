package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// A report takes several experiments, and an experiment or an arm to compare with.
func TestReportsOfSeveralExperimentsAndAgainstAnArm(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "x.db")
	for name, more := range map[string][]string{"bare": {"--no-distractors"}, "whole": nil} {
		program(t, 0, append([]string{"run", "--db", db, "--name", name, "--model", "sim:frontier,sim:weak", "--policy", "direct",
			"--env", "accounting1,recipe1", "--round-trips", "2", "--protocol", "clean"}, more...)...)
	}
	for name, c := range map[string]struct {
		arguments []string
		says      []string
	}{
		"several":    {[]string{"--name", "whole,bare", "--section", "survival"}, []string{"\nwhole,rs,sim:weak,true,direct,,rs_4,", "\nbare,rs,sim:weak,true,direct,,rs_4,"}},
		"arm":        {[]string{"--name", "whole", "--against", "sim:weak direct", "--section", "effects"}, []string{"\nwhole,differences_arms,sim:frontier,true,direct,sim:weak direct,difference_4,"}},
		"experiment": {[]string{"--name", "whole", "--against", "bare", "--section", "effects"}, []string{"\nwhole,differences_experiments,sim:weak,true,direct,bare,difference_2,"}},
	} {
		out, _ := program(t, 0, append([]string{"report", "--db", db, "--format", "csv"}, c.arguments...)...)
		for _, line := range c.says {
			if !strings.Contains(out, line) {
				t.Errorf("%s: there is no line %q in\n%s", name, line, out)
			}
		}
	}
	_, said := program(t, 2, "report", "--db", db, "--name", "whole", "--against", "sim:week direct")
	if !strings.Contains(said, "sim:weak direct") {
		t.Errorf("of an arm that is not there it says %q", said)
	}
	if _, said := program(t, 2, "report", "--db", db, "--name", "whole,nothing"); !strings.Contains(said, "nothing") {
		t.Errorf("of an experiment that is not there it says %q", said)
	}
}
