package report

import (
	"testing"

	"agentd/internal/fidelity"
	"agentd/results"
)

// Of four round trips one is of a database that did not measure bytes, one kept all, one changed line ends and one their encoding too.
func TestBytesAreAPropertyOfRoundTrips(t *testing.T) {
	t.Parallel()
	s := newStored(t, results.Manifest{Models: []results.Model{{Name: "m"}}})
	ends := fidelity.Change{File: "a", What: fidelity.LineEnds, Was: "CRLF", Is: "LF"}
	encoding := fidelity.Change{File: "a", What: fidelity.Encoding, Was: "UTF-8", Is: "UTF-16LE"}
	var steps []results.Interaction
	for _, kept := range []*fidelity.Kept{nil, {}, {Changes: []fidelity.Change{ends}, Rest: 0.5}, {Changes: []fidelity.Change{ends, encoding}, Rest: 1}} {
		in := backward(used(1, 1, 1, 0), 1, 1)
		in.Bytes = kept
		steps = append(steps, used(1, 1, 1, 0), in)
	}
	s.relay(results.Relay{Model: "m", Policy: "agentic", Environment: "books1", Schedule: make([]string, 4)}, steps...)
	const third, thirds = 0.333333, 0.666667
	s.build().wantCells(t, "bytes", "bytes", map[string][]float64{"m|agentic": {3, third, 0.5, third, 0, thirds, 0, 0, 0, 0, 0}})
}

// Of three round trips one is of a database that did not measure the form, one kept it and one lost it.
func TestFormIsAPropertyOfRoundTrips(t *testing.T) {
	t.Parallel()
	s := newStored(t, results.Manifest{Models: []results.Model{{Name: "m"}}})
	var steps []results.Interaction
	for _, broken := range [][]string{nil, {}, {"line 3: a comma is missing", "line 9: a comma is missing"}} {
		in := backward(used(1, 1, 1, 0), 1, 1)
		in.Broken = broken
		steps = append(steps, used(1, 1, 1, 0), in)
	}
	s.relay(results.Relay{Model: "m", Policy: "agentic", Environment: "books1", Schedule: make([]string, 3)}, steps...)
	if got := s.build().Arms[0].Broken.Estimate; got != 0.5 {
		t.Errorf("the form is lost in %v of the round trips, want 0.5", got)
	}
}
