package containerd

import (
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

// BenchmarkExec runs a script in a container that is there, and beside it the
// bare interpreter, taking turns, so that both see the same machine. The target
// is 50 ms at the median.
func BenchmarkExec(b *testing.B) {
	run, ws := newRunner(b, nil), workspace(b, benchFiles())
	mustRun(b, run, ws, benchScript)
	bare := bareInterpreter(b)
	times := map[string][]float64{}
	for b.Loop() {
		began := time.Now()
		if result := mustRun(b, run, ws, benchScript); result.Stdout != "10000\n" {
			b.Fatalf("%+v", result)
		}
		times["exec-ms"] = append(times["exec-ms"], milliseconds(time.Since(began)))
		times["bare-ms"] = append(times["bare-ms"], milliseconds(bare()))
	}
	reportMedians(b, times)
}

// BenchmarkInteraction starts a container for one script and removes it.
func BenchmarkInteraction(b *testing.B) {
	ws := workspace(b, benchFiles())
	times := map[string][]float64{}
	for b.Loop() {
		began := time.Now()
		run := newRunner(b, nil)
		mustRun(b, run, ws, benchScript)
		times["first-ms"] = append(times["first-ms"], milliseconds(time.Since(began)))
		began = time.Now()
		if err := run.Close(); err != nil {
			b.Fatal(err)
		}
		times["close-ms"] = append(times["close-ms"], milliseconds(time.Since(began)))
	}
	reportMedians(b, times)
}

// bareInterpreter returns a function that runs the script without a sandbox
// and tells how long that took.
func bareInterpreter(b *testing.B) func() time.Duration {
	folder := b.TempDir()
	for name, content := range benchFiles() {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	return func() time.Duration {
		cmd := exec.Command(backend(b).system.python, "-I", "-c", benchScript)
		cmd.Dir = folder
		began := time.Now()
		if out, err := cmd.CombinedOutput(); err != nil || string(out) != "10000\n" {
			b.Fatalf("%v %s", err, out)
		}
		return time.Since(began)
	}
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func reportMedians(b *testing.B, times map[string][]float64) {
	for name, all := range times {
		slices.Sort(all)
		b.ReportMetric(all[len(all)/2], name)
	}
}
