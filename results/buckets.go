package results

import (
	"context"
	"errors"
	"time"
)

// Take takes an amount out of the named bucket, which fills at perMinute and
// holds what flows in within a second, at least one. It returns how long to wait
// before the amount may be used. All processes share the bucket; who comes later
// waits longer. A negative amount puts back what was taken too much.
func (s *Store) Take(ctx context.Context, bucket string, perMinute, amount float64) (wait time.Duration, err error) {
	err = s.Transaction(ctx, "taking from a rate limit in", func(tx Tx) error {
		now, err := s.now(ctx, tx)
		if err != nil {
			return err
		}
		holds := max(1, perMinute/60)
		if _, err := tx.Exec(ctx, "INSERT INTO buckets (name, level, at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING", bucket, holds, now); err != nil {
			return err
		}
		query := "SELECT level, at FROM buckets WHERE name = $1"
		if s.Postgres() != nil {
			query += " FOR UPDATE"
		}
		var level float64
		var at int64
		if err := row(ctx, tx, query, []any{bucket}, &level, &at); err != nil {
			return err
		}
		passed := max(0, now-at) // a clock may have been set back
		level = min(holds, level+float64(passed)/60_000*perMinute) - amount
		wait = time.Duration(max(0, -level) / perMinute * float64(time.Minute))
		_, err = tx.Exec(ctx, "UPDATE buckets SET level = $2, at = $3 WHERE name = $1", bucket, level, now)
		return err
	})
	return wait, err
}

// now is the time in milliseconds by the one clock that all processes share.
func (s *Store) now(ctx context.Context, tx Tx) (ms int64, err error) {
	if s.Postgres() == nil {
		return time.Now().UnixMilli(), nil
	}
	err = row(ctx, tx, "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint", nil, &ms)
	return ms, err
}

// Sit gives a running job one of a number of seats that its queue has, for all
// processes together; false if none is free. Seats of jobs that do not run are
// free.
func (s *Store) Sit(ctx context.Context, queue string, job int64, seats int) (sits bool, err error) {
	err = s.Transaction(ctx, "taking a seat in", func(tx Tx) error {
		sits = false
		if s.Postgres() != nil { // one at a time looks at the queue's seats
			err := row(ctx, tx, "SELECT name FROM river_queue WHERE name = $1 FOR UPDATE", []any{queue}, new(string))
			if err != nil && !errors.Is(err, errNoRow) {
				return err
			}
		}
		var taken int
		err := row(ctx, tx, `SELECT count(*) FROM seats JOIN river_job ON river_job.id = seats.job
			WHERE seats.queue = $1 AND seats.job <> $2 AND river_job.state = 'running'`, []any{queue, job}, &taken)
		if err != nil || taken >= seats {
			return err
		}
		sits = true
		_, err = tx.Exec(ctx, "INSERT INTO seats (job, queue) VALUES ($1, $2) ON CONFLICT DO NOTHING", job, queue)
		return err
	})
	return sits, err
}

// Stand gives a job's seat back.
func (s *Store) Stand(ctx context.Context, job int64) error {
	return s.Transaction(ctx, "giving a seat back in", func(tx Tx) error {
		_, err := tx.Exec(ctx, "DELETE FROM seats WHERE job = $1", job)
		return err
	})
}
