package main

import (
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	domaincatalog "agentd/domains/catalog"
	"agentd/environments"
	"agentd/harness/pairs"
	"agentd/internal/printable"
	"agentd/internal/usage"
)

func deriveCommand() *cobra.Command {
	var from environments.Own
	var domain, distractors, to string
	c := &cobra.Command{
		Use:   "derive DOCUMENT... --to DIR",
		Short: "Make an environment of documents of your own",
		Long: "Find out what the files are, and derive reversible edits that are possible on them, each with the exact\n" +
			"program for both directions, so that every step can be scored. Several files make one document, such as\n" +
			"the tables of a transit feed. The environment is written as a folder, to be read and edited.",
		Example: "  agentd env derive ledger/2026.ledger --to mine/\n  agentd env derive feed/ --domain transit --edits 10 --to mine/\n" +
			"  agentd run --data mine/ --model gpt-5.4 --policy agentic,direct",
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, paths []string) (err error) {
			if to == "" {
				return usage.Errorf("give the folder to write to with --to")
			}
			if from.Documents, err = pairs.OneDocument(paths); err != nil {
				return err
			}
			if distractors != "" {
				if from.Distractors, err = pairs.Documents(distractors); err != nil {
					return err
				}
			}
			d, err := domaincatalog.Of(from.Documents, domain)
			if err != nil {
				return err
			}
			if from.Name == "" {
				base := filepath.Base(filepath.Clean(paths[0]))
				from.Name = strings.TrimSuffix(base, filepath.Ext(base))
			}
			env, err := from.Environment(d)
			if err != nil {
				return usage.Wrap(err)
			}
			if err := env.Save(to); err != nil {
				return err
			}
			printable.Fprintf(c.OutOrStdout(), "%s: %s, %d edits\n", filepath.Join(to, env.Name), env.Domain, len(env.Edits))
			for _, edit := range env.Edits {
				printable.Fprintf(c.OutOrStdout(), "  %s\n", edit.Name)
			}
			return nil
		},
	}
	c.Flags().StringVar(&domain, "domain", "", "domain of the documents (default the one that reads them)")
	c.Flags().StringVar(&from.Name, "name", "", "name of the environment (default that of the first document)")
	c.Flags().IntVar(&from.Edits, "edits", 8, "how many edits to derive at most")
	c.Flags().Uint64Var(&from.Seed, "seed", 1, "seed of the choice of edits")
	c.Flags().StringVar(&distractors, "distractors", "", "file or folder of files that have nothing to do with the edits")
	c.Flags().StringVar(&to, "to", "", "folder for the environment's folder")
	return c
}
