//go:build linux

package session

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// memoryAbove reports whether the processes of a sandbox together use more than most bytes of
// memory. It is for machines without cgroups. It is weaker than a cgroup, because it sees only
// what is in use at the time of the call.
func memoryAbove(pid int, most int64) bool {
	// This sum counts memory shared by forked processes once for each process. It is quick to
	// compute and never too small.
	processes, _ := filepath.Glob(fmt.Sprintf("/proc/%d/root/proc/[0-9]*", pid))
	var sum int64
	for _, process := range processes {
		sum += residentOwn(process)
	}
	if sum <= most {
		return false
	}
	sum = 0
	for _, process := range processes {
		sum += proportional(process)
	}
	return sum > most
}

// residentOwn is the memory of a process in bytes, without mapped files.
func residentOwn(process string) int64 {
	statm, _ := os.ReadFile(process + "/statm")
	var size, resident, files int64 // in pages; 0 if it has ended
	fmt.Sscan(string(statm), &size, &resident, &files)
	return (resident - files) * int64(os.Getpagesize())
}

// proportional is residentOwn with each page divided among the processes that share it.
func proportional(process string) int64 {
	rollup, _ := os.ReadFile(process + "/smaps_rollup")
	var kilobytes int64
	if _, number, found := strings.Cut(string(rollup), "\nPss_Anon:"); found {
		fmt.Sscan(number, &kilobytes)
	}
	return kilobytes << 10
}
