package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"agentd/environments"
	"agentd/internal/printable"
	"agentd/models"
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
			sick := 0
			for _, check := range []struct {
				name   string
				needed bool
				try    func(context.Context) ([]string, error)
			}{
				{"sandbox bwrap", true, func(ctx context.Context) ([]string, error) {
					return checkSandbox(ctx, sandboxFlags{name: sandboxBwrap})
				}},
				{"sandbox containerd", false, func(ctx context.Context) ([]string, error) {
					return checkSandbox(ctx, sandboxFlags{name: sandboxContainerd})
				}},
				{"environments", true, checkEnvironments},
				{"database", true, func(context.Context) ([]string, error) { return checkDatabase(db) }},
				{"keys", true, checkKeys},
				{"agents", false, checkAgents},
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
				printable.Fprintf(c.OutOrStdout(), "%s: %s\n", check.name, state)
				for _, line := range lines {
					printable.Fprintf(c.OutOrStdout(), "  %s\n", indented(line, 2))
				}
			}
			if sick > 0 {
				return fmt.Errorf("%d checks failed", sick)
			}
			return nil
		},
	}
	c.Flags().StringVar(&db, "db", defaultDB, "database file of the results")
	return c
}

// checkSandbox tries a back end out.
func checkSandbox(ctx context.Context, choice sandboxFlags) (lines []string, err error) {
	backend, err := choice.open(ctx, 0)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, backend.Close()) }()
	return backend.Describe(), nil
}

func checkEnvironments(context.Context) ([]string, error) {
	envs, err := environments.Builtin()
	if err != nil {
		return nil, err
	}
	return []string{fmt.Sprintf("%d built-in environments", len(envs))}, nil
}

// checkDatabase tries a database in the folder where results would go, and the
// database itself if it is there.
func checkDatabase(path string) (lines []string, err error) {
	dir, err := os.MkdirTemp(filepath.Dir(path), ".agentd-doctor-*")
	if err != nil {
		return nil, fmt.Errorf("%s cannot be written: %w", filepath.Dir(path), err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	trial, err := results.Open(filepath.Join(dir, "trial.db"))
	if err != nil {
		return nil, err
	}
	if err := trial.Close(); err != nil {
		return nil, err
	}
	lines = []string{fmt.Sprintf("results can be stored in %s", filepath.Dir(path))}
	if _, err := os.Stat(path); err != nil {
		return lines, nil
	}
	store, err := results.OpenReading(path)
	if err != nil {
		return lines, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	experiments, err := store.Experiments(context.Background())
	return append(lines, fmt.Sprintf("%s holds %d experiments", path, len(experiments))), err
}

func checkKeys(context.Context) ([]string, error) {
	var set []string
	for _, variable := range models.KeyVariables() {
		if os.Getenv(variable) != "" {
			set = append(set, variable)
		}
	}
	if len(set) == 0 {
		return []string{fmt.Sprintf("none of %s is set: only stand-ins, recordings and models with a base_url can be used",
			strings.Join(models.KeyVariables(), ", "))}, nil
	}
	return []string{strings.Join(set, ", ") + " set"}, nil
}
