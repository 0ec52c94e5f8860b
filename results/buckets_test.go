package results

import (
	"testing"
	"time"
)

func TestABucketFillsAtItsRate(t *testing.T) {
	onEach(t, func(t *testing.T, store *Store) {
		const perMinute = 600.0 // 10 a second, which is what it holds
		take := func(amount float64) time.Duration {
			t.Helper()
			wait, err := store.Take(t.Context(), "m requests", perMinute, amount)
			if err != nil {
				t.Fatal(err)
			}
			return wait
		}
		if wait := take(10); wait != 0 {
			t.Errorf("a full bucket: wait %v", wait)
		}
		// 6,000 more are ten minutes' worth, less what flowed in meanwhile.
		if wait := take(6000); wait > 10*time.Minute || wait < 9*time.Minute {
			t.Errorf("ten minutes' worth: wait %v", wait)
		}
		first := take(0)
		if second := take(600); second < first+50*time.Second {
			t.Errorf("who comes later waits %v, the one before %v", second, first)
		}
		take(-100_000)
		if wait := take(10); wait != 0 {
			t.Errorf("after putting back: wait %v", wait)
		}
		if wait, err := store.Take(t.Context(), "another", perMinute, 1); wait != 0 || err != nil {
			t.Errorf("another bucket: %v, %v", wait, err)
		}
	})
}

func TestABucketSurvivesAClockSetBack(t *testing.T) {
	onEach(t, func(t *testing.T, store *Store) {
		if _, err := store.Take(t.Context(), "m", 60, 1); err != nil {
			t.Fatal(err)
		}
		if _, err := store.db.Exec(t.Context(), "UPDATE buckets SET at = at + 86400000"); err != nil {
			t.Fatal(err)
		}
		if wait, err := store.Take(t.Context(), "m", 60, 1); wait > time.Minute || err != nil {
			t.Errorf("wait %v, %v", wait, err)
		}
	})
}
