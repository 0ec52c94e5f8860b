package fleet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"go.uber.org/goleak"
	"golang.org/x/sync/errgroup"

	"agentd/domains/catalog"
	"agentd/environments"
	"agentd/harness"
	"agentd/internal/eventually"
	"agentd/models"
	"agentd/policies"
	"agentd/policies/noop"
	"agentd/results"
	"agentd/results/record"
	"agentd/results/resultstest"
	"agentd/vfs"
)

// River's elector waits for ever now and then, when it is stopped while it tells of a new leader: it holds a lock that the
// listener needs to go. Our own goroutines do not wait for it.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m,
		goleak.IgnoreAnyFunction("github.com/riverqueue/river/internal/leadership.(*Elector).notifySubscribers"),
		goleak.IgnoreAnyFunction("github.com/riverqueue/river/internal/leadership.(*Subscription).Unlisten"),
		goleak.IgnoreAnyFunction("github.com/riverqueue/river/rivershared/startstop.(*BaseStartStop).Stop"),
		goleak.IgnoreAnyFunction("github.com/riverqueue/river/rivershared/startstop.StopAllParallel"))
}

// policy does what a function does.
type policy struct {
	name string
	edit func(context.Context, *policies.Task) error
}

func (p policy) Name() string                                     { return p.name }
func (p policy) Edit(ctx context.Context, t *policies.Task) error { return p.edit(ctx, t) }

// experiment has as many relays of 6 interactions as repeats.
func experiment(repeats int, p policies.Policy) *harness.Experiment {
	return &harness.Experiment{
		Name: "test", Domain: catalog.Lookup, RoundTrips: 3, Repeats: repeats, Schedule: harness.RoundRobin, Seed: 1,
		Arms: []harness.Arm{{Policy: p}},
		Environments: []environments.Environment{{
			Name: "tiny1", Domain: "none", Seed: vfs.Files{"a.txt": "seed\n"}, Targets: []string{"a.txt"},
			Edits: []environments.Edit{{Name: "rename", Forward: "Rename it.", Backward: "Name it a.txt.", Targets: []string{"b.txt"}}},
		}},
	}
}

func open(t *testing.T, address string) *results.Store {
	t.Helper()
	store, err := results.Open(address)
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

// onEach runs a test on each kind of database.
func onEach(t *testing.T, test func(t *testing.T, address string)) {
	t.Helper()
	t.Parallel()
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		test(t, filepath.Join(t.TempDir(), "results.db"))
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		t.Parallel()
		test(t, resultstest.Postgres(t))
	})
}

