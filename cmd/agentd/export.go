package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"agentd/export"
	"agentd/internal/printable"
	"agentd/internal/usage"
	"agentd/results"
)

// Layouts of an export.
const (
	layoutRows       = "rows"
	layoutDelegate52 = "delegate52"
)

func (a *app) exportCommand() *cobra.Command {
	var db, name, out, layout string
	var options export.Options
	c := &cobra.Command{
		Use:   "export",
		Short: "Stored results as JSON lines, CSV or Parquet",
		Long: "Write what is stored of an experiment: a row for each interaction, turn, tool call or read.\n" +
			"JSON lines of interactions hold the others too. With --layout delegate52, --out is a folder\n" +
			"in which the published code's result files are written.",
		Example: "  agentd export > results.jsonl\n" +
			"  agentd export --rows calls --format csv --out calls.csv\n" +
			"  agentd export --layout delegate52 --out logs/relay",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) (err error) {
			switch {
			case !slices.Contains(export.Formats(), options.Format):
				return usage.Unknown("format", options.Format, export.Formats())
			case !slices.Contains(export.Kinds(), options.Kind):
				return usage.Unknown("rows", options.Kind, export.Kinds())
			case layout != layoutRows && layout != layoutDelegate52:
				return usage.Unknown("layout", layout, []string{layoutRows, layoutDelegate52})
			case layout == layoutDelegate52 && out == "":
				return usage.Errorf("--layout %s writes several files: name a folder with --out", layout)
			}
			store, err := results.OpenReading(db)
			if err != nil {
				return usage.Wrap(err)
			}
			defer func() { err = errors.Join(err, store.Close()) }()
			experiment, err := findExperiment(c.Context(), store, name)
			if err != nil {
				return err
			}
			if layout == layoutDelegate52 {
				err := export.WritePublished(c.Context(), out, store, experiment)
				if errors.Is(err, fs.ErrExist) {
					return usage.Wrap(err)
				}
				return err
			}
			w := exportOut(c.OutOrStdout(), options.Format)
			if out != "" {
				file, err := os.Create(out)
				if err != nil {
					return usage.Errorf("--out: %w", err)
				}
				defer func() { err = errors.Join(err, file.Close()) }()
				w = file
			}
			return export.Write(c.Context(), w, store, experiment, options)
		},
	}
	c.Flags().StringVar(&db, "db", defaultDB, "file of the results, or a PostgreSQL database as postgres://…")
	c.Flags().StringVar(&name, "name", "", "experiment to export (default the newest)")
	c.Flags().StringVarP(&out, "out", "o", "", "file to write, or the folder of a layout (default standard output)")
	c.Flags().StringVar(&options.Format, "format", export.JSONL, "jsonl, csv or parquet")
	c.Flags().StringVar(&options.Kind, "rows", export.Interactions, "what a row is: interactions, turns, calls or reads")
	c.Flags().BoolVar(&options.Contents, "contents", false, "with documents, and with what was said and what went through tools as far as --trace full kept it")
	c.Flags().StringVar(&layout, "layout", layoutRows, "rows, or delegate52 for the published code's result files")
	return c
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
