//go:build linux

package sandboxtest

import (
	"testing"
	"time"

	"agentd/sandbox"
	"agentd/vfs"
)

// ListAll is a script that prints a sorted list of the paths of all files and folders in the
// workspace.
const ListAll = `
import os
print(sorted(os.path.join(d, f) for d, folders, files in os.walk(".") for f in folders + files))
`

// NewRunner returns a runner with the default limits, changed by adjust unless that is nil. The
// end of the test closes it.
func NewRunner(t testing.TB, backend sandbox.Backend, adjust func(*sandbox.Limits)) sandbox.Runner {
	t.Helper()
	limits := sandbox.DefaultLimits()
	if adjust != nil {
		adjust(&limits)
	}
	run, err := backend.NewRunner(limits)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := run.Close(); err != nil {
			t.Error(err)
		}
	})
	return run
}

// Workspace returns a workspace that holds the files.
func Workspace(t testing.TB, files vfs.Files) *vfs.Workspace {
	t.Helper()
	ws, err := vfs.New(files, nil)
	if err != nil {
		t.Fatal(err)
	}
	return ws
}

// Inside is a script whose working directory is the workspace.
func Inside(code string) sandbox.Script {
	return sandbox.Script{Code: code, Cwd: sandbox.InWorkspace}
}

// MustRun runs a script in the workspace. The test fails if the sandbox itself does.
func MustRun(t testing.TB, run sandbox.Runner, ws *vfs.Workspace, code string) sandbox.Result {
	t.Helper()
	return MustRunScript(t, run, ws, Inside(code))
}

// MustRunScript is MustRun with a choice of the working directory.
func MustRunScript(t testing.TB, run sandbox.Runner, ws *vfs.Workspace, script sandbox.Script) sandbox.Result {
	t.Helper()
	result, err := run.RunPython(t.Context(), ws, script)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// Eventually waits until holds returns true. The test fails if that takes more than ten seconds,
// or longer on a machine that is declared to be slower.
func Eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	patience := 10 * time.Second * slower()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if holds() {
			return
		}
	}
	t.Fatalf("it is not so after %v: %s", patience, what)
}

// Snapshot returns what the workspace holds.
func Snapshot(t testing.TB, ws *vfs.Workspace) vfs.Files {
	t.Helper()
	files, err := ws.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	return files
}
