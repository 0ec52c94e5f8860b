package report

import (
	"encoding/csv"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"agentd/internal/usage"
	"agentd/results"
)

// Of two experiments every row stands in the common table with the name of its experiment, and
// the figure has the lines of both.
func TestSeveralExperimentsAreLaidTogether(t *testing.T) {
	t.Parallel()
	s, other := newStored(t, results.Manifest{Models: []results.Model{{Name: "m"}}}), newStored(t, results.Manifest{Models: []results.Model{{Name: "m"}}})
	other.experiment.Name = "long"
	s.curve("direct", "books1", 1, point{value: 0.9}, point{value: 0.8})
	s.curve("direct", "maps1", 1, point{value: 0.9}, point{value: 0.6})
	other.curve("direct", "books1", 1, point{value: 0.7}, point{value: 0.5}, point{value: 0.4})
	other.curve("direct", "songs1", 1, point{value: 0.9}, point{value: 0.9}, point{value: 0.8})
	r, err := Together([]*Report{s.build(), other.build()})
	if err != nil || r.Names() != "hand, long" {
		t.Fatal(r.Names(), err)
	}
	none := math.NaN()
	r.wantCells(t, "survival", "rs", map[string][]float64{
		"m|direct|hand": {2, none, 0, 0.9, 0.7, none}, "m|direct|long": {2, none, 0, 0.8, 0.7, 0.6},
	})
	r.wantCells(t, "domains", "domains", map[string][]float64{
		"books": {1, 0.8, 1, 0.4}, "maps": {1, 0.6, none, none}, "songs": {none, none, 1, 0.8},
	})
	lines, err := csv.NewReader(strings.NewReader(written(t, r, "csv"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	experiments := map[string]int{}
	for _, line := range lines[1:] {
		if line[1] == "rs" {
			experiments[line[0]]++
		}
		if line[1] == "rs" && line[5] != "" {
			t.Errorf("the experiment stands in two columns: %q", line)
		}
	}
	if experiments["hand"] != 6 || experiments["long"] != 6 || len(experiments) != 2 {
		t.Errorf("the numbers are of %v", experiments)
	}
	sections, err := r.Sections("survival")
	if err != nil || !slices.ContainsFunc(sections[0].Tables, func(t Table) bool {
		figures := figures(t)
		return t.Name == "rs" && len(figures) == 2 && len(figures[0].Curves) == 2 && figures[0].Curves[1].Name == "long"
	}) {
		t.Errorf("no figure has both: %v", err)
	}
	for _, format := range Formats {
		if text := written(t, r, format); !strings.Contains(text, "hand") || !strings.Contains(text, "long") {
			t.Errorf("%s does not name both experiments", format)
		}
	}
	published := newStored(t, results.Manifest{Protocol: "published"}).build()
	var wrong usage.Error
	if _, err := Together([]*Report{s.build(), published}); !errors.As(err, &wrong) {
		t.Errorf("two protocols: %v", err)
	}
}
