package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"agentd/harness/experiment"
	"agentd/internal/datafile"
	"agentd/internal/printable"
	"agentd/internal/usage"
	"agentd/results"
	"agentd/vfs"
)

func (s *envSource) oracleCommand() *cobra.Command {
	var to string
	direction := string(results.Forward)
	var backward bool // as it was said formerly
	var derived int
	var documents []string
	var choice experiment.Sandbox
	c := &cobra.Command{
		Use:   "oracle ENV EDIT --to FOLDER",
		Short: "Write what the exact program of an edit makes",
		Long: "Write the files that a step leaves when its exact program carries it out: of the seed, or with\n" +
			"--direction backward of what the forward step made. Files of the same names in the folder are replaced.",
		Example: "  agentd env oracle accounting1 csv_journal --to out/\n  agentd env oracle accounting1 2 --direction backward --to out/",
		Args:    cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) (err error) {
			if to == "" {
				return usage.Errorf("give the folder to write to with --to")
			}
			scoring := choice.Scoring(c.Context())
			defer func() { err = errors.Join(err, scoring.Close()) }()
			if backward {
				direction = string(results.Backward)
			}
			steps := stepsOf(experiment.Environments{Data: s.data, Derived: derived}, documents, scoring)
			asked, err := steps.Asked(args[0], args[1], results.Direction(direction))
			if err != nil {
				return err
			}
			env, err := steps.Environment(args[0])
			if err != nil {
				return err
			}
			contents, err := env.Encodings.Bytes(asked.Expected)
			if err != nil {
				return err
			}
			return writeFiles(c.OutOrStdout(), to, contents)
		},
	}
	c.Flags().StringVar(&to, "to", "", "folder to write to")
	oneOf(c.Flags(), &direction, "direction", "direction", []string{string(results.Forward), string(results.Backward)}, "direction of the step: forward or backward")
	c.Flags().BoolVar(&backward, "backward", false, "do the backward step")
	hide(c.Flags(), "backward", nowSaid, "agentd env oracle --direction backward")
	c.Flags().IntVar(&derived, "derived", 0, "how many edits to derive of the seed, to choose from as well (default with --documents 8)")
	c.Flags().StringSliceVar(&documents, "documents", nil, documentsUsage)
	registerSandbox(c.Flags(), &choice)
	return c
}

// writeFiles writes files into a folder, and nothing outside of it, and prints where each is.
func writeFiles(out io.Writer, to string, files vfs.Files) (err error) {
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(to)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	for _, name := range files.Names() {
		if err := datafile.Replace(root, name, []byte(files[name])); err != nil {
			return fmt.Errorf("writing %s: %w", name, err)
		}
		if _, err := printable.Fprintf(out, "%s\n", filepath.Join(to, name)); err != nil {
			return err
		}
	}
	return nil
}
