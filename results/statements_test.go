package results

import (
	"fmt"
	"testing"
)

// A statement that is asked for again is not prepared again, one that is in use
// is not shared, and only so many are kept.
func TestStatementsAreKept(t *testing.T) {
	t.Parallel()
	store := create(t)
	conn, err := store.SQLite().Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	idle := func(text string) (found sqliteStmt, all int) {
		t.Helper()
		err := conn.Raw(func(driver any) error {
			kept := driver.(*cachingConn)
			found, all = kept.idle[text], len(kept.idle)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return found, all
	}
	const text = "SELECT $1 UNION ALL SELECT $2"
	query := func(a, b int) (read []int) {
		t.Helper()
		rows, err := conn.QueryContext(t.Context(), text, a, b)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for rows.Next() {
			if n, _ := idle(text); n != nil {
				t.Error("a statement is idle and in use")
			}
			var value int
			if err := rows.Scan(&value); err != nil {
				t.Fatal(err)
			}
			read = append(read, value)
		}
		return read
	}
	first := fmt.Sprint(query(1, 2))
	kept, _ := idle(text)
	second := fmt.Sprint(query(3, 4))
	again, _ := idle(text)
	if first != "[1 2]" || second != "[3 4]" || kept == nil || kept != again {
		t.Errorf("%s and %s by the statements %v and %v", first, second, kept, again)
	}
	for i := range 2 * mostStatements {
		if _, err := conn.ExecContext(t.Context(), fmt.Sprintf("SELECT %d", i)); err != nil {
			t.Fatal(err)
		}
	}
	if _, all := idle(text); all != mostStatements {
		t.Errorf("%d statements are kept, want %d", all, mostStatements)
	}
}
