package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"agentd/report"
	"agentd/results"
)

func (a *app) reportCommand() *cobra.Command {
	var db, name string
	c := &cobra.Command{
		Use:     "report",
		Short:   "Tables of what is stored",
		Example: "  agentd report\n  agentd report --db agentd.db --name agentic-vs-direct",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) (err error) {
			store, err := results.OpenReading(db)
			if err != nil {
				return usageError{err}
			}
			defer func() { err = errors.Join(err, store.Close()) }()
			experiment, err := findExperiment(c.Context(), store, name)
			if err != nil {
				return err
			}
			r, err := report.Build(c.Context(), store, experiment)
			if err != nil {
				return err
			}
			return r.Text(c.OutOrStdout())
		},
	}
	c.Flags().StringVar(&db, "db", defaultDB, "database file of the results")
	c.Flags().StringVar(&name, "name", "", "experiment (default the newest)")
	return c
}

// findExperiment returns the named experiment, the newest if there is no name.
func findExperiment(ctx context.Context, store *results.Store, name string) (results.Experiment, error) {
	if name != "" {
		e, err := store.Experiment(ctx, name)
		if errors.Is(err, results.ErrNotFound) {
			err = usageError{err}
		}
		return e, err
	}
	all, err := store.Experiments(ctx)
	if err != nil {
		return results.Experiment{}, err
	}
	if len(all) == 0 {
		return results.Experiment{}, usageError{fmt.Errorf("no experiment is stored yet; agentd run makes one")}
	}
	return all[len(all)-1], nil
}
