package export

import (
	"encoding/json"
	"fmt"
	"io"

	"agentd/domains"
	"agentd/environments"
	"agentd/results"
)

// taskLine is a step of an edit with what its exact program makes of the documents.
type taskLine struct {
	Environment string            `json:"environment"`
	Domain      string            `json:"domain"`
	Edit        string            `json:"edit"`
	Direction   results.Direction `json:"direction"`
	Instruction string            `json:"instruction"`
	Documents   map[string]string `json:"documents"` // a picture is in base64
	Distractors map[string]string `json:"distractors"`
	Targets     []string          `json:"targets"` // names or patterns of all files after the step
	Expected    map[string]string `json:"expected"`
}

// WriteTasks writes the steps of an environment's edits, forward and backward, as JSON lines with the files to begin with
// and those to end with. Edits without an exact program that works on the seed are left out. It returns the number of
// steps.
func WriteTasks(w io.Writer, env *environments.Environment, d domains.Domain) (steps int, err error) {
	lines := json.NewEncoder(w)
	lines.SetEscapeHTML(false)
	for _, edit := range env.Edits {
		exact, ok := env.OracleFor(edit, d)
		if !ok {
			continue
		}
		there, err := exact.Forward(env.Seed)
		if err != nil {
			continue
		}
		back, err := exact.Backward(there)
		if err != nil {
			continue
		}
		for _, line := range []taskLine{
			{Direction: results.Forward, Instruction: edit.Forward, Documents: env.Seed.Texts(), Targets: edit.Targets, Expected: there.Texts()},
			{Direction: results.Backward, Instruction: edit.Backward, Documents: there.Texts(), Targets: env.Targets, Expected: back.Texts()},
		} {
			line.Environment, line.Domain, line.Edit, line.Distractors = env.Name, env.Domain, edit.Name, env.Distractors.Texts()
			if err := lines.Encode(line); err != nil {
				return steps, fmt.Errorf("writing the tasks of %s: %w", env.Name, err)
			}
			steps++
		}
	}
	return steps, nil
}
