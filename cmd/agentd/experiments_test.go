package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/harness"
	policycatalog "agentd/policies/catalog"
	"agentd/policies/exec/agents"
)

// The experiments of the paper must be runnable as they are. Here the released
// environments are played by two built-in ones, and the models by a stand-in. A
// plan needs no key.
func TestThePapersExperiments(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../experiments/*.yaml")
	files = slices.DeleteFunc(files, func(file string) bool { return filepath.Base(file) == "harnesses.yaml" }) // ours
	if err != nil || len(files) != 12 {
		t.Fatalf("%d experiments, %v", len(files), err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "delegate52.jsonl"), []byte(agentd(t, dir, "env", "export", "accounting1", "hamradio1")), 0o644); err != nil {
		t.Fatal(err)
	}
	documents, err := filepath.Abs("../../experiments/sizes")
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

// The leaderboard of harnesses has every agent that there is a preset for.
func TestTheLeaderboardOfHarnessesHasEveryAgent(t *testing.T) {
	t.Parallel()
	s := defaultSettings()
	if err := readExperiment("../../experiments/harnesses.yaml", &s); err != nil {
		t.Fatal(err)
	}
	presets, err := agents.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range presets {
		if !slices.ContainsFunc(s.Policies, func(spec policycatalog.Spec) bool { return spec.Agent == p.Name }) {
			t.Errorf("%s is missing", p.Name)
		}
	}
}

// The models are those of the paper's runs, and so is what each table varies.
func TestThePapersExperimentsAreThePapers(t *testing.T) {
	t.Parallel()
	four := []string{"gpt-4.1-2025-04-14", "gpt-5.1-2025-11-13", "gpt-5.2-2025-12-11", "gpt-5.4-2026-03-05"}
	all := slices.Concat(four, []string{
		"claude-opus-4-6", "claude-sonnet-4-6", "gemini-3-flash-preview", "gemini-3.1-pro-preview", "gpt-4o-2024-11-20",
		"gpt-5-2025-08-07", "gpt-5-chat-2025-10-03", "gpt-5-mini-2025-08-07", "gpt-5-nano-2025-08-07", "gpt-oss-120b", "grok-4.1",
		"Mistral-Large-3", "moonshotai/Kimi-K2.5", "o1-2024-12-17", "o3-2025-04-16",
	})
	slices.Sort(all)
	direct, both := []string{"direct"}, []string{"direct", "agentic"}
	for name, want := range map[string]struct {
		models, policies []string
		roundTrips       int
		schedule         harness.ScheduleKind
		distractors      bool
		perDomain        int
	}{
		"main-relay":     {all, direct, 10, harness.RoundRobin, true, 0},
		"tools":          {four, both, 10, harness.RoundRobin, true, 0},
		"document-size":  {[]string{"gpt-5.4-2026-03-05"}, direct, 10, harness.RoundRobin, false, 0},
		"length-100":     {four, direct, 50, harness.RoundRobin, true, 0},
		"no-distractors": {four, direct, 10, harness.RoundRobin, false, 0},
		"single-edit":    {four, direct, 10, harness.EveryEdit, true, 1},
	} {
		for _, file := range []string{name, name + "-forward"} {
			s := defaultSettings()
			if err := readExperiment(filepath.Join("../../experiments", file+".yaml"), &s); err != nil {
				t.Fatal(err)
			}
			var models, policies []string
			for _, m := range s.Models {
				models = append(models, m.Name)
			}
			slices.Sort(models)
			for _, p := range s.Policies {
				policies = append(policies, p.Use)
			}
			if diff := cmp.Diff(want.models, models); diff != "" {
				t.Errorf("%s, models: %s", file, diff)
			}
			if diff := cmp.Diff(want.policies, policies); diff != "" {
				t.Errorf("%s, policies: %s", file, diff)
			}
			if r := s.Relay; r.RoundTrips != want.roundTrips || r.Schedule.kind != want.schedule || r.Distractors != want.distractors || r.Repeats != 1 {
				t.Errorf("%s: %+v", file, r)
			}
			if file == name && s.Environments.PerDomain != want.perDomain {
				t.Errorf("%s: %d environments a domain, want %d", file, s.Environments.PerDomain, want.perDomain)
			}
		}
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
