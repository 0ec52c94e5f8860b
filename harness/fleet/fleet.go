// Package fleet works on experiments with one process or with many.
//
// Relays are jobs of River, a queue in the database of the results: an SQLite file
// for one process, PostgreSQL for many processes on many machines. The transaction
// that stores an interaction checks that this process still has the relay's job, so
// a relay that another process took over is not stored twice. The last interaction
// of a relay completes the job in the same transaction. A relay that is taken up
// again goes on after its last stored interaction.
package fleet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	"agentd/harness"
	"agentd/policies"
	"agentd/results"
)

// Options say how a process works.
type Options struct {
	// Concurrency is how many relays of each model are worked on at a time.
	Concurrency int
	// Grace is how long interactions may continue after the process is told to stop. The cost of
	// an interaction that does not finish is lost.
	Grace time.Duration
	// TakeOver is how long a process must be without a session in the database before others take
	// over its relays.
	TakeOver time.Duration
	// Open opens a stored experiment.
	Open func(context.Context, results.Experiment) (*harness.Experiment, error)
	// Stored is called for every interaction that this process stores, possibly from many
	// goroutines; nil for none.
	Stored func(results.Relay, *results.Interaction)
	// Failed decides what to do about an error that is not an interaction's failure, such
	// as a full disk or a model whose key is refused; nil means Later.
	Failed func(results.Relay, error) Verdict
	// MaxFaults ends Finish when more interactions than this have failed because a service was
	// unavailable. The zero value is no limit.
	MaxFaults FaultLimit
	Log       zerolog.Logger
}

// Verdict is what a process does after an error that is not an interaction's failure.
type Verdict uint8

const (
	Later Verdict = iota // try the relay again later
	Leave                // start no more relays of the arm; other arms go on
	Stop                 // end the process's work
)

// FaultLimit bounds the interactions that fail because a service was unavailable, by their number
// or their share of those that were done. It is read from an experiment file and, as a pflag.Value,
// from a flag.
type FaultLimit struct {
	Number int     // 0 for no limit
	Share  float64 // 0 for no limit; it applies from shareFrom interactions
}

// Set takes a number of failures from 1, or a share of the interactions above 0 and below 100 %,
// such as 5%. An empty text means no limit.
func (l *FaultLimit) Set(text string) error {
	*l = FaultLimit{}
	if text == "" {
		return nil
	}
	if percent, ok := strings.CutSuffix(text, "%"); ok {
		share, err := strconv.ParseFloat(strings.TrimSpace(percent), 64)
		if err == nil && share > 0 && share < 100 {
			l.Share = share / 100
			return nil
		}
	} else if number, err := strconv.Atoi(text); err == nil && number > 0 {
		l.Number = number
		return nil
	}
	return fmt.Errorf("%q: give a number of interactions, or a share of them such as 5%%", text)
}

// UnmarshalText is Set.
func (l *FaultLimit) UnmarshalText(text []byte) error { return l.Set(string(text)) }

func (l *FaultLimit) String() string {
	switch {
	case l.Share > 0:
		return strconv.FormatFloat(100*l.Share, 'g', -1, 64) + "%"
	case l.Number > 0:
		return strconv.Itoa(l.Number)
	}
	return ""
}

// Type is how --help names the value.
func (*FaultLimit) Type() string { return "limit" }

// shareFrom is the number of interactions from which FaultLimit.Share applies.
const shareFrom = 20

// Passed reports whether an experiment has exceeded the limit.
func (l FaultLimit) Passed(s results.Standing) bool {
	return l.Number > 0 && s.Faults > l.Number ||
		l.Share > 0 && s.Done >= shareFrom && float64(s.Faults) > l.Share*float64(s.Done)
}

// Defaults of Options.
const (
	DefaultGrace    = 2 * time.Minute
	DefaultTakeOver = 15 * time.Second
)

// ErrMaxCost ends work on an experiment that has reached its cost limit. ErrMaxFaults ends work on
// one whose interactions failed too often because a service was unavailable.
var (
	ErrMaxCost   = errors.New("the experiment has cost as much as it may")
	ErrMaxFaults = errors.New("too many interactions failed because a service was unavailable")
)

// LeftError is the error for unfinished arms. It has the reason for each.
type LeftError struct{ Arms map[Arm]error }