func join(t *testing.T, store *results.Store, options Options) *Fleet {
	t.Helper()
	if options.Concurrency == 0 {
		options.Concurrency = 2
	}
	if options.Grace == 0 {
		options.Grace = time.Minute
	}
	options.TakeOver = 200 * time.Millisecond
	options.Log = zerolog.Nop()
	f, err := New(t.Context(), store, options)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// finish begins an experiment and works on it to its end.
func finish(t *testing.T, store *results.Store, x *harness.Experiment, maxCost *float64, options Options) (results.Standing, error) {
	t.Helper()
	f := join(t, store, options)
	record, err := f.Begin(t.Context(), x, maxCost, false)
	if err != nil {
		t.Fatal(err)
	}
	failed := f.Finish(t.Context(), t.Context(), record)
	standing, err := store.Standing(t.Context(), record.ID)
	if err != nil {
		t.Fatal(err)
	}
	return standing, failed
}

func TestAnExperimentIsDoneOnce(t *testing.T) {
	onEach(t, func(t *testing.T, address string) {
		store := open(t, address)
		var stored atomic.Int32
		for range 2 {
			standing, err := finish(t, store, experiment(5, noop.Policy{}), nil, Options{
				Stored: func(results.Relay, *results.Interaction) { stored.Add(1) },
			})
			if err != nil || standing.Done != 30 || standing.Ended != 5 {
				t.Errorf("%+v, %v", standing, err)
			}
		}
		if n := stored.Load(); n != 30 {
			t.Errorf("%d interactions were carried out, want 30", n)
		}
	})
}

func TestTheCostLimitStopsNewWorkAndMayBeRaised(t *testing.T) {
	onEach(t, func(t *testing.T, address string) {
		store := open(t, address)
		costly := policy{"costly", func(_ context.Context, task *policies.Task) error {
			cost := 1.0
			task.Trace.Turns = append(task.Trace.Turns, record.Turn{Usage: record.Usage{Cost: &cost}})
			return nil
		}}
		most := 3.0
		standing, err := finish(t, store, experiment(1, costly), &most, Options{})
		if !errors.Is(err, ErrMaxCost) || standing.Done != 3 {
			t.Errorf("%d interactions, %v; want 3 and ErrMaxCost", standing.Done, err)
		}
		most = 100
		if standing, err = finish(t, store, experiment(1, costly), &most, Options{}); err != nil || standing.Done != 6 || standing.Cost != 6 {
			t.Errorf("with another limit: %+v, %v", standing, err)
		}
	})
}

func TestPauseResumeCancel(t *testing.T) {
	onEach(t, func(t *testing.T, address string) {
		store, control := open(t, address), reading(t, address)
		f := join(t, store, Options{})
		step := make(chan struct{})
		slow := policy{"slow", func(ctx context.Context, _ *policies.Task) error {
			select {
			case <-step:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}}
		record, err := f.Begin(t.Context(), experiment(2, slow), nil, false)
		if err != nil {
			t.Fatal(err)
		}
		finish := func() chan error {
			ended := make(chan error, 1)
			go func() { ended <- f.Finish(t.Context(), t.Context(), record) }()
			return ended
		}
		ended := finish()
		step <- struct{}{}
		if err := Pause(t.Context(), control, record); err != nil {
			t.Fatal(err)
		}
		for paused := false; !paused; { // interactions under way may finish, none is begun
			select {
			case step <- struct{}{}:
			case err := <-ended:
				if paused = true; err == nil || !strings.Contains(err.Error(), "was paused; agentd resume test goes on with it") {
					t.Errorf("paused: %v", err)
				}
			}
		}
		standing := standingOf(t, control, record)
		if standing.State != results.Paused || standing.Done == 0 || standing.Done > 4 {
			t.Errorf("paused after %d interactions: %+v", standing.Done, standing)
		}
		if err := Resume(t.Context(), control, record); err != nil {
			t.Fatal(err)
		}
		close(step)
		f = join(t, store, Options{Open: func(context.Context, results.Experiment) (*harness.Experiment, error) {
			return experiment(2, slow), nil
		}})
		if err := f.Finish(t.Context(), t.Context(), record); err != nil {
			t.Errorf("resumed: %v", err)
		}
		if standing := standingOf(t, control, record); standing.Done != 12 {
			t.Errorf("resumed: %+v", standing)
		}
		if err := Cancel(t.Context(), control, record); err != nil {
			t.Fatal(err)
		}
		if record, err = control.Experiment(t.Context(), "test"); err != nil || record.State != results.Cancelled {
			t.Errorf("cancelled: %+v, %v", record.State, err)
		}
		if err := Resume(t.Context(), control, record); !errors.Is(err, results.ErrCancelled) {
			t.Errorf("resuming it: %v", err)
		}
		if _, err := f.Begin(t.Context(), experiment(2, slow), nil, false); !errors.Is(err, results.ErrCancelled) {
			t.Errorf("beginning it again: %v", err)
		}
	})
}

func reading(t *testing.T, address string) *results.Store {
	t.Helper()
	store, err := results.OpenReading(address)
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

func standingOf(t *testing.T, store *results.Store, record results.Experiment) results.Standing {
	t.Helper()
	standing, err := store.Standing(t.Context(), record.ID)
	if err != nil {
		t.Fatal(err)
	}
	return standing
}

func TestAnOrderlyStopFinishesInteractionsAndHandsRelaysBack(t *testing.T) {
	onEach(t, func(t *testing.T, address string) {
		store := open(t, address)
		ctx, stop := context.WithCancel(t.Context())
		begun, release := make(chan struct{}, 10), make(chan struct{})
		slow := policy{"p", func(ctx context.Context, _ *policies.Task) error {
			begun <- struct{}{}
			select {
			case <-release:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}}
		f := join(t, store, Options{Concurrency: 1})
		record, err := f.Begin(t.Context(), experiment(1, slow), nil, false)
		if err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- f.Finish(ctx, t.Context(), record) }()
		<-begun
		stop()
		eventually.Holds(t, "the fleet is stopping", f.stopping.Load)
		close(release)
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("stopped: %v", err)
		}
		if standing := standingOf(t, store, record); standing.Done != 1 {
			t.Errorf("%d interactions stored, want the one under way", standing.Done)
		}
		if standing, err := finish(t, store, experiment(1, policy{"p", slow.edit}), nil, Options{}); err != nil || standing.Done != 6 {
			t.Errorf("the next run: %+v, %v", standing, err)
		}
	})
}

func TestAtOnceMeansAtOnce(t *testing.T) {
	onEach(t, func(t *testing.T, address string) {
		store := open(t, address)
		ctx, stop := context.WithCancel(t.Context())
		now, stopNow := context.WithCancel(t.Context())
		begun := make(chan struct{}, 10)
		endless := policy{"p", func(ctx context.Context, _ *policies.Task) error {
			begun <- struct{}{}
			<-ctx.Done()
			return ctx.Err()
		}}
		f := join(t, store, Options{})
		record, err := f.Begin(t.Context(), experiment(1, endless), nil, false)
		if err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- f.Finish(ctx, now, record) }()
		<-begun
		stop()
		stopNow()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("stopped: %v", err)
		}
		if standing, err := finish(t, store, experiment(1, policy{"p", noop.Policy{}.Edit}), nil, Options{}); err != nil || standing.Done != 6 {
			t.Errorf("the next run: %+v, %v", standing, err)
		}
	})
}

