package main

import (
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	domaincatalog "agentd/domains/catalog"
	"agentd/harness/runner"
	"agentd/internal/layout"
	"agentd/internal/usage"
	"agentd/report/relay"
	"agentd/results"
)

func (a *app) traceCommand() *cobra.Command {
	var source experimentFlags
	var contents bool
	choice := relay.Choice{Sort: relay.ByNumber}
	c := &cobra.Command{
		Use:   "trace [RELAY [INTERACTION] | worst]",
		Short: "One relay step by step: tool calls, reads, diffs of the documents, scores",
		Long: "Without arguments, list the relays of an experiment with their last scores, first drop, failures\n" +
			"and cost. With a relay, list its interactions. With an interaction too, show all that is known\n" +
			"of it. With the word worst, say why interactions failed, and show the one that lost most RS, or the\n" +
			"first that failed if none lost any.",
		Example: "  agentd trace\n  agentd trace --sort drop --arm 'gpt-5.4 direct' --domain accounting\n  agentd trace worst\n  agentd trace 3\n  agentd trace 3 4",
		Args:    cobra.MaximumNArgs(2),
		RunE: func(c *cobra.Command, args []string) (err error) {
			worst := len(args) == 1 && args[0] == "worst"
			if worst {
				args = nil
			}
			numbers := make([]int64, len(args))
			for i, arg := range args {
				if numbers[i], err = strconv.ParseInt(arg, 10, 64); err != nil || numbers[i] < 1 {
					return usage.Errorf("%q is not a number of a relay or interaction", arg)
				}
			}
			printer := func(store *results.Store) *relay.Printer {
				return &relay.Printer{Store: store, Out: c.OutOrStdout(), Screen: layout.ScreenOf(c.OutOrStdout()), Find: domaincatalog.Lookup, Contents: contents}
			}
			if len(numbers) == 0 {
				return source.read(c.Context(), func(store *results.Store, experiment results.Experiment) error {
					if worst {
						return printer(store).Worst(c.Context(), experiment, choice)
					}
					return printer(store).List(c.Context(), experiment, choice)
				})
			}
			return results.Using(runner.OpenReading, source.db, func(store *results.Store) error {
				if len(numbers) == 1 {
					return printer(store).Relay(c.Context(), numbers[0])
				}
				return printer(store).Interaction(c.Context(), numbers[0], int(numbers[1]))
			})
		},
	}
	source.register(c.Flags(), "experiment whose relays to list")
	oneOf(c.Flags(), &choice.Sort, "sort", "order", relay.Orders(), "order of the list: "+strings.Join(relay.Orders(), ", "))
	c.Flags().StringSliceVar(&choice.Arms, "arm", nil, "only relays of these models, policies or both, such as 'gpt-5.4 direct'; names or patterns")
	c.Flags().StringSliceVar(&choice.Domains, "domain", nil, "only relays of these domains, names or patterns")
	c.Flags().BoolVar(&contents, "contents", false, "show what was said and what went through tools, of runs with --trace full")
	return c
}
