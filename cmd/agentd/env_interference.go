package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	domaincatalog "agentd/domains/catalog"
	"agentd/environments"
	"agentd/environments/interference"
	"agentd/experiment"
	"agentd/internal/opinion"
	"agentd/internal/printable"
	"agentd/results"
)

func (s *envSource) interferenceCommand() *cobra.Command {
	var judge, db string
	c := &cobra.Command{
		Use:   "interference [NAME...]",
		Short: "Find distractors that get in the way of an edit",
		Long: "Look at every edit with the distractors. Without a judge, name distractors that have the name of a\n" +
			"document or of a file that the edit makes, and those that hold lines of either. With one, have it\n" +
			"see the instructions, the seed and the distractors and say for each edit whether they interfere,\n" +
			"and in which of five ways. The exit status is 1 if any do. docs/environments.md says how to mend.",
		Example: "  agentd env interference\n  agentd env interference --data mine/ --judge gpt-5.2",
		RunE: func(c *cobra.Command, names []string) (err error) {
			envs, err := s.choose(names)
			if err != nil {
				return err
			}
			if judge == "" {
				return findInterference(c.Context(), c.OutOrStdout(), envs, nil)
			}
			return withStore(results.Open, db, func(store *results.Store) (err error) {
				ask, done, err := experiment.OpenAsker(c.Context(), judge, store)
				if err != nil {
					return err
				}
				defer func() { err = errors.Join(err, done()) }()
				return findInterference(c.Context(), c.OutOrStdout(), envs, ask)
			})
		},
	}
	c.Flags().StringVar(&judge, "judge", "", "model that looks at each edit with the distractors (default rules alone)")
	registerDB(c.Flags(), &db)
	return c
}

// findInterference prints what interferes with each edit, and ends with an error if anything
// does.
func findInterference(ctx context.Context, w io.Writer, envs []environments.Environment, ask opinion.Asker) error {
	counted, err := interference.Find(ctx, envs, domaincatalog.Lookup, ask, func(f interference.Interference) {
		printable.Fprintf(w, "%s, %s: %s: %s\n", f.Environment, f.Edit, interference.Kinds()[f.Kind].Head, printable.Line(f.Why))
	})
	if err != nil {
		return err
	}
	if counted.Unanswered > 0 {
		printable.Fprintf(w, "of %d edits the judge gave no answer that can be read\n", counted.Unanswered)
	}
	if counted.Disturbed > 0 {
		return fmt.Errorf("distractors interfere with %d of %d edits; mend in this order: dismiss it, name files exactly, delete the distractor, delete the edit (docs/environments.md)", counted.Disturbed, counted.Edits)
	}
	_, err = printable.Fprintf(w, "distractors interfere with none of %d edits\n", counted.Edits)
	return err
}
