package harness

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sync/errgroup"

	"agentd/domains"
	"agentd/domains/catalog"
	"agentd/environments"
	"agentd/harness/programs/programstest"
	"agentd/policies"
	"agentd/policies/noop"
	"agentd/policies/oracle"
	"agentd/results"
	"agentd/vfs"
)

func open(t *testing.T) *results.Store {
	t.Helper()
	store, err := results.Open(filepath.Join(t.TempDir(), "results.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return store
}

func builtin(t *testing.T) []environments.Environment {
	t.Helper()
	envs, err := environments.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	return envs
}

// tiny is an environment whose edit only renames: a.txt to b.txt and back.
func tiny() environments.Environment {
	return environments.Environment{
		Name: "tiny1", Domain: "none", Seed: vfs.Files{"a.txt": "seed\n"}, Targets: []string{"a.txt"},
		Distractors: vfs.Files{"d.md": "distractor"},
		Edits:       []environments.Edit{{Name: "rename", Forward: "Rename it.", Backward: "Name it a.txt.", Targets: []string{"b.txt"}}},
	}
}

func experiment(envs []environments.Environment, list ...policies.Policy) *Experiment {
	x := &Experiment{
		Name: "test", Environments: envs, Domain: catalog.Lookup, RoundTrips: 3, Repeats: 1,
		Schedule: RoundRobin, Seed: 1, Distractors: true,
	}
	for _, p := range list {
		x.Arms = append(x.Arms, Arm{Policy: p})
	}
	return x
}

// run does what a process does that works on an experiment alone.
func run(t *testing.T, x *Experiment, store *results.Store, hooks Hooks) (results.Experiment, error) {
	t.Helper()
	record, relays, err := x.Begin(t.Context(), store, nil, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	var group errgroup.Group
	group.SetLimit(2)
	for _, relay := range relays {
		group.Go(func() error {
			_, err := NewWorker(x).Work(t.Context(), store, relay, hooks)
			return err
		})
	}
	return record, group.Wait()
}

// interactions returns what is stored of the experiment, by policy.
func interactions(t *testing.T, store *results.Store, id string) map[string][]results.Interaction {
	t.Helper()
	relays, err := store.Relays(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]results.Interaction{}
	for _, r := range relays {
		stored, err := store.Interactions(t.Context(), r.ID)
		if err != nil {
			t.Fatal(err)
		}
		all[r.Policy] = append(all[r.Policy], stored...)
	}
	return all
}

func TestOracleKeepsEverythingAndNoopDoesNothing(t *testing.T) {
	t.Parallel()
	oracleKeepsEverythingAndNoopDoesNothing(t, builtin(t), 10)
}

// Edits of pictures that are described, and have no exact program, are left out.
func TestOracleKeepsEveryPixelAndNoopDoesNothing(t *testing.T) {
	t.Parallel()
	envs, err := environments.Pictures()
	if err != nil {
		t.Fatal(err)
	}
	most := 0 // edits of one; in so many round trips each is done
	for i := range envs {
		envs[i].Edits = slices.DeleteFunc(slices.Clone(envs[i].Edits), func(e environments.Edit) bool { return e.Oracle.IsZero() })
		most = max(most, len(envs[i].Edits))
		if len(envs[i].Edits) < 4 {
			t.Errorf("%s has %d exact edits, want 4 or more", envs[i].Name, len(envs[i].Edits))
		}
	}
	if len(envs) != 6 {
		t.Errorf("%d environments of pictures, want 6", len(envs))
	}
	oracleKeepsEverythingAndNoopDoesNothing(t, envs, most)
}

func oracleKeepsEverythingAndNoopDoesNothing(t *testing.T, envs []environments.Environment, roundTrips int) {
	t.Helper()
	store := open(t)
	x := experiment(envs, oracle.Policy{}, noop.Policy{})
	x.Domain = programstest.Lookup(t)
	x.RoundTrips = roundTrips
	record, err := run(t, x, store, Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	all := interactions(t, store, record.ID)
	for _, in := range all["oracle"] {
		if in.Failure != "" || in.Score != nil && (in.Score.RS != 1 || in.Score.Strict != 1) || in.Forward != nil && *in.Forward != 1 {
			t.Errorf("oracle, %s %s: %+v, forward %v, %s %s", in.Edit, in.Direction, in.Score, in.Forward, in.Failure, in.Detail)
		}
	}
	for _, in := range all["noop"] {
		if in.Score != nil && in.Score.RS != 1 {
			t.Errorf("noop, %s: RS %v", in.Edit, in.Score.RS)
		}
		if text := in.Score != nil && !in.Output.HasBinary(); text && (in.Bytes == nil || len(in.Bytes.Changes) > 0) {
			t.Errorf("noop, %s: bytes %s", in.Edit, in.Bytes.Words())
		}
		if in.Direction == results.Forward && (in.Forward == nil || *in.Forward > 0.5) {
			t.Errorf("noop, %s: no forward score, or one above 0.5", in.Edit)
		}
	}
	if want := 2 * roundTrips * len(x.Environments); len(all["oracle"]) != want || len(all["noop"]) != want {
		t.Errorf("%d and %d interactions, want %d each", len(all["oracle"]), len(all["noop"]), want)
	}
}

// policy does what a function does.
type policy struct {
	name string
	edit func(context.Context, *policies.Task) error
}

func (p policy) Name() string                                     { return p.name }
func (p policy) Edit(ctx context.Context, t *policies.Task) error { return p.edit(ctx, t) }

func TestArmsSeeTheSameWork(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	seen := map[string][]string{}
	watch := func(name string) policies.Policy {
		return policy{name, func(ctx context.Context, task *policies.Task) error {
			mu.Lock()
			defer mu.Unlock()
			seen[name] = append(seen[name], task.Instruction+strings.Join(task.FileOrder, ","))
			return oracle.Policy{}.Edit(ctx, task)
		}}
	}
	x := experiment(builtin(t)[:1], watch("one"), watch("two"))
	if _, err := run(t, x, open(t), Hooks{}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(seen["one"], seen["two"]); diff != "" || len(seen["one"]) != 6 {
		t.Errorf("%d tasks; %s", len(seen["one"]), diff)
	}
}

func TestWhatAStepLeavesIsWhatTheNextOneGets(t *testing.T) {
	t.Parallel()
	ok := func(ws *vfs.Workspace, writes map[string]string) error {
		for name, content := range writes {
			if err := ws.Write(name, content); err != nil {
				return err
			}
		}
		return nil
	}
	for name, c := range map[string]struct {
		forward   func(*vfs.Workspace) error
		failure   policies.Reason
		documents []string // of the backward step
		strays    []string
	}{
		"targets made, the used-up document is dropped": {
			func(ws *vfs.Workspace) error { return ok(ws, map[string]string{"b.txt": "x"}) }, "", []string{"b.txt"}, nil},
		"helper files are left out and named": {
			func(ws *vfs.Workspace) error { return ok(ws, map[string]string{"b.txt": "x", "script.py": "y"}) }, "", []string{"b.txt"}, []string{"script.py"}},
		"a missing target fails, all that is left goes on": {
			func(ws *vfs.Workspace) error { return ok(ws, map[string]string{"c.txt": "x"}) }, policies.MissingTarget, []string{"a.txt", "c.txt"}, nil},
		"everything deleted": {
			func(ws *vfs.Workspace) error { return ws.Delete("a.txt") }, policies.MissingTarget, nil, nil},
		"distractors are put back": {
			func(ws *vfs.Workspace) error {
				return errors.Join(ws.Delete("d.md"), ok(ws, map[string]string{"b.txt": "x"}))
			}, "", []string{"b.txt"}, nil},
		"a policy's failure is recorded": {
			func(*vfs.Workspace) error { return policies.Failf(policies.BadAnswer, "gone") }, policies.BadAnswer, []string{"a.txt"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			step := 0
			var documents []string
			p := policy{"p", func(_ context.Context, task *policies.Task) error {
				if step++; step == 1 {
					return c.forward(task.Workspace)
				}
				files, err := task.Workspace.Documents()
				documents = files.Names()
				if _, there := task.Workspace.Origin("d.md"); !there {
					t.Error("the distractor is gone")
				}
				return err
			}}
			store := open(t)
			x := experiment([]environments.Environment{tiny()}, p)
			x.RoundTrips = 1
			record, err := run(t, x, store, Hooks{})
			if err != nil {
				t.Fatal(err)
			}
			first := interactions(t, store, record.ID)["p"][0]
			if first.Failure != string(c.failure) {
				t.Errorf("failure %q (%s), want %q", first.Failure, first.Detail, c.failure)
			}
			if !slices.Equal(documents, c.documents) {
				t.Errorf("the backward step got %v, want %v", documents, c.documents)
			}
			if !slices.Equal(first.Strays, c.strays) {
				t.Errorf("strays %v, want %v", first.Strays, c.strays)
			}
			if first.Score != nil || first.Forward != nil {
				t.Error("a domain that is not built was scored")
			}
		})
	}
}

func TestAnInterruptedRelayGoesOn(t *testing.T) {
	t.Parallel()
	store := open(t)
	x := experiment(builtin(t)[:1], oracle.Policy{})
	_, relays, err := x.Begin(t.Context(), store, nil, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	work := func(ctx context.Context, stored func(*results.Interaction) bool) (bool, error) {
		return NewWorker(x).Work(ctx, store, relays[0], Hooks{Stored: stored})
	}
	if ended, err := work(t.Context(), func(in *results.Interaction) bool { return in.Number < 2 }); ended || err != nil {
		t.Fatalf("told to stop: ended %v, %v", ended, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if ended, err := work(ctx, func(in *results.Interaction) bool { cancel(); return true }); ended || !errors.Is(err, context.Canceled) {
		t.Fatalf("interrupted: ended %v, %v", ended, err)
	}
	var numbers []int
	collect := func(in *results.Interaction) bool { numbers = append(numbers, in.Number); return true }
	for range 2 { // there is nothing to do the second time
		if ended, err := work(t.Context(), collect); !ended || err != nil {
			t.Fatalf("ended %v, %v", ended, err)
		}
	}
	if diff := cmp.Diff([]int{4, 5, 6}, numbers); diff != "" {
		t.Error(diff)
	}
}

func TestWhatRefusesToBeStoredEndsTheWork(t *testing.T) {
	t.Parallel()
	store, taken := open(t), errors.New("taken")
	x := experiment([]environments.Environment{tiny()}, noop.Policy{})
	lasts := 0
	within := func(_ results.Tx, last bool) error {
		if last {
			lasts++
			return taken
		}
		return nil
	}
	record, err := run(t, x, store, Hooks{Within: within})
	if !errors.Is(err, taken) || lasts != 1 {
		t.Errorf("%v after %d last interactions", err, lasts)
	}
	if got := len(interactions(t, store, record.ID)["noop"]); got != 5 {
		t.Errorf("%d interactions stored, want 5", got)
	}
}

// A document that must be run to be scored gets no 0 where nothing can run it.
func TestAScoreThatCannotBeFoundEndsTheRun(t *testing.T) {
	t.Parallel()
	store := open(t)
	envs := slices.DeleteFunc(builtin(t), func(e environments.Environment) bool { return e.Name != "python1" })
	record, err := run(t, experiment(envs, oracle.Policy{}), store, Hooks{})
	if !errors.Is(err, domains.ErrNoPrograms) {
		t.Errorf("the error is %v", err)
	}
	if stored := interactions(t, store, record.ID)["oracle"]; len(stored) != 1 {
		t.Errorf("%d interactions are stored, want the forward one", len(stored))
	}
}

func TestAFaultOfTheMachineEndsTheRun(t *testing.T) {
	t.Parallel()
	broken := errors.New("machine broke")
	p := policy{"p", func(context.Context, *policies.Task) error { return broken }}
	if _, err := run(t, experiment([]environments.Environment{tiny()}, p), open(t), Hooks{}); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}

func TestWithoutDistractors(t *testing.T) {
	t.Parallel()
	p := policy{"p", func(_ context.Context, task *policies.Task) error {
		if _, there := task.Workspace.Origin("d.md"); there {
			t.Error("a distractor is there")
		}
		return nil
	}}
	x := experiment([]environments.Environment{tiny()}, p)
	x.Distractors = false
	if _, err := run(t, x, open(t), Hooks{}); err != nil {
		t.Fatal(err)
	}
}
