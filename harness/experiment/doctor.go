package experiment

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"agentd/environments"
	"agentd/internal/layout"
	"agentd/internal/printable"
	"agentd/models"
	"agentd/policies/exec/agents"
	"agentd/results"
	"agentd/sandbox"
)

// Check tests something that an experiment may need from this machine.
type Check struct {
	Name string
	// Only says what needs it, as in "with --sandbox containerd"; empty if every experiment does.
	Only string
	// Try runs the test and returns lines that describe the result.
	Try func(context.Context) ([]string, error)
}

// Checks returns all checks, for experiments stored in the database db.
func Checks(db string) []Check {
	return []Check{
		{"sandbox bwrap", "", Sandbox{Name: Bwrap}.describe},
		{"sandbox containerd", "with --sandbox containerd", Sandbox{Name: Containerd}.describe},
		{"environments", "", func(context.Context) ([]string, error) {
			envs, err := (&Environments{}).LoadAll()
			return []string{fmt.Sprintf("%s, %d of them pictures", builtIn(len(envs)), len(environments.ListPictures()))}, err
		}},
		{"database", "", func(ctx context.Context) ([]string, error) { return results.Try(ctx, db) }},
		{"keys", "for models of OpenAI, Anthropic and Google", func(context.Context) ([]string, error) { return models.DescribeKeys() }},
		{"agents", "to measure them", func(context.Context) ([]string, error) {
			lines, installed, err := agents.Overview()
			if err == nil && installed == 0 {
				err = errors.New("none is installed; agentd agents install NAME installs one")
			}
			return lines, err
		}},
	}
}

// builtIn counts the built-in environments, pictures included, in the same words wherever they are counted.
func builtIn(n int) string { return fmt.Sprintf("%d built-in environments", n) }

// Diagnose runs the checks and prints their results. The error gives the number of needed checks
// that failed.
func Diagnose(ctx context.Context, w io.Writer, checks []Check) error {
	failed, screen := 0, layout.ScreenOf(w)
	for _, check := range checks {
		lines, err := check.Try(ctx)
		state := "ok"
		switch {
		case err != nil && check.Only == "":
			state, lines = "NOT WORKING", append(lines, err.Error())
			failed++
		case err != nil:
			state, lines = "not found; needed only "+check.Only, append(lines, strings.TrimPrefix(err.Error(), sandbox.ErrUnavailable.Error()+": "))
		}
		about := check.Name + ": " + state + "\n" + strings.Join(lines, "\n")
		printable.Fprintf(w, "%s", printable.Block(screen.Paragraph(strings.TrimSuffix(about, "\n"), 2)))
	}
	if failed > 0 {
		return fmt.Errorf("%d checks failed", failed)
	}
	return nil
}

// describe opens the back end and says how it isolates scripts.
func (s Sandbox) describe(ctx context.Context) (lines []string, err error) {
	backend, err := s.Open(ctx, 0)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, backend.Close()) }()
	return backend.Describe(), nil
}
