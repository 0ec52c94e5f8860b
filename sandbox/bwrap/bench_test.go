//go:build linux

package bwrap

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"agentd/sandbox/sandboxtest"
)

// BenchmarkStarts takes turns, so that all see the same machine. The targets are
// a warm script in at most 5 ms and a quarter of the bare interpreter's time, and
// a cold one in at most 6 ms more than that.
func BenchmarkStarts(b *testing.B) {
	for _, script := range sandboxtest.BenchScripts {
		b.Run(script.Name, func(b *testing.B) {
			medians := sandboxtest.InTurns(b, map[string]func() time.Duration{
				"bare-ms": script.Bare(b, backend(b).host.Python),
				"cold-ms": script.Timed(b, sandboxtest.NewRunner(b, coldBackend(b), nil)),
				"warm-ms": script.Timed(b, newRunner(b, nil)),
			})
			b.ReportMetric(medians["cold-ms"]-medians["bare-ms"], "cold-over-bare-ms")
			b.ReportMetric(medians["warm-ms"]/medians["bare-ms"], "warm/bare")
		})
	}
}

// BenchmarkSustained runs warm scripts in twice as many runners as there are
// processors. The target is 300 a second on two.
func BenchmarkSustained(b *testing.B) {
	for _, script := range sandboxtest.BenchScripts {
		b.Run(script.Name, func(b *testing.B) {
			free := make(chan func() time.Duration, 2*runtime.GOMAXPROCS(0))
			for range cap(free) {
				once := script.Timed(b, newRunner(b, nil))
				once() // starts the interpreter
				free <- once
			}
			b.SetParallelism(2)
			b.ResetTimer()
			b.RunParallel(func(next *testing.PB) {
				once := <-free
				for next.Next() {
					once()
				}
			})
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "scripts/s")
		})
	}
}

// BenchmarkAtRest is the memory of 200 runners between two scripts. The target
// is 1.5 GiB.
func BenchmarkAtRest(b *testing.B) {
	const runners = 200
	for range runners {
		sandboxtest.BenchScripts[0].Timed(b, newRunner(b, nil))()
	}
	time.Sleep(100 * time.Millisecond) // what the last one left goes, and the next is prepared
	b.ReportMetric(float64(proportionalBelow(b, os.Getpid()))/(1<<20), "PSS-MiB")
}

// proportionalBelow is the memory of all processes that descend from one, in
// bytes, each page shared among those that use it.
func proportionalBelow(b *testing.B, pid int) (sum int64) {
	b.Helper()
	children, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil {
		b.Fatal(err)
	}
	for _, file := range children {
		list, err := os.ReadFile(file)
		if err != nil {
			continue // the thread has ended
		}
		for _, field := range strings.Fields(string(list)) {
			child, err := strconv.Atoi(field)
			if err != nil {
				b.Fatal(err)
			}
			sum += proportionalOf(b, child) + proportionalBelow(b, child)
		}
	}
	return sum
}

func proportionalOf(b *testing.B, pid int) int64 {
	b.Helper()
	rollup, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		b.Fatal(err)
	}
	fields := strings.Fields(string(rollup))
	at := slices.Index(fields, "Pss:")
	kilobytes, err := strconv.ParseInt(fields[at+1], 10, 64)
	if at < 0 || err != nil {
		b.Fatalf("no PSS of process %d: %v", pid, err)
	}
	return kilobytes << 10
}
