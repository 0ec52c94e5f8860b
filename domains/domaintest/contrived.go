package domaintest

import (
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"agentd/domains"
	"agentd/vfs"
)

// Contrived is a document made to be slow to compare: the shortest legal record of a format, over and over, each time
// the same or with another number in the place of %d, or of %06d for one of six digits. Some share with the seed of the
// built-in environment what the published scores pair by.
type Contrived struct{ Before, Record, After string }

// sized repeats the record until the text has about that many bytes.
func (c Contrived) sized(bytes int) string {
	var b strings.Builder
	b.WriteString(c.Before)
	for n := 0; b.Len() < bytes; n++ {
		b.WriteString(strings.ReplaceAll(strings.ReplaceAll(c.Record, "%06d", fmt.Sprintf("%06d", n)), "%d", strconv.Itoa(n)))
	}
	b.WriteString(c.After)
	return b.String()
}

// contrivedSize is that of a contrived document in bytes.
const contrivedSize = 5 << 20

// files fills every file of a seed with its share of the document.
func (c Contrived) files(seed vfs.Files) vfs.Files {
	files := vfs.Files{}
	for name := range seed {
		files[name] = c.sized(contrivedSize / len(seed))
	}
	return files
}

// BenchmarkContrived compares documents of about 5 MB, each in the files of the seed, with the seed, in both
// directions, and with themselves. It reports CPU time, that of the garbage collector included.
func BenchmarkContrived(b *testing.B, d domains.Domain, seed vfs.Files, documents map[string]Contrived) {
	BoundMemory(b)
	b.Run(d.Info().Name, func(b *testing.B) {
		for _, label := range slices.Sorted(maps.Keys(documents)) {
			b.Run(label, func(b *testing.B) {
				files := documents[label].files(seed)
				b.Run("candidate", func(b *testing.B) { compareTimed(b, d, seed, files) })
				b.Run("reference", func(b *testing.B) { compareTimed(b, d, files, seed) })
				b.Run("itself", func(b *testing.B) { compareTimed(b, d, files, files) })
			})
		}
	})
}

func compareTimed(b *testing.B, d domains.Domain, reference, candidate vfs.Files) {
	start := CPUTime(b)
	for b.Loop() {
		d.Compare(reference, candidate)
	}
	b.ReportMetric(float64((CPUTime(b)-start).Milliseconds())/float64(b.N), "cpu-ms/op")
}

// BoundMemory collects garbage as agentd does for the rest of a benchmark, and keeps
// documents of 5 MB, one after the other, from filling the machine.
func BoundMemory(b *testing.B) {
	const most = 2 << 30
	percent, limit := debug.SetGCPercent(400), debug.SetMemoryLimit(most)
	b.Cleanup(func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	})
}

// CPUTime is what the process has spent so far, in user and system time of all its threads.
func CPUTime(b testing.TB) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
