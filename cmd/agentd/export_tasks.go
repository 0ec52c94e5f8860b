package main

import (
	"context"
	"errors"
	"io"
	"io/fs"

	"github.com/spf13/pflag"

	"agentd/harness/experiment"
	"agentd/internal/printable"
	"agentd/internal/usage"
	"agentd/report/export/harbor"
)

// taskFlags say which environments are written as tasks of another framework.
type taskFlags struct {
	environments experiment.Environments
	roundTrips   int
}

// names are those of the flags.
func (f *taskFlags) register(flags *pflag.FlagSet) (names []string) {
	own := pflag.NewFlagSet("", pflag.ContinueOnError)
	own.StringSliceVar(&f.environments.Names, "env", nil, "with --layout harbor: environments, names or patterns (default the first of each domain)")
	own.StringVar(&f.environments.Data, "data", "", "with --layout harbor: data set file or folder of environments (default the built-in ones)")
	own.IntVar(&f.environments.Derived, "derived", 0, "with --layout harbor: add so many edits that are derived of each seed")
	own.IntVar(&f.roundTrips, "round-trips", 0, "with --layout harbor: round trips of a task (default one of each edit)")
	own.VisitAll(func(flag *pflag.Flag) { names = append(names, flag.Name) })
	flags.AddFlagSet(own)
	return names
}

// write writes the environments into a folder, and tells on told how many.
func (f *taskFlags) write(ctx context.Context, told io.Writer, to string) (err error) {
	if f.roundTrips < 0 {
		return usage.Errorf("--round-trips %d: 0 or more", f.roundTrips)
	}
	envs, err := f.environments.Choose()
	if err != nil {
		return err
	}
	scoring := experiment.Sandbox{Name: experiment.Bwrap}.Scoring(ctx)
	defer func() { err = errors.Join(err, scoring.Close()) }()
	tasks, steps := 0, 0
	for i := range envs {
		env := &envs[i]
		scoring.Equip(env)
		d, ok := env.Scoring(scoring.Find)
		if !ok {
			printable.Fprintf(told, "%s is left out: it cannot be scored.\n", env.Name)
			continue
		}
		n, err := harbor.Write(to, env, d, f.roundTrips)
		switch {
		case errors.Is(err, harbor.ErrNoExact):
			printable.Fprintf(told, "%s is left out: %v.\n", env.Name, harbor.ErrNoExact)
			continue
		case errors.Is(err, fs.ErrExist):
			return usage.Wrap(err)
		case err != nil:
			return err
		}
		tasks, steps = tasks+1, steps+n
	}
	if tasks == 0 {
		return usage.Errorf("no environment was written to %s", to)
	}
	printable.Fprintf(told, "%s with %s in %s\n", printable.Count(tasks, "task"), printable.Count(steps, "step"), to)
	return nil
}
