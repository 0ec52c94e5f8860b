package exec

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"

	"agentd/sandbox"
	"agentd/vfs"
)

//go:embed find.py
var findPy string

// NotThereError says that the program of a command cannot be run in the sandbox.
type NotThereError struct{ Program, Problem string }

func (e *NotThereError) Error() string {
	return fmt.Sprintf("%s %s in the sandbox, which has the machine's /usr (or an image) and what the policy brings along", e.Program, e.Problem)
}

// FindCommand looks for the program in a sandbox, without running it. The error is a
// *NotThereError if it is missing, is not executable, or is a script whose interpreter is missing.
func (p *Program) FindCommand(ctx context.Context, backend sandbox.Backend) (err error) {
	if len(p.Args) == 0 || strings.Contains(p.Args[0], "{{") { // the program depends on the task
		return nil
	}
	program := p.Args[0]
	runner, err := backend.NewRunner(DefaultLimits())
	if err != nil {
		return fmt.Errorf("looking for %s: %w", program, err)
	}
	defer func() { err = errors.Join(err, runner.Close()) }()
	ws, err := vfs.New(nil, nil)
	if err != nil {
		return err
	}
	result, err := runner.RunCommand(ctx, ws, sandbox.Command{
		Args: []string{"python3", "-c", findPy, program}, Folder: p.Brought.Path(), Limits: DefaultLimits(),
	})
	if err != nil {
		return fmt.Errorf("looking for %s: %w", program, err)
	}
	problem, ok := strings.CutPrefix(result.Stdout, "found:")
	if !ok {
		return fmt.Errorf("looking for %s in the sandbox failed: %s", program, lastLine(result.Stderr, result.Stdout))
	}
	if problem = strings.TrimSpace(problem); problem != "" {
		return &NotThereError{program, problem}
	}
	return nil
}
