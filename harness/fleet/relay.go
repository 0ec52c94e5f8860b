package fleet

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/riverqueue/river"

	"agentd/harness"
	"agentd/models"
	"agentd/results"
)

const (
	// pausedFor is how long a relay of a paused experiment waits before the next try.
	pausedFor = 4 * time.Second
	// failedFor is how long a relay waits after a fault of the machine.
	failedFor = 30 * time.Second
)

// relay works on the relay of a job. It returns what River expects: nil for a relay that
// is finished or that another process has taken over, otherwise when to try again.
func (f *Fleet) relay(ctx context.Context, job *river.Job[relayJob]) error {
	record, err := f.store.Relay(ctx, job.Args.Relay)
	if err != nil {
		return f.tryLater(record, err)
	}
	f.mu.Lock()
	x, down := f.workers[record.Experiment], time.Until(f.downUntil[job.Queue])
	f.mu.Unlock()
	if down > 0 {
		return river.JobSnooze(down)
	}
	if leftFor(f.leftArms(), Arm{record.Model, record.Policy}) != nil {
		return river.JobSnooze(failedFor)
	}
	if x == nil { // jobs come only from queues that are served
		return f.tryLater(record, fmt.Errorf("relay %d: its experiment was not opened", record.ID))
	}
	standing, err := f.standing(ctx, record.Experiment)
	if err != nil {
		return f.tryLater(record, err)
	}
	if !standing.MayGoOn() {
		return f.putBack(ctx, record, standing)
	}
	if seats := x.Seats[record.Model]; seats > 0 {
		seated, err := f.takeSeat(ctx, job.Queue, job.ID, seats)
		if err != nil {
			return f.tryLater(record, err)
		}
		if !seated {
			return river.JobSnooze(pausedFor)
		}
		defer func() { _ = f.giveSeat(context.WithoutCancel(ctx), job.ID) }() // the seat becomes free when the job ends, even if this fails
	}
	f.underWay.Add(1)
	defer f.underWay.Add(-1)
	ended, err := x.Work(ctx, f.store, record, harness.Hooks{
		Within: func(tx results.Tx, last bool) error { return f.within(context.WithoutCancel(ctx), tx, job, last) },
		Stored: func(in *results.Interaction) bool {
			if f.options.Stored != nil {
				f.options.Stored(record, in)
			}
			if f.stopping.Load() {
				return false
			}
			standing, err = f.standing(ctx, record.Experiment)
			return err == nil && standing.MayGoOn()
		},
	})
	switch {
	case ended:
		return nil
	case errors.Is(err, errTaken), errors.Is(err, results.ErrStored):
		f.options.Log.Warn().Int64("relay", record.ID).Msg("another process has taken the relay over; one interaction was done twice")
		return nil
	case f.stopping.Load(), ctx.Err() != nil:
		return river.JobSnooze(0)
	case err != nil:
		f.noteDown(job.Queue, err)
		return f.tryLater(record, err)
	}
	return f.putBack(ctx, record, standing)
}

// standing returns the current standing of an experiment. Every relay asks for it after each
// interaction.
func (f *Fleet) standing(ctx context.Context, experiment string) (results.Standing, error) {
	return f.standings.get(experiment, func() (results.Standing, error) { return f.store.Standing(ctx, experiment) })
}

// within runs in the transaction that stores an interaction. It fails unless this process
// has the relay's job, and completes the job with the last interaction.
func (f *Fleet) within(ctx context.Context, tx results.Tx, job *river.Job[relayJob], last bool) error {
	query := "SELECT id FROM river_job WHERE id = $1 AND state = 'running'"
	if f.store.Postgres() != nil {
		query += " FOR UPDATE" // who takes the relay over waits for this transaction
	}
	rows, err := tx.Query(ctx, query, job.ID)
	if err != nil {
		return err
	}
	held := rows.Next()
	rows.Close()
	if err := rows.Err(); err != nil {
		return err
	}
	if !held {
		return errTaken
	}
	if last {
		return f.queue.complete(ctx, tx, job)
	}
	return nil
}

// putBack returns a relay to the queue because its experiment is paused or ended.
func (f *Fleet) putBack(ctx context.Context, record results.Relay, standing results.Standing) error {
	if standing.State == results.Cancelled {
		return river.JobCancel(results.ErrCancelled)
	}
	if standing.State == results.Running && standing.OverCost() {
		if err := f.store.SetState(ctx, record.Experiment, results.Spent); err != nil {
			return f.tryLater(record, err)
		}
	}
	return river.JobSnooze(pausedFor)
}

// tryLater reports a fault and returns the relay to the queue for later.
func (f *Fleet) tryLater(record results.Relay, err error) error {
	verdict := Later
	if f.options.Failed != nil {
		verdict = f.options.Failed(record, err)
	}
	switch verdict {
	case Stop:
		f.fail(err)
		return river.JobSnooze(0)
	case Leave:
		arm := Arm{record.Model, record.Policy}
		if isDown(err) { // of all policies
			arm.Policy = ""
		}
		f.leave(arm, err)
	}
	return river.JobSnooze(failedFor)
}

// isDown reports whether the server of a model is down.
func isDown(err error) bool {
	var failure *models.Error
	return errors.As(err, &failure) && failure.Kind == models.Down
}

// noteDown records that a model's server is down, so that the model's other relays do not
// ask it for a while.
func (f *Fleet) noteDown(queue string, err error) {
	if isDown(err) {
		f.mu.Lock()
		f.downUntil[queue] = time.Now().Add(failedFor)
		f.mu.Unlock()
	}
}

// fail makes the process stop with an error.
func (f *Fleet) fail(err error) {
	f.stopping.Store(true)
	select {
	case f.failed <- err:
	default: // it is already stopping with another error
	}
}
