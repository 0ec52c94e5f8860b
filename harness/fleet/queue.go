package fleet

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivertype"
	"github.com/rs/zerolog"

	"agentd/results"
)

// relayJob is the job of a relay.
type relayJob struct {
	Relay int64 `json:"relay"`
}

// Kind names the kind of job in the queue's tables.
func (relayJob) Kind() string { return "relay" }

// queue is River, regardless of the database.
type queue interface {
	start(context.Context) error
	// stop waits for the work under way; stopNow cancels it first.
	stop(context.Context) error
	stopNow(context.Context) error
	// serve begins to take the jobs of a queue.
	serve(name string, workers int) error
	insert(ctx context.Context, tx results.Tx, relays []results.Relay) error
	// complete marks a job as done in the transaction. ctx is the job's.
	complete(ctx context.Context, tx results.Tx, job *river.Job[relayJob]) error
	// pause and resume do nothing to a queue that no process has served yet.
	pause(ctx context.Context, name string) error
	resume(ctx context.Context, name string) error
	list(context.Context, *river.JobListParams) ([]*rivertype.JobRow, error)
	// retry makes a job that waits for its time available at once.
	retry(ctx context.Context, job int64) error
	// replace ends a job whose process is gone and inserts another for its relay.
	replace(ctx context.Context, tx results.Tx, job *rivertype.JobRow) error
}

const (
	// fetchCooldown is the least time between two fetches of a queue's jobs.
	fetchCooldown = 20 * time.Millisecond
	// stuckAfter is when River assumes that a job is stuck and runs it a second time. It is very
	// long, because the fleet finds lost jobs itself, and a corrected clock may jump by decades.
	stuckAfter = 100 * 365 * 24 * time.Hour
	// manyAttempts is more attempts than River will ever make: a relay may be interrupted any
	// number of times.
	manyAttempts = 32_000
	// idleQueue is served by processes that know no experiment yet.
	idleQueue = "idle"
	// jobsAtOnce bounds lists of jobs.
	jobsAtOnce = 1000
)

func newQueue(f *Fleet) (queue, error) {
	if pool := f.store.Postgres(); pool != nil {
		return newRiver(f, riverpgxv5.New(pool), func(ctx context.Context, tx pgx.Tx, job *river.Job[relayJob]) error {
			_, err := river.JobCompleteTx[*riverpgxv5.Driver](ctx, tx, job)
			return err
		})
	}
	return newRiver(f, riversqlite.New(f.store.SQLite()), func(ctx context.Context, tx *sql.Tx, job *river.Job[relayJob]) error {
		_, err := river.JobCompleteTx[*riversqlite.Driver](ctx, tx, job)
		return err
	})
}

type riverQueue[T any] struct {
	client *river.Client[T]
	done   func(context.Context, T, *river.Job[relayJob]) error
}

func newRiver[T any](f *Fleet, driver riverdriver.Driver[T], done func(context.Context, T, *river.Job[relayJob]) error) (queue, error) {
	workers := river.NewWorkers()
	river.AddWorker(workers, river.WorkFunc(f.relay))
	client, err := river.NewClient(driver, &river.Config{
		ID:                   f.store.Client(),
		Queues:               map[string]river.QueueConfig{idleQueue: {MaxWorkers: 1}},
		Workers:              workers,
		FetchCooldown:        fetchCooldown,
		JobTimeout:           -1,
		RescueStuckJobsAfter: stuckAfter,
		MaxAttempts:          manyAttempts,
		ErrorHandler:         onPanic{f},
		Logger:               riverLog(f.options.Log),
	})
	if err != nil {
		return nil, err
	}
	return &riverQueue[T]{client, done}, nil
}

func (q *riverQueue[T]) start(ctx context.Context) error   { return q.client.Start(ctx) }
func (q *riverQueue[T]) stop(ctx context.Context) error    { return q.client.Stop(ctx) }
func (q *riverQueue[T]) stopNow(ctx context.Context) error { return q.client.StopAndCancel(ctx) }

