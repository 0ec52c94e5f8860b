//go:build linux

package sandboxtest

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

// BenchScript is a script whose running time is measured, with what it prints on BenchFiles.
type BenchScript struct{ Name, Code, Prints string }

// BenchScripts are one that does what models' scripts do, and the least.
var BenchScripts = []BenchScript{
	{"ordinary", `import csv, json
from pathlib import Path

totals = {}
for path in sorted(Path(".").glob("*.csv")):
    with path.open(newline="") as file:
        for day, payee, amount in csv.reader(file):
            totals[payee] = totals.get(payee, 0) + float(amount)
Path("totals.json").write_text(json.dumps(totals, indent=1))
print(len(totals), "payees")
`, "20 payees\n"},
	{"least", "for name in 'abcdef':\n    text = open(name + '.csv').read()\nopen('last', 'w').write(text[:100])\nprint(len(text))\n", "10017\n"},
}

// BenchFiles are six files of 10 kB.
func BenchFiles() vfs.Files {
	files := vfs.Files{}
	for at, name := range "abcdef" {
		var rows strings.Builder
		for i := 0; rows.Len() < 10_000; i++ {
			fmt.Fprintf(&rows, "2024-%02d-%02d,payee %02d,%3d.%02d\n", at+1, i%28+1, i%20, i*7%900+100, i%100)
		}
		files[string(name)+".csv"] = rows.String()
	}
	return files
}

// Timed returns a function that runs the script once in a runner, on a workspace of its own, and
// returns how long that took.
func (s BenchScript) Timed(b *testing.B, run sandbox.Runner) func() time.Duration {
	ws := Workspace(b, BenchFiles())
	return func() time.Duration {
		began := time.Now()
		result, err := run.RunPython(b.Context(), ws, Inside(s.Code))
		took := time.Since(began)
		if err != nil || result.Stdout != s.Prints {
			b.Fatalf("%v %+v", err, result)
		}
		return took
	}
}

// Bare returns a function that runs the script once without a sandbox and returns how long that
// took.
func (s BenchScript) Bare(b *testing.B, python string) func() time.Duration {
	folder, script := b.TempDir(), filepath.Join(b.TempDir(), "script.py")
	for name, content := range BenchFiles() {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	if err := os.WriteFile(script, []byte(s.Code), 0o644); err != nil {
		b.Fatal(err)
	}
	return func() time.Duration {
		cmd := exec.Command(python, script)
		cmd.Dir = folder
		began := time.Now()
		out, err := cmd.CombinedOutput()
		took := time.Since(began)
		if err != nil || string(out) != s.Prints {
			b.Fatalf("%v %s", err, out)
		}
		return took
	}
}

// InTurns runs every function once per iteration, so that machine load affects all alike. It
// reports medians and minima in milliseconds and returns the medians.
func InTurns(b *testing.B, functions map[string]func() time.Duration) map[string]float64 {
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
		b.ReportMetric(all[0], "least-"+name)
	}
	return medians
}
