package session

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"agentd/sandbox"
	"agentd/sandbox/internal/output"
	"agentd/vfs"
)

//go:embed probe.py
var probe string

// Facts are what a script saw of its sandbox from inside; see probe.py.
type Facts map[string]string

// TryOut runs a script that looks at its surroundings, and fails unless what it sees is
// as wanted, in a sandbox that works.
func TryOut(ctx context.Context, runner sandbox.Runner, want Facts) (Facts, error) {
	ws, err := vfs.New(nil, nil)
	if err != nil {
		return nil, err
	}
	result, err := runner.RunPython(ctx, ws, sandbox.Script{Code: probe})
	if err != nil {
		return nil, err
	}
	if result.ExitCode != 0 {
		return nil, fmt.Errorf("the trial script failed with exit code %d: %s", result.ExitCode, output.LastLine(result.Stderr))
	}
	facts := Facts{}
	for line := range strings.Lines(result.Stdout) {
		fact, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		facts[fact] = value
	}
	for fact, value := range want {
		if facts[fact] != value {
			return nil, fmt.Errorf("the sandbox does not hold: %s is %q inside, not %q", fact, facts[fact], value)
		}
	}
	return facts, nil
}
