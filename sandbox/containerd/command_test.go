//go:build linux

package containerd

import (
	"testing"

	"agentd/sandbox/sandboxtest"
)

// TestOrdinaryUser runs it once more.
func TestCommands(t *testing.T) { sandboxtest.RunCommands(t, backend(t)) }
