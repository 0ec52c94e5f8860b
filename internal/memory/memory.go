// Package memory bounds what a process takes of the machine's memory.
package memory

import (
	"fmt"
	"os"
	"runtime/debug"

	"golang.org/x/sys/unix"
)

// leastAddressSpace is how much address space a process needs. Go reserves most of it
// without using it, and where it cannot, it ends with the stacks of all goroutines.
const leastAddressSpace = 4 << 30

// CheckAddressSpace raises the process's limit on address space (ulimit -v) as far as it
// may. The error says that the limit is too low to work with. Below some 900 MB Go's
// runtime ends before this is reached.
func CheckAddressSpace() error {
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

// collectAt is how much the heap may grow before it is collected, in percent.
// Conversations make much garbage and keep little.
const collectAt = 400

// Collect sets how often the heap is collected; GOGC overrides it.
func Collect() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collectAt)
	}
}

// How large a process may grow before it collects garbage more often, in bytes.
const (
	Work   = 640 << 20 // of one that runs experiments: a thousand interactions at once need about a quarter
	Report = 304 << 20 // of any other, such as one that reports: a hundred thousand interactions need about half
)

// Bound makes the process collect garbage more often above so many bytes; GOMEMLIMIT
// overrides it.
func Bound(most int64) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(most)
	}
}
