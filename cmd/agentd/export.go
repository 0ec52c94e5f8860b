package main

import (
	"errors"
	"io"
	"io/fs"
	"os"

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
	var source experimentFlags
	out, layout := "", layoutRows
	options := export.Options{Format: export.JSONL, Kind: export.Interactions}
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
			if layout == layoutDelegate52 && out == "" {
				return usage.Errorf("--layout %s writes several files: name a folder with --out", layout)
			}
			return source.read(c.Context(), func(store *results.Store, experiment results.Experiment) (err error) {
				if layout == layoutDelegate52 {
					err := export.WritePublished(c.Context(), out, store, experiment)
					if errors.Is(err, fs.ErrExist) {
						return usage.Wrap(err)
					}
					return err
				}
				if out == "" {
					return export.Write(c.Context(), exportOut(c.OutOrStdout(), options.Format), store, experiment, options)
				}
				file, err := os.Create(out)
				if err != nil {
					return usage.Errorf("--out: %w", err)
				}
				return errors.Join(export.Write(c.Context(), file, store, experiment, options), file.Close())
			})
		},
	}
	source.register(c.Flags(), "experiment to export")
	c.Flags().StringVarP(&out, "out", "o", "", "file to write, or the folder of a layout (default standard output)")
	oneOf(c.Flags(), &options.Format, "format", "format", export.Formats(), "jsonl, csv or parquet")
	oneOf(c.Flags(), &options.Kind, "rows", "rows", export.Kinds(), "what a row is: interactions, turns, calls or reads")
	c.Flags().BoolVar(&options.Contents, "contents", false, "with documents, and with what was said and what went through tools as far as --trace full kept it")
	oneOf(c.Flags(), &layout, "layout", "layout", []string{layoutRows, layoutDelegate52}, "rows, or delegate52 for the published code's result files")
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
