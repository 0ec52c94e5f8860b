// Command scale measures agentd on an experiment of the paper's size: 19 models
// × 310 environments × 20 interactions, whose results are generated. It prints
// how long planning, resuming and reporting take, and what they need.
//
//	go build -o bin/agentd ./cmd/agentd && go run ./test/bench/scale
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"agentd/environments"
	"agentd/results"
	"agentd/results/record"
	"agentd/vfs"
)

var (
	binary   = flag.String("agentd", "bin/agentd", "the program to measure")
	nModels  = flag.Int("models", 19, "models")
	nEnvs    = flag.Int("environments", 310, "environments")
	nTrips   = flag.Int("round-trips", 10, "round trips of a relay")
	inFolder = flag.String("dir", "", "folder to work in (default a temporary one, removed at the end)")
)

func main() {
	flag.Parse()
	dir := *inFolder
	if dir == "" {
		var err error
		if dir, err = os.MkdirTemp("", "agentd-scale-"); err != nil {
			log.Fatal(err)
		}
		defer os.RemoveAll(dir)
	}
	if err := measure(dir); err != nil {
		log.Print(err) // the folder is removed
	}
}

func measure(dir string) error {
	if err := writeInputs(dir); err != nil {
		return err
	}
	db := filepath.Join(dir, "scale.db")
	// A limit of 0 USD plans everything and begins nothing.
	run := []string{"run", filepath.Join(dir, "scale.yaml"), "--db", db, "--max-usd", "0"}
	if err := timed("planning", run); err != nil {
		return err
	}
	n, took, err := fill(db)
	if err != nil {
		return err
	}
	fmt.Printf("%-12s %d interactions, %.2f ms each\n", "storing", n, took.Seconds()*1000/float64(n))
	if err := timed("resuming", run); err != nil {
		return err
	}
	if err := timed("report", []string{"report", "--db", db}); err != nil {
		return err
	}
	info, err := os.Stat(db)
	if err != nil {
		return err
	}
	fmt.Printf("%-12s %.2f GB\n", "file", float64(info.Size())/1e9)
	return nil
}

