package report

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"agentd/internal/layout"
	"agentd/internal/layout/layouttest"
	"agentd/report/statistics"
	"agentd/results"
	"agentd/results/record"
)

var update = flag.Bool("update", false, "write the golden files")

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
					step.ToolCalls = []record.Call{{Tool: "read_file"}, {Tool: []string{"run_python", "write_file"}[number%2], Changed: 1, Way: []record.Way{record.ByScript, record.ByWriting}[number%2]}}
					step.Reads = []record.Read{{File: "d.md", Origin: "distractor"}}
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

// wideText is text of a report where nothing is left out for want of space.
var wideText = TextStyle{Screen: layout.Screen{Width: 130}, Everything: true}

func TestTextFitsTheScreen(t *testing.T) {
	t.Parallel()
	reports := []*Report{wide(t), newStored(t, results.Manifest{RoundTrips: 1, Repeats: 2, Schedule: "single-edit"}).build()}
	for _, width := range []int{40, 80, 120} {
		var got bytes.Buffer
		for _, r := range reports {
			fmt.Fprintln(&got, strings.Repeat("=", 20))
			sections, err := r.Sections()
			if err != nil {
				t.Fatal(err)
			}
			if err := r.Text(&got, sections, TextStyle{Screen: layout.Screen{Width: width}}); err != nil {
				t.Fatal(err)
			}
		}
		layouttest.Golden(t, "report", width, got.String(), *update)
	}
}

// What holds for several tables of a report, and each legend, is said once.
func TestLegendsAreSaidOnceAndShort(t *testing.T) {
	t.Parallel()
	const longest = 160 // characters
	r := wide(t)
	all, err := r.Sections()
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if err := r.Text(&got, all, TextStyle{Screen: layout.Screen{Width: 80}}); err != nil {
		t.Fatal(err)
	}
	said := strings.Join(strings.Fields(got.String()), " ")
	for _, once := range []string{"@: some columns are left out", "sign-flip test", "forward steps that were carried out", "plays a model"} {
		if n := strings.Count(said, once); n != 1 {
			t.Errorf("%q is said %d times", once, n)
		}
	}
	var twice strings.Builder
	tables := tableWriter{Screen: layout.Screen{Width: 80}}
	for range 2 {
		tables.write(&twice, &Table{Title: "one", Labels: []string{"arm"}, Notes: []string{independent}})
	}
	if n := strings.Count(twice.String(), "p: Student's t-test"); n != 1 {
		t.Errorf("a note of two tables is said %d times in\n%s", n, &twice)
	}
	for _, note := range r.Notes() {
		if n := utf8.RuneCountInString(note); n > longest {
			t.Errorf("%d characters: %s", n, note)
		}
	}
}

// Numbers are the same however they are laid out.
func TestNoNumberIsCut(t *testing.T) {
	t.Parallel()
	r := wide(t)
	sections, err := r.Sections("comparison", "outcomes", "tools", "domains", "harnesses", "hidden")
	if err != nil {
		t.Fatal(err)
	}
	numbers := func(width int) map[string]bool {
		var text strings.Builder
		if err := r.Text(&text, sections, TextStyle{Screen: layout.Screen{Width: width}, Everything: true}); err != nil {
			t.Fatal(err)
		}
		found := map[string]bool{}
		for _, number := range regexp.MustCompile(`[+-]?[0-9]+\.[0-9]+`).FindAllString(text.String(), -1) {
			found[number] = true
		}
		return found
	}
	want := numbers(1000)
	for width := 40; width < 150; width++ {
		if diff := cmp.Diff(want, numbers(width)); diff != "" {
			t.Errorf("at %d columns, -want +got\n%s", width, diff)
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

// On a usual terminal the demonstration names all that is worth a look, though the names of its arms take two lines.
func TestTheDemonstrationNamesWhereToLookNext(t *testing.T) {
	t.Parallel()
	r := &Report{Stored: 4, Planned: 4}
	for _, model := range []string{"sim:frontier", "sim:weak"} {
		for _, policy := range []string{"direct", "agentic"} {
			one := statistics.Interval{Estimate: 0.7, Low: 0.6, High: 0.8, N: 2}
			r.Arms = append(r.Arms, Arm{Model: model, Policy: policy, StandIn: true, Done: one, RS: []statistics.Interval{one}, Strict: []statistics.Interval{one}})
		}
	}
	var got strings.Builder
	if err := r.Summary(&got, layout.Screen{Width: 80}, "", ""); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(got.String(), "agentd serve") {
		t.Error(got.String())
	}
}

// write writes all of a report as text.
func write(r *Report, w io.Writer) error {
	sections, err := r.Sections()
	if err != nil {
		return err
	}
	return r.Text(w, sections, wideText)
}

func TestASummaryFitsTheScreen(t *testing.T) {
	t.Parallel()
	r := wide(t)
	many := *r
	many.Arms = slices.Concat(r.Arms, r.Arms)
	many.Arms[1].Faults = many.Arms[1].Total
	none := newStored(t, results.Manifest{RoundTrips: 1, Repeats: 2, Schedule: "single-edit"}).build()
	for _, width := range []int{40, 80, 120} {
		var got strings.Builder
		for _, c := range []struct {
			r        *Report
			db, name string
		}{{r, "", ""}, {&many, "other.db", "hand"}, {none, "", "hand"}} {
			var one strings.Builder
			if err := c.r.Summary(&one, layout.Screen{Width: width}, c.db, c.name); err != nil {
				t.Fatal(err)
			}
			lines := mostLines
			if strings.Contains(one.String(), "What failed: ") {
				lines++
			}
			if n := strings.Count(one.String(), "\n"); width >= 80 && n > lines {
				t.Errorf("%d lines at %d columns: %s", n, width, &one)
			}
			got.WriteString(one.String() + "====================\n")
		}
		layouttest.Golden(t, "summary", width, got.String(), *update)
	}
}
