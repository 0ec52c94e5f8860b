// Command compare measures how long a document takes to be compared with a damaged copy of itself, for the seed of every
// built-in environment: each twentieth element is left out, and one digit in fifty is another. Each measurement is a
// process of its own. The seed is read once, as in a run, in which all that came of a seed is compared with it. With
// -pairs the seed and its copy take turns as the reference, so that both are read for each comparison, as agentd score
// does. It measures wall time, and CPU time of user and system, and so the garbage collector's.
//
// Two versions of agentd are compared in turns, so that other work on the machine meets both, and the least of each
// counts. The older one is this program, copied into a checkout of it and built there:
//
//	go build -o /tmp/older ./test/bench/compare     # in the other checkout
//	go run ./test/bench/compare -older /tmp/older
package main

import (
	"errors"
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"agentd/domains"
	"agentd/domains/catalog"
	"agentd/environments"
	"agentd/vfs"
)

var (
	older  = flag.String("older", "", "this program built from an older version, to compare with")
	turns  = flag.Int("turns", 5, "how often each domain is measured")
	times  = flag.Int("times", 100, "comparisons of a measurement; a tenth of them are made before it")
	only   = flag.String("domains", "", "a regular expression of the domains to measure (default: all)")
	pairs  = flag.Bool("pairs", false, "read both documents for each comparison")
	cores  = flag.Int("cores", 0, "processors that a measurement may use (default: all)")
	single = flag.String("single", "", "measure one environment in this process")
)

func main() {
	flag.Parse()
	log.SetFlags(0)
	envs, err := environments.Builtin()
	if err != nil {
		log.Fatal(err)
	}
	if *single != "" {
		for i := range envs {
			if envs[i].Name == *single {
				measure(&envs[i])
			}
		}
		return
	}
	if err := compare(envs); err != nil {
		log.Fatal(err)
	}
}

// collectAt is agentd's: how much the heap may grow before it is collected, in percent.
const collectAt = 400

// measure prints the nanoseconds of wall time and of CPU time and the bytes that a comparison takes.
func measure(env *environments.Environment) {
	runtime.GOMAXPROCS(*cores)
	debug.SetGCPercent(collectAt)
	found, _ := catalog.Lookup(env.Domain)
	d := env.Apply(found)
	candidate := damaged(d, env.Seed)
	seed := env.Seed
	compare := func() {
		d.Compare(seed, candidate)
		if *pairs {
			seed, candidate = candidate, seed
		}
	}
	for range max(1, *times/10) {
		compare()
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start, began := cpu(), time.Now()
	for range *times {
		compare()
	}
	wall, took := time.Since(began), cpu()-start
	runtime.ReadMemStats(&after)
	fmt.Println(int(wall) / *times, int(took) / *times, int(after.TotalAlloc-before.TotalAlloc) / *times)
}

// cpu is what this process has used of the processor so far.
func cpu() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		log.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func damaged(d domains.Domain, seed vfs.Files) vfs.Files {
	files := vfs.Files{}
	digits := 0
	for name, content := range d.Without(seed, func(n int) bool { return n%20 == 7 }) {
		raw := []byte(content)
		for i, c := range raw {
			if c >= '0' && c <= '8' {
				if digits++; digits%50 == 0 {
					raw[i]++
				}
			}
		}
		files[name] = string(raw)
	}
	return files
}

// cost is what a comparison took, each figure the least of all turns: nanoseconds of wall and CPU time, and bytes.
type cost struct{ wall, cpu, bytes int }

// errUnknown means that a program has no environment of that name.
var errUnknown = errors.New("unknown environment")

// take measures an environment with a program once more.
func (c *cost) take(program, environment string) error {
	out, err := exec.Command(program, "-single", environment, "-times", fmt.Sprint(*times), fmt.Sprintf("-pairs=%t", *pairs), "-cores", fmt.Sprint(*cores)).Output()
	if err != nil {
		return fmt.Errorf("measuring %s with %s: %w", environment, program, err)
	}
	if len(out) == 0 {
		return errUnknown
	}
	var now cost
	if _, err := fmt.Sscan(string(out), &now.wall, &now.cpu, &now.bytes); err != nil {
		return fmt.Errorf("%s says %q of %s: %w", program, out, environment, err)
	}
	if c.cpu == 0 {
		*c = now
	}
	c.wall, c.cpu, c.bytes = min(c.wall, now.wall), min(c.cpu, now.cpu), min(c.bytes, now.bytes)
	return nil
}

// compare prints a table of all environments that both versions have.
func compare(envs []environments.Environment) error {
	wanted, err := regexp.Compile(*only)
	if err != nil {
		return err
	}
	this, err := os.Executable()
	if err != nil {
		return err
	}
	befores, afters := make([]cost, len(envs)), make([]cost, len(envs))
	for range *turns {
		for i := range envs {
			if d, _ := catalog.Lookup(envs[i].Domain); !wanted.MatchString(envs[i].Domain) || d.Info().Category == "General text" {
				continue
			}
			if *older != "" {
				if err := befores[i].take(*older, envs[i].Name); errors.Is(err, errUnknown) {
					continue
				} else if err != nil {
					return err
				}
			}
			if err := afters[i].take(this, envs[i].Name); err != nil {
				return err
			}
		}
	}
	fmt.Println("| domain | wall before | now | ratio | CPU before | now | ratio | allocated before | now |")
	fmt.Println("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
	var sumBefore, sumAfter cost
	walls, cpus, n := 0.0, 0.0, 0.0
	for i := range envs {
		before, after := befores[i], afters[i]
		if after.cpu == 0 {
			continue
		}
		wall, cpu := ratio(before.wall, after.wall), ratio(before.cpu, after.cpu)
		fmt.Println(row(strings.TrimSuffix(envs[i].Name, "1"), before, after, wall, cpu))
		sumBefore.add(before)
		sumAfter.add(after)
		walls, cpus, n = walls+math.Log(wall), cpus+math.Log(cpu), n+1
	}
	fmt.Println(row("sum; geometric mean of the ratios", sumBefore, sumAfter, math.Exp(walls/n), math.Exp(cpus/n)))
	return nil
}

func (c *cost) add(other cost) {
	c.wall, c.cpu, c.bytes = c.wall+other.wall, c.cpu+other.cpu, c.bytes+other.bytes
}

func ratio(before, after int) float64 { return float64(before) / float64(after) }

func row(name string, before, after cost, wall, cpu float64) string {
	ms := func(nanoseconds int) string { return fmt.Sprintf("%.2f ms", float64(nanoseconds)/1e6) }
	return fmt.Sprintf("| %s | %s | %s | %.2f | %s | %s | %.2f | %.2f MB | %.2f MB |", name,
		ms(before.wall), ms(after.wall), wall, ms(before.cpu), ms(after.cpu), cpu, float64(before.bytes)/1e6, float64(after.bytes)/1e6)
}
