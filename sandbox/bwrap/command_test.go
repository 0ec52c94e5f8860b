//go:build linux

package bwrap

import (
	"testing"

	"agentd/sandbox/sandboxtest"
)

func TestCommands(t *testing.T) { sandboxtest.RunCommands(t, backend(t), true) }

func TestCommandsAsOrdinaryUser(t *testing.T) { sandboxtest.AsOrdinaryUser(t, "TestCommands") }
