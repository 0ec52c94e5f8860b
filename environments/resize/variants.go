package resize

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/environments"
	"agentd/internal/layout"
)

// Variants are those of one environment, and the sizes that it has no variant of.
type Variants struct {
	Environment string // its name
	Made        []Variant
	LeftOut     []LeftOut
}

// LeftOut are sizes that an environment has no variant of, for one reason.
type LeftOut struct {
	Sizes []int // tokens of a seed
	Why   error
}

// NoneError is a size, in tokens, that no environment has a variant of.
type NoneError struct {
	Size int
	Why  string
}

func (e *NoneError) Error() string { return fmt.Sprintf("%d: %s", e.Size, e.Why) }

// All makes the variants of all sizes, tokens of a seed in ascending order. find finds a
// domain by name. A size that none of the environments has is a *NoneError; the variants
// are returned nevertheless.
func All(envs []environments.Environment, find func(name string) (domains.Domain, bool), sizes []int, seed uint64) ([]Variants, error) {
	var all []Variants
	for i := range envs {
		of, err := variantsOf(&envs[i], find, sizes, seed)
		if err != nil {
			return nil, err
		}
		all = append(all, of)
	}
	for _, size := range sizes {
		if err := given(all, size); err != nil {
			return all, err
		}
	}
	return all, nil
}

// variantsOf makes the variants of one environment. A variant that would be the same as
// the next smaller one is left out.
func variantsOf(env *environments.Environment, find func(name string) (domains.Domain, bool), sizes []int, seed uint64) (Variants, error) {
	of := Variants{Environment: env.Name}
	d, ok := env.Scoring(find)
	if !ok {
		of.LeftOut = []LeftOut{{sizes, errors.New("it cannot be scored, so nothing is known of its entries")}}
		return of, nil
	}
	for _, size := range sizes {
		v, err := To(env, d, size, seed)
		var short *TooShortError
		switch last := len(of.Made) - 1; {
		case errors.As(err, &short), errors.Is(err, ErrImpossible), errors.Is(err, domains.ErrNoEntries):
			of.miss(size, err)
		case err != nil:
			return of, fmt.Errorf("%s, %d tokens: %w", env.Name, size, err)
		case last >= 0 && of.Made[last].Environment.Seed.Equal(v.Environment.Seed):
			of.miss(size, fmt.Errorf("it has no entry that would fit next to those of %s", of.Made[last].Environment.Name))
		default:
			of.Made = append(of.Made, v)
		}
	}
	return of, nil
}

// miss notes a size that the environment has no variant of.
func (v *Variants) miss(size int, why error) {
	at := slices.IndexFunc(v.LeftOut, func(l LeftOut) bool { return l.Why.Error() == why.Error() })
	if at < 0 {
		at = len(v.LeftOut)
		v.LeftOut = append(v.LeftOut, LeftOut{Why: why})
	}
	v.LeftOut[at].Sizes = append(v.LeftOut[at].Sizes, size)
}

// given returns an error for a size that no environment has a variant of.
func given(all []Variants, size int) error {
	const most = 3 // reasons shown
	var reasons []string
	longest, tokens, tooShort := "", 0, 0
	for _, of := range all {
		at := slices.IndexFunc(of.LeftOut, func(l LeftOut) bool { return slices.Contains(l.Sizes, size) })
		if at < 0 {
			return nil
		}
		why := of.LeftOut[at].Why
		reasons = append(reasons, fmt.Sprintf("%s: %v", of.Environment, why))
		var short *TooShortError
		if errors.As(why, &short) {
			tooShort++
			if short.Tokens > tokens {
				longest, tokens = of.Environment, short.Tokens
			}
		}
	}
	if tooShort == len(all) {
		return &NoneError{size, fmt.Sprintf("no seed has so many; the longest, that of %s, has %d tokens", longest, tokens)}
	}
	return &NoneError{size, "no environment has such a variant: " + strings.Join(reasons[:min(most, len(reasons))], "; ")}
}

// Save writes all variants to a folder, unless that is empty, and prints a line for each.
func Save(w io.Writer, all []Variants, folder string) error {
	t := layout.NewTable(2, "variant", "tokens", "entries", "of")
	for _, of := range all {
		for _, v := range of.Made {
			if folder != "" {
				if err := v.Environment.Save(folder); err != nil {
					return err
				}
			}
			t.Row(v.Environment.Name, v.Tokens, v.Kept, v.Of)
		}
	}
	return t.Write(w)
}
