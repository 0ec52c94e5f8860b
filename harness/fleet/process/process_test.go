package process

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/rs/zerolog"

	"agentd/harness/experiment"
	"agentd/harness/fleet"
	"agentd/internal/eventually"
	"agentd/internal/usage"
	"agentd/models"
	"agentd/policies"
	"agentd/policies/catalog"
	"agentd/results"
	"agentd/results/record"
)

// lines is a log that is read while it is written.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// with returns the entries that have a message.
func (l *lines) with(t *testing.T, message string) (entries []map[string]any) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	for line := range strings.Lines(l.text.String()) {
		var entry map[string]any
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			t.Fatal(err)
		}
		if entry["message"] == message {
			entries = append(entries, entry)
		}
	}
	return entries
}

// opened returns a process on a store of its own, and what it logs.
func opened(t *testing.T, options Options) (*Process, string, *lines) {
	t.Helper()
	db := filepath.Join(t.TempDir(), "x.db")
	store, err := results.Open(db)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	log := &lines{}
	logger := zerolog.New(log)
	options.Log, options.Concurrency = &logger, 2
	options.Grace, options.TakeOverAfter = fleet.DefaultGrace, fleet.DefaultTakeOver
	p, err := New(t.Context(), store, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p, db, log
}

// short is an experiment of one relay of two interactions.
func short(t *testing.T) *experiment.Experiment {
	t.Helper()
	spec := experiment.Default()
	spec.Name, spec.Policies, spec.Relay.RoundTrips = "short", []catalog.Spec{{Use: "noop"}}, 1
	spec.Environments.Names = []string{"accounting1"}
	x, err := experiment.Open(t.Context(), spec, experiment.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = x.Close() })
	return x
}

func TestARunIsFinishedAndCounted(t *testing.T) {
	t.Parallel()
	p, db, log := opened(t, Options{Machine: experiment.Machine{Metrics: "127.0.0.1:0"}})
	run, err := p.Begin(t.Context(), short(t), Terms{Retry: true})
	if err != nil {
		t.Fatal(err)
	}
	if unfinished, err := run.Finish(t.Context(), t.Context()); unfinished != nil || err != nil {
		t.Fatalf("%v, %v", unfinished, err)
	}
	standing, err := p.store.Standing(t.Context(), run.Record.ID)
	if err != nil || standing.Done != 2 || !standing.Complete() {
		t.Errorf("%+v, %v", standing, err)
	}
	if n := len(log.with(t, "taking up again what failed because a service was unavailable")); n != 0 {
		t.Errorf("%d lines on what is taken up again, though nothing had failed", n)
	}
	serving := log.with(t, "serving metrics")
	if len(serving) != 1 {
		t.Fatalf("%d lines say where metrics are", len(serving))
	}
	answer, err := http.Get(serving[0]["url"].(string))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || !strings.Contains(string(text), `agentd_interactions_total{failure="missing target",model="",policy="noop"} 1`) {
		t.Errorf("%v in\n%s", err, text)
	}
	// This process has the file, so that resuming leaves the work to it.
	reading, err := results.OpenReading(db)
	if err != nil {
		t.Fatal(err)
	}
	defer reading.Close()
	limit := 3.5
	if store, err := Resume(t.Context(), reading, db, &run.Record, &limit); store != nil || err != nil {
		t.Errorf("%v, %v", store, err)
	}
	if record, err := reading.Experiment(t.Context(), "short"); err != nil || record.MaxCost == nil || *record.MaxCost != limit {
		t.Errorf("the limit is %v, want %v, %v", record.MaxCost, limit, err)
	}
}

func TestALimitLeavesARunUnfinished(t *testing.T) {
	t.Parallel()
	p, _, _ := opened(t, Options{})
	nothing := 0.0
	run, err := p.Begin(t.Context(), short(t), Terms{MaxUSD: &nothing})
	if err != nil {
		t.Fatal(err)
	}
	if unfinished, err := run.Finish(t.Context(), t.Context()); !errors.Is(unfinished, fleet.ErrMaxCost) || err != nil {
		t.Errorf("%v, %v", unfinished, err)
	}
	if err := fleet.Cancel(t.Context(), p.store, run.Record); err != nil {
		t.Fatal(err)
	}
	var wrong usage.Error
	if _, err := p.Begin(t.Context(), short(t), Terms{}); !errors.As(err, &wrong) || !errors.Is(err, results.ErrCancelled) {
		t.Errorf("a cancelled experiment begins: %v", err)
	}
}

func TestAWorkerFinishesStoredExperiments(t *testing.T) {
	t.Parallel()
	p, _, log := opened(t, Options{})
	begun, err := p.Begin(t.Context(), short(t), Terms{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- p.Work(ctx, t.Context()) }()
	eventually.Holds(t, "both interactions are stored", func() bool {
		standing, err := p.store.Standing(t.Context(), begun.Record.ID)
		if err != nil {
			t.Fatal(err)
		}
		return standing.Done == 2
	})
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if n := len(log.with(t, "working on it")); n != 1 {
		t.Errorf("the experiment was opened %d times, want 1", n)
	}
}

func TestUsersAreTold(t *testing.T) {
	t.Parallel()
	p, _, log := opened(t, Options{})
	relay := results.Relay{ID: 7, Model: "m"}
	in := &results.Interaction{Turns: []record.Turn{{Without: "temperature"}, {}, {Without: "temperature"}, {Without: "seed"}}}
	p.stored(relay, in)
	p.stored(relay, in)
	if n := len(log.with(t, "the server refused settings; the model is asked without them")); n != 2 {
		t.Errorf("%d lines on refused settings, want one for each of 2", n)
	}
	for reason, want := range map[policies.Reason]int{policies.ModelError: 1, policies.SandboxFailure: 1, policies.MissingTarget: 0} {
		p.stored(relay, &results.Interaction{Failure: string(reason), Detail: "why"})
		if n := len(log.with(t, string(reason))); n != want {
			t.Errorf("%d lines on %q, want %d", n, reason, want)
		}
	}
}

func TestVerdicts(t *testing.T) {
	t.Parallel()
	p, _, _ := opened(t, Options{})
	other := errors.New("the disk is broken")
	for name, c := range map[string]struct {
		err           error
		alone, worker fleet.Verdict
	}{
		"a model that refused too often": {&models.Error{Kind: models.Ended, Err: other}, fleet.Leave, fleet.Later},
		"a server that is down":          {&models.Error{Kind: models.Down, Err: other}, fleet.Leave, fleet.Later},
		"a full disk":                    {results.ErrFull, fleet.Stop, fleet.Stop},
		"another error of the machine":   {other, fleet.Stop, fleet.Later},
	} {
		if got := verdict(results.Relay{}, c.err); got != c.alone {
			t.Errorf("%s: a run's verdict is %d, want %d", name, got, c.alone)
		}
		if got := p.later(results.Relay{}, c.err); got != c.worker {
			t.Errorf("%s: a worker's verdict is %d, want %d", name, got, c.worker)
		}
	}
}

func TestAnAddressThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	store, err := results.Open(filepath.Join(t.TempDir(), "x.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	logger := zerolog.Nop()
	var wrong usage.Error
	if _, err := New(t.Context(), store, Options{Machine: experiment.Machine{Metrics: "nowhere"}, Log: &logger}); !errors.As(err, &wrong) || !strings.Contains(err.Error(), "--metrics") {
		t.Errorf("error %v", err)
	}
}
