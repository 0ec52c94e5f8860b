package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/jedib0t/go-pretty/v6/text"

	"agentd/internal/layout"
	"agentd/internal/layout/layouttest"
	"agentd/results"
)

// A report without a choice of sections is one page, which names the other sections.
func TestABriefIsOnePage(t *testing.T) {
	t.Parallel()
	reports := []*Report{wide(t), newStored(t, results.Manifest{RoundTrips: 1, Repeats: 2, Schedule: "single-edit"}).build()}
	for _, width := range []int{40, 80, 120} {
		var got strings.Builder
		for _, r := range reports {
			var one strings.Builder
			if err := r.Brief(&one, layout.Screen{Width: width}, []string{"similarity"}); err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(one.String(), "\n"); width >= 80 && n > 60 {
				t.Errorf("%d lines at %d columns", n, width)
			}
			got.WriteString(one.String() + "====================\n")
		}
		layouttest.Golden(t, "brief", width, got.String(), *update)
	}
}

// The most frequent reasons are rows, and the number of the others is given.
func TestABriefNamesTheReasonsOfFailures(t *testing.T) {
	t.Parallel()
	r := wide(t)
	r.Reasons = nil
	for i := range 7 {
		r.Reasons = append(r.Reasons, Reason{Text: fmt.Sprint("reason ", i), Count: 10 - i, Relay: 12, Number: i})
	}
	var got strings.Builder
	if err := r.Brief(&got, layout.Screen{Width: 80}, nil); err != nil {
		t.Fatal(err)
	}
	said := strings.Join(strings.Fields(got.String()), " ")
	for _, want := range []string{"reason 0 10 3.2 12 0", "reason 4 6 1.9 12 4", "And 9 interactions for 2 other reasons: --all."} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in\n%s", want, got.String())
		}
	}
	if strings.Contains(said, "reason 5") {
		t.Error(got.String())
	}
}

// On a terminal with colours the cost of a stand-in is grey, and that of a model is not.
func TestACostOfAStandInIsGrey(t *testing.T) {
	t.Parallel()
	grey := text.FgHiBlack.EscapeSeq()
	for _, standIn := range []bool{true, false} {
		r := wide(t)
		for i := range r.Arms {
			r.Arms[i].StandIn, r.Arms[i].Cost = standIn, new(1234.56)
		}
		for _, colour := range []bool{true, false} {
			var summary strings.Builder
			if err := r.Summary(&summary, layout.Screen{Width: 100, Colour: colour}, "", ""); err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(summary.String()) {
				before, _, found := strings.Cut(line, "1234.56")
				if found && strings.HasSuffix(strings.TrimRight(before, " "), grey) != (standIn && colour) {
					t.Errorf("stand-in: %t, colours: %t: %q", standIn, colour, line)
				}
			}
			if !strings.Contains(summary.String(), "1234.56") {
				t.Errorf("no cost in %s", &summary)
			}
		}
	}
}

// Nothing is paid for a stand-in: tables that are of stand-ins alone say what it would have cost.
func TestACostOfStandInsIsNoCost(t *testing.T) {
	t.Parallel()
	mixed, alone := wide(t), wide(t)
	for i := range alone.Arms {
		alone.Arms[i].StandIn = alone.Arms[i].Model != ""
	}
	for r, want := range map[*Report]string{mixed: "cost USD", alone: "would cost USD"} {
		sections, err := r.Sections("outcomes")
		if err != nil {
			t.Fatal(err)
		}
		heads := map[string]string{}
		for _, m := range sections[0].Tables[0].Measures {
			heads[m.Name] = m.Head
		}
		if heads["cost"] != want {
			t.Errorf("outcomes: %q, not %q", heads["cost"], want)
		}
		var summary strings.Builder
		if err := r.Summary(&summary, layout.Screen{Width: 80}, "", ""); err != nil {
			t.Fatal(err)
		}
		if said := strings.Contains(summary.String(), "Nothing was paid: "); said != (r == alone) {
			t.Errorf("it is said %v:\n%s", said, &summary)
		}
	}
}
