//go:build linux

package containerd

import (
	"testing"
	"time"

	"agentd/sandbox"
	"agentd/sandbox/sandboxtest"
)

// BenchmarkExec runs a script in a container that is there, and next to it the
// bare interpreter. The target is 50 ms at the median.
func BenchmarkExec(b *testing.B) {
	for _, script := range sandboxtest.BenchScripts {
		b.Run(script.Name, func(b *testing.B) {
			exec := script.Timed(b, newRunner(b, nil))
			exec() // starts the container
			sandboxtest.InTurns(b, map[string]func() time.Duration{
				"bare-ms": script.Bare(b, backend(b).files.python), "exec-ms": exec,
			})
		})
	}
}

// BenchmarkInteraction starts a container for one script, and removes it.
func BenchmarkInteraction(b *testing.B) {
	var run sandbox.Runner
	sandboxtest.InTurns(b, map[string]func() time.Duration{"first-and-close-ms": func() time.Duration {
		began := time.Now()
		var err error
		if run, err = backend(b).NewRunner(sandbox.DefaultLimits()); err != nil {
			b.Fatal(err)
		}
		sandboxtest.BenchScripts[0].Timed(b, run)()
		if err := run.Close(); err != nil {
			b.Fatal(err)
		}
		return time.Since(began)
	}})
}
