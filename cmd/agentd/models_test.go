package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agentd/report/relay"
	"agentd/results"
)

// runOn runs an experiment of 20 interactions with each of two policies and
// returns what is stored.
func runOn(t *testing.T, models string, flags ...string) []results.Interaction {
	t.Helper()
	dir := t.TempDir()
	file, db := filepath.Join(dir, "x.yaml"), filepath.Join(dir, "x.db")
	text := "name: x\nmodels: [" + models + "]\npolicies: [agentic, direct]\nenvironments: {names: [accounting1]}\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("agentd", append([]string{"run", file, "--db", db}, flags...)...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	store, err := results.OpenReading(db)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	var all []results.Interaction
	for relay := int64(1); relay <= 2; relay++ {
		interactions, err := store.Interactions(t.Context(), relay)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, interactions...)
	}
	if len(all) != 40 {
		t.Fatalf("%d interactions are stored, want 40", len(all))
	}
	return all
}

// cameTo is what interactions came to: documents, scores, usage and tool calls.
func cameTo(all []results.Interaction) []string {
	var lines []string
	for _, in := range all {
		line := fmt.Sprint(in.Number, in.Edit, in.Failure, in.Detail, in.Ending, in.Output, in.Prompt, in.Cached, in.Completion, relay.Operations(in))
		if in.Score != nil {
			line += fmt.Sprint(*in.Score)
		}
		if in.Forward != nil {
			line += fmt.Sprint(*in.Forward)
		}
		lines = append(lines, line)
	}
	return lines
}

func TestFaultsDoNotChangeScores(t *testing.T) {
	t.Parallel()
	calm := runOn(t, "sim:weak")
	rough := runOn(t, `{name: "sim:weak", headers: {Sim-Faults: "0.2"}, backoff: 1ms}`)
	if diff := cmp.Diff(cameTo(calm), cameTo(rough)); diff != "" {
		t.Errorf("with faults: %s", diff)
	}
	retries, wasted, unknown := 0, 0, 0
	for _, in := range rough {
		for _, turn := range in.Turns {
			retries, wasted, unknown = retries+turn.Retries, wasted+turn.WastedPrompt, unknown+turn.UnknownAttempts
		}
		unknown -= in.UnknownAttempts
	}
	if retries < 10 || wasted == 0 || unknown != 0 {
		t.Errorf("%d retries, %d tokens of thrown away answers; %d attempts of unknown cost are not in the sums", retries, wasted, unknown)
	}
}

func TestAReplayIsTheRun(t *testing.T) {
	t.Parallel()
	recording := filepath.Join(t.TempDir(), "x.jsonl")
	first := runOn(t, `{name: "sim:weak", headers: {Sim-Faults: "0.3"}, backoff: 1ms, price: {input: 1, output: 2}}`, "--record", recording, "--trace", "full")
	second := runOn(t, `"replay:`+recording+`"`, "--trace", "full")
	for _, all := range [][]results.Interaction{first, second} {
		for i := range all { // of the machine
			all[i].ID, all[i].Relay, all[i].Started, all[i].Duration = 0, 0, time.Time{}, 0
			for k := range all[i].ToolCalls {
				all[i].ToolCalls[k].Duration = 0
			}
		}
	}
	if diff := cmp.Diff(first, second); diff != "" {
		t.Errorf("replayed: %s", diff)
	}
	raw, err := os.ReadFile(recording)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(raw), "Sim-Faults") {
		t.Error("the recording holds headers")
	}

	db := filepath.Join(t.TempDir(), "y.db")
	out, _ := exec.Command("agentd", "run", "--model", "replay:"+recording, "--policy", "direct", "--env", "accounting1", "--seed", "2", "--db", db).CombinedOutput()
	if !strings.Contains(string(out), "request not recorded") {
		t.Errorf("another seed: %s", out)
	}
	store, err := results.OpenReading(db)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if last, err := store.Last(t.Context(), 1); err != nil || last.Number != 0 {
		t.Errorf("interaction %d is stored though nothing was recorded of it, error %v", last.Number, err)
	}
}