func (e *LeftError) Error() string {
	var lines []string
	for _, arm := range slices.SortedFunc(maps.Keys(e.Arms), Arm.compare) {
		lines = append(lines, fmt.Sprintf("%s: %v", arm, e.Arms[arm]))
	}
	return strings.Join(lines, "\n")
}

// Arm is a policy with the model it asks. An empty policy means all policies of the model.
type Arm struct{ Model, Policy string }

func (a Arm) String() string {
	return strings.Join(strings.Fields(strings.Join([]string{a.Model, a.Policy}, " ")), ", ")
}

func (a Arm) compare(b Arm) int {
	return cmp.Or(cmp.Compare(a.Model, b.Model), cmp.Compare(a.Policy, b.Policy))
}

// errTaken says that another process has taken the relay over.
var errTaken = errors.New("the relay was taken over by another process")

// Fleet is this process's share of the work.
type Fleet struct {
	store   *results.Store
	options Options
	queue   queue

	mu        sync.Mutex
	workers   map[string]*harness.Worker // by experiment ID
	standings shared[results.Standing]   // by experiment ID
	served    map[string]bool            // by queue name
	left      map[Arm]error              // arms that were stopped, with the reason
	missing   map[int64]time.Time        // jobs of processes that are gone: when each was noticed
	downUntil map[string]time.Time       // queues whose model's server is down: when to try again

	stopping atomic.Bool
	underWay atomic.Int64 // relays with a running interaction
	failed   chan error
}

// New returns this process's share of the work on a store that is open for work. It makes the
// queue's tables.
func New(ctx context.Context, store *results.Store, options Options) (*Fleet, error) {
	if err := makeTables(ctx, store); err != nil {
		return nil, fmt.Errorf("making the queue's tables: %w", err)
	}
	f := &Fleet{
		store: store, options: options, workers: map[string]*harness.Worker{},
		served: map[string]bool{},
		left:   map[Arm]error{}, missing: map[int64]time.Time{}, downUntil: map[string]time.Time{}, failed: make(chan error, 1),
	}
	store.Waiting = func(err error) { options.Log.Warn().Err(err).Msg("waiting for the database") }
	var err error
	if f.queue, err = newQueue(f); err != nil {
		return nil, fmt.Errorf("opening the queue: %w", err)
	}
	return f, nil
}

// Begin stores an experiment with its plan, relays and jobs in one transaction, and starts it.
func (f *Fleet) Begin(ctx context.Context, x *harness.Experiment, maxCost *float64, allowChanged bool) (results.Experiment, error) {
	record, _, err := x.Begin(ctx, f.store, maxCost, allowChanged, func(tx results.Tx, relays []results.Relay) error {
		return f.queue.insert(ctx, tx, relays)
	})
	if err != nil {
		return record, err
	}
	f.mu.Lock()
	f.workers[record.ID] = harness.NewWorker(x)
	f.mu.Unlock()
	return record, resume(ctx, f.queue, f.store, record)
}

// Finish works on one experiment until it is done, ctx ends, or an error occurs. If ctx ends,
// running interactions may finish within the grace period, or until now ends; the error is then
// ctx's. ErrMaxCost means that the experiment reached its cost limit. Every finished interaction
// is stored in any case.
func (f *Fleet) Finish(ctx, now context.Context, record results.Experiment) error {
	return f.work(ctx, now, func() (done bool, err error) {
		standing, err := f.store.Standing(ctx, record.ID)
		switch {
		case err != nil:
			return true, err
		case f.options.MaxFaults.Passed(standing):
			return true, fmt.Errorf("%w: %d of %d; --retry faults takes them up again", ErrMaxFaults, standing.Faults, standing.Done)
		case standing.Complete():
			return true, nil
		case standing.State == results.Spent, standing.OverCost():
			return true, fmt.Errorf("%w: %.4f of %.4f USD", ErrMaxCost, standing.Cost, *standing.MaxCost)
		case standing.State != results.Running:
			return true, fmt.Errorf("experiment %s was %s; agentd resume %s goes on with it", record.Name, standing.State, record.Name)
		}
		if left := f.leftArms(); len(left) > 0 {
			return f.onlyLeft(ctx, record, left)
		}
		return false, f.serve(ctx, record)
	})
}

