package fleet

import (
	"testing"
	"time"

	"agentd/results"
)

func TestABucketFillsAtItsRate(t *testing.T) {
	onEach(t, func(t *testing.T, address string) {
		rates := Rates{join(t, open(t, address), Options{}).store}
		const perMinute = 600.0 // 10 a second, which is what it holds
		take := func(amount float64) time.Duration {
			t.Helper()
			wait, err := rates.Take(t.Context(), "m requests", perMinute, amount)
			if err != nil {
				t.Fatal(err)
			}
			return wait
		}
		if wait := take(10); wait != 0 {
			t.Errorf("a full bucket: wait %v", wait)
		}
		// 6,000 more are ten minutes' worth, less what has flowed in.
		if wait := take(6000); wait > 10*time.Minute || wait < 9*time.Minute {
			t.Errorf("ten minutes' worth: wait %v", wait)
		}
		first := take(0)
		if second := take(600); second < first+50*time.Second {
			t.Errorf("the second waits %v, the first %v", second, first)
		}
		take(-100_000)
		if wait := take(10); wait != 0 {
			t.Errorf("after putting back: wait %v", wait)
		}
		if wait, err := rates.Take(t.Context(), "another", perMinute, 1); wait != 0 || err != nil {
			t.Errorf("another bucket: %v, %v", wait, err)
		}
	})
}

func TestABucketSurvivesAClockSetBack(t *testing.T) {
	onEach(t, func(t *testing.T, address string) {
		rates := Rates{join(t, open(t, address), Options{}).store}
		if _, err := rates.Take(t.Context(), "m", 60, 1); err != nil {
			t.Fatal(err)
		}
		err := rates.Store.Transaction(t.Context(), "setting the clock in", func(tx results.Tx) error {
			_, err := tx.Exec(t.Context(), "UPDATE buckets SET at = at + 86400000")
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if wait, err := rates.Take(t.Context(), "m", 60, 1); wait > time.Minute || err != nil {
			t.Errorf("wait %v, %v", wait, err)
		}
	})
}
