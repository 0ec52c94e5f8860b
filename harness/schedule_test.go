package harness

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestRoundRobinTakesEveryEditOncePerEpoch(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		edits, trips := rapid.IntRange(1, 9).Draw(t, "edits"), rapid.IntRange(1, 40).Draw(t, "round trips")
		order := schedule(RoundRobin, seed, "x1", 1, edits, trips)
		if len(order) != trips {
			t.Fatalf("%d round trips, want %d", len(order), trips)
		}
		for start := 0; start+edits <= trips; start += edits {
			epoch := slices.Sorted(slices.Values(order[start : start+edits]))
			for i, edit := range epoch {
				if edit != i {
					t.Fatalf("epoch %v", order[start:start+edits])
				}
			}
		}
		if again := schedule(RoundRobin, seed, "x1", 1, edits, trips); !slices.Equal(order, again) {
			t.Fatal("the same arguments gave another schedule")
		}
	})
}

func TestScheduleDependsOnSeedEnvironmentAndRepeat(t *testing.T) {
	t.Parallel()
	base := schedule(RoundRobin, 1, "x1", 1, 8, 24)
	for name, other := range map[string][]int{
		"seed":        schedule(RoundRobin, 2, "x1", 1, 8, 24),
		"environment": schedule(RoundRobin, 1, "x2", 1, 8, 24),
		"repeat":      schedule(RoundRobin, 1, "x1", 2, 8, 24),
	} {
		if slices.Equal(base, other) {
			t.Errorf("another %s gave the same schedule", name)
		}
	}
	if slices.Equal(base[:8], base[8:16]) {
		t.Error("the second epoch was not shuffled anew")
	}
}

func TestSingleEditRepeatsCoverAllEdits(t *testing.T) {
	t.Parallel()
	var taken []int
	for repeat := 1; repeat <= 5; repeat++ {
		order := schedule(SingleEdit, 1, "x1", repeat, 5, 10)
		if len(slices.Compact(slices.Clone(order))) != 1 {
			t.Fatalf("repeat %d: %v", repeat, order)
		}
		taken = append(taken, order[0])
	}
	slices.Sort(taken)
	if diff := cmp.Diff([]int{0, 1, 2, 3, 4}, taken); diff != "" {
		t.Error(diff)
	}
}

func TestFileOrderIsSharedByArmsWithDifferentFiles(t *testing.T) {
	t.Parallel()
	names := []string{"a", "b", "c", "d", "e", "f"}
	all := fileOrder(names, 1, "x1", 1, 1)
	fewer := fileOrder([]string{"f", "d", "b", "a"}, 1, "x1", 1, 1)
	without := slices.DeleteFunc(slices.Clone(all), func(name string) bool { return name == "c" || name == "e" })
	if diff := cmp.Diff(without, fewer); diff != "" {
		t.Error(diff)
	}
	if slices.Equal(all, fileOrder(names, 1, "x1", 1, 2)) && slices.Equal(all, fileOrder(names, 1, "x1", 1, 3)) {
		t.Error("all interactions have the same order")
	}
}
