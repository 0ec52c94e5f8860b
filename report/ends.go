package report

import (
	"context"
	"errors"
	"fmt"

	"agentd/domains"
	"agentd/environments"
	"agentd/report/statistics"
	"agentd/results"
)

// End holds the mean scores of an arm after its last scored round trip, the same as in the summary
// table. A mean is nil if no relay has that score.
type End struct {
	At                                       int // interactions; 0 without a score
	RS, Strict, RSNoOpsZero, StrictNoOpsZero *float64
	Work                                     results.Work
}

// Ends computes the end of each arm of an experiment from the curves of its relays, which is faster
// than a report.
type Ends struct {
	store        *results.Store
	experiment   results.Experiment
	relays       []results.Relay // that count
	unscoredZero bool
	// ByStrict says that Strict is the score to show, not RS.
	ByStrict bool
}

// ReadEnds reads what Ends needs of an experiment. Category and UnscoredZero are as in Options.
func ReadEnds(ctx context.Context, store *results.Store, experiment results.Experiment, options Options) (*Ends, error) {
	relays, err := store.Relays(ctx, experiment.ID)
	if err != nil {
		return nil, err
	}
	a := apart{options.Category, map[string]bool{}}
	for name, hash := range experiment.Manifest.Environments {
		env, err := environmentOf(ctx, store, name, hash)
		if err != nil {
			return nil, err
		}
		a.rsIsStrict[name] = env != nil && env.Metadata.RSIsStrict()
	}
	counted, pictures, general := a.divide(relays)
	for _, others := range [][]results.Relay{pictures, general} {
		if len(counted) == 0 {
			counted = others
		}
	}
	return &Ends{store, experiment, counted, options.UnscoredZero, options.ByStrict}, nil
}

// Now reads the present scores of the arms.
func (e *Ends) Now(ctx context.Context) (map[[2]string]End, error) {
	curves, err := e.store.Curves(ctx, e.experiment.ID, e.unscoredZero)
	return e.Of(curves), err
}

// Of returns the ends by model and policy. The curves must be read with UnscoredZero. Arms without data are omitted.
func (e *Ends) Of(curves map[int64]results.Curve) map[[2]string]End {
	ends := map[[2]string]End{}
	for _, r := range e.relays {
		curve, known := curves[r.ID]
		if !known {
			continue
		}
		arm := [2]string{r.Model, r.Policy}
		end := ends[arm]
		end.At = max(end.At, 2*curve.RoundTrips())
		end.Work.Done, end.Work.Edits = end.Work.Done+curve.Work.Done, end.Work.Edits+curve.Work.Edits
		ends[arm] = end
	}
	for arm, end := range ends {
		of := func(scores func(results.Curve) []*float64) *float64 { return e.mean(arm, end.At/2-1, curves, scores) }
		end.RS, end.Strict = of(func(c results.Curve) []*float64 { return c.Scores }), of(func(c results.Curve) []*float64 { return c.Strict })
		end.RSNoOpsZero, end.StrictNoOpsZero = of(func(c results.Curve) []*float64 { return c.NoOpsZero }), of(func(c results.Curve) []*float64 { return c.StrictNoOpsZero })
		ends[arm] = end
	}
	return ends
}

// mean returns the mean of an arm after a round trip, numbered from 0.
func (e *Ends) mean(arm [2]string, trip int, curves map[int64]results.Curve, scores func(results.Curve) []*float64) *float64 {
	places, scored := map[string]int{}, tally{}
	for _, r := range e.relays {
		s := scores(curves[r.ID])
		if r.Model != arm[0] || r.Policy != arm[1] || trip < 0 || len(s) <= trip || s[trip] == nil {
			continue
		}
		if _, known := places[r.Environment]; !known {
			places[r.Environment] = len(scored)
			scored = append(scored, statistics.Sum{})
		}
		scored.add(places[r.Environment], *s[trip], 1)
	}
	if e.experiment.Manifest.Schedule == everyEdit {
		scored = statistics.Means(scored)
	}
	if mean := statistics.Total(scored); mean.Over > 0 {
		return new(mean.Total / mean.Over)
	}
	return nil
}

// apart decides which relays have separate tables: those on pictures (paper, Appendix J), and
// those on documents without a published score, such as general text.
type apart struct {
	category   func(domain string) string // nil if it is not known
	rsIsStrict map[string]bool            // environments
}

func (a apart) picture(r results.Relay) bool { return r.Domain == pictureDomain }

func (a apart) general(r results.Relay) bool {
	return a.category != nil && a.category(r.Domain) == domains.General || a.rsIsStrict[r.Environment]
}

// divide divides relays into the rest, those on pictures, and those without a published score.
func (a apart) divide(relays []results.Relay) (rest, pictures, general []results.Relay) {
	for _, r := range relays {
		if a.picture(r) {
			pictures = append(pictures, r)
		}
		if a.general(r) {
			general = append(general, r)
		}
		if !a.picture(r) && !a.general(r) {
			rest = append(rest, r)
		}
	}
	return rest, pictures, general
}

// environmentOf reads an environment of an experiment; nil if it is not stored.
func environmentOf(ctx context.Context, store *results.Store, name, hash string) (*environments.Environment, error) {
	text, err := store.Content(ctx, hash)
	if errors.Is(err, results.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading environment %s: %w", name, err)
	}
	env, err := environments.Decode(text)
	return &env, err
}
