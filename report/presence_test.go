package report

import (
	"testing"

	"agentd/results"
	"agentd/results/record"
)

// Of four interactions one has a script that changed nothing, one writes, one does both, one
// reads. By what was changed only the last but one edited by both.
func TestToolsCountByBeingThere(t *testing.T) {
	t.Parallel()
	s := newStored(t, results.Manifest{Models: []results.Model{{Name: "m"}}})
	calls := func(changed int, tools ...string) results.Interaction {
		in := used(1, 1, 1, 0)
		for _, tool := range tools {
			in.ToolCalls = append(in.ToolCalls, record.Call{
				Tool: tool, Changed: changed, Way: map[string]record.Way{"run_python": record.ByScript, "write_file": record.ByWriting}[tool],
			})
		}
		return in
	}
	s.relay(results.Relay{Model: "m", Policy: "agentic", Environment: "books1", Schedule: make([]string, 2)},
		calls(0, "read_file", "run_python"), backward(calls(0, "write_file", "finish"), 1, 1),
		calls(1, "run_python", "write_file"), backward(calls(0, "read_file"), 1, 1))
	r := s.build()
	r.wantCells(t, "tools", "tools_present", map[string][]float64{"m|agentic": {4, 0.25, 0.25, 0.25, 0.25}})
	r.wantCells(t, "tools", "tools", map[string][]float64{"m|agentic": {1.75, 0, 0, 0, 0, 0.25, 0.75}})
}