func TestFaultsThatAreNoInteractions(t *testing.T) {
	denied := &models.Error{Kind: models.Denied, Model: "m", Err: errors.New("no such key")}
	for name, edit := range map[string]func() error{
		"an error of the machine": func() error { return denied },
		"a panic":                 func() error { panic("a bug") },
	} {
		t.Run(name, func(t *testing.T) {
			onEach(t, func(t *testing.T, address string) {
				p := policy{"p", func(context.Context, *policies.Task) error { return edit() }}
				standing, err := finish(t, open(t, address), experiment(3, p), nil, Options{
					Failed: func(results.Relay, error) Verdict { return Stop },
				})
				if err == nil || !strings.Contains(err.Error(), "a bug") && !errors.Is(err, denied) || standing.Done != 0 {
					t.Errorf("%d interactions, %v", standing.Done, err)
				}
			})
		})
	}
}

// A clock that was ahead when jobs were planned, or when a process last wrote,
// must not keep them waiting once it is set right.
func TestAClockSetBack(t *testing.T) {
	onEach(t, func(t *testing.T, address string) {
		store := open(t, address)
		f := join(t, store, Options{})
		if _, err := f.Begin(t.Context(), experiment(3, noop.Policy{}), nil, false); err != nil {
			t.Fatal(err)
		}
		future := "datetime('now', '+2 hours')"
		if store.Postgres() != nil {
			future = "now() + interval '2 hours'"
		}
		err := store.Transaction(t.Context(), "setting the clock in", func(tx results.Tx) error {
			_, err := tx.Exec(t.Context(), "UPDATE river_job SET scheduled_at = "+future)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if standing, err := finish(t, store, experiment(3, noop.Policy{}), nil, Options{}); err != nil || standing.Done != 18 {
			t.Errorf("%+v, %v", standing, err)
		}
	})
}

// shiftTimes has all that is stored look as if the clock had jumped the other way.
func shiftTimes(ctx context.Context, store *results.Store, by time.Duration) error {
	shifted := func(column string) string {
		return fmt.Sprintf("%s = strftime('%%Y-%%m-%%d %%H:%%M:%%f', %s, '%+d seconds')", column, column, int(by.Seconds()))
	}
	if store.Postgres() != nil {
		shifted = func(column string) string {
			return fmt.Sprintf("%s = %s + interval '%d seconds'", column, column, int(by.Seconds()))
		}
	}
	return store.Transaction(ctx, "setting the clock in", func(tx results.Tx) error {
		for _, statement := range []string{
			"UPDATE river_job SET " + strings.Join([]string{shifted("scheduled_at"), shifted("created_at"), shifted("attempted_at")}, ", "),
			"UPDATE river_leader SET " + shifted("elected_at") + ", " + shifted("expires_at"),
			"UPDATE river_queue SET " + shifted("created_at") + ", " + shifted("updated_at"),
			fmt.Sprintf("UPDATE buckets SET at = at + (%d)", by.Milliseconds()),
		} {
			if _, err := tx.Exec(ctx, statement); err != nil {
				return fmt.Errorf("%s: %w", statement, err)
			}
		}
		return nil
	})
}

// If the clock jumps while an experiment runs, each interaction is done once,
// and what waits does not wait for the clock to come back. That the clock jumps ahead
// is the same, to what is stored, as that all times there move back.
func TestAClockThatJumpsInARun(t *testing.T) {
	for name, by := range map[string]time.Duration{
		"two hours ahead": -2 * time.Hour, "two hours back": 2 * time.Hour, "a year ahead": -365 * 24 * time.Hour, "a year back": 365 * 24 * time.Hour,
	} {
		t.Run(name, func(t *testing.T) {
			onEach(t, func(t *testing.T, address string) {
				store := open(t, address)
				var done, stored atomic.Int32
				p := policy{"p", func(ctx context.Context, _ *policies.Task) error {
					if done.Add(1) == 4 {
						return shiftTimes(ctx, store, by)
					}
					return nil
				}}
				standing, err := finish(t, store, experiment(3, p), nil, Options{Stored: func(results.Relay, *results.Interaction) { stored.Add(1) }})
				if err != nil || standing.Done != 18 || done.Load() != 18 || stored.Load() != 18 {
					t.Errorf("%+v, %d done, %d stored, %v", standing, done.Load(), stored.Load(), err)
				}
			})
		})
	}
}

// A process that was killed, and whose clock was ahead, is the queue's leader for
// hours to come. What was to be done in a moment is done all the same.
func TestALeaderThatIsGoneKeepsNothingWaiting(t *testing.T) {
	onEach(t, func(t *testing.T, address string) {
		store := open(t, address)
		if _, err := join(t, store, Options{}).Begin(t.Context(), experiment(3, noop.Policy{}), nil, false); err != nil {
			t.Fatal(err)
		}
		now, later := "datetime('now')", "datetime('now', '+2 hours')"
		if store.Postgres() != nil {
			now, later = "now()", "now() + interval '2 hours'"
		}
		err := store.Transaction(t.Context(), "setting the clock in", func(tx results.Tx) error {
			_, err := tx.Exec(t.Context(), "INSERT INTO river_leader (name, leader_id, elected_at, expires_at) VALUES ('default', 'gone', "+now+", "+later+")")
			if err == nil {
				_, err = tx.Exec(t.Context(), "UPDATE river_job SET state = 'scheduled', scheduled_at = "+now)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if standing, err := finish(t, store, experiment(3, noop.Policy{}), nil, Options{}); err != nil || standing.Done != 18 {
			t.Errorf("%+v, %v", standing, err)
		}
	})
}

// proxy passes connections on to a server until it is cut.
type proxy struct {
	listener net.Listener
	to       string
	mu       sync.Mutex
	cut      bool
	open     []net.Conn
}

func (p *proxy) serve() {
	for {
		from, err := p.listener.Accept()
		if err != nil {
			return
		}
		to, err := net.Dial("tcp", p.to)
		p.mu.Lock()
		if err != nil || p.cut {
			_ = from.Close()
			p.mu.Unlock()
			if err == nil {
				_ = to.Close()
			}
			continue
		}
		p.open = append(p.open, from, to)
		p.mu.Unlock()
		go func() { _, _ = io.Copy(to, from); _ = to.Close() }()
		go func() { _, _ = io.Copy(from, to); _ = from.Close() }()
	}
}

func (p *proxy) set(cut bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut = cut
	for _, c := range p.open {
		_ = c.Close()
	}
	p.open = nil
}

func TestADatabaseThatIsGoneForAWhile(t *testing.T) {
	t.Parallel()
	address, err := url.Parse(resultstest.Postgres(t))
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{listener: listener, to: address.Host}
	go p.serve()
	t.Cleanup(func() { _ = listener.Close(); p.set(true) })
	address.Host = listener.Addr().String()
	store := open(t, address.String())
	var carried atomic.Int32
	once := policy{"p", func(context.Context, *policies.Task) error {
		if carried.Add(1) == 2 {
			p.set(true)
			time.AfterFunc(2*time.Second, func() { p.set(false) })
		}
		return nil
	}}
	f := join(t, store, Options{Concurrency: 1})
	var waited atomic.Int32
	store.Waiting = func(error) { waited.Add(1) }
	record, err := f.Begin(t.Context(), experiment(1, once), nil, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Finish(t.Context(), t.Context(), record); err != nil {
		t.Fatal(err)
	}
	if standing := standingOf(t, store, record); standing.Done != 6 || carried.Load() != 6 || waited.Load() == 0 {
		t.Errorf("%d interactions stored, %d carried out, %d waits", standing.Done, carried.Load(), waited.Load())
	}
}

// A limit on how many relays may ask a model holds for all processes together.
func TestSeatsAreTheFleets(t *testing.T) {
	t.Parallel()
	address := resultstest.Postgres(t)
	var working, most atomic.Int32
	p := policy{"p", func(context.Context, *policies.Task) error {
		now := working.Add(1)
		for seen := most.Load(); now > seen && !most.CompareAndSwap(seen, now); seen = most.Load() {
		}
		time.Sleep(5 * time.Millisecond)
		working.Add(-1)
		return nil
	}}
	limited := func() *harness.Experiment {
		x := experiment(6, p)
		x.Seats = map[string]int{"": 2}
		return x
	}
	var group errgroup.Group
	for range 3 {
		f := join(t, open(t, address), Options{Concurrency: 6})
		record, err := f.Begin(t.Context(), limited(), nil, false)
		if err != nil {
			t.Fatal(err)
		}
		group.Go(func() error { return f.Finish(t.Context(), t.Context(), record) })
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	if n := most.Load(); n > 2 {
		t.Errorf("%d relays were worked on at a time, want at most 2", n)
	}
}

func TestMetricsCountWhatIsStored(t *testing.T) {
	onEach(t, func(t *testing.T, address string) {
		store := open(t, address)
		metrics := NewMetrics(store)
		paid := policy{"paid", func(_ context.Context, task *policies.Task) error {
			cost := 0.25
			task.Trace.Turns = append(task.Trace.Turns, record.Turn{Usage: record.Usage{Tokens: record.Tokens{Prompt: 100}, Cost: &cost}, Retries: 2})
			return nil
		}}
		if _, err := finish(t, store, experiment(2, paid), nil, Options{Stored: metrics.Stored}); err != nil {
			t.Fatal(err)
		}
		recorder := httptest.NewRecorder()
		metrics.Handler().ServeHTTP(recorder, httptest.NewRequest(http.MethodGet, "/metrics", nil))
		for _, line := range []string{
			`agentd_interactions_total{failure="missing target",model="",policy="paid"} 6`,
			`agentd_interactions_total{failure="",model="",policy="paid"} 6`,
			`agentd_tokens_total{kind="prompt",model=""} 1200`, `agentd_cost_usd_total{model=""} 3`, `agentd_retries_total{model=""} 24`,
			`agentd_queue_relays{state="completed"} 2`, `agentd_queue_relays{state="available"} 0`,
		} {
			if !strings.Contains(recorder.Body.String(), line+"\n") {
				t.Errorf("no line %s in\n%s", line, recorder.Body)
			}
		}
	})
}

func TestQueueNamesAreRivers(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for _, model := range []string{"", "gpt-5.4", "sim:weak", "SIM-weak", "Ünï/cøde--x", strings.Repeat("long-", 40), "---"} {
		name := queueName("experiment", model)
		if !riverName.MatchString(name) || len(name) > 64 {
			t.Errorf("%q gives %q", model, name)
		}
		if other, taken := seen[name]; taken {
			t.Errorf("%q and %q share %q", model, other, name)
		}
		seen[name] = model
	}
}

// riverName is what River takes as the name of a queue.
var riverName = regexp.MustCompile(`^[a-z0-9]+([_-]?[a-z0-9]+)*$`)
