package report

import (
	"slices"
	"strings"

	"agentd/internal/fidelity"
	"agentd/results"
)

// bytes counts the scored round trips that kept the seed's bytes in unchanged parts, and what the others changed.
func (b *builder) bytes() Table {
	properties := fidelity.Properties()
	t := Table{
		Name: "bytes", Labels: armLabels,
		Title: "What became of the bytes of the seed where nothing changed in meaning: share of round trips, in %",
		Measures: []Measure{
			{Name: "round_trips", Head: "round trips"}, {Name: "bytes_kept", Head: "all kept", Unit: Percent},
			{Name: "bytes_rest", Head: "bytes not as they were", Unit: Percent},
		},
		Notes: []string{"A property counts if any file of the document has another one. No score depends on it."},
	}
	for _, property := range properties {
		t.Measures = append(t.Measures, Measure{Name: "other_" + strings.ToLower(strings.ReplaceAll(property, " ", "_")), Head: property, Unit: Percent})
	}
	for a, key := range b.order {
		n, kept, rest := 0, b.tally(), b.tally()
		others := make([]tally, len(properties))
		for i := range others {
			others[i] = b.tally()
		}
		for task, arms := range b.tasks {
			in := arms[key]
			if in == nil || in.Bytes == nil || in.Direction != results.Backward {
				continue
			}
			n++
			place, changed := b.places[task.environment], in.Bytes.Properties()
			kept.add(place, when(len(changed) == 0), 1)
			rest.add(place, in.Bytes.Rest, 1)
			for i, property := range properties {
				others[i].add(place, when(slices.Contains(changed, property)), 1)
			}
		}
		if n == 0 {
			continue
		}
		row := b.report.Arms[a].row(plainCell(float64(n)))
		for _, sum := range append([]tally{kept, rest}, others...) {
			row.Cells = append(row.Cells, interval(b.sampler.Mean(sum)))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
