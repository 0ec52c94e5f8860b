//go:build linux

package containerd

import (
	"testing"

	"agentd/sandbox/sandboxtest"
)

// TestOrdinaryUser runs it once more, package bwrap all races.
func TestCommands(t *testing.T) { sandboxtest.RunCommands(t, backend(t), false) }
