package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"agentd/internal/printable"
	"agentd/internal/usage"
	"agentd/report/export"
	"agentd/results"
)

// Layouts of an export.
const (
	layoutRows       = "rows"
	layoutDelegate52 = "delegate52"
	layoutATIF       = "atif"
	layoutSFT        = "sft"
	layoutTasks      = "tasks"
	layoutHarbor     = "harbor"
)

// exportFlags say what is exported, and where to.
type exportFlags struct {
	source  experimentFlags
	options export.Options
	layout  string
	out     string
	tasks   taskFlags
}

func (a *app) exportCommand() *cobra.Command {
	var ofTasks []string // flags
	f := exportFlags{layout: layoutRows, options: export.Options{Format: export.JSONL, Kind: export.Interactions}}
	c := &cobra.Command{
		Use:   "export",
		Short: "Stored results as JSON lines, CSV or Parquet; trajectories, training data",
		Long: "Write what is stored of an experiment: a row for each interaction, turn, tool call or read.\n" +
			"JSON lines of interactions hold the others too. With --layout delegate52, --to is a folder\n" +
			"in which the published code's result files are written. With --layout atif, a line is the trajectory of\n" +
			"an interaction (Agent Trajectory Interchange Format), with --layout sft a conversation of a round trip\n" +
			"that was carried out and left nothing damaged, in the format of chat completions. Both need a run with\n" +
			"--trace full.\n" +
			"With --layout tasks and harbor nothing stored is read. With tasks, a line is a step of an edit: the\n" +
			"instruction, the documents, and the expected result, which an exact program has made. With harbor, --to\n" +
			"gets environments as tasks of Harbor, each a relay whose steps agentd scores.",
		Example: "  agentd export > results.jsonl\n" +
			"  agentd export --rows calls --format csv --to calls.csv\n" +
			"  agentd export --layout delegate52 --to logs/relay\n" +
			"  agentd export --layout atif --to trajectories.jsonl\n" +
			"  agentd export --layout sft --to train.jsonl\n" +
			"  agentd export --layout tasks --env 'accounting*' --to tasks.jsonl\n" +
			"  agentd export --layout harbor --env 'accounting*' --to tasks/",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) (err error) {
			if (f.layout == layoutDelegate52 || f.layout == layoutHarbor) && f.out == "" {
				return usage.Errorf("--layout %s writes several files: name a folder with --to", f.layout)
			}
			switch f.layout {
			case layoutTasks:
				return f.tasks.writeLines(c.Context(), c.OutOrStdout(), c.ErrOrStderr(), f.out)
			case layoutHarbor:
				return f.tasks.writeFolders(c.Context(), c.OutOrStdout(), f.out)
			}
			for _, name := range ofTasks {
				if c.Flags().Changed(name) {
					return usage.Errorf("--%s is for --layout %s and %s", name, layoutTasks, layoutHarbor)
				}
			}
			return f.source.read(c.Context(), func(store *results.Store, experiment results.Experiment) error {
				if f.layout == layoutDelegate52 {
					err := export.WritePublished(c.Context(), f.out, store, experiment)
					if errors.Is(err, fs.ErrExist) {
						return usage.Wrap(err)
					}
					return err
				}
				if f.out == "" {
					return f.write(c.Context(), exportOut(c.OutOrStdout(), f.options.Format), c.ErrOrStderr(), store, experiment)
				}
				file, err := os.Create(f.out)
				if err != nil {
					return usage.Errorf("--to: %w", err)
				}
				return errors.Join(f.write(c.Context(), file, c.ErrOrStderr(), store, experiment), file.Close())
			})
		},
	}
	f.source.register(c.Flags(), "experiment to export")
	c.Flags().StringVarP(&f.out, "to", "o", "", "file to write, or the folder of a layout (default standard output)")
	oneOf(c.Flags(), &f.options.Format, "format", "format", export.Formats(), "jsonl, csv or parquet")
	oneOf(c.Flags(), &f.options.Kind, "rows", "rows", export.Kinds(), "what a row is: interactions, turns, calls or reads")
	c.Flags().BoolVar(&f.options.Contents, "contents", false, "with documents, and with what was said and what went through tools as far as --trace full kept it")
	oneOf(c.Flags(), &f.layout, "layout", "layout", []string{layoutRows, layoutDelegate52, layoutATIF, layoutSFT, layoutTasks, layoutHarbor},
		"rows, delegate52 for the published code's result files, atif for trajectories, sft for conversations to train on, tasks with expected results, or harbor")
	ofTasks = f.tasks.register(c.Flags())
	return c
}

// write writes an experiment in a layout of one file, and writes to notes what it has left out.
func (f *exportFlags) write(ctx context.Context, w, notes io.Writer, store *results.Store, experiment results.Experiment) error {
	switch f.layout {
	case layoutATIF:
		n, err := export.WriteTrajectories(ctx, w, store, experiment)
		if err == nil && n.NotKept > 0 {
			printable.Fprintf(notes, "Trajectories written: %d. Left out, as the run did not keep what was said: %s.\n", n.Written, printable.Count(n.NotKept, "interaction"))
		}
		return notKept(n, experiment, err)
	case layoutSFT:
		n, err := export.WriteConversations(ctx, w, store, experiment)
		if err == nil {
			printable.Fprintf(notes, "Exact round trips: %d of %d. Conversations written: %d.\n", n.Exact, n.Trips, n.Written)
		}
		return notKept(n, experiment, err)
	}
	return export.Write(ctx, w, store, experiment, f.options)
}

// notKept is the error of an export that has written nothing because nothing was kept.
func notKept(counts export.Counts, experiment results.Experiment, err error) error {
	if err == nil && counts.Written == 0 && experiment.Manifest.OfGym() {
		return usage.Errorf("experiment %s is of a gym: its prompts were the trainer's, so there are no conversations of it; agentd export --contents has instructions, what was said and done, and documents",
			experiment.Name)
	}
	if err == nil && counts.Written == 0 && counts.NotKept > 0 {
		return usage.Errorf("experiment %s did not keep what was said in %s: agentd run --trace full does (not of exec for --layout sft: its conversations are the agent's)",
			experiment.Name, printable.Count(counts.NotKept, "interaction"))
	}
	return err
}

// exportOut is where rows in a format are written.
func exportOut(w io.Writer, format string) io.Writer {
	switch format {
	case export.JSONL:
		return printable.ForJSON(w)
	case export.Parquet:
		return printable.Exact(w)
	}
	return printable.ForPrograms(w)
}
