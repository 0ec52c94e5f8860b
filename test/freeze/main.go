// Command freeze records what the domains make of documents, and compares two recordings, so that a change that is to
// leave scores and edits as they are can be seen to do so:
//
//	go run ./test/freeze -to /tmp/before                         # before the change
//	go run ./test/freeze -against /tmp/before                    # after it; exit status 1 if anything differs
//	go run ./test/freeze -against /tmp/before -domain dns,json   # two domains alone
//	go run ./test/freeze /tmp/before /tmp/after                  # two recordings
//
// Recorded are RS with its components, Strict and the differences of all golden rows and of the generated equivalences and near
// misses; the elements of each of their documents, and what is left of it without every third element; and the documents that
// each derived edit makes, there and back, of the seeds, the released excerpts and the references of labelled golden rows.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"agentd/domains/catalog"
	"agentd/harness/experiment"
)

// Exit statuses.
const (
	differs = 1
	failed  = 2
)

func main() {
	o, before, after, err := arguments(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "freeze:", err)
		os.Exit(failed)
	}
	n, err := run(context.Background(), os.Stdout, o, before, after)
	if err != nil {
		fmt.Fprintln(os.Stderr, "freeze:", err)
		os.Exit(failed)
	}
	if n > 0 {
		os.Exit(differs)
	}
}

// options say what is recorded and compared.
type options struct {
	sources
	domains []string // all if empty
	jobs    int      // rows worked on at a time
	shown   int      // differences shown of each domain
}

// arguments reads the command line. before is a recording to compare with, empty if none; after is where
// a recording is to be or, without sources to record, is.
func arguments(args []string) (o options, before, after string, err error) {
	flags := flag.NewFlagSet("freeze", flag.ContinueOnError)
	flags.StringVar(&after, "to", "", "`folder` of the recording (default: a temporary one)")
	flags.StringVar(&before, "against", "", "`folder` of an earlier recording to compare with")
	flags.StringVar(&o.golden, "golden", "../shared/golden", "`folder` of golden rows")
	flags.StringVar(&o.released, "released", "../shared/released", "`folder` of released environments")
	only := flags.String("domain", "", "`domains`, separated by commas (default: all)")
	flags.IntVar(&o.jobs, "jobs", runtime.NumCPU(), "rows worked on at a time")
	flags.IntVar(&o.shown, "show", 5, "differences shown of each domain")
	if err := flags.Parse(args); err != nil {
		return o, "", "", err
	}
	if *only != "" {
		o.domains = strings.Split(*only, ",")
	}
	for _, name := range o.domains {
		if _, ok := catalog.Lookup(name); !ok {
			return o, "", "", fmt.Errorf("there is no domain %q", name)
		}
	}
	switch {
	case flags.NArg() == 2 && before == "" && after == "":
		o.sources = sources{}
		return o, flags.Arg(0), flags.Arg(1), nil
	case flags.NArg() > 0:
		return o, "", "", fmt.Errorf("either flags, or the folders of two recordings: %q", flags.Args())
	}
	return o, before, after, nil
}

// run records, unless it is only to compare, compares, and returns the number of differences.
func run(ctx context.Context, out io.Writer, o options, before, after string) (int, error) {
	if o.sources != (sources{}) {
		if after == "" {
			temporary, err := os.MkdirTemp("", "freeze")
			if err != nil {
				return 0, fmt.Errorf("making a folder for the recording: %w", err)
			}
			after = temporary
			if before != "" {
				defer os.RemoveAll(temporary)
			}
		}
		if err := recordAll(ctx, out, o, after); err != nil {
			return 0, err
		}
	}
	if before == "" {
		return 0, nil
	}
	return compareAll(out, o, before, after)
}

// recordAll writes a file for each domain.
func recordAll(ctx context.Context, out io.Writer, o options, to string) error {
	start := time.Now()
	for _, dir := range []string{o.golden, o.released} {
		if _, err := os.Stat(dir); err != nil {
			return fmt.Errorf("looking for documents to record: %w", err)
		}
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return fmt.Errorf("making the folder of the recording: %w", err)
	}
	p := experiment.Sandbox{Name: experiment.Bwrap}.Programs(ctx)
	defer p.Close()
	lookup := catalog.Running(p)
	for _, d := range catalog.All() {
		name := d.Info().Name
		if len(o.domains) > 0 && !slices.Contains(o.domains, name) {
			continue
		}
		began := time.Now()
		d, _ := lookup(name)
		recorded, err := record(d, o.sources, o.jobs)
		if err != nil {
			return fmt.Errorf("recording %s: %w", name, err)
		}
		if err := recorded.save(file(to, name)); err != nil {
			return err
		}
		fmt.Fprintf(out, "%-12s %6d entries  %5.1f s\n", name, len(recorded.entries), time.Since(began).Seconds())
	}
	fmt.Fprintf(out, "recorded in %s: %.0f s\n", to, time.Since(start).Seconds())
	return nil
}

// ending is that of the file of a domain.
const ending = ".jsonl.gz"

func file(dir, domain string) string { return filepath.Join(dir, domain+ending) }
