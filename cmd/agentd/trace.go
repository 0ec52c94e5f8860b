package main

import (
	"errors"
	"strconv"

	"github.com/spf13/cobra"

	domaincatalog "agentd/domains/catalog"
	"agentd/internal/usage"
	"agentd/report/relay"
	"agentd/results"
)

func (a *app) traceCommand() *cobra.Command {
	var db, name string
	var contents bool
	c := &cobra.Command{
		Use:   "trace [RELAY [INTERACTION]]",
		Short: "One relay step by step: tool calls, reads, diffs of the documents, scores",
		Long: "Without arguments, list the relays of an experiment with their numbers. With a relay, list\n" +
			"its interactions. With an interaction too, show all that is known of it.",
		Example: "  agentd trace\n  agentd trace 3\n  agentd trace 3 4",
		Args:    cobra.MaximumNArgs(2),
		RunE: func(c *cobra.Command, args []string) (err error) {
			numbers := make([]int64, len(args))
			for i, arg := range args {
				if numbers[i], err = strconv.ParseInt(arg, 10, 64); err != nil || numbers[i] < 1 {
					return usage.Errorf("%q is not a number of a relay or interaction", arg)
				}
			}
			store, err := results.OpenReading(db)
			if err != nil {
				return usage.Wrap(err)
			}
			defer func() { err = errors.Join(err, store.Close()) }()
			t := relay.Printer{Store: store, Out: c.OutOrStdout(), Find: domaincatalog.Lookup, Contents: contents}
			switch len(numbers) {
			case 0:
				experiment, err := findExperiment(c.Context(), store, name)
				if err != nil {
					return err
				}
				return t.List(c.Context(), experiment)
			case 1:
				return t.Relay(c.Context(), numbers[0])
			}
			return t.Interaction(c.Context(), numbers[0], int(numbers[1]))
		},
	}
	c.Flags().StringVar(&db, "db", defaultDB, "database file of the results")
	c.Flags().BoolVar(&contents, "contents", false, "show what was said and what went through tools, of runs with --trace full")
	c.Flags().StringVar(&name, "name", "", "experiment whose relays to list (default the newest)")
	return c
}
