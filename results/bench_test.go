package results

import (
	"syscall"
	"testing"
	"time"
)

// cpu is the processor time that this process has used.
func cpu(b *testing.B) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func reportCPU(b *testing.B, since time.Duration) {
	b.ReportMetric(float64((cpu(b)-since).Nanoseconds())/float64(b.N), "cpu-ns/op")
}

func BenchmarkAppend(b *testing.B) {
	store := create(b)
	relay := plan(b, store, "m")[0]
	prepared := make([]*Interaction, b.N)
	for i := range prepared {
		prepared[i] = typical(relay.ID, i+1)
	}
	b.ReportAllocs()
	b.ResetTimer()
	start := cpu(b)
	for _, in := range prepared {
		if err := store.Append(b.Context(), in, nil); err != nil {
			b.Fatal(err)
		}
	}
	reportCPU(b, start)
}

// An experiment of 10,000 interactions, as reports read it.
func BenchmarkReading(b *testing.B) {
	store := create(b)
	relays := plan(b, store, "a", "b", "c", "d")
	for i := range 10_000 {
		if err := store.Append(b.Context(), typical(relays[i%4].ID, 1+i/4), nil); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("Summaries", func(b *testing.B) {
		start := cpu(b)
		for b.Loop() {
			if all, err := store.Summaries(b.Context(), relays[0].Experiment); len(all) != 10_000 || err != nil {
				b.Fatal(len(all), err)
			}
		}
		reportCPU(b, start)
	})
}
