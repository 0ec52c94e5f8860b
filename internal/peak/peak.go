// Package peak measures how much of the heap a piece of work has at most at one
// time. It is for tests and benchmarks of what hostile input costs: allocations
// that are counted one after the other (-benchmem) say nothing of that.
package peak

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"testing"
	"time"
)

// Heap returns the most bytes that live objects, and those not collected yet, had
// while work ran, beyond what there was before. It collects often and looks ten
// times a millisecond. Other work in the process counts too, so nothing else
// should run.
func Heap(work func()) uint64 {
	defer debug.SetGCPercent(debug.SetGCPercent(50))
	runtime.GC()
	before := objects()
	most, stop := before, make(chan struct{})
	var looking sync.WaitGroup
	looking.Go(func() {
		ticker := time.NewTicker(100 * time.Microsecond)
		defer ticker.Stop()
		for {
			most = max(most, objects())
			select {
			case <-ticker.C:
			case <-stop:
				return
			}
		}
	})
	work()
	last := objects()
	close(stop)
	looking.Wait()
	return max(most, last) - before
}

func objects() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// Benchmark reports the largest peak of the runs, in MB and for each byte of the
// input.
func Benchmark(b *testing.B, inputBytes int, work func()) {
	b.SetBytes(int64(inputBytes))
	var most uint64
	for b.Loop() {
		most = max(most, Heap(work))
	}
	b.ReportMetric(float64(most)/1e6, "peak-MB")
	b.ReportMetric(float64(most)/float64(max(1, inputBytes)), "peak-B/input-B")
}
