package main

import (
	"errors"

	"github.com/spf13/cobra"

	domaincatalog "agentd/domains/catalog"
	"agentd/environments/interference"
	"agentd/harness/experiment"
	"agentd/results"
)

func (s *envSource) interferenceCommand() *cobra.Command {
	var judge, db string
	c := &cobra.Command{
		Use:   "interference [NAME...]",
		Short: "Find distractors that interfere with an edit",
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
				return interference.Write(c.Context(), c.OutOrStdout(), envs, domaincatalog.Lookup, nil)
			}
			return results.Using(results.Open, db, func(store *results.Store) (err error) {
				ask, done, err := experiment.OpenAsker(c.Context(), judge, store, envs)
				if err != nil {
					return err
				}
				defer func() { err = errors.Join(err, done()) }()
				return interference.Write(c.Context(), c.OutOrStdout(), envs, domaincatalog.Lookup, ask)
			})
		},
	}
	c.Flags().StringVar(&judge, "judge", "", "model that looks at each edit with the distractors (default rules alone)")
	registerDB(c.Flags(), &db)
	return c
}
