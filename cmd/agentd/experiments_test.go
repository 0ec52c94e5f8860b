package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The experiments of the paper must be runnable as they are. Here the released
// environments are played by two built-in ones, and the models by a stand-in. A
// plan needs no key.
func TestThePapersExperiments(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../environments/experiments/*.yaml")
	files = slices.DeleteFunc(files, func(file string) bool { return filepath.Base(file) == "harnesses.yaml" }) // ours
	if err != nil || len(files) != 14 {
		t.Fatalf("%d experiments, %v", len(files), err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "delegate52.jsonl"), []byte(agentd(t, dir, "env", "export", "accounting1", "hamradio1")), 0o644); err != nil {
		t.Fatal(err)
	}
	documents, err := filepath.Abs("../../environments/experiments/sizes")
	if err != nil {
		t.Fatal(err)
	}
	agentd(t, dir, "env", "resize", "--data", documents, "accounting-10k", "--tokens", "1000,10000", "--to", "sizes")
	agentd(t, dir, "env", "resize", "accounting1", "--tokens", "1000,2000", "--to", "sizes-builtin")
	for _, file := range files {
		path, err := filepath.Abs(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if plan := agentd(t, dir, "run", path, "--dry-run"); !strings.Contains(plan, "Experiment "+name+": ") {
				t.Errorf("the plan: %s", plan)
			}
			report := agentd(t, dir, "run", path, "--model", "sim:weak", "--policy", "direct", "--round-trips", "1", "--repeats", "1",
				"--domain", "accounting", "--db", filepath.Join(t.TempDir(), "x.db"))
			if !strings.Contains(report, "sim:weak") {
				t.Errorf("the report: %s", report)
			}
		})
	}
}

// agentd runs the program in a folder, without any key.
func agentd(t *testing.T, dir string, args ...string) string {
	t.Helper()
	c := exec.Command("agentd", args...)
	c.Dir = dir
	c.Env = slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return strings.HasSuffix(name, "_KEY")
	})
	var stderr strings.Builder
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		t.Fatalf("agentd %s: %v: %s", strings.Join(args, " "), err, stderr.String())
	}
	return string(out)
}
