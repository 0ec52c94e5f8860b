package main

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"

	"agentd/results"
	"agentd/vfs"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"agentd": main})
}

func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	})
}

// step is what of an interaction must not depend on how often a run was
// interrupted.
type step struct {
	Model, Policy, Environment, Edit string
	Number                           int
	Score                            *results.Score
	Forward                          *float64
	Output                           vfs.Files
}

func steps(t *testing.T, db string) []step {
	t.Helper()
	store, err := results.OpenReading(db)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	experiments, err := store.Experiments(t.Context())
	if err != nil || len(experiments) != 1 {
		t.Fatalf("%d experiments, %v", len(experiments), err)
	}
	relays, err := store.Relays(t.Context(), experiments[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	var all []step
	for _, r := range relays {
		interactions, err := store.Interactions(t.Context(), r.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, in := range interactions {
			all = append(all, step{r.Model, r.Policy, r.Environment, in.Edit, in.Number, in.Score, in.Forward, in.Output})
		}
	}
	return all
}

func TestKilledAtAnyMomentNothingIsLostOrTwice(t *testing.T) {
	t.Parallel()
	args := []string{"run", "--round-trips", "6", "--model", "sim:weak", "--concurrency", "2", "--name", "killed"}
	undisturbed := filepath.Join(t.TempDir(), "undisturbed.db")
	if out, err := exec.Command("agentd", append(args, "--db", undisturbed)...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	db := filepath.Join(t.TempDir(), "killed.db")
	kills := 0
	for {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(50+rand.IntN(250))*time.Millisecond)
		if kills >= 15 {
			cancel()
			ctx, cancel = context.WithCancel(t.Context())
		}
		run := exec.CommandContext(ctx, "agentd", append(args, "--db", db)...) // killed with SIGKILL
		var out bytes.Buffer
		run.Stdout, run.Stderr = &out, &out
		err := run.Run()
		killed := ctx.Err() != nil
		cancel()
		if err == nil {
			break
		}
		var exit *exec.ExitError
		if !errors.As(err, &exit) || !killed {
			t.Fatalf("after %d kills: %v: %s", kills, err, &out)
		}
		kills++
	}
	if kills == 0 {
		t.Error("the run was never killed")
	}
	if diff := cmp.Diff(steps(t, undisturbed), steps(t, db)); diff != "" {
		t.Errorf("after %d kills: %s", kills, diff)
	}
	if left, err := os.ReadDir(filepath.Dir(db)); err != nil || len(left) > 3 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestServersThatRefuse(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status         int
		exit           int
		stdout, stderr string
	}{
		"a refused request is a failure of the interaction": {400, 0, "broken +direct +2 +2 ", `"level":"warn".*"interaction":1.*"message":"model error"`},
		"a denied key ends the run":                         {401, 1, "^$", "model broken: access denied: .*"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(c.status)
				_, _ = w.Write([]byte(`{"error": {"message": "no"}}`))
			}))
			defer server.Close()
			file := filepath.Join(t.TempDir(), "x.yaml")
			text := "models: [{name: broken, base_url: " + server.URL + "/v1}]\npolicies: [direct]\nenvironments: {names: [accounting1]}\nrelay: {round_trips: 1}\n"
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			run := exec.Command("agentd", "run", file, "--db", filepath.Join(t.TempDir(), "x.db"))
			var stdout, stderr bytes.Buffer
			run.Stdout, run.Stderr = &stdout, &stderr
			_ = run.Run() // its status is looked at
			if got := run.ProcessState.ExitCode(); got != c.exit {
				t.Errorf("exit status %d, want %d", got, c.exit)
			}
			if !regexp.MustCompile(c.stdout).Match(stdout.Bytes()) || !regexp.MustCompile(c.stderr).Match(stderr.Bytes()) {
				t.Errorf("stdout %s, stderr %s", &stdout, &stderr)
			}
		})
	}
}

func TestAnInterruptIsExitStatus130(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "x.db")
	run := exec.Command("agentd", "run", "--round-trips", "500", "--model", "sim:weak", "--policy", "direct", "--db", db)
	var stderr bytes.Buffer
	run.Stderr = &stderr
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	for _, err := os.Stat(db); err != nil; _, err = os.Stat(db) { // it works, so it listens
		time.Sleep(time.Millisecond)
	}
	_ = run.Process.Signal(os.Interrupt)
	_ = run.Wait() // its status is looked at
	if got := run.ProcessState.ExitCode(); got != exitInterrupted || !strings.Contains(stderr.String(), "goes on from there") {
		t.Errorf("exit status %d, want %d: %s", got, exitInterrupted, &stderr)
	}
}
