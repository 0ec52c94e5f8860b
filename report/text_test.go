package report

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"agentd/report/statistics"
	"agentd/results"
)

var update = flag.Bool("update", false, "write the golden files anew")

// wide is an experiment of 4 arms and 10 round trips: one arm was interrupted,
// one has no known price, one is a stand-in, one has no model.
func wide(t *testing.T) *Report {
	environments := map[string]string{"accounting1": "", "subtitles1": "", "spreadsheet1": "", "chess1": ""}
	s := newStored(t, results.Manifest{
		Models:     []results.Model{{Name: "gpt-5.4"}, {Name: "sim:frontier", StandIn: true}},
		RoundTrips: 10, Repeats: 1, Schedule: "round-robin", Seed: 1, Environments: environments, WithoutOracle: 6,
	})
	for a, arm := range []struct {
		model, policy string
		loss          float64 // of each round trip
		price         []float64
	}{
		{"gpt-5.4", "agentic", 0.01, []float64{0.25}},
		{"gpt-5.4", "direct", 0.02, nil},
		{"sim:frontier", "agentic", 0.05, []float64{0.0625}},
		{"", "noop", 0, []float64{0}},
	} {
		for e, env := range []string{"accounting1", "subtitles1", "spreadsheet1", "chess1"} {
			length := 20
			if a == 0 && e == 1 {
				length = 14
			}
			var steps []results.Interaction
			for number := 1; number <= length; number++ {
				step := used(4000*(3-a), 500, 30-10*a, arm.price...)
				step.Distractors = 4
				if arm.policy == "agentic" {
					step.ToolCalls = []results.ToolCall{{Tool: "read_file"}, {Tool: []string{"run_python", "write_file"}[number%2], Changed: 1, Way: []string{results.ByScript, results.ByWriting}[number%2]}}
					step.Reads = []results.Read{{File: "d.md", Origin: "distractor"}}
				}
				switch {
				case env == "chess1":
				case number%2 == 0:
					left := 1 - arm.loss*float64(number/2)
					step = backward(step, left, left*left)
				case e < 2: // the third has no oracles
					step = forward(step, 0.875-arm.loss)
				}
				if number%2 == 1 {
					step.Executed = new(a != 2 || number != 5)
				}
				if a == 1 && number == 9 {
					step = failed(step)
				}
				steps = append(steps, step)
			}
			s.relay(results.Relay{Model: arm.model, Policy: arm.policy, Environment: env, Schedule: make([]string, 10)}, steps...)
		}
	}
	return s.build()
}

func TestText(t *testing.T) {
	t.Parallel()
	var got bytes.Buffer
	for _, r := range []*Report{wide(t), newStored(t, results.Manifest{RoundTrips: 1, Repeats: 2, Schedule: "single-edit"}).build()} {
		fmt.Fprintln(&got, strings.Repeat("=", 20))
		if err := write(r, &got); err != nil {
			t.Fatal(err)
		}
	}
	golden := filepath.Join("testdata", "report.txt")
	if *update {
		if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("-want +got; go test ./report -update writes it anew\n%s", diff)
	}
	for line := range strings.Lines(got.String()) {
		if n := utf8.RuneCountInString(line); n > 130 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

func TestARoundTripWithoutScoresIsADash(t *testing.T) {
	t.Parallel()
	r := &Report{Stored: 4, Planned: 4, Arms: []Arm{{
		Policy: "noop", Relays: 1, Done: statistics.None(), Forward: statistics.None(),
		RS: []statistics.Interval{statistics.None(), {Estimate: 0.5, Low: math.NaN(), N: 1}}, Strict: []statistics.Interval{statistics.None(), statistics.None()},
	}}}
	var got strings.Builder
	if err := write(r, &got); err != nil {
		t.Fatal(err)
	}
	if fields := strings.Fields(got.String()); !strings.Contains(strings.Join(fields, " "), "(none) noop 1 – – – 50.0 relays (0) (1)") {
		t.Error(got.String())
	}
}

// write writes all of a report as text.
func write(r *Report, w io.Writer) error {
	sections, err := r.Sections()
	if err != nil {
		return err
	}
	return r.Text(w, sections, false)
}
