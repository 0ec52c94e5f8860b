package report

import (
	"agentd/policies"
)

// finishes counts how interactions of the arms with tools ended (paper, Appendix M.4).
func (b *builder) finishes() Table {
	t := Table{
		Name: "finishes", Labels: armLabels, Title: "How interactions ended, in %; cleanly: the model finished, stopped or exited of itself (paper, Appendix M.4)",
		Measures: []Measure{{Name: "interactions", Head: "interactions"}, {Name: "clean", Head: "cleanly", Unit: Percent}},
	}
	endings := []policies.Ending{policies.Finished, policies.Stopped, policies.Exited, policies.OutOf, policies.Failed}
	const clean = 3 // of the endings, the first ones
	for _, ending := range endings {
		t.Measures = append(t.Measures, Measure{Name: string(ending), Head: string(ending), Unit: Percent})
	}
	for a, key := range b.order {
		if key.model == "" || !b.traits(key).Tools {
			continue
		}
		cleanly, by := b.tally(), make([]tally, len(endings))
		for i := range by {
			by[i] = b.tally()
		}
		for task, arms := range b.tasks {
			in := arms[key]
			if in == nil || in.Ending == "" {
				continue
			}
			at := b.places[task.environment]
			is := false
			for i, ending := range endings {
				by[i].add(at, when(in.Ending == string(ending)), 1)
				is = is || i < clean && in.Ending == string(ending)
			}
			cleanly.add(at, when(is), 1)
		}
		if countOver(cleanly) == 0 {
			continue
		}
		row := b.report.Arms[a].row(plainCell(float64(countOver(cleanly))), interval(b.sampler.Mean(cleanly)))
		for _, share := range by {
			row.Cells = append(row.Cells, withoutBounds(b.sampler.Mean(share)))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
