//go:build linux

package bwrap

import (
	"testing"

	"agentd/sandbox/sandboxtest"
)

func TestAttacks(t *testing.T) { sandboxtest.Run(t, backend(t)) }

// A new interpreter runs in the sandbox of a warm one. What differs is what becomes of its processes and their memory,
// what it inherits, and what it leaves to the next. TestColdAndWarm compares results.
func TestAttacksCold(t *testing.T) {
	sandboxtest.RunAreas(t, coldBackend(t), "processes", "memory", "secrets", "next script")
}

// A sandbox for each script is built by bwrap and not by a zygote: other mounts, filter, network, limits and first process.
// How files are taken back and output is read is the same, and how scripts end by their time.
func TestAttacksAlone(t *testing.T) {
	sandboxtest.RunAreas(t, aloneBackend(t), "files out", "processes", "kernel", "memory", "disk", "network", "secrets", "next script")
}

// How a new interpreter starts does not depend on the user.
func TestAttacksAsOrdinaryUser(t *testing.T) {
	sandboxtest.AsOrdinaryUser(t, "TestAttacks(Alone)?")
}
