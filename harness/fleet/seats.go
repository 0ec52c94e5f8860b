package fleet

import (
	"context"

	"agentd/results"
)

// takeSeat gives a running job one of its queue's seats, whose number all processes share;
// false if none is free. A job that is not running holds no seat.
func (f *Fleet) takeSeat(ctx context.Context, queue string, job int64, seats int) (taken bool, err error) {
	err = f.store.Transaction(ctx, "taking a seat in", func(tx results.Tx) error {
		taken = false
		if f.store.Postgres() != nil { // one process at a time looks at the seats
			if _, err := row(ctx, tx, "SELECT name FROM river_queue WHERE name = $1 FOR UPDATE", []any{queue}, new(string)); err != nil {
				return err
			}
		}
		var used int
		_, err := row(ctx, tx, `SELECT count(*) FROM seats JOIN river_job ON river_job.id = seats.job
			WHERE seats.queue = $1 AND seats.job <> $2 AND river_job.state = 'running'`, []any{queue, job}, &used)
		if err != nil || used >= seats {
			return err
		}
		taken = true
		_, err = tx.Exec(ctx, "INSERT INTO seats (job, queue) VALUES ($1, $2) ON CONFLICT DO NOTHING", job, queue)
		return err
	})
	return taken, err
}

// giveSeat gives a job's seat back.
func (f *Fleet) giveSeat(ctx context.Context, job int64) error {
	return f.store.Transaction(ctx, "giving a seat back in", func(tx results.Tx) error {
		_, err := tx.Exec(ctx, "DELETE FROM seats WHERE job = $1", job)
		return err
	})
}
