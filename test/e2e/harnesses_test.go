package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"agentd/policies/exec/agents"
)

// harnesses is the experiment that compares them.
const harnesses = "../../environments/experiments/harnesses.yaml"

// The report puts the harnesses of the experiment side by side: agentd's own and the agents.
func TestHarnessesSideBySide(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(harnesses)
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(text), "\npolicies:\n")
	wanted := wantedAgents(t)
	db := filepath.Join(t.TempDir(), "x.db")
	args := []string{"run", harnesses, "--db", db, "--model", "sim:perfect", "--env", "accounting1", "--round-trips", "1"}
	want := map[string]bool{}
	for line := range strings.Lines(after) {
		policy, listed := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "  - ")
		if !listed {
			break
		}
		if name, agent := strings.CutPrefix(policy, "agent:"); agent {
			at := slices.IndexFunc(wanted, func(p agents.Preset) bool { return p.Name == name })
			if at < 0 {
				continue
			}
			ready(t, wanted[at])
		}
		args, want[policy] = append(args, "--policy", policy), true
	}
	if own := len(want) - len(wanted); own < 5 {
		t.Fatalf("the experiment has %d policies of agentd's own, and not all of the agents %d", own, len(wanted))
	}
	run(t, nil, nil, agentd, args...)
	out, _ := run(t, nil, nil, agentd, "report", "--db", db, "--section", "harnesses", "--format", "json")
	var report struct {
		Sections struct {
			Harnesses []struct {
				Name string
				Rows []struct {
					Labels struct{ Policy string }
					Cells  map[string]struct{ Value *float64 }
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		t.Fatal(err)
	}
	tables := map[string]int{}
	for _, table := range report.Sections.Harnesses {
		tables[table.Name] = len(table.Rows)
		for _, row := range table.Rows {
			policy := row.Labels.Policy
			if !want[policy] {
				t.Errorf("%s has a policy %q", table.Name, policy)
			}
			expected := map[string]float64{"rs": 1, "strict": 1, "done": 1, "forward": 1}
			if policy != "agentic" {
				expected["rs_difference"] = 0
			}
			if table.Name != "harnesses" {
				expected = nil
				if tokens := row.Cells["input"].Value; tokens == nil || *tokens == 0 {
					t.Errorf("%s has %v tokens of input", policy, tokens)
				}
			}
			for column, value := range expected {
				if got := row.Cells[column].Value; got == nil || *got != value {
					t.Errorf("%s: %s is %v, want %v", policy, column, got, value)
				}
			}
		}
	}
	if len(tables) != 2 || tables["harnesses"] != len(want) || tables["harness_costs"] != len(want) {
		t.Errorf("the tables have so many rows: %v, want two of %d", tables, len(want))
	}
}
