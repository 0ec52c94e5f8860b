package main

import (
	"errors"
	"slices"

	"github.com/spf13/cobra"

	domaincatalog "agentd/domains/catalog"
	"agentd/environments/resize"
	"agentd/internal/usage"
)

func (a *app) resizeCommand(source *envSource) *cobra.Command {
	var sizes []int
	var seed uint64
	var to string
	c := &cobra.Command{
		Use:   "resize [NAME...] --tokens N,N",
		Short: "Make size variants by balanced downsampling",
		Long: "Leave entries out of the seeds, of every category in proportion, until a seed has at most that\n" +
			"many tokens (o200k_base). Edits and distractors stay as they are, and every edit with an oracle\n" +
			"still leads there and back exactly. Without --to nothing is written.\n\n" +
			"A seed must have at least as many tokens as a variant of it. What an environment cannot give is\n" +
			"left out with a warning. A size that no environment can give is an error; nothing is written then.",
		Example: "  agentd env resize accounting1 --tokens 1000,2000,3000 --to sizes/\n  agentd run --data sizes/",
		RunE: func(c *cobra.Command, names []string) error {
			if len(sizes) == 0 {
				return usage.Errorf("give the sizes wanted, as in --tokens 1000,2000")
			}
			slices.Sort(sizes)
			sizes = slices.Compact(sizes)
			if sizes[0] < 1 {
				return usage.Errorf("--tokens %d: use at least 1", sizes[0])
			}
			envs, err := source.choose(names)
			if err != nil {
				return err
			}
			all, err := resize.All(envs, domaincatalog.Lookup, sizes, seed)
			for _, of := range all {
				for _, l := range of.LeftOut {
					a.log.Warn().Str("environment", of.Environment).Ints("left_out", l.Sizes).Msg(l.Why.Error())
				}
			}
			if none, ok := errors.AsType[*resize.NoneError](err); ok {
				return usage.Errorf("--tokens %w", none)
			}
			if err != nil {
				return err
			}
			return resize.Save(c.OutOrStdout(), all, to)
		},
	}
	c.Flags().IntSliceVar(&sizes, "tokens", nil, "sizes, as the most tokens of a seed")
	c.Flags().Uint64Var(&seed, "seed", 1, "seed of the choice of entries")
	c.Flags().StringVar(&to, "to", "", "folder for the variants, one folder each")
	return c
}
