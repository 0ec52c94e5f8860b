package results

import (
	"context"
	"errors"
	"time"
)

// Judgement returns a judge's answer by its key; false if none is stored.
func (s *Store) Judgement(ctx context.Context, key string) (answer string, found bool, err error) {
	err = s.row(ctx, "SELECT answer FROM judgements WHERE key = $1", []any{key}, &answer)
	if errors.Is(err, errNoRow) {
		return "", false, nil
	}
	return answer, err == nil, err
}

// KeepJudgement stores a judge's answer and returns the stored one. If another process has
// stored an answer first, that one is returned, so that all processes score by the same.
func (s *Store) KeepJudgement(ctx context.Context, key, model, answer string) (kept string, err error) {
	err = s.Transaction(ctx, "keeping a judgement in", func(tx Tx) error {
		_, err := tx.Exec(ctx, "INSERT INTO judgements (key, model, answer, created) VALUES ($1, $2, $3, $4) ON CONFLICT (key) DO NOTHING",
			key, model, clean(answer), time.Now().UnixMilli())
		if err != nil {
			return err
		}
		return row(ctx, tx, "SELECT answer FROM judgements WHERE key = $1", []any{key}, &kept)
	})
	return kept, err
}
