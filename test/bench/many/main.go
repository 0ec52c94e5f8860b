// Command many measures a thousand interactions at once: as many relays of one
// model as there are interactions, against a stand-in server that takes a second
// for each answer. It prints what agentd's process needed: wall time, memory at
// most, CPU for each interaction, how much of it was spent on JSON, and how many
// goroutines were left.
//
//	go run ./test/bench/many
package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/pprof"
	"strings"
	"syscall"
	"time"

	"github.com/rs/zerolog"

	"agentd/domains/catalog"
	"agentd/environments"
	"agentd/harness"
	"agentd/harness/experiment"
	"agentd/harness/fleet"
	"agentd/harness/standin"
	"agentd/internal/memory"
	"agentd/models"
	"agentd/models/sim"
	policycatalog "agentd/policies/catalog"
	"agentd/results"
)

var (
	atOnce  = flag.Int("n", 1000, "interactions at once")
	delay   = flag.Duration("delay", time.Second, "what the server takes for an answer")
	keep    = flag.String("cpuprofile", "", "keep the CPU profile in this file")
	api     = flag.String("api", "chat", "dialect: chat, responses, messages or gemini")
	asModel = flag.Bool("serve", false, "be the server; the measuring process starts it so")
)

func main() {
	flag.Parse()
	memory.Collect()
	memory.Bound(memory.Work)
	do := measure
	if *asModel {
		do = serve
	}
	if err := do(); err != nil {
		log.Fatal(err)
	}
}

// serve is a stand-in server that ends with its standard input.
func serve() error {
	envs, err := environments.Builtin()
	if err != nil {
		return err
	}
	server, err := sim.Listen("127.0.0.1:0", standin.NewIndex(envs, catalog.Lookup), sim.Options{Delay: *delay})
	if err != nil {
		return err
	}
	fmt.Println(server.URL())
	_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
	return errors.Join(server.Close(), server.Wait())
}

func startServer() (url string, stop func() error, err error) {
	server := exec.Command(os.Args[0], "-serve", "-delay", delay.String())
	server.Stderr = os.Stderr
	stdin, err := server.StdinPipe()
	if err != nil {
		return "", nil, err
	}
	stdout, err := server.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := server.Start(); err != nil {
		return "", nil, err
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	return strings.TrimSpace(line), func() error { return errors.Join(stdin.Close(), server.Wait()) }, err
}

func measure() (err error) {
	url, stop, err := startServer()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	dir, err := os.MkdirTemp("", "agentd-many-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	profile, err := os.Create(cmp.Or(*keep, filepath.Join(dir, "cpu.prof")))
	if err != nil {
		return err
	}
	x, err := open(context.Background(), url)
	if err != nil {
		return err
	}
	goroutines, before, start := runtime.NumGoroutine(), used(), time.Now()
	if err := pprof.StartCPUProfile(profile); err != nil {
		return err
	}
	done, err := work(filepath.Join(dir, "many.db"), x.Experiment)
	pprof.StopCPUProfile()
	if err = errors.Join(err, profile.Close()); err != nil {
		return err
	}
	took, after := time.Since(start), used()
	if err := x.Close(); err != nil {
		return err
	}
	fmt.Printf("%d interactions, %d at once, in %.1f s; %d MiB resident at most\n", done, *atOnce, took.Seconds(), after.maxRSS>>10)
	cpu := (after.cpu - before.cpu).Seconds() * 1000 / float64(done)
	fmt.Printf("%.2f ms of CPU for each", cpu)
	for _, c := range []struct{ what, functions string }{
		{"JSON and TLS", `encoding/json|go-json-experiment|crypto/tls`}, {"those and scoring", `encoding/json|go-json-experiment|crypto/tls|agentd/domains`},
	} {
		share, err := shareOf(profile.Name(), c.functions)
		if err != nil {
			return err
		}
		fmt.Printf(", %.2f ms without %s", cpu*(1-share), c.what)
	}
	fmt.Println()
	fmt.Printf("%d goroutines left\n", left(goroutines))
	return nil
}

// open opens an experiment that has a relay of two interactions for each that is to go
// on at once.
func open(ctx context.Context, url string) (*experiment.Experiment, error) {
	envs, err := environments.Builtin()
	if err != nil {
		return nil, err
	}
	spec := experiment.Default()
	spec.Name = "many"
	spec.Models = []experiment.Model{{Spec: models.Spec{Name: "sim:weak", API: models.API(*api), BaseURL: url, Seeded: true, StandIn: true}}}
	spec.Policies = []policycatalog.Spec{{Use: "direct"}}
	spec.Environments.Names = []string{envs[0].Name}
	spec.Relay.RoundTrips, spec.Relay.Repeats = 1, *atOnce
	return experiment.Open(ctx, spec, experiment.Options{})
}

// work carries the experiment out and returns how many interactions were stored.
func work(db string, x *harness.Experiment) (done int, err error) {
	ctx := context.Background()
	store, err := results.Open(db)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	f, err := fleet.New(ctx, store, fleet.Options{
		Concurrency: *atOnce, Grace: fleet.DefaultGrace, TakeOver: fleet.DefaultTakeOver, Log: zerolog.New(os.Stderr),
		Failed: func(results.Relay, error) fleet.Verdict { return fleet.Stop },
	})
	if err != nil {
		return 0, err
	}
	record, err := f.Begin(ctx, x, nil, false)
	if err != nil {
		return 0, err
	}
	if err := f.Finish(ctx, ctx, record); err != nil {
		return 0, err
	}
	standing, err := store.Standing(ctx, record.ID)
	return standing.Done, err
}

type usage struct {
	cpu    time.Duration
	maxRSS int64 // KiB
}

func used() usage {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		log.Fatal(err)
	}
	return usage{time.Duration(u.Utime.Nano() + u.Stime.Nano()), u.Maxrss}
}

var percent = regexp.MustCompile(`Showing nodes accounting for [^,]+, ([0-9.]+)%`)

// shareOf is the share of a profile's time that was spent below functions whose
// names match.
func shareOf(profile, functions string) (float64, error) {
	out, err := exec.Command("go", "tool", "pprof", "-top", "-cum", "-nodecount=1000000", "-nodefraction=0", "-edgefraction=0", "-focus", functions, profile).CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("reading the profile: %w: %s", err, out)
	}
	found := percent.FindSubmatch(out)
	if found == nil {
		return 0, fmt.Errorf("reading the profile: %s", out)
	}
	var share float64
	_, err = fmt.Sscan(string(found[1]), &share)
	return share / 100, err
}

// left is how many goroutines there are beyond those there were, after a moment
// in which connections close.
func left(before int) int {
	const patience = 100
	for range patience {
		if runtime.NumGoroutine() <= before {
			return 0
		}
		time.Sleep(10 * time.Millisecond)
	}
	return runtime.NumGoroutine() - before
}