// onlyLeft reports whether all incomplete arms of an experiment were stopped. The error then gives
// the reasons.
func (f *Fleet) onlyLeft(ctx context.Context, record results.Experiment, left map[Arm]error) (bool, error) {
	arms, err := f.store.Arms(ctx, record.ID)
	if err != nil {
		return true, err
	}
	for _, arm := range arms {
		if !arm.Complete() && leftFor(left, Arm{arm.Model, arm.Policy}) == nil {
			return false, nil
		}
	}
	return true, &LeftError{left}
}

// leave starts no more relays of an arm.
func (f *Fleet) leave(arm Arm, why error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, known := f.left[arm]; !known {
		f.left[arm] = why
		f.options.Log.Error().Err(why).Str("model", arm.Model).Str("policy", arm.Policy).Msg("arm stopped; the others go on")
	}
}

func (f *Fleet) leftArms() map[Arm]error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return maps.Clone(f.left)
}

// leftFor returns why an arm was stopped; nil if it was not.
func leftFor(left map[Arm]error, arm Arm) error {
	if why := left[arm]; why != nil {
		return why
	}
	return left[Arm{Model: arm.Model}]
}

// Retry queues the relays of an experiment that ended early because a service was unavailable, and
// returns their number. It skips relays that a process still works on.
func (f *Fleet) Retry(ctx context.Context, record results.Experiment) (int, error) {
	return f.store.Retry(ctx, record.ID, string(policies.TooLong), func(tx results.Tx, relay results.Relay) error {
		if held, err := f.held(ctx, tx, relay.ID); err != nil || held {
			return cmp.Or(err, results.ErrBusy)
		}
		return f.queue.insert(ctx, tx, []results.Relay{relay})
	})
}

// held reports whether a relay has an unfinished job.
func (f *Fleet) held(ctx context.Context, tx results.Tx, relay int64) (bool, error) {
	query := "SELECT id FROM river_job WHERE kind = $1 AND finalized_at IS NULL AND json_extract(args, '$.relay') = $2"
	if f.store.Postgres() != nil {
		query = "SELECT id FROM river_job WHERE kind = $1 AND finalized_at IS NULL AND (args->>'relay')::bigint = $2"
	}
	rows, err := tx.Query(ctx, query, relayJob{}.Kind(), relay)
	if err != nil {
		return false, err
	}
	defer rows.Close()
	return rows.Next(), rows.Err()
}

// Work works on all experiments of the store until ctx ends.
func (f *Fleet) Work(ctx, now context.Context) error {
	return f.work(ctx, now, func() (bool, error) {
		all, err := f.store.Experiments(ctx)
		if err != nil {
			f.options.Log.Warn().Err(err).Msg("looking for experiments")
			return false, nil
		}
		for _, record := range all {
			if record.State != results.Running {
				continue
			}
			if err := f.serve(ctx, record); err != nil {
				f.options.Log.Error().Err(err).Str("experiment", record.Name).Msg("this machine cannot work on it")
			}
		}
		return false, nil
	})
}

// lookEvery is how often the state of experiments is read from the store.
const lookEvery = 500 * time.Millisecond

