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
func sandboxed(b *testing.B) func() time.Duration {
	run, ws := newRunner(b, nil), workspace(b, benchFiles())
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

func BenchmarkRunPython(b *testing.B) {
	report(b, map[string]func() time.Duration{"median-ms": sandboxed(b)})
}
func BenchmarkBareInterpreter(b *testing.B) {
	report(b, map[string]func() time.Duration{"median-ms": bare(b)})
}

// BenchmarkOverhead takes turns, so that both see the same machine.
func BenchmarkOverhead(b *testing.B) {
	medians := report(b, map[string]func() time.Duration{"bare-ms": bare(b), "sandbox-ms": sandboxed(b)})
	b.ReportMetric(medians["sandbox-ms"]-medians["bare-ms"], "overhead-ms")
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
