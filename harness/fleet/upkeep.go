package fleet

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"agentd/results"
)

const (
	// upkeepEvery is how often each process maintains the queue.
	upkeepEvery = 5 * time.Second
	// ahead is how far in the future a job may be scheduled. A job further ahead was scheduled
	// before the clock was set back.
	ahead = 2 * time.Minute
	// overdue is how long a job may wait after its time before the fleet makes it available.
	// Normally River's leader does so. A leader that was killed while its clock was ahead stays
	// the leader until that time is reached.
	overdue = 5 * time.Second
)

// upkeep takes over the relays of processes that are gone, and releases jobs that wait too long
// because a clock was set back.
func (f *Fleet) upkeep(ctx context.Context, atStart bool) error {
	if err := f.takeOver(ctx, atStart); err != nil {
		return fmt.Errorf("taking relays over: %w", err)
	}
	err := f.free(ctx, river.NewJobListParams().
		States(rivertype.JobStateAvailable, rivertype.JobStateScheduled, rivertype.JobStateRetryable).
		OrderBy(river.JobListOrderByScheduledAt, river.SortOrderDesc),
		func(at time.Time) bool { return time.Until(at) >= ahead })
	if err != nil {
		return err
	}
	return f.free(ctx, river.NewJobListParams().
		States(rivertype.JobStateScheduled, rivertype.JobStateRetryable).
		OrderBy(river.JobListOrderByScheduledAt, river.SortOrderAsc),
		func(at time.Time) bool { return time.Since(at) >= overdue })
}

// free makes jobs available whose scheduled time is wrong. The list begins with them.
func (f *Fleet) free(ctx context.Context, list *river.JobListParams, wrong func(time.Time) bool) error {
	for {
		waiting, err := f.queue.list(ctx, list)
		if err != nil {
			return fmt.Errorf("looking at waiting jobs: %w", err)
		}
		late := slices.DeleteFunc(waiting, func(j *rivertype.JobRow) bool { return !wrong(j.ScheduledAt) })
		if len(late) == 0 {
			return nil
		}
		for _, job := range late {
			if err := f.queue.retry(ctx, job.ID); err != nil {
				return fmt.Errorf("freeing job %d: %w", job.ID, err)
			}
		}
	}
}

// takeOver replaces the running jobs of processes that are gone. A file has only one
// process, so at its start every running job belongs to one that was killed. PostgreSQL
// lists the sessions of processes; one without a session is given time to connect again.
func (f *Fleet) takeOver(ctx context.Context, atStart bool) error {
	shared := f.store.Postgres() != nil
	if !shared && !atStart {
		return nil
	}
	running, err := f.queue.list(ctx, river.NewJobListParams().States(rivertype.JobStateRunning))
	if err != nil {
		return err
	}
	var alive []string
	if shared && len(running) > 0 {
		if alive, err = f.alive(ctx); err != nil {
			return err
		}
	}
	gone := map[int64]time.Time{}
	for _, job := range running {
		if n := len(job.AttemptedBy); n > 0 && slices.Contains(alive, job.AttemptedBy[n-1]) {
			continue
		}
		since, known := f.missing[job.ID]
		if !known {
			since = time.Now()
		}
		if shared && time.Since(since) < f.options.TakeOver {
			gone[job.ID] = since
			continue
		}
		err := f.store.Transaction(ctx, "taking a relay over in", func(tx results.Tx) error { return f.queue.replace(ctx, tx, job) })
		if err != nil {
			return err
		}
	}
	f.missing = gone
	return nil
}

// alive lists the processes that are connected to PostgreSQL.
func (f *Fleet) alive(ctx context.Context) ([]string, error) {
	rows, err := f.store.Query(ctx, "SELECT DISTINCT application_name FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'agentd-%'")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var names []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, rows.Err()
}