// work runs the queue until look says that all is done or fails.
func (f *Fleet) work(ctx, now context.Context, look func() (bool, error)) (err error) {
	if err := f.upkeep(ctx, true); err != nil {
		return err
	}
	if err := f.queue.start(context.WithoutCancel(ctx)); err != nil {
		return fmt.Errorf("starting the queue: %w", err)
	}
	defer func() {
		if ctx.Err() != nil {
			f.sayWaiting()
		}
		err = errors.Join(err, f.stop(now))
	}()
	tended := time.Now()
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	for {
		done, err := look()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if done || err != nil {
			return err
		}
		if time.Since(tended) > upkeepEvery {
			tended = time.Now()
			if err := f.upkeep(ctx, false); err != nil {
				f.options.Log.Warn().Err(err).Msg("queue maintenance failed")
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-f.failed:
			return err
		case <-ticker.C:
		}
	}
}

// sayWaiting logs what the shutdown waits for.
func (f *Fleet) sayWaiting() {
	n := f.underWay.Load()
	if n == 0 {
		return
	}
	what := "1 interaction is under way"
	if n > 1 {
		what = fmt.Sprintf("%d interactions are under way", n)
	}
	f.options.Log.Warn().Msgf("interrupted: %s and may finish within %v; interrupt again (Ctrl-C) to stop at once", what, f.options.Grace)
}

// Time limits for stopping the queue.
const (
	stopsWithin = 30 * time.Second // for cancelled work to return its relays to the queue
	idleWithin  = 5 * time.Second  // if no interaction is running
)

// stop ends the work: it starts nothing new and lets running interactions finish until the grace
// period or now ends.
func (f *Fleet) stop(now context.Context) error {
	f.stopping.Store(true)
	patient, cancel := context.WithTimeout(now, f.options.Grace)
	defer cancel()
	go f.idle(patient, cancel)
	if err := f.queue.stop(patient); err == nil {
		return nil
	}
	// Cancelled work returns its relay to the queue before this call returns.
	atOnce, release := context.WithTimeout(context.Background(), stopsWithin)
	defer release()
	go f.idle(atOnce, release)
	err := f.queue.stopNow(atOnce)
	if err != nil && f.underWay.Load() > 0 {
		return fmt.Errorf("stopping the queue: %w", err)
	}
	if err != nil { // River's elector may wait for itself when it is stopped just as it is elected (v0.31), and then never return
		f.options.Log.Debug().Err(err).Msg("the queue did not stop; no interaction was under way")
	}
	return nil
}

// idle calls end once no interaction has been running for a while.
func (f *Fleet) idle(ctx context.Context, end func()) {
	for since := time.Now(); time.Since(since) < idleWithin; {
		if f.underWay.Load() > 0 {
			since = time.Now()
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(idleWithin / 10):
		}
	}
	end()
}

// serve makes this process take the relays of an experiment.
func (f *Fleet) serve(ctx context.Context, record results.Experiment) error {
	x, err := f.worker(ctx, record)
	if err != nil {
		return err
	}
	for _, arm := range x.Arms {
		name := queueName(record.ID, arm.Model)
		if f.served[name] {
			continue
		}
		workers := f.options.Concurrency
		if seats := x.Seats[arm.Model]; seats > 0 {
			workers = min(workers, seats)
		}
		if err := f.queue.serve(name, workers); err != nil {
			return fmt.Errorf("serving queue %s: %w", name, err)
		}
		f.served[name] = true
	}
	return nil
}

// worker returns the worker of an experiment. The first call opens the experiment.
func (f *Fleet) worker(ctx context.Context, record results.Experiment) (*harness.Worker, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if w, ok := f.workers[record.ID]; ok {
		return w, nil
	}
	x, err := f.options.Open(ctx, record)
	if err != nil {
		return nil, err
	}
	w := harness.NewWorker(x)
	f.workers[record.ID] = w
	return w, nil
}

// Pause keeps all processes from starting interactions of an experiment.
func Pause(ctx context.Context, store *results.Store, record results.Experiment) error {
	return control(ctx, store, record, results.Paused)
}

// Resume ends a pause.
func Resume(ctx context.Context, store *results.Store, record results.Experiment) error {
	return control(ctx, store, record, results.Running)
}

// Cancel ends an experiment permanently. Its stored interactions remain.
func Cancel(ctx context.Context, store *results.Store, record results.Experiment) error {
	return control(ctx, store, record, results.Cancelled)
}

func control(ctx context.Context, store *results.Store, record results.Experiment, state results.State) error {
	if record.State == results.Cancelled {
		return fmt.Errorf("%w: %q", results.ErrCancelled, record.Name)
	}
	if err := store.SetState(ctx, record.ID, state); err != nil {
		return err
	}
	q, err := newQueue(&Fleet{store: store})
	if err != nil {
		return fmt.Errorf("opening the queue: %w", err)
	}
	if state == results.Paused {
		return eachQueue(ctx, store, record, q.pause)
	}
	return resume(ctx, q, store, record) // so that cancelled jobs are taken and end
}

func resume(ctx context.Context, q queue, store *results.Store, record results.Experiment) error {
	return eachQueue(ctx, store, record, q.resume)
}

// eachQueue calls do for each queue of an experiment.
func eachQueue(ctx context.Context, store *results.Store, record results.Experiment, do func(context.Context, string) error) error {
	arms, err := store.Arms(ctx, record.ID)
	if err != nil {
		return err
	}
	var names []string
	for _, arm := range arms {
		if name := queueName(record.ID, arm.Model); !slices.Contains(names, name) {
			names = append(names, name)
			if err := do(ctx, name); err != nil {
				return fmt.Errorf("queue %s: %w", name, err)
			}
		}
	}
	return nil
}
