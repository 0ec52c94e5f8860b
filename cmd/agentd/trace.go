package main

import (
	"strconv"

	"github.com/spf13/cobra"

	domaincatalog "agentd/domains/catalog"
	"agentd/internal/usage"
	"agentd/report/relay"
	"agentd/results"
)

func (a *app) traceCommand() *cobra.Command {
	var source experimentFlags
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
			printer := func(store *results.Store) *relay.Printer {
				return &relay.Printer{Store: store, Out: c.OutOrStdout(), Find: domaincatalog.Lookup, Contents: contents}
			}
			if len(numbers) == 0 {
				return source.read(c.Context(), func(store *results.Store, experiment results.Experiment) error {
					return printer(store).List(c.Context(), experiment)
				})
			}
			return withStore(reading, source.db, func(store *results.Store) error {
				if len(numbers) == 1 {
					return printer(store).Relay(c.Context(), numbers[0])
				}
				return printer(store).Interaction(c.Context(), numbers[0], int(numbers[1]))
			})
		},
	}
	source.register(c.Flags(), "experiment whose relays to list")
	c.Flags().BoolVar(&contents, "contents", false, "show what was said and what went through tools, of runs with --trace full")
	return c
}
