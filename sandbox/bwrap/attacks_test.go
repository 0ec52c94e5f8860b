//go:build linux

package bwrap

import (
	"testing"

	"agentd/sandbox/sandboxtest"
)

func TestAttacks(t *testing.T) { sandboxtest.Run(t, backend(t)) }

func TestAttacksCold(t *testing.T) { sandboxtest.Run(t, coldBackend(t)) }

func TestAttacksAlone(t *testing.T) { sandboxtest.Run(t, aloneBackend(t)) }

func TestAttacksAsOrdinaryUser(t *testing.T) {
	sandboxtest.AsOrdinaryUser(t, "TestAttacks(Cold|Alone)?")
}
