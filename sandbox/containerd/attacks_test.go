//go:build linux

package containerd

import (
	"testing"

	"agentd/sandbox/sandboxtest"
)

// TestAttacks is the table that every back end must withstand. TestOrdinaryUser
// runs it once more.
func TestAttacks(t *testing.T) { sandboxtest.Run(t, backend(t)) }
