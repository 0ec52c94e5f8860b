//go:build linux

package seccomp

import "golang.org/x/sys/unix"

const (
	architecture = unix.AUDIT_ARCH_AARCH64
	mostNumber   = 0x40000000 // there are none so high
)

// forbiddenHere are the calls that only this architecture has.
var forbiddenHere []call
