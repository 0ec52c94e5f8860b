package main

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// leastAddressSpace is how much address space a process needs. Go reserves most of it
// without using it, and where it cannot, it ends with the stacks of all goroutines.
const leastAddressSpace = 4 << 30

// checkAddressSpace raises a limit on address space (ulimit -v) as far as it may, and
// refuses one that is too low to work with. Below some 900 MB Go's runtime ends before
// this is reached.
func checkAddressSpace() error {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_AS, &limit); err != nil || limit.Cur >= leastAddressSpace {
		return nil // no limit is the largest number
	}
	if limit.Max < leastAddressSpace {
		return tooLittleAddressSpace(limit.Max)
	}
	limit.Cur = limit.Max
	return unix.Setrlimit(unix.RLIMIT_AS, &limit)
}

func tooLittleAddressSpace(limit uint64) error {
	return fmt.Errorf("the limit on address space (ulimit -v) is %d MiB, and %d are needed, most of them reserved and never used; "+
		"raise it, and limit memory by a cgroup instead (systemd-run --user --scope -p MemoryMax=700M agentd …), or by GOMEMLIMIT",
		limit>>20, leastAddressSpace>>20)
}
