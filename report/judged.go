package report

import (
	"fmt"
	"slices"
	"strings"

	"agentd/report/statistics"
	"agentd/results"
)

// Judged holds the results of an arm that depend on a judge.
type Judged struct {
	Scores    int // round trips whose RS is a judge's opinion
	Fallbacks int // round trips that only a judge could have scored, but none did; not included in any other number
	Asked     int // completions asked of the judge
	// Cost is the cost of the judge in USD, not part of the arm's; nil if a price is unknown
	// or nothing was asked.
	Cost *float64
	// Similarity is the mean similarity of texts of the fallbacks, after 2, 4, … interactions.
	Similarity []statistics.Interval
	Relays     int // that have a fallback
	// Forward is the judge's mean rating, from 0 to 1, of the forward steps of judged edits.
	Forward statistics.Interval
}

// judgedSums are the sums of one arm.
type judgedSums struct {
	scores, fallbacks, asked int
	cost                     float64
	unknownCost              bool
	similarity               []tally // by round trip
	relays                   map[int64]bool
	forward                  tally
}

func (s *judgedSums) add(in *results.Interaction, place, places int) {
	if o := in.ForwardOpinion; o != nil {
		if s.forward == nil {
			s.forward = make(tally, places)
		}
		s.forward.add(place, o.Score(), 1)
	}
	s.asked += in.Judging.Asked
	switch {
	case in.Judging.Cost != nil:
		s.cost += *in.Judging.Cost
	case in.Judging.Asked > 0:
		s.unknownCost = true
	}
	if in.Score != nil && in.Score.Judge != "" {
		s.scores++
	}
	if in.Fallback == nil {
		return
	}
	s.fallbacks++
	if s.relays == nil {
		s.relays = map[int64]bool{}
	}
	s.relays[in.Relay] = true
	for len(s.similarity) < in.Number/2 {
		s.similarity = append(s.similarity, make(tally, places))
	}
	s.similarity[in.Number/2-1].add(place, in.Fallback.Similarity, 1)
}

func (b *builder) judged(s *armSums) Judged {
	j := Judged{
		Scores: s.judged.scores, Fallbacks: s.judged.fallbacks, Asked: s.judged.asked,
		Similarity: b.means(s.judged.similarity), Relays: len(s.judged.relays),
		Forward: b.sampler.Mean(s.judged.forward),
	}
	if s.judged.asked > 0 && !s.judged.unknownCost {
		j.Cost = &s.judged.cost
	}
	return j
}

// withoutOpinions holds the tables that never depend on a judge's opinion.
var withoutOpinions = []string{"strict", "strict_noops_zero", "fallback", "outcomes", "work", "judges", "judged_edits", "tools", "reads", "ratios", "tools_present", "finishes", "compliance", "operation_distribution",
	"compliance_facts", "compliance_bins", "compliance_agreement", "compliance_steps"}

// markJudged marks the rows of a table in which RS includes a judge's opinion.
func (r *Report) markJudged(t *Table) {
	if len(r.Judges) == 0 || slices.Contains(withoutOpinions, t.Name) {
		return
	}
	marked := false
	for i := range t.Rows {
		t.Rows[i].Judged = r.isJudged(t, t.Rows[i].Labels)
		marked = marked || t.Rows[i].Judged
	}
	if marked {
		t.Notes = append(t.Notes, fmt.Sprintf("judged: of %s RS is the opinion of a model, %s, and not computed.",
			strings.Join(r.JudgedDomains, ", "), r.judgeNames(r.Judges)))
	}
}

// judgeNames lists judges and marks stand-ins.
func (r *Report) judgeNames(judges []string) string {
	names := make([]string, len(judges))
	for i, judge := range judges {
		of := r.Experiment.Manifest.Judge
		names[i] = name(judge, of != nil && of.Name == judge && of.StandIn)
	}
	return strings.Join(names, ", ")
}

// isJudged reports whether a row's numbers include opinions.
func (r *Report) isJudged(t *Table, labels []string) bool {
	switch {
	case t.Labels[0] == "domain":
		return slices.Contains(r.JudgedDomains, labels[0])
	case len(t.Labels) >= len(armLabels) && slices.Equal(t.Labels[:len(armLabels)], armLabels):
		return slices.ContainsFunc(r.Arms, func(a Arm) bool { return a.Model == labels[0] && a.Policy == labels[1] && a.Judged.Scores > 0 })
	}
	return true // the row is over all arms
}

// fallback returns the table on documents that no judge scored.
func (r *Report) fallback() Table {
	t := Table{
		Name: "fallback", Labels: armLabels, Series: true, Measures: []Measure{{Name: "relays", Head: "relays"}},
		Title: "Documents that only a judge could score, and none did: similarity of their texts after k interactions, in %; no RS",
	}
	trips := 0
	for _, a := range r.Arms {
		trips = max(trips, len(a.Judged.Similarity))
	}
	for k := 1; k <= trips; k++ {
		t.Measures = append(t.Measures, Measure{Name: fmt.Sprintf("similarity_%d", 2*k), Head: fmt.Sprintf("@%d", 2*k), Unit: Percent, Score: true})
	}
	for _, a := range r.Arms {
		if a.Judged.Fallbacks == 0 {
			continue
		}
		row := a.row(plainCell(float64(a.Judged.Relays)))
		for k := range trips {
			cell := Cell{}
			if k < len(a.Judged.Similarity) {
				cell = interval(a.Judged.Similarity[k])
			}
			row.Cells = append(row.Cells, cell)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// judgedEdits returns the table of a judge's ratings of forward steps that no program can score.
func (r *Report) judgedEdits() Table {
	t := Table{
		Name: "judged_edits", Labels: armLabels,
		Title:    "Forward steps of judged edits: how far they did what was asked, in the opinion of " + r.judgeNames(r.EditJudges),
		Measures: []Measure{{Name: "forward_judged", Head: "judged %", Unit: Percent}, {Name: "judged_steps", Head: "over steps"}},
	}
	for _, a := range r.Arms {
		if forward := a.Judged.Forward; forward.Exists() {
			t.Rows = append(t.Rows, a.row(interval(forward), plainCell(float64(forward.N))))
		}
	}
	return t
}

// judges returns the table of judges' completions and costs.
func (r *Report) judges() Table {
	t := Table{
		Name: "judges", Title: "Round trips and forward steps scored by a judge, what it was asked, and what that cost", Labels: armLabels,
		Measures: []Measure{
			{Name: "judged", Head: "round trips"}, {Name: "judged_forward", Head: "forward steps"}, {Name: "fallbacks", Head: "fallback"}, {Name: "asked", Head: "asked"},
			{Name: "judge_cost", Head: "judge USD", Unit: USD},
		},
	}
	for _, a := range r.Arms {
		j := a.Judged
		if j.Scores+j.Fallbacks+j.Forward.N == 0 {
			continue
		}
		cost := optional(j.Cost)
		if j.Asked == 0 {
			cost = plainCell(0)
		}
		t.Rows = append(t.Rows, a.row(plainCell(float64(j.Scores)), plainCell(float64(j.Forward.N)), plainCell(float64(j.Fallbacks)), plainCell(float64(j.Asked)), cost))
	}
	return t
}
