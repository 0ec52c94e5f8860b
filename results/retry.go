package results

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// Retry prepares relays in which a service failed to be run again from the first failure on. It
// skips failures with a final reason, which would recur. It removes the failed interaction and all
// later ones, and keeps them as Replaced. It calls again with each relay in the same transaction; if
// again returns ErrBusy, the relay stays as it is. Retry returns the number of prepared relays.
func (s *Store) Retry(ctx context.Context, experiment, final string, again func(Tx, Relay) error) (int, error) {
	first := map[int64]int{}
	err := s.scanAll(ctx, "SELECT relay, min(number) FROM interactions WHERE unscored = $1 AND failure <> $2 AND relay IN (SELECT id FROM relays WHERE experiment = $3) GROUP BY relay",
		[]any{ServiceFault, final, experiment}, func(rows Rows) error {
			var relay int64
			var number int
			err := rows.Scan(&relay, &number)
			first[relay] = number
			return err
		})
	if err != nil {
		return 0, err
	}
	relays, err := s.Relays(ctx, experiment)
	if err != nil {
		return 0, err
	}
	retried := 0
	for _, relay := range relays {
		number, failed := first[relay.ID]
		if !failed {
			continue
		}
		err := s.takeOut(ctx, relay, number, again)
		if errors.Is(err, ErrBusy) {
			continue
		}
		if err != nil {
			return retried, fmt.Errorf("taking up relay %d again: %w", relay.ID, err)
		}
		retried++
	}
	return retried, nil
}

// takeOut removes a relay's interactions, starting with the given number.
func (s *Store) takeOut(ctx context.Context, relay Relay, from int, again func(Tx, Relay) error) error {
	all, err := s.Interactions(ctx, relay.ID)
	if err != nil {
		return err
	}
	return s.Transaction(ctx, "taking up a relay in", func(tx Tx) error {
		now := time.Now().UnixMilli()
		for i := range all {
			in := &all[i]
			if in.Number < from {
				continue
			}
			if err := replace(ctx, tx, in, now); err != nil {
				return err
			}
		}
		return again(tx, relay)
	})
}

// replace removes one interaction and keeps its record as Replaced.
func replace(ctx context.Context, tx Tx, in *Interaction, now int64) error {
	record := *in
	record.Output = nil // the next attempt begins with the same documents
	raw, err := json.Marshal(record)
	if err != nil {
		return err
	}
	if err := countInArm(ctx, tx, in, -1); err != nil {
		return err
	}
	_, err = tx.Exec(ctx, "INSERT INTO replaced (relay, number, replaced, record) VALUES ($1, $2, $3, $4)", in.Relay, in.Number, now, clean(string(raw)))
	for _, table := range []string{"turns", "tool_calls", "reads"} {
		if err == nil {
			_, err = tx.Exec(ctx, "DELETE FROM "+table+" WHERE interaction = $1", in.ID)
		}
	}
	if err == nil {
		_, err = tx.Exec(ctx, "DELETE FROM interactions WHERE id = $1", in.ID)
	}
	return err
}

// Replaced is an interaction that was run again.
type Replaced struct {
	At time.Time // when it was removed
	Interaction
}

// Replaced returns the former attempts at an interaction, oldest first, without their
// documents.
func (s *Store) Replaced(ctx context.Context, relay int64, number int) ([]Replaced, error) {
	var all []Replaced
	err := s.scanAll(ctx, "SELECT replaced, record FROM replaced WHERE relay = $1 AND number = $2 ORDER BY replaced", []any{relay, number}, func(rows Rows) error {
		var r Replaced
		var at int64
		var record []byte
		if err := rows.Scan(&at, &record); err != nil {
			return err
		}
		r.At = time.UnixMilli(at)
		err := json.Unmarshal(record, &r.Interaction)
		all = append(all, r)
		return err
	})
	return all, err
}
