package report

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"agentd/environments/properties"
	"agentd/report/statistics"
	"agentd/results"
)

// facts are properties of an environment.
type facts struct {
	properties properties.Properties
	operations map[string][]string // by edit
	rsIsStrict bool                // by an option of the environment
}

// readFacts reads the facts of an experiment's environments, by name; environments
// that are not stored are omitted.
func readFacts(ctx context.Context, store *results.Store, hashes map[string]string) (map[string]*facts, error) {
	all := make(map[string]*facts, len(hashes))
	var mu sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for name, hash := range hashes {
		group.Go(func() error {
			f, err := factsOf(ctx, store, name, hash)
			mu.Lock()
			defer mu.Unlock()
			if f != nil {
				all[name] = f
			}
			return err
		})
	}
	return all, group.Wait()
}

func factsOf(ctx context.Context, store *results.Store, name, hash string) (*facts, error) {
	env, err := environmentOf(ctx, store, name, hash)
	if env == nil || err != nil {
		return nil, err
	}
	f := &facts{operations: make(map[string][]string, len(env.Edits)), rsIsStrict: env.Metadata.RSIsStrict()}
	for _, edit := range env.Edits {
		f.operations[edit.Name] = edit.Operations
	}
	if f.properties, err = properties.Of(env.Seed); err != nil {
		return nil, fmt.Errorf("measuring %s: %w", name, err)
	}
	return f, nil
}

// sizeBounds separate the size classes, in tokens; sizeNames name the classes. Each of the
// six sizes in the paper's Table 5 (1k, 2k, 4k, 6k, 8k and 10k) has its own class.
var (
	sizeBounds = []int{1500, 3000, 5000, 7000, 9000}
	sizeNames  = []string{"below 1.5k", "1.5k–3k", "3k–5k", "5k–7k", "7k–9k", "from 9k"}
)

// Size holds an arm's scores on the documents of a size class.
type Size struct {
	Arm    int // in Report.Arms
	Tokens string
	// Mean is the mean size of the seeds in tokens.
	Mean   float64
	Relays int
	Done   statistics.Interval   // forward steps that were carried out
	RS     []statistics.Interval // after 2, 4, … interactions
}

// sizes divides the scores of the arms by size class, if there is more than one.
func (b *builder) sizes() []Size {
	class := make([]int, len(b.environments))
	met := map[int]bool{}
	for i, f := range b.facts {
		if f == nil {
			return nil
		}
		class[i] = len(sizeBounds)
		if at := slices.IndexFunc(sizeBounds, func(bound int) bool { return f.properties.Tokens < bound }); at >= 0 {
			class[i] = at
		}
		met[class[i]] = true
	}
	if len(met) < 2 {
		return nil
	}
	var all []Size
	for a, key := range b.order {
		s := b.arms[key]
		for c, name := range sizeNames {
			size := Size{Arm: a, Tokens: name}
			for _, curve := range s.curves {
				if class[curve.place] == c && slices.ContainsFunc(curve.trips, trip.scored) {
					size.Relays++
				}
			}
			if size.Relays == 0 {
				continue
			}
			size.Mean = b.meanTokens(s, func(place int) bool { return class[place] == c })
			within := func(all tally) tally {
				of := b.tally()
				for place, sum := range all {
					if class[place] == c {
						of[place] = sum
					}
				}
				return of
			}
			size.Done = b.sampler.Mean(within(s.done))
			for _, all := range s.rs {
				size.RS = append(size.RS, b.mean(within(all)))
			}
			all = append(all, size)
		}
	}
	return all
}

// meanTokens returns the mean size of the seeds of an arm's relays, of those that count.
func (b *builder) meanTokens(s *armSums, counts func(place int) bool) float64 {
	met, sum := map[int]bool{}, 0.0
	for _, c := range s.curves {
		if counts(c.place) && !met[c.place] {
			met[c.place] = true
			sum += float64(b.facts[c.place].properties.Tokens)
		}
	}
	return sum / float64(len(met))
}

// ends returns the scores of an arm's relays at their planned ends: of the relays selected
// by the filter, or of all if it is nil.
func (b *builder) ends(s *armSums, counts func(*curve) bool) tally {
	ends := b.tally()
	for _, c := range s.curves {
		if counts != nil && !counts(c) {
			continue
		}
		if end := len(b.relays[c.relay].Schedule); end > 0 && len(c.trips) >= end && c.trips[end-1].scored() {
			ends.add(c.place, c.trips[end-1].rs, 1)
		}
	}
	return ends
}
