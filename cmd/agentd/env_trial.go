package main

import (
	"strings"

	"github.com/spf13/cobra"

	"agentd/harness/experiment"
	"agentd/harness/runner"
	"agentd/internal/usage"
)

func (a *app) envTestCommand(source *envSource) *cobra.Command {
	var t runner.Trials
	c := &cobra.Command{
		Use:   "test [NAME...]",
		Short: "Try every edit alone, and judge what does not score 1",
		Long: "Have each model do every edit alone, there and back on a fresh seed, several times. This is an\n" +
			"experiment with the schedule single-round-trips, stored like any other. Print the scores by edit.\n" +
			"For round trips below 1, say whether the score is warranted, the evaluator errs, or the instruction\n" +
			"is ambiguous. Edits on which all models stay below 80 % are flagged; a judge says whose error each\n" +
			"is. Then leave elements out of the seeds: if K of N elements are left out, the score must be at most\n" +
			"1 - K/N.",
		Example: "  agentd env test accounting1\n  agentd env test --data mine/ --model gpt-5.2,gpt-5-mini --repeats 5 --judge gpt-5.4\n" +
			"  agentd env test --name my-single-round-trips",
		RunE: func(c *cobra.Command, names []string) error {
			if t.Repeats < 1 {
				return usage.Errorf("--repeats %d: use at least 1", t.Repeats)
			}
			if t.Name != "" && len(names) > 0 {
				return usage.Errorf("--name shows all that an experiment tried; remove %s", strings.Join(names, " "))
			}
			return a.runner().Try(c.Context(), c.OutOrStdout(), experiment.Environments{Data: source.data, Names: names}, t)
		},
	}
	c.Flags().StringSliceVar(&t.Models, "model", []string{"sim:perfect", "sim:frontier", "sim:weak"}, "models")
	c.Flags().StringArrayVar(&t.Policies, "policy", []string{"direct"}, "policies")
	c.Flags().IntVar(&t.Repeats, "repeats", 3, "round trips of each edit with each model and policy")
	c.Flags().Uint64Var(&t.Seed, "seed", 1, "seed of file orders, of the models, and of what is left out")
	registerDB(c.Flags(), &t.DB)
	c.Flags().StringVar(&t.Name, "name", "", "show this experiment, and run nothing")
	c.Flags().StringVar(&t.Judge, "judge", "", "model that says whose error a flagged round trip is")
	c.Flags().BoolVar(&t.Everything, "everything", false, "print every round trip below 1, also the warranted ones")
	c.Flags().BoolVar(&t.NoAblation, "no-ablation", false, "omit the check that leaves elements out")
	return c
}
