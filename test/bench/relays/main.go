// Command relays measures how well one process keeps many relays going: agentic
// editing of a small document, against a stand-in that answers after a second.
// Throughput is the time that the relays' completions take at the least, over
// the time that the relays took.
//
//	go build -o bin/agentd ./cmd/agentd && go run ./test/bench/relays
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"agentd/results"
)

var (
	binary = flag.String("agentd", "bin/agentd", "the program to measure")
	relays = flag.Int("relays", 1000, "relays at once")
	trips  = flag.Int("round-trips", 1, "round trips of each")
	delay  = flag.Duration("delay", time.Second, "time that the model takes to answer")
	policy = flag.String("policy", "agentic", "policy")
)

func main() {
	flag.Parse()
	dir, err := os.MkdirTemp("", "agentd-relays-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := measure(dir); err != nil {
		log.Print(err) // the folder is removed
	}
}

func measure(dir string) error {
	data, db := filepath.Join(dir, "sizes"), filepath.Join(dir, "relays.db")
	if out, err := exec.Command(*binary, "env", "resize", "accounting1", "--tokens", "1000", "--to", data).CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	server := exec.Command(*binary, "sim-server", "--listen", "127.0.0.1:0", "--delay", delay.String(), "--data", data)
	stdout, err := server.StdoutPipe()
	if err != nil {
		return err
	}
	if err := server.Start(); err != nil {
		return err
	}
	stop := sync.OnceFunc(func() {
		_ = server.Process.Signal(os.Interrupt)
		_ = server.Wait()
	})
	defer stop()
	url, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		return err
	}
	file := filepath.Join(dir, "relays.yaml")
	text := fmt.Sprintf("name: relays\nmodels: [{name: weak, model: \"sim:weak\", base_url: %q, seeded: true, price: {input: 0, output: 0}}]\n"+
		"policies: [%s]\nenvironments: {data: %s}\nrelay: {round_trips: %d, repeats: %d, distractors: false}\n",
		strings.TrimSpace(url), *policy, data, *trips, *relays)
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		return err
	}
	run := exec.Command(*binary, "run", file, "--db", db, "--concurrency", fmt.Sprint(*relays))
	if out, err := run.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	stop()
	return report(db, run.ProcessState, server.ProcessState)
}

// report compares the relays' time with the least that their turns take.
func report(db string, agentd, server *os.ProcessState) error {
	ctx := context.Background()
	store, err := results.OpenReading(db)
	if err != nil {
		return err
	}
	defer store.Close()
	experiment, err := store.Experiment(ctx, "relays")
	if err != nil {
		return err
	}
	all, err := store.Relays(ctx, experiment.ID)
	if err != nil {
		return err
	}
	var begun, ended time.Time
	var ideal, actual time.Duration
	ends := make([]time.Time, 0, len(all))
	interactions, turns := 0, 0
	for _, r := range all {
		steps, err := store.Interactions(ctx, r.ID)
		if err != nil {
			return err
		}
		for _, in := range steps {
			if begun.IsZero() || in.Started.Before(begun) {
				begun = in.Started
			}
			interactions++
			turns += len(in.Turns)
			ideal += time.Duration(len(in.Turns)) * *delay
		}
		last := steps[len(steps)-1]
		ends = append(ends, last.Started.Add(last.Duration))
	}
	for _, end := range ends {
		actual += end.Sub(begun)
		if end.After(ended) {
			ended = end
		}
	}
	fmt.Printf("%d relays, %d interactions, %d completions in %.1f s\n", len(all), interactions, turns, ended.Sub(begun).Seconds())
	each := func(p *os.ProcessState) float64 {
		return 1000 * (p.UserTime() + p.SystemTime()).Seconds() / float64(interactions)
	}
	fmt.Printf("throughput %.1f %% of the ideal, %d MB resident at most, %.2f ms of CPU for each interaction and %.2f ms of the server's\n",
		100*ideal.Seconds()/actual.Seconds(), agentd.SysUsage().(*syscall.Rusage).Maxrss/1000, each(agentd), each(server))
	return nil
}
