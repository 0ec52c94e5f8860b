// Package resultstest gives tests databases of their own.
package resultstest

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// Variable names a PostgreSQL server that tests may make databases on. make
// test starts one; see test/scripts/with-postgres.sh.
const Variable = "AGENTD_TEST_POSTGRES"

// Postgres returns the URL of a new database, which is dropped after the test.
// Without a server the test is skipped, and says how to get one.
func Postgres(t testing.TB) string {
	t.Helper()
	server := os.Getenv(Variable)
	if server == "" {
		t.Skipf("no PostgreSQL server: %s is not set; run the tests with make test, or sh test/scripts/with-postgres.sh go test …", Variable)
	}
	address, err := url.Parse(server)
	if err != nil {
		t.Fatalf("%s: %v", Variable, err)
	}
	name := "test_" + strings.ReplaceAll(uuid.NewString(), "-", "")
	onServer(t, server, "CREATE DATABASE "+name)
	t.Cleanup(func() { onServer(t, server, fmt.Sprintf("DROP DATABASE %s WITH (FORCE)", name)) })
	address.Path = "/" + name
	return address.String()
}

func onServer(t testing.TB, server, statement string) {
	t.Helper()
	ctx := context.Background() // cleaning up comes after the test's own ends
	connection, err := pgx.Connect(ctx, server)
	if err != nil {
		t.Fatalf("connecting to PostgreSQL: %v", err)
	}
	defer connection.Close(ctx)
	if _, err := connection.Exec(ctx, statement); err != nil {
		t.Errorf("%s: %v", statement, err)
	}
}
