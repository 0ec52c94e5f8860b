package main

import (
	"context"
	"errors"

	"github.com/spf13/pflag"

	"agentd/internal/usage"
	"agentd/results"
)

const (
	defaultDB = "agentd.db"
	dbUsage   = "file of the results, or a PostgreSQL database as postgres://…"
)

// registerDB adds the flag that names the database of the results.
func registerDB(flags *pflag.FlagSet, db *string) { flags.StringVar(db, "db", defaultDB, dbUsage) }

// reading opens a database that others may be working on. One that is not there is a
// usage.Error.
func reading(db string) (*results.Store, error) {
	store, err := results.OpenReading(db)
	return store, usage.Wrap(err)
}

// withStore opens a database with results.Open or reading, has do use it, and closes it.
func withStore(open func(db string) (*results.Store, error), db string, do func(*results.Store) error) (err error) {
	store, err := open(db)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	return do(store)
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
	return withStore(reading, f.db, func(store *results.Store) error {
		record, err := store.Find(ctx, f.name)
		if err != nil {
			return err
		}
		return do(store, record)
	})
}
