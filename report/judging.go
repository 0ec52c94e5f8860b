package report

import (
	"context"
	"embed"
	"fmt"
	"math/rand/v2"
	"slices"

	"golang.org/x/sync/errgroup"

	"agentd/environments"
	"agentd/internal/opinion"
	"agentd/results"
)

// Judging says which judge judges stored documents, and how many.
type Judging struct {
	Judge   string // the model's name
	StandIn bool   // a program plays the model
	// Ask asks the judge. An error that wraps domains.ErrNoAnswer leaves the document out,
	// any other ends the work.
	Ask opinion.Asker
	// Spent returns the completions and cost so far.
	Spent func() Asked
	// Most limits the number of judged documents or steps, sampled with the experiment's seed;
	// 0 for all.
	Most int
}

// atATime is how many relays are read, or answers awaited, at the same time.
const atATime = 8

//go:embed prompts
var prompts embed.FS

// shuffled returns the numbers from 0 to n-1 in random order.
func shuffled(n int, seed uint64) []int { return rand.New(rand.NewPCG(seed, uint64(n))).Perm(n) }

// environment reads an environment of the experiment.
func (r *Report) environment(ctx context.Context, store *results.Store, name string) (environments.Environment, error) {
	text, err := store.Content(ctx, r.Experiment.Manifest.Environments[name])
	if err != nil {
		return environments.Environment{}, fmt.Errorf("reading environment %s: %w", name, err)
	}
	return environments.Decode(text)
}

// relayRead is a relay with everything stored about it.
type relayRead struct {
	arm   int // place in Arms
	curve *curve
	env   *environments.Environment
	steps []results.Interaction
}

// eachRelay reads the relays of all arms. do is called concurrently.
func (r *Report) eachRelay(ctx context.Context, store *results.Store, do func(relayRead) error) error {
	b := r.source
	envs := make(map[string]*environments.Environment, len(b.environments))
	for _, e := range b.environments {
		env, err := r.environment(ctx, store, e.name)
		if err != nil {
			return err
		}
		envs[e.name] = &env
	}
	group, working := errgroup.WithContext(ctx)
	group.SetLimit(atATime)
	for a, key := range b.order {
		for _, c := range b.arms[key].curves {
			group.Go(func() error {
				steps, err := store.Interactions(working, c.relay)
				if err != nil {
					return err
				}
				return do(relayRead{a, c, envs[b.relays[c.relay].Environment], steps})
			})
		}
	}
	return group.Wait()
}

// add gives a section its tables.
func (r *Report) add(section string, tables ...Table) {
	if r.analyses == nil {
		r.analyses = map[string][]Table{}
	}
	r.analyses[section] = tables
}

// who ends a sentence with the name of the judge, and warns if it is a stand-in.
func (j *Judging) who() string {
	if j.StandIn {
		return "a stand-in, " + j.Judge + ". It goes by exact programs and by what differs, so this shows what the table looks like and not what a model would say."
	}
	return "a model, " + j.Judge + "."
}

func (r *Report) judgedBy(judging *Judging) {
	if !slices.Contains(r.OpinionsOf, judging.Judge) {
		r.OpinionsOf = append(r.OpinionsOf, judging.Judge)
	}
}
