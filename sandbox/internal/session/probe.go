//go:build linux

package session

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"

	"agentd/sandbox"
	"agentd/sandbox/internal/output"
	"agentd/vfs"
)

//go:embed probe.py
var probe string

// Facts are what the trial script saw inside its sandbox, by name; see probe.py.
type Facts map[string]string

// probeProcesses is the process limit under which the trial script tries to fork. It includes the
// script itself.
const probeProcesses = 8

// ExactForks is the fact "forks" if the limit on processes is exact.
const ExactForks = "7"

// everywhere has the facts that must hold in every sandbox.
var everywhere = Facts{
	"capabilities": "0",
	"privileges":   "1",
	"filter":       "2",
	"interfaces":   "lo",
	"descriptors":  "0,1,2",
	"writable":     "/tmp," + sandbox.Above + "," + sandbox.Workspace,
	"processes":    "2",
}

// TryOut makes a runner and runs the trial script in it. It fails unless the script sees the
// wanted facts and those of everywhere.
func TryOut(ctx context.Context, backend sandbox.Backend, want Facts) (facts Facts, err error) {
	limits := sandbox.DefaultLimits()
	limits.Processes = probeProcesses
	run, err := backend.NewRunner(limits)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, run.Close()) }()
	ws, err := vfs.New(nil, nil)
	if err != nil {
		return nil, err
	}
	result, err := run.RunPython(ctx, ws, sandbox.Script{Code: probe})
	if err != nil {
		return nil, err
	}
	if result.ExitCode != 0 {
		return nil, fmt.Errorf("the trial script failed with exit code %d: %s", result.ExitCode, output.LastLine(result.Stderr))
	}
	facts = Facts{}
	for line := range strings.Lines(result.Stdout) {
		fact, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		facts[fact] = value
	}
	for _, wanted := range []Facts{everywhere, want} {
		for fact, value := range wanted {
			if facts[fact] != value {
				return nil, fmt.Errorf("the sandbox does not hold: %s is %q inside, not %q", fact, facts[fact], value)
			}
		}
	}
	return facts, nil
}

// Pillow says whether scripts have the picture library Pillow.
func (f Facts) Pillow() string {
	if version := f["pillow"]; version != "none" {
		return "with Pillow " + version
	}
	return "without Pillow, so that scripts edit pictures by Python's own library"
}

// ChooseUser tries the users in order, until the trial of one succeeds. The error has the reason
// for each user.
func ChooseUser[U fmt.Stringer](ctx context.Context, users []U, try func(U) error) error {
	var failed []error
	for _, user := range users {
		err := try(user)
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		failed = append(failed, fmt.Errorf("as %s: %w", user, err))
	}
	return errors.Join(failed...)
}
