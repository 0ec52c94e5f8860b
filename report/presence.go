package report

import (
	"slices"
	"strings"
)

// presence classifies interactions by which of the two published tools that change files occur in
// their traces, whether or not the calls changed anything (paper, Table 4).
func (b *builder) presence() Table {
	t := Table{
		Name: "tools_present", Labels: armLabels,
		Title: "Which tools are in the trace of an interaction, whatever they did, in % (paper, Table 4)",
		Measures: []Measure{
			{Name: "interactions", Head: "interactions"}, {Name: "script_present", Head: "run_python alone", Unit: Percent},
			{Name: "writing_present", Head: "write_file alone", Unit: Percent}, {Name: "both_present", Head: "both", Unit: Percent}, {Name: "neither_present", Head: "neither", Unit: Percent},
		},
	}
	for a, key := range b.order {
		if key.model == "" || !b.traits(key).Tools {
			continue
		}
		n, sums := 0, [4]tally{b.tally(), b.tally(), b.tally(), b.tally()}
		for task, arms := range b.tasks {
			in := arms[key]
			if in == nil {
				continue
			}
			n++
			tools := strings.Fields(in.Use.Tools)
			script, writing := slices.Contains(tools, "run_python"), slices.Contains(tools, "write_file")
			for i, is := range []bool{script && !writing, writing && !script, script && writing, !script && !writing} {
				sums[i].add(b.places[task.environment], when(is), 1)
			}
		}
		row := b.report.Arms[a].row(plainCell(float64(n)))
		for _, sum := range sums {
			row.Cells = append(row.Cells, interval(b.sampler.Mean(sum)))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
