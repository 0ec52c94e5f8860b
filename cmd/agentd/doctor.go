package main

import (
	"github.com/spf13/cobra"

	"agentd/harness/experiment"
)

func (a *app) doctorCommand() *cobra.Command {
	var db string
	c := &cobra.Command{
		Use:     "doctor",
		Short:   "What works on this machine: sandbox, Python, keys, database",
		Example: "  agentd doctor",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return experiment.Diagnose(c.Context(), c.OutOrStdout(), experiment.Checks(db))
		},
	}
	registerDB(c.Flags(), &db)
	return c
}
