//go:build linux

// Package programstest has what tests need that score documents by running
// them.
package programstest

import (
	"context"
	"errors"
	"os"
	"sync"
	"testing"

	"agentd/domains"
	"agentd/domains/catalog"
	"agentd/harness/programs"
	"agentd/sandbox"
	"agentd/sandbox/bwrap"
)

// shared is the sandbox of all tests of a package. It ends with the process.
var shared = sync.OnceValues(func() (*bwrap.Backend, error) { return bwrap.New(context.Background()) })

// New returns what runs programs. Without a sandbox it skips the test, or fails
// it where CI is set.
func New(t testing.TB) *programs.Programs {
	t.Helper()
	backend, err := shared()
	if errors.Is(err, sandbox.ErrUnavailable) && os.Getenv("CI") == "" {
		t.Skipf("programs cannot be run here, so scores of Python documents are not tested (apt-get install bubblewrap python3): %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	p := programs.New(backend)
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// Bound returns a domain that can score documents, if it needs more for that than
// them.
func Bound(t testing.TB, d domains.Domain) domains.Domain {
	t.Helper()
	if executing, ok := d.(domains.Executing); ok {
		return executing.WithPrograms(New(t))
	}
	return d
}

// Lookup finds all domains, as catalog.Running does.
func Lookup(t testing.TB) func(name string) (domains.Domain, bool) {
	t.Helper()
	return catalog.Running(New(t))
}
