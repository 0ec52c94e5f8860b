package results

import (
	"context"
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/pressly/goose/v3"
)

// Results of an older agentd are brought up to date by the first that works on
// them, not by one that reads.
func TestAnOlderSchemaIsBroughtUpToDate(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.db")
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	files, err := migrationsOf("sqlite")
	if err != nil {
		t.Fatal(err)
	}
	provider, err := goose.NewProvider(goose.DialectSQLite3, db, files, goose.WithTableName(versionTable), goose.WithDisableGlobalRegistry(true))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := provider.UpTo(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{
		`INSERT INTO experiments VALUES ('e', 'old', 1, '{}', 'running', NULL)`,
		`INSERT INTO arms VALUES (1, 'e', 'm', 'p', 1, 2, 1, 0, 0, 0, 0, 0, 0, 0)`,
		`INSERT INTO relays VALUES (1, 'e', 1, 'm', 'p', 'tiny1', 'tiny', 1, '["edit"]')`,
		`INSERT INTO interactions VALUES (1, 1, 1, 'edit', 'forward', 1, 1, 'finished', '', '', 1, 10, 0, 5, 0, NULL,
			NULL, NULL, NULL, NULL, NULL, '{}', '', 'null', '{}', 0, 1, 0, 0, 0)`,
		`INSERT INTO turns VALUES (1, 1, 10, 0, 5, 0, NULL, 1, 0, 'stop')`,
		`INSERT INTO tool_calls VALUES (1, 1, 1, 'finish', '[]', 0, 0, 0, '', 1)`,
	} {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenReading(path); err == nil {
		t.Error("a reader takes an older schema for its own")
	}
	store, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	all, err := store.Interactions(context.Background(), 1)
	if err != nil || len(all) != 1 {
		t.Fatalf("%d interactions, %v", len(all), err)
	}
	in := all[0]
	if in.Prompt != 10 || len(in.Turns) != 1 || in.Turns[0].Text != nil || len(in.ToolCalls) != 1 || in.ToolCalls[0].Answer != nil {
		t.Errorf("%+v, want what was stored, and no text", in)
	}
}
