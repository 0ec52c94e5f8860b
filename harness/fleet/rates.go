package fleet

import (
	"context"
	"time"

	"agentd/results"
)

// Rates keeps the rates of models in a store, so that all processes share them. It is a
// models.Limiter.
type Rates struct{ Store *results.Store }

// Take takes an amount out of the named bucket, which fills at perMinute and holds what
// flows in within a second, but at least one. It returns how long to wait before the amount
// may be used: the later a process asks, the longer it waits. A negative amount is
// given back.
func (r Rates) Take(ctx context.Context, bucket string, perMinute, amount float64) (wait time.Duration, err error) {
	err = r.Store.Transaction(ctx, "taking from a rate limit in", func(tx results.Tx) error {
		now, err := r.now(ctx, tx)
		if err != nil {
			return err
		}
		holds := max(1, perMinute/60)
		if _, err := tx.Exec(ctx, "INSERT INTO buckets (name, level, at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING", bucket, holds, now); err != nil {
			return err
		}
		query := "SELECT level, at FROM buckets WHERE name = $1"
		if r.Store.Postgres() != nil {
			query += " FOR UPDATE"
		}
		var level float64
		var at int64
		if _, err := row(ctx, tx, query, []any{bucket}, &level, &at); err != nil {
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
func (r Rates) now(ctx context.Context, tx results.Tx) (ms int64, err error) {
	if r.Store.Postgres() == nil {
		return time.Now().UnixMilli(), nil
	}
	_, err = row(ctx, tx, "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint", nil, &ms)
	return ms, err
}

// row scans the first row of a query; false if there is none.
func row(ctx context.Context, tx results.Tx, query string, args []any, into ...any) (found bool, err error) {
	rows, err := tx.Query(ctx, query, args...)
	if err != nil {
		return false, err
	}
	defer rows.Close()
	if !rows.Next() {
		return false, rows.Err()
	}
	if err := rows.Scan(into...); err != nil {
		return true, err
	}
	rows.Close()
	return true, rows.Err()
}
