package report

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/domains"
	"agentd/results"
	"agentd/vfs"
)

// asked is a judge that finds its answer by a part of the prompt.
func asked(t *testing.T, answers map[string]map[string]any) *Judging {
	return &Judging{Judge: "critic", Ask: func(prompt string, accept func(map[string]any) error) (map[string]any, error) {
		for part, answer := range answers {
			if strings.Contains(prompt, part) {
				if err := accept(answer); err != nil {
					return nil, fmt.Errorf("%w: %w", domains.ErrNoAnswer, err)
				}
				return answer, nil
			}
		}
		t.Errorf("there is no answer to\n%s", prompt)
		return nil, domains.ErrNoAnswer
	}}
}

// cells are the numbers of a table by row, NaN where there is none; rows go by their labels.
func (r *Report) cells(t *testing.T, section, name string) map[string][]float64 {
	t.Helper()
	chosen, err := r.Sections(section)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range chosen {
		for _, table := range s.Tables {
			if table.Name != name {
				continue
			}
			all := map[string][]float64{}
			for _, row := range table.Rows {
				var values []float64
				for _, cell := range row.Cells {
					if cell.Value == nil {
						values = append(values, math.NaN())
						continue
					}
					values = append(values, math.Round(*cell.Value*1e6)/1e6)
				}
				all[strings.Join(row.Labels, "|")] = values
			}
			return all
		}
	}
	t.Fatalf("there is no table %s in %s", name, section)
	return nil
}

// wantCells compares the numbers of a table, to six places.
func (r *Report) wantCells(t *testing.T, section, name string, want map[string][]float64) {
	t.Helper()
	if diff := cmp.Diff(want, r.cells(t, section, name), estimates...); diff != "" {
		t.Errorf("%s, -want +got\n%s", name, diff)
	}
}

// chained stores a relay of model m on an environment with what each step left; a backward
// step has the score.
func (s *stored) chained(environment string, scores []float64, outputs ...string) {
	s.t.Helper()
	s.chainedBy(results.Relay{Model: "m", Policy: "direct", Environment: environment}, scores, outputs...)
}

// chainedBy adds such a relay of any arm.
func (s *stored) chainedBy(relay results.Relay, scores []float64, outputs ...string) {
	s.t.Helper()
	var steps []results.Interaction
	for n, text := range outputs {
		in := used(1, 1, 1, 0)
		if n%2 == 1 {
			in = backward(in, scores[n/2], scores[n/2])
		}
		in.Edit, in.Output = "a", vfs.Files{"seed.txt": text}
		steps = append(steps, in)
	}
	relay.Schedule = make([]string, len(scores))
	s.relay(relay, steps...)
}

var errGone = errors.New("the server is gone")
