package catalog

import (
	"os"
	"testing"

	"agentd/internal/memory"
)

// TestMain collects the heap as agentd does: seldom, but for a bound, as tests of many domains run at once.
func TestMain(m *testing.M) {
	memory.Collect()
	memory.Bound(1 << 30)
	os.Exit(m.Run())
}
