package harness

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentd/environments"
	"agentd/policies/noop"
	"agentd/policies/oracle"
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

// withEdits is an environment with edits named as given.
func withEdits(name string, edits ...string) environments.Environment {
	env := environments.Environment{Name: name}
	for _, edit := range edits {
		env.Edits = append(env.Edits, environments.Edit{Name: edit})
	}
	return env
}

func TestEveryEditHasRelaysOfItsOwn(t *testing.T) {
	t.Parallel()
	envs := []environments.Environment{withEdits("x1", "split", "sort", "convert"), withEdits("y1", "merge")}
	x := experiment(envs, noop.Policy{}, oracle.Policy{})
	x.Schedule, x.RoundTrips = EveryEdit, 3
	type cell struct {
		policy, environment string
		repeat              int
	}
	planned := func(repeats int) map[cell][]string {
		x.Repeats = repeats
		all := map[cell][]string{}
		for _, r := range x.Plan("e") {
			c := cell{r.Policy, r.Environment, r.Repeat}
			if all[c] != nil {
				t.Errorf("%v is planned twice", c)
			}
			all[c] = r.Schedule
		}
		return all
	}
	want := map[cell][]string{}
	for _, policy := range []string{"noop", "oracle"} {
		for repeat, edit := range []string{"split", "sort", "convert", "split", "sort", "convert"} {
			want[cell{policy, "x1", repeat + 1}] = []string{edit, edit, edit}
		}
		for repeat := range 2 {
			want[cell{policy, "y1", repeat + 1}] = []string{"merge", "merge", "merge"}
		}
	}
	twice := planned(2)
	if diff := cmp.Diff(want, twice); diff != "" {
		t.Error(diff)
	}
	once := planned(1)
	if len(once) != 2*(3+1) {
		t.Errorf("%d relays, want one for each edit and arm", len(once))
	}
	for c, edits := range once {
		if diff := cmp.Diff(twice[c], edits); diff != "" {
			t.Errorf("a second repeat changes %v: %s", c, diff)
		}
	}
}

func TestSingleRoundTripsAreOneForEachEditAndRepeat(t *testing.T) {
	t.Parallel()
	x := experiment([]environments.Environment{withEdits("x1", "split", "sort"), withEdits("y1", "merge")}, noop.Policy{})
	x.Schedule, x.RoundTrips, x.Repeats = SingleRoundTrips, 1, 2
	got := map[string][]string{}
	for _, r := range x.Plan("e") {
		got[fmt.Sprintf("%s %d", r.Environment, r.Repeat)] = r.Schedule
	}
	want := map[string][]string{
		"x1 1": {"split"}, "x1 2": {"sort"}, "x1 3": {"split"}, "x1 4": {"sort"}, "y1 1": {"merge"}, "y1 2": {"merge"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestListedEditsAreTakenInOrderAndOverAgain(t *testing.T) {
	t.Parallel()
	x := experiment([]environments.Environment{withEdits("x1", "a", "b", "c"), withEdits("y1", "b", "a")}, noop.Policy{})
	x.Schedule, x.ScheduleEdits, x.RoundTrips, x.Repeats = Listed, []string{"b", "a", "b"}, 5, 2
	relays := x.Plan("e")
	if len(relays) != 4 {
		t.Errorf("%d relays, want 4", len(relays))
	}
	for _, r := range relays {
		if diff := cmp.Diff([]string{"b", "a", "b", "b", "a"}, r.Schedule); diff != "" {
			t.Errorf("%s, repeat %d: %s", r.Environment, r.Repeat, diff)
		}
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
