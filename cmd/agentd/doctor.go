package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"agentd/environments"
	"agentd/experiment"
	"agentd/internal/layout"
	"agentd/internal/printable"
	"agentd/models"
	"agentd/policies/exec/agents"
	"agentd/results"
)

func (a *app) doctorCommand() *cobra.Command {
	var db string
	c := &cobra.Command{
		Use:     "doctor",
		Short:   "What works on this machine: sandbox, Python, keys, database",
		Example: "  agentd doctor",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			sick, screen := 0, layout.ScreenOf(c.OutOrStdout())
			for _, check := range []struct {
				name   string
				needed bool
				try    func(context.Context) ([]string, error)
			}{
				{"sandbox bwrap", true, func(ctx context.Context) ([]string, error) {
					return checkSandbox(ctx, experiment.Sandbox{Name: experiment.Bwrap})
				}},
				{"sandbox containerd", false, func(ctx context.Context) ([]string, error) {
					return checkSandbox(ctx, experiment.Sandbox{Name: experiment.Containerd})
				}},
				{"environments", true, func(context.Context) ([]string, error) {
					envs, err := environments.Builtin()
					return []string{fmt.Sprintf("%d built-in environments", len(envs))}, err
				}},
				{"database", true, func(ctx context.Context) ([]string, error) { return results.Try(ctx, db) }},
				{"keys", true, func(context.Context) ([]string, error) { return models.DescribeKeys(), nil }},
				{"agents", false, func(context.Context) ([]string, error) { return agents.Overview() }},
			} {
				lines, err := check.try(c.Context())
				state := "ok"
				switch {
				case err != nil && check.needed:
					state, lines = "NOT WORKING", append(lines, err.Error())
					sick++
				case err != nil:
					state, lines = "not there, and not needed", append(lines, err.Error())
				}
				about := check.name + ": " + state + "\n" + strings.Join(lines, "\n")
				printable.Fprintf(c.OutOrStdout(), "%s", printable.Block(screen.Paragraph(strings.TrimSuffix(about, "\n"), 2)))
			}
			if sick > 0 {
				return fmt.Errorf("%d checks failed", sick)
			}
			return nil
		},
	}
	registerDB(c.Flags(), &db)
	return c
}

// checkSandbox tries a back end out.
func checkSandbox(ctx context.Context, choice experiment.Sandbox) (lines []string, err error) {
	backend, err := choice.Open(ctx, 0)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, backend.Close()) }()
	return backend.Describe(), nil
}
