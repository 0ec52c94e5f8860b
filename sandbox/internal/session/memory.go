package session

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// memoryAbove reports whether the processes of a sandbox use more memory in
// sum than so many bytes. It stands in for a cgroup where none can be made, and
// is weaker: it looks now and then, and sees only what is in use at that moment.
func memoryAbove(pid int, most int64) bool {
	// Memory that forked processes share counts once for each here, which is
	// quick to find and never too little.
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

// residentOwn is the memory of a process that is no file's.
func residentOwn(process string) int64 {
	statm, err := os.ReadFile(process + "/statm")
	fields := bytes.Fields(statm)
	if err != nil || len(fields) < 3 {
		return 0 // it has ended
	}
	resident, _ := strconv.ParseInt(string(fields[1]), 10, 64)
	files, _ := strconv.ParseInt(string(fields[2]), 10, 64)
	return (resident - files) * int64(os.Getpagesize())
}

// proportional is the same, with each page shared among those that use it.
func proportional(process string) int64 {
	rollup, err := os.ReadFile(process + "/smaps_rollup")
	if err != nil {
		return 0
	}
	for line := range bytes.Lines(rollup) {
		if fields := bytes.Fields(line); len(fields) > 1 && string(fields[0]) == "Pss_Anon:" {
			kilobytes, _ := strconv.ParseInt(string(fields[1]), 10, 64)
			return kilobytes << 10
		}
	}
	return 0
}
