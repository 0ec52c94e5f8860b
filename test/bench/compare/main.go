// Command compare measures the CPU time of comparing a document with a damaged copy of itself, for the seed of every
// built-in environment: each twentieth element is left out, and one digit in fifty is another. Each measurement is a
// process of its own on one processor, in which seed and candidate are read again each time. It counts user and system
// time, and so the garbage collector's.
//
// Two versions of agentd are compared in turns, so that other work on the machine meets both, and the least of each
// counts. The older one is this program, copied into a checkout of it and built there:
//
//	go build -o /tmp/older ./test/bench/compare     # in the other checkout
//	go run ./test/bench/compare -older /tmp/older
package main

import (
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

// measure prints the nanoseconds of CPU time and the bytes that a comparison takes.
func measure(env *environments.Environment) {
	runtime.GOMAXPROCS(1)
	debug.SetGCPercent(collectAt)
	found, _ := catalog.Lookup(env.Domain)
	d := env.Apply(found)
	candidate := damaged(d, env.Seed)
	for range *times / 10 {
		d.Compare(env.Seed, candidate)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := cpu()
	for range *times {
		d.Compare(env.Seed, candidate)
	}
	took := cpu() - start
	runtime.ReadMemStats(&after)
	fmt.Println(int(took) / *times, int(after.TotalAlloc-before.TotalAlloc) / *times)
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

// cost is the least that a comparison took.
type cost struct{ nanoseconds, bytes int }

// take measures an environment with a program once more.
func (c *cost) take(program, environment string) error {
	out, err := exec.Command(program, "-single", environment, "-times", fmt.Sprint(*times)).Output()
	if err != nil {
		return fmt.Errorf("measuring %s with %s: %w", environment, program, err)
	}
	var now cost
	if _, err := fmt.Sscan(string(out), &now.nanoseconds, &now.bytes); err != nil {
		return fmt.Errorf("%s says %q of %s: %w", program, out, environment, err)
	}
	if c.nanoseconds == 0 || now.nanoseconds < c.nanoseconds {
		*c = now
	}
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
				if err := befores[i].take(*older, envs[i].Name); err != nil {
					return err
				}
			}
			if err := afters[i].take(this, envs[i].Name); err != nil {
				return err
			}
		}
	}
	fmt.Println("| domain | before | now | ratio | allocated before | now |\n| --- | ---: | ---: | ---: | ---: | ---: |")
	var sumBefore, sumAfter cost
	logs, n := 0.0, 0.0
	for i := range envs {
		before, after := befores[i], afters[i]
		if after.nanoseconds == 0 {
			continue
		}
		fmt.Println(row(strings.TrimSuffix(envs[i].Name, "1"), before, after, ratio(before, after)))
		sumBefore.nanoseconds += before.nanoseconds
		sumBefore.bytes += before.bytes
		sumAfter.nanoseconds += after.nanoseconds
		sumAfter.bytes += after.bytes
		logs += math.Log(ratio(before, after))
		n++
	}
	fmt.Println(row("sum; geometric mean of the ratios", sumBefore, sumAfter, math.Exp(logs/n)))
	return nil
}

func ratio(before, after cost) float64 {
	return float64(before.nanoseconds) / float64(after.nanoseconds)
}

func row(name string, before, after cost, ratio float64) string {
	return fmt.Sprintf("| %s | %.2f ms | %.2f ms | %.2f | %.2f MB | %.2f MB |", name,
		float64(before.nanoseconds)/1e6, float64(after.nanoseconds)/1e6, ratio, float64(before.bytes)/1e6, float64(after.bytes)/1e6)
}
