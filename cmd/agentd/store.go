package main

import (
	"context"

	"github.com/spf13/pflag"

	"agentd/harness/runner"
	"agentd/results"
)

const dbUsage = "file of the results, or a PostgreSQL database as postgres://…"

// registerDB adds the flag that names the database of the results.
func registerDB(flags *pflag.FlagSet, db *string) {
	flags.StringVar(db, "db", runner.DefaultDB, dbUsage)
}

// experimentFlags name an experiment in a database.
type experimentFlags struct{ db, name string }

// register adds the flags --db and --name. what says what the experiment is named for.
func (f *experimentFlags) register(flags *pflag.FlagSet, what string) {
	registerDB(flags, &f.db)
	flags.StringVar(&f.name, "name", "", what+" (default the newest)")
}

// read has do read the experiment.
func (f *experimentFlags) read(ctx context.Context, do func(*results.Store, results.Experiment) error) error {
	return results.Using(runner.OpenReading, f.db, func(store *results.Store) error {
		record, err := store.Find(ctx, f.name)
		if err != nil {
			return err
		}
		return do(store, record)
	})
}
