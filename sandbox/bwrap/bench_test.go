package bwrap

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"agentd/sandbox"
	"agentd/vfs"
)

const benchScript = `print(len(open("a.txt").read()))`

// benchFiles are six files of 10 kB.
func benchFiles() vfs.Files {
	files := vfs.Files{}
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		files[name+".txt"] = strings.Repeat("0123456789", 1000)
	}
	return files
}

// sandboxed returns a function that runs the script once in the sandbox.
func sandboxed(b *testing.B, backend *Backend) func() time.Duration {
	run, err := backend.NewRunner(sandbox.DefaultLimits())
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { run.Close() })
	ws := workspace(b, benchFiles())
	return func() time.Duration {
		began := time.Now()
		result, err := run.RunPython(b.Context(), ws, benchScript)
		took := time.Since(began)
		if err != nil || result.Stdout != "10000\n" {
			b.Fatalf("%v %+v", err, result)
		}
		return took
	}
}

// bare returns a function that runs the script once without a sandbox.
func bare(b *testing.B) func() time.Duration {
	folder := b.TempDir()
	for name, content := range benchFiles() {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	script := filepath.Join(b.TempDir(), "script.py")
	if err := os.WriteFile(script, []byte(benchScript), 0o644); err != nil {
		b.Fatal(err)
	}
	return func() time.Duration {
		cmd := exec.Command(backend(b).host.python, "-I", script)
		cmd.Dir = folder
		began := time.Now()
		out, err := cmd.CombinedOutput()
		took := time.Since(began)
		if err != nil || string(out) != "10000\n" {
			b.Fatalf("%v %s", err, out)
		}
		return took
	}
}

// BenchmarkStarts takes turns, so that all see the same machine.
func BenchmarkStarts(b *testing.B) {
	medians := report(b, map[string]func() time.Duration{
		"bare-ms": bare(b), "cold-ms": sandboxed(b, coldBackend(b)), "warm-ms": sandboxed(b, backend(b)),
	})
	b.ReportMetric(medians["cold-ms"]-medians["bare-ms"], "cold-over-bare-ms")
	b.ReportMetric(medians["warm-ms"]/medians["bare-ms"], "warm/bare")
}

// BenchmarkSustained runs scripts in as many runners as there are processors.
func BenchmarkSustained(b *testing.B) {
	b.RunParallel(func(next *testing.PB) {
		run := sandboxed(b, backend(b))
		for next.Next() {
			run()
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "scripts/s")
}

// BenchmarkFirst is a runner from its making to its closing, for one script.
func BenchmarkFirst(b *testing.B) {
	pooled := *backend(b)
	pooled.pool = &pool{backend: &pooled, size: 4}
	defer pooled.Close()
	one := func(backend *Backend) func() time.Duration {
		return func() time.Duration {
			pooled.pool.filling.Wait()
			began := time.Now()
			run, err := backend.NewRunner(sandbox.DefaultLimits())
			if err != nil {
				b.Fatal(err)
			}
			if _, err := run.RunPython(b.Context(), workspace(b, benchFiles()), benchScript); err != nil {
				b.Fatal(err)
			}
			took := time.Since(began)
			run.Close()
			return took
		}
	}
	report(b, map[string]func() time.Duration{"cold-ms": one(coldBackend(b)), "own-ms": one(backend(b)), "pooled-ms": one(&pooled)})
}

// report runs every function once per iteration and reports the medians in
// milliseconds, which it returns.
func report(b *testing.B, functions map[string]func() time.Duration) map[string]float64 {
	times := make(map[string][]float64)
	for b.Loop() {
		for name, function := range functions {
			times[name] = append(times[name], float64(function().Microseconds())/1000)
		}
	}
	medians := make(map[string]float64)
	for name, all := range times {
		slices.Sort(all)
		medians[name] = all[len(all)/2]
		b.ReportMetric(medians[name], name)
	}
	if len(medians) == 0 {
		b.Fatal(fmt.Errorf("nothing ran"))
	}
	return medians
}
