package harness

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"

	"agentd/environments"
)

// ScheduleKind is a rule for which edit each round trip has.
type ScheduleKind string

const (
	// RoundRobin goes through all edits, shuffled again for each epoch.
	RoundRobin ScheduleKind = "round-robin"
	// SingleEdit repeats one edit in every round trip; the repeats of a relay
	// take the environment's edits in turn.
	SingleEdit ScheduleKind = "single-edit"
	// EveryEdit repeats one edit in every round trip too, and each edit of an
	// environment has as many relays as the experiment has repeats (paper,
	// Appendix D). Their repeat numbers count on over the edits: of n edits, in
	// the environment's order, the k-th has the repeats k, k + n, k + 2n …
	EveryEdit ScheduleKind = "every-edit"
	// SingleRoundTrips does every edit alone, there and back on a fresh seed: a relay
	// has one round trip. Repeats are those of EveryEdit (paper, Appendices G, H and K.6).
	SingleRoundTrips ScheduleKind = "single-round-trips"
	// Listed repeats the edits that the experiment lists, in that order.
	Listed ScheduleKind = "list"
)

// Kinds returns the schedules that are chosen by name: all except Listed, which is chosen by a
// list of edits.
func Kinds() []ScheduleKind {
	return []ScheduleKind{RoundRobin, SingleEdit, EveryEdit, SingleRoundTrips}
}

// ForEachEdit reports whether every edit of an environment has relays of its own.
func (k ScheduleKind) ForEachEdit() bool { return k == EveryEdit || k == SingleRoundTrips }

// RelaysOn returns the number of relays that each arm has on an environment.
func (x *Experiment) RelaysOn(env *environments.Environment) int {
	if x.Schedule.ForEachEdit() {
		return x.Repeats * len(env.Edits)
	}
	return x.Repeats
}

// scheduled returns the name of the edit of each round trip.
func (x *Experiment) scheduled(env *environments.Environment, repeat int) []string {
	names := make([]string, x.RoundTrips)
	if x.Schedule == Listed {
		for k := range names {
			names[k] = x.ScheduleEdits[k%len(x.ScheduleEdits)]
		}
		return names
	}
	for k, edit := range schedule(x.Schedule, x.Seed, env.Name, repeat, len(env.Edits), x.RoundTrips) {
		names[k] = env.Edits[edit].Name
	}
	return names
}

// schedule returns the index of the edit of each round trip, of any kind but
// Listed. It depends on its arguments alone, so every model and policy gets the
// same edits in the same order. repeat counts from 1.
func schedule(kind ScheduleKind, seed uint64, environment string, repeat, edits, roundTrips int) []int {
	switch kind {
	case SingleEdit:
		// The same shuffle for all repeats, so that they cover all edits.
		shuffled := source("schedule", seed, environment, 0).Perm(edits)
		return slices.Repeat([]int{shuffled[(repeat-1)%edits]}, roundTrips)
	case EveryEdit, SingleRoundTrips:
		return slices.Repeat([]int{(repeat - 1) % edits}, roundTrips)
	}
	order := make([]int, 0, roundTrips+edits)
	random := source("schedule", seed, environment, repeat)
	for len(order) < roundTrips {
		order = append(order, random.Perm(edits)...)
	}
	return order[:roundTrips]
}

// fileOrder returns the names in the order in which the prompts of an interaction show them. The
// relative order of two names does not depend on the other names, so arms with different files
// agree on the files that they share.
func fileOrder(names []string, seed uint64, environment string, repeat, interaction int) []string {
	place := func(name string) uint64 {
		return digest(fmt.Sprintf("file\x00%s\x00%d", name, interaction), seed, environment, repeat)
	}
	ordered := slices.Clone(names)
	slices.SortFunc(ordered, func(a, b string) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a, b))
	})
	return ordered
}

// taskSeed returns the seed that a model may be given for an interaction.
func taskSeed(seed uint64, environment string, repeat, interaction int) int64 {
	return int64(digest(fmt.Sprintf("task\x00%d", interaction), seed, environment, repeat) >> 11) // fits into a double
}

func source(purpose string, seed uint64, environment string, repeat int) *rand.Rand {
	return rand.New(rand.NewPCG(digest(purpose, seed, environment, repeat), seed))
}

func digest(purpose string, seed uint64, environment string, repeat int) uint64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d\x00%s\x00%d", purpose, seed, environment, repeat))
	return binary.LittleEndian.Uint64(sum[:])
}
