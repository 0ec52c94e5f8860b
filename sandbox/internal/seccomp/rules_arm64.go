//go:build linux

package seccomp

import "golang.org/x/sys/unix"

const (
	architecture = unix.AUDIT_ARCH_AARCH64
	mostNumber   = 0x40000000 // this architecture has no x32 calls
)

// forbiddenHere are the calls that only this architecture has.
var forbiddenHere []call
