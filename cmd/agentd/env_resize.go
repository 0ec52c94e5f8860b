package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"agentd/domains"
	domaincatalog "agentd/domains/catalog"
	"agentd/environments"
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
			all, err := a.resizeAll(envs, sizes, seed)
			if err != nil {
				return err
			}
			return writeVariants(c.OutOrStdout(), all, to)
		},
	}
	c.Flags().IntSliceVar(&sizes, "tokens", nil, "sizes, as the most tokens of a seed")
	c.Flags().Uint64Var(&seed, "seed", 1, "seed of the choice of entries")
	c.Flags().StringVar(&to, "to", "", "folder for the variants, one folder each")
	return c
}

// writeVariants saves all variants in a folder, unless that is empty, and prints a
// line for each.
func writeVariants(w io.Writer, all []variants, to string) error {
	t := alignedTable(2, "variant", "tokens", "entries", "of")
	for _, of := range all {
		for _, v := range of.made {
			if to != "" {
				if err := save(&v.Environment, to); err != nil {
					return err
				}
			}
			t.AppendRow([]any{v.Environment.Name, v.Tokens, v.Kept, v.Of})
		}
	}
	return printTable(w, t)
}

// variants are those of one environment, and the sizes that it cannot give.
type variants struct {
	environment string
	made        []resize.Variant
	leftOut     []leftOut
}

// leftOut are sizes that cannot be had for one reason.
type leftOut struct {
	sizes []int
	why   error
}

// resizeAll makes the variants of all sizes, which are in ascending order, and
// warns of each size that an environment cannot give. A size that none of them can
// give is an error.
func (a *app) resizeAll(envs []environments.Environment, sizes []int, seed uint64) ([]variants, error) {
	var all []variants
	for i := range envs {
		of, err := variantsOf(&envs[i], sizes, seed)
		if err != nil {
			return nil, err
		}
		for _, l := range of.leftOut {
			a.log.Warn().Str("environment", of.environment).Ints("left_out", l.sizes).Msg(l.why.Error())
		}
		all = append(all, of)
	}
	for _, size := range sizes {
		if err := given(all, size); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// variantsOf makes the variants of one environment. A variant that would be the
// same as the next smaller one is left out.
func variantsOf(env *environments.Environment, sizes []int, seed uint64) (variants, error) {
	of := variants{environment: env.Name}
	d, ok := lookup(domaincatalog.Lookup).of(env)
	if !ok {
		of.leftOut = []leftOut{{sizes, fmt.Errorf("it cannot be scored, so nothing is known of its entries")}}
		return of, nil
	}
	for _, size := range sizes {
		v, err := resize.To(env, d, size, seed)
		var short *resize.TooShortError
		switch last := len(of.made) - 1; {
		case errors.As(err, &short), errors.Is(err, resize.ErrImpossible), errors.Is(err, domains.ErrNoEntries):
			of.miss(size, err)
		case err != nil:
			return of, fmt.Errorf("%s, %d tokens: %w", env.Name, size, err)
		case last >= 0 && of.made[last].Environment.Seed.Equal(v.Environment.Seed):
			of.miss(size, fmt.Errorf("it has no entry that would fit beside those of %s", of.made[last].Environment.Name))
		default:
			of.made = append(of.made, v)
		}
	}
	return of, nil
}

// miss notes a size that cannot be had.
func (v *variants) miss(size int, why error) {
	at := slices.IndexFunc(v.leftOut, func(l leftOut) bool { return l.why.Error() == why.Error() })
	if at < 0 {
		at = len(v.leftOut)
		v.leftOut = append(v.leftOut, leftOut{why: why})
	}
	v.leftOut[at].sizes = append(v.leftOut[at].sizes, size)
}

// given refuses a size that no environment has a variant of.
func given(all []variants, size int) error {
	const most = 3 // reasons shown
	var reasons []string
	longest, tokens, tooShort := "", 0, 0
	for _, of := range all {
		at := slices.IndexFunc(of.leftOut, func(l leftOut) bool { return slices.Contains(l.sizes, size) })
		if at < 0 {
			return nil
		}
		why := of.leftOut[at].why
		reasons = append(reasons, fmt.Sprintf("%s: %v", of.environment, why))
		var short *resize.TooShortError
		if errors.As(why, &short) {
			tooShort++
			if short.Tokens > tokens {
				longest, tokens = of.environment, short.Tokens
			}
		}
	}
	if tooShort == len(all) {
		return usage.Errorf("--tokens %d: no seed has so many; the longest, that of %s, has %d tokens", size, longest, tokens)
	}
	return usage.Errorf("--tokens %d: no environment has such a variant: %s", size, strings.Join(reasons[:min(most, len(reasons))], "; "))
}