// timed runs agentd and prints what it took. Its exit status is no matter: a
// run that may cost nothing fails.
func timed(name string, args []string) error {
	c := exec.Command(*binary, args...)
	start := time.Now()
	out, err := c.CombinedOutput()
	if c.ProcessState == nil || c.ProcessState.ExitCode() > 1 {
		return fmt.Errorf("%s: %v: %s", name, err, out)
	}
	usage := c.ProcessState.SysUsage().(*syscall.Rusage)
	fmt.Printf("%-12s %.2f s, %.2f s of CPU, %d MB resident at most\n", name, time.Since(start).Seconds(),
		(c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds(), usage.Maxrss/1000)
	return nil
}

// writeInputs writes the built-in environments under many names, and an
// experiment of them with models that are never asked.
func writeInputs(dir string) error {
	builtin, err := environments.Builtin()
	if err != nil {
		return err
	}
	out, err := os.Create(filepath.Join(dir, "scale.jsonl"))
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(out)
	for i := range *nEnvs {
		if err := encoder.Encode(released(builtin[i%len(builtin)], i)); err != nil {
			return err
		}
	}
	var models []string
	for i := range *nModels {
		models = append(models, fmt.Sprintf(`{name: model-%02d, base_url: "http://127.0.0.1:9/v1", price: {input: 1, output: 2}}`, i))
	}
	text := fmt.Sprintf("name: scale\nmodels: [%s]\npolicies: [direct]\nenvironments: {data: %s}\nrelay: {round_trips: %d}\n",
		strings.Join(models, ", "), out.Name(), *nTrips)
	if err := os.WriteFile(filepath.Join(dir, "scale.yaml"), []byte(text), 0o644); err != nil {
		return err
	}
	return out.Close()
}

// released is an environment as a line of the released format.
func released(env environments.Environment, n int) map[string]any {
	files, prompts := map[string]string{}, []map[string]any{}
	for name, content := range env.Seed {
		files["seed/"+name] = content
	}
	for name, content := range env.Distractors {
		files["distractor_context/"+name] = content
	}
	states := []map[string]any{}
	for _, edit := range env.Edits {
		prompts = append(prompts, map[string]any{"prompt_id": edit.Name, "target_state": edit.Name, "prompt": edit.Forward})
		states = append(states, map[string]any{"state_id": edit.Name, "context": edit.Targets, "prompts": []map[string]any{
			{"prompt_id": "back_" + edit.Name, "target_state": "basic_state", "prompt": edit.Backward},
		}})
	}
	states = append(states, map[string]any{"state_id": "basic_state", "context": env.Targets, "solution_folder": "seed", "prompts": prompts})
	return map[string]any{
		"sample_id": fmt.Sprintf("%s_%03d", env.Domain, n), "sample_type": env.Domain, "sample_name": fmt.Sprint("copy ", n),
		"states": states, "metadata": map[string]any{"start_state": "basic_state"}, "files": files,
	}
}

// fill stores an interaction for every step of every relay: a built-in document
// that changes a little each time, with a full trace of an agentic policy.
func fill(db string) (stored int, took time.Duration, err error) {
	ctx := context.Background()
	store, err := results.Open(db)
	if err != nil {
		return 0, 0, err
	}
	defer store.Close()
	experiment, err := store.Experiment(ctx, "scale")
	if err != nil {
		return 0, 0, err
	}
	relays, err := store.Relays(ctx, experiment.ID)
	if err != nil {
		return 0, 0, err
	}
	builtin, err := environments.Builtin()
	if err != nil {
		return 0, 0, err
	}
	start := time.Now()
	for i, r := range relays {
		document := strings.Join(slices.Collect(maps.Values(builtin[i%len(builtin)].Seed)), "")
		random := rand.New(rand.NewPCG(uint64(r.ID), 1))
		for number := 1; number <= 2*len(r.Schedule); number++ {
			document = spoil(document, random)
			if err := store.Append(ctx, interaction(r.ID, number, document), nil); err != nil {
				return stored, 0, err
			}
			stored++
		}
	}
	return stored, time.Since(start), nil
}

// spoil alters twenty bytes of a document.
func spoil(document string, random *rand.Rand) string {
	b := []byte(document)
	for range 20 {
		b[random.IntN(len(b))] = byte('0' + random.IntN(10))
	}
	return string(b)
}

func interaction(relay int64, number int, document string) *results.Interaction {
	cost := 0.02
	in := &results.Interaction{
		Relay: relay, Number: number, Edit: "split_by_month", Direction: results.Forward, Started: time.Now(),
		Duration: 40 * time.Second, Ending: "finished", Output: vfs.Files{"document.txt": document}, Distractors: 4,
	}
	if number%2 == 0 {
		in.Direction = results.Backward
		in.Score = &results.Score{RS: 1 - 0.01*float64(number), Strict: 1 - 0.02*float64(number),
			Components: map[string]float64{"coverage": 0.9, "amounts": 0.95}, Reference: 60, Candidate: 59}
	}
	for turn := 1; turn <= 6; turn++ {
		in.Turns = append(in.Turns, record.Turn{
			Usage: record.Usage{Tokens: record.Tokens{Prompt: 9_000, Completion: 900}, Cost: &cost}, Duration: 6 * time.Second, Finish: "tool_calls",
		})
		in.ToolCalls = append(in.ToolCalls, record.Call{
			Turn: turn, Tool: "read_file", ArgNames: []string{"path"}, In: 30, Out: 15_000, Duration: time.Millisecond,
		})
		in.Reads = append(in.Reads, record.Read{File: fmt.Sprintf("file-%d.md", turn), Origin: "distractor", Tool: "read_file"})
	}
	in.Usage = record.Usage{Tokens: record.Tokens{Prompt: 54_000, Completion: 5_400}, Cost: &cost}
	return in
}