func (q *riverQueue[T]) serve(name string, workers int) error {
	return q.client.Queues().Add(name, river.QueueConfig{MaxWorkers: workers})
}

func (q *riverQueue[T]) insert(ctx context.Context, tx results.Tx, relays []results.Relay) error {
	jobs := make([]river.InsertManyParams, len(relays))
	for i, r := range relays {
		jobs[i] = river.InsertManyParams{
			Args: relayJob{r.ID}, InsertOpts: &river.InsertOpts{Queue: queueName(r.Experiment, r.Model)},
		}
	}
	_, err := q.client.InsertManyFastTx(ctx, tx.Native().(T), jobs)
	return err
}

func (q *riverQueue[T]) complete(ctx context.Context, tx results.Tx, job *river.Job[relayJob]) error {
	return q.done(ctx, tx.Native().(T), job)
}

func (q *riverQueue[T]) pause(ctx context.Context, name string) error {
	return unlessUnknown(q.client.QueuePause(ctx, name, nil))
}

func (q *riverQueue[T]) resume(ctx context.Context, name string) error {
	return unlessUnknown(q.client.QueueResume(ctx, name, nil))
}

func unlessUnknown(err error) error {
	if errors.Is(err, rivertype.ErrNotFound) {
		return nil
	}
	return err
}

func (q *riverQueue[T]) list(ctx context.Context, params *river.JobListParams) ([]*rivertype.JobRow, error) {
	found, err := q.client.JobList(ctx, params.Kinds(relayJob{}.Kind()).First(jobsAtOnce))
	if err != nil {
		return nil, err
	}
	return found.Jobs, nil
}

func (q *riverQueue[T]) retry(ctx context.Context, job int64) error {
	_, err := q.client.JobRetry(ctx, job)
	return unlessUnknown(err)
}

func (q *riverQueue[T]) replace(ctx context.Context, tx results.Tx, job *rivertype.JobRow) error {
	ended, err := tx.Exec(ctx, "UPDATE river_job SET state = 'cancelled', finalized_at = CURRENT_TIMESTAMP WHERE id = $1 AND state = 'running'", job.ID)
	if err != nil || ended == 0 {
		return err
	}
	var args relayJob
	if err := json.Unmarshal(job.EncodedArgs, &args); err != nil {
		return fmt.Errorf("job %d: %w", job.ID, err)
	}
	_, err = q.client.InsertTx(ctx, tx.Native().(T), args, &river.InsertOpts{Queue: job.Queue})
	return err
}

// queueName returns the name of the queue for an experiment's relays with one model. It includes
// the model's name as far as River's alphabet allows.
func queueName(experiment, model string) string {
	const mostOfModel = 40
	sum := sha256.Sum256([]byte(experiment + "\x00" + model))
	words := strings.FieldsFunc(strings.ToLower(model), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	shown := strings.Join(append(words, ""), "-")
	if len(shown) > mostOfModel {
		shown = strings.TrimRight(shown[:mostOfModel], "-") + "-"
	}
	return shown + hex.EncodeToString(sum[:8])
}

// onPanic ends the process's work after a panic, as after any other fault.
type onPanic struct{ fleet *Fleet }

func (h onPanic) HandleError(_ context.Context, job *rivertype.JobRow, err error) *river.ErrorHandlerResult {
	h.fleet.options.Log.Error().Err(err).Int64("job", job.ID).Msg("a job failed")
	return nil
}

func (h onPanic) HandlePanic(_ context.Context, job *rivertype.JobRow, value any, trace string) *river.ErrorHandlerResult {
	h.fleet.fail(fmt.Errorf("job %d: panic: %v\n%s", job.ID, value, trace))
	return nil
}

// riverLog is River's log: its warnings and errors, at their levels, go to the program's log with their attributes.
func riverLog(log zerolog.Logger) *slog.Logger {
	return slog.New(zerolog.NewSlogHandler(log.Level(max(zerolog.WarnLevel, log.GetLevel()))))
}
