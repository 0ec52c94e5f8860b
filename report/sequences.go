package report

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"agentd/report/statistics"
	"agentd/results"
)

// Reads are which distractor files an arm opened, and how.
type Reads struct {
	Model, Policy string
	StandIn       bool
	// All is the share of distractor files that were opened, ByTool and ByScript the
	// shares opened by read_file and its like, and from inside of run_python; both
	// may have opened the same file.
	All, ByTool, ByScript statistics.Interval
}

// Sequence is how round trips with two tool calls in a row differ from those
// without.
type Sequence struct {
	Policy      string
	First, Then string // tools; start and end for the ends of an interaction
	Effect
}

// The ends of an interaction in a Sequence.
const (
	sequenceStart = "start"
	sequenceEnd   = "end"
)

// mostSequences is how many pairs of calls are told of each policy, the most
// frequent ones.
const mostSequences = 12

const scriptTool = "run_python"

// sequences goes through the tool calls and reads that are stored.
func (b *builder) sequences(ctx context.Context, store *results.Store, changes []change) ([]Sequence, []Reads, error) {
	type pair struct{ first, then string }
	type trace struct {
		last  string
		pairs map[pair]bool
	}
	traces := map[int64]*trace{}
	byTool, byScript := map[int64]int{}, map[int64]int{}
	err := store.CallsAndReads(ctx, b.report.Experiment.ID, func(interaction int64, tool string) {
		t := traces[interaction]
		if t == nil {
			t = &trace{last: sequenceStart, pairs: map[pair]bool{}}
			traces[interaction] = t
		}
		t.pairs[pair{t.last, tool}] = true
		t.last = tool
	}, func(interaction int64, tool string) {
		if tool == scriptTool {
			byScript[interaction]++
		} else {
			byTool[interaction]++
		}
	})
	if err != nil {
		return nil, nil, err
	}
	has := func(c change, p pair) bool {
		return slices.ContainsFunc(c.interactions[:], func(id int64) bool {
			t := traces[id]
			return t != nil && (t.pairs[p] || p.then == sequenceEnd && t.last == p.first)
		})
	}
	var all []Sequence
	for _, policy := range b.policies() {
		of := slices.DeleteFunc(slices.Clone(changes), func(c change) bool { return c.policy != policy })
		counts := map[pair]int{}
		for _, c := range of {
			met := map[pair]bool{}
			for _, id := range c.interactions {
				if t := traces[id]; t != nil {
					maps.Copy(met, t.pairs)
					met[pair{t.last, sequenceEnd}] = true
				}
			}
			for p := range met {
				counts[p]++
			}
		}
		frequent := slices.SortedFunc(maps.Keys(counts), func(x, y pair) int {
			return cmp.Or(counts[y]-counts[x], cmp.Compare(x.first, y.first), cmp.Compare(x.then, y.then))
		})
		for _, p := range frequent[:min(len(frequent), mostSequences)] {
			all = append(all, Sequence{policy, p.first, p.then, b.effect("", of, func(c change) bool { return has(c, p) })})
		}
	}
	return all, b.reads(byTool, byScript), nil
}

// policies are those that have a model, in the order of the arms.
func (b *builder) policies() []string {
	var all []string
	for _, key := range b.order {
		if key.model != "" && !slices.Contains(all, key.policy) {
			all = append(all, key.policy)
		}
	}
	return all
}

func (b *builder) reads(byTool, byScript map[int64]int) []Reads {
	type arm struct {
		tools, scripts tally
	}
	arms := map[armKey]*arm{}
	for task, interactions := range b.tasks {
		place := b.places[task.environment]
		for key, in := range interactions {
			if arms[key] == nil {
				arms[key] = &arm{b.tally(), b.tally()}
			}
			arms[key].tools.add(place, float64(byTool[in.ID]), float64(in.Distractors))
			arms[key].scripts.add(place, float64(byScript[in.ID]), float64(in.Distractors))
		}
	}
	var all []Reads
	for _, key := range b.order {
		s := b.arms[key]
		if key.policy == directPolicy || key.model == "" || arms[key] == nil {
			continue
		}
		r := Reads{
			Model: key.model, Policy: key.policy, StandIn: b.standIn[key.model],
			All:    b.sampler.Ratio(s.distractors, s.total),
			ByTool: b.sampler.Ratio(arms[key].tools, s.total), ByScript: b.sampler.Ratio(arms[key].scripts, s.total),
		}
		if r.All.Exists() {
			all = append(all, r)
		}
	}
	return all
}
