package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/pflag"

	"agentd/domains"
	"agentd/environments"
	"agentd/harness/experiment"
	"agentd/internal/printable"
	"agentd/internal/usage"
	"agentd/report/export"
	"agentd/report/export/harbor"
)

// taskFlags say which environments are written as tasks.
type taskFlags struct {
	environments experiment.Environments
	roundTrips   int
}

// names are those of the flags.
func (f *taskFlags) register(flags *pflag.FlagSet) (names []string) {
	own := pflag.NewFlagSet("", pflag.ContinueOnError)
	own.StringSliceVar(&f.environments.Names, "env", nil, "with --layout tasks or harbor: environments, names or patterns (default the first of each domain)")
	own.StringVar(&f.environments.Data, "data", "", "with --layout tasks or harbor: data set file or folder of environments (default the built-in ones)")
	own.IntVar(&f.environments.Derived, "derived", 0, "with --layout tasks or harbor: add so many edits that are derived of each seed")
	own.IntVar(&f.roundTrips, "round-trips", 0, "with --layout harbor: round trips of a task (default one of each edit)")
	own.VisitAll(func(flag *pflag.Flag) { names = append(names, flag.Name) })
	flags.AddFlagSet(own)
	return names
}

// writeLines writes the steps of the environments as JSON lines into a file, standard output without a name, and tells on
// told what was left out.
func (f *taskFlags) writeLines(ctx context.Context, out, told io.Writer, to string) (err error) {
	if f.roundTrips != 0 {
		return usage.Errorf("--round-trips is for --layout %s: a line of --layout %s is one step", layoutHarbor, layoutTasks)
	}
	w := printable.ForJSON(out)
	if to != "" {
		file, err := os.Create(to)
		if err != nil {
			return usage.Errorf("--to: %w", err)
		}
		defer func() { err = errors.Join(err, file.Close()) }()
		w = file
	}
	_, err = f.each(ctx, told, func(env *environments.Environment, d domains.Domain) (int, error) {
		return export.WriteTasks(w, env, d)
	})
	return err
}

// writeFolders writes the environments into a folder as tasks of Harbor, and tells on told how many.
func (f *taskFlags) writeFolders(ctx context.Context, told io.Writer, to string) error {
	if f.roundTrips < 0 {
		return usage.Errorf("--round-trips %d: 0 or more", f.roundTrips)
	}
	tasks := 0
	steps, err := f.each(ctx, told, func(env *environments.Environment, d domains.Domain) (int, error) {
		n, err := harbor.Write(to, env, d, f.roundTrips)
		switch {
		case errors.Is(err, harbor.ErrNoExact):
			return 0, nil
		case errors.Is(err, fs.ErrExist):
			return 0, usage.Wrap(err)
		case err == nil:
			tasks++
		}
		return n, err
	})
	if err == nil {
		printable.Fprintf(told, "%s with %s in %s\n", printable.Count(tasks, "task"), printable.Count(steps, "step"), to)
	}
	return err
}

// each has write write every environment that can be scored, and tells on told which are left out. It returns how
// many steps were written. None at all is a usage.Error.
func (f *taskFlags) each(ctx context.Context, told io.Writer, write func(*environments.Environment, domains.Domain) (int, error)) (steps int, err error) {
	envs, err := f.environments.Choose()
	if err != nil {
		return 0, err
	}
	scoring := experiment.Sandbox{Name: experiment.Bwrap}.Scoring(ctx)
	defer func() { err = errors.Join(err, scoring.Close()) }()
	for i := range envs {
		env := &envs[i]
		scoring.Equip(env)
		d, ok := env.Scoring(scoring.Find)
		if !ok {
			printable.Fprintf(told, "%s is left out: it cannot be scored.\n", env.Name)
			continue
		}
		n, err := write(env, d)
		if err != nil {
			return steps, err
		}
		if n == 0 {
			printable.Fprintf(told, "%s is left out: %v.\n", env.Name, harbor.ErrNoExact)
		}
		steps += n
	}
	if steps == 0 {
		return 0, usage.Errorf("no environment was written")
	}
	return steps, nil
}
