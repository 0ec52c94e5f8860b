package report

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/internal/layout"
	"agentd/results"
)

// Of 100 interactions RS and Strict show the same moments, 10, 20 … 100 where there is room for
// them, although Strict's numbers have fewer digits.
func TestRSAndStrictShowTheSameMoments(t *testing.T) {
	t.Parallel()
	s := newStored(t, results.Manifest{Models: []results.Model{{Name: "gpt-5.4"}}, RoundTrips: 50, Repeats: 1, Schedule: "round-robin"})
	for _, environment := range []string{"books1", "maps1", "chess1"} {
		var steps []results.Interaction
		value := 1.0
		for range 50 {
			there := used(1, 1, 1, 0)
			there.Executed = to(true)
			steps = append(steps, there, backward(used(1, 1, 1, 0), value, value/2))
			value -= 0.004 * float64(len(environment)) / 6
		}
		s.relay(results.Relay{Model: "gpt-5.4", Policy: "agentic", Environment: environment, Schedule: make([]string, 50)}, steps...)
	}
	r := s.build()
	sections, err := r.Sections("survival")
	if err != nil {
		t.Fatal(err)
	}
	heads := regexp.MustCompile(`@\d+`)
	for width := 60; width <= 200; width += 3 {
		var b strings.Builder
		if err := r.Text(&b, sections, TextStyle{Screen: layout.Screen{Width: width}}); err != nil {
			t.Fatal(err)
		}
		var shown [][]string
		for line := range strings.Lines(b.String()) {
			if all := heads.FindAllString(line, -1); len(all) > 1 {
				shown = append(shown, all)
			}
		}
		if len(shown) != 2 {
			t.Fatalf("%d tables at %d columns:\n%s", len(shown), width, &b)
		}
		if diff := cmp.Diff(shown[0], shown[1]); diff != "" {
			t.Errorf("at %d columns RS and Strict show other moments:\n%s", width, diff)
		}
		if want := "@10 @20 @30 @40 @50 @60 @70 @80 @90 @100"; width == 120 && strings.Join(shown[0], " ") != want {
			t.Errorf("at %d columns: %v, want %s", width, shown[0], want)
		}
	}
	var page []string
	for _, c := range laidOut(sections[0].Tables[0]).Shown.Columns {
		if c.Class != "more" && c.Class != "last" && !strings.HasPrefix(c.Head, "@") {
			continue
		}
		page = append(page, c.Head)
	}
	if got := strings.Join(page, " "); !strings.Contains(got, "@10 ") || !strings.Contains(got, "@90 @100") {
		t.Errorf("the page shows %s", got)
	}
}
