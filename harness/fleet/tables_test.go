package fleet

import (
	"fmt"
	"testing"

	"golang.org/x/sync/errgroup"

	"agentd/results"
)

// has returns how many rows a table has; the test fails if there is none of that name.
func has(t *testing.T, store *results.Store, table string) (n int) {
	t.Helper()
	rows, err := store.Query(t.Context(), "SELECT count(*) FROM "+table)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(&n); err != nil {
			t.Fatal(err)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestTheQueuesTablesAreTheFleets(t *testing.T) {
	onEach(t, func(t *testing.T, address string) {
		store := open(t, address)
		if rows, err := store.Query(t.Context(), "SELECT 1 FROM river_job"); err == nil {
			if rows.Next(); rows.Err() == nil {
				t.Error("the store has made the queue's tables")
			}
			rows.Close()
		}
		// Many processes that begin at once make them once. A file has one process.
		var group errgroup.Group
		if store.Postgres() == nil {
			group.SetLimit(1)
		}
		for range 4 {
			group.Go(func() error { return makeTables(t.Context(), store) })
		}
		if err := group.Wait(); err != nil {
			t.Fatal(err)
		}
		for _, table := range []string{"river_job", "river_queue", "seats", "buckets"} {
			if n := has(t, store, table); n != 0 {
				t.Errorf("%s has %d rows", table, n)
			}
		}
	})
}

// A store of an agentd that made these tables itself keeps what they hold. A process that
// was killed while it made them leaves some.
func TestTablesThatAreThereStay(t *testing.T) {
	onEach(t, func(t *testing.T, address string) {
		store := open(t, address)
		err := store.Transaction(t.Context(), "making", func(tx results.Tx) error {
			for _, statement := range []string{
				"CREATE TABLE buckets (name TEXT PRIMARY KEY, level REAL NOT NULL, at BIGINT NOT NULL)",
				"INSERT INTO buckets VALUES ('m', -3.5, 7)",
			} {
				if _, err := tx.Exec(t.Context(), statement); err != nil {
					return fmt.Errorf("%s: %w", statement, err)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		join(t, store, Options{})
		join(t, store, Options{})
		if n := has(t, store, "buckets"); n != 1 {
			t.Errorf("%d buckets, want the one that was there", n)
		}
		if n := has(t, store, "seats"); n != 0 {
			t.Errorf("%d seats", n)
		}
	})
}
