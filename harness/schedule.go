package harness

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
)

// ScheduleKind says which edit stands in which round trip.
type ScheduleKind string

const (
	// RoundRobin goes through all edits, in an order shuffled anew for each
	// epoch.
	RoundRobin ScheduleKind = "round-robin"
	// SingleEdit repeats one edit in every round trip; the repeats of a relay
	// take the environment's edits in turn.
	SingleEdit ScheduleKind = "single-edit"
)

// Kinds lists the schedules there are.
func Kinds() []ScheduleKind { return []ScheduleKind{RoundRobin, SingleEdit} }

// schedule returns the index of the edit of each round trip. It depends on its
// arguments alone, so every model and policy gets the same edits in the same
// order. repeat counts from 1.
func schedule(kind ScheduleKind, seed uint64, environment string, repeat, edits, roundTrips int) []int {
	order := make([]int, 0, roundTrips+edits)
	if kind == SingleEdit {
		// The same shuffle for all repeats, so that they cover all edits.
		shuffled := source("schedule", seed, environment, 0).Perm(edits)
		for range roundTrips {
			order = append(order, shuffled[(repeat-1)%edits])
		}
		return order
	}
	random := source("schedule", seed, environment, repeat)
	for len(order) < roundTrips {
		order = append(order, random.Perm(edits)...)
	}
	return order[:roundTrips]
}

// fileOrder returns the names in the order in which prompts of an interaction
// show them. A name's place depends on the other names only through what is
// there, so arms whose files differ still agree on the rest.
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

// taskSeed is the seed that a model may be given for an interaction.
func taskSeed(seed uint64, environment string, repeat, interaction int) int64 {
	return int64(digest(fmt.Sprintf("task\x00%d", interaction), seed, environment, repeat) >> 11) // fits a double
}

func source(purpose string, seed uint64, environment string, repeat int) *rand.Rand {
	return rand.New(rand.NewPCG(digest(purpose, seed, environment, repeat), seed))
}

func digest(purpose string, seed uint64, environment string, repeat int) uint64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d\x00%s\x00%d", purpose, seed, environment, repeat))
	return binary.LittleEndian.Uint64(sum[:])
}
