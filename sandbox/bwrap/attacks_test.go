//go:build linux

package bwrap

import (
	"testing"

	"agentd/sandbox/sandboxtest"
)

func TestAttacks(t *testing.T) { sandboxtest.Run(t, backend(t)) }

func TestAttacksCold(t *testing.T) { sandboxtest.Run(t, coldBackend(t)) }

func TestAttacksAlone(t *testing.T) { sandboxtest.Run(t, aloneBackend(t)) }

// How an interpreter starts does not depend on the user, so an ordinary user has a warm one and a sandbox for each script.
func TestAttacksAsOrdinaryUser(t *testing.T) {
	sandboxtest.AsOrdinaryUser(t, "TestAttacks(Alone)?")
}
