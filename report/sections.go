package report

import (
	"fmt"
	"slices"
	"strings"

	"agentd/report/statistics"
	"agentd/results"
)

// SectionNames are the names of all sections, in their order.
var SectionNames = []string{"survival", "comparison", "effects", "conversations", "harnesses", "domains", "outcomes", "tools", "critical", "damage", "bytes", "failures", "hidden",
	"sizes", "images", "general", "properties", "operations", "sequences", "similarity", "compliance"}

// Sections returns the report's tables; of those named, or all. Sections that have
// no data are left out.
func (r *Report) Sections(names ...string) ([]Section, error) {
	for _, name := range names {
		if !slices.Contains(SectionNames, name) {
			return nil, fmt.Errorf("no section %q; there are %s", name, strings.Join(SectionNames, ", "))
		}
	}
	if len(r.together) > 0 {
		return r.joinedSections(names)
	}
	all := []Section{
		{"survival", []Table{
			r.survival("rs", "RS@k: mean published score of what survives k interactions, in %; forward: how well forward steps were done",
				func(a Arm) []statistics.Interval { return a.RS }),
			r.noOps("rs_noops_zero", "RS@k, "+noOpsHead+": the same, where a round trip whose forward step was not carried out scores 0, in %",
				func(a Arm) []statistics.Interval { return a.NoOpsZero.RS }),
			r.survival("strict", "Strict@k: the same by the strict score, which sees additions and every field, in %",
				func(a Arm) []statistics.Interval { return a.Strict }),
			r.noOps("strict_noops_zero", "Strict@k, "+noOpsHead+": the same, where a round trip whose forward step was not carried out scores 0, in %",
				func(a Arm) []statistics.Interval { return a.NoOpsZero.Strict }),
			r.worked("rs_done", "RS@k of the relays all of whose forward steps so far were carried out, in %",
				func(a Arm) []statistics.Interval { return a.Worked.RS }),
			forPrograms(r.worked("strict_done", "Strict@k of the relays all of whose forward steps so far were carried out, in %",
				func(a Arm) []statistics.Interval { return a.Worked.Strict })),
			r.average("rs_relays", "mean over relays, round trips without a score left out", func(a Averages) []statistics.Interval { return a.Relays }),
			r.average("rs_relays_zero", "mean over relays, round trips without a score as 0", func(a Averages) []statistics.Interval { return a.RelaysZero }),
			r.average("rs_domains", "mean of the domains' means, round trips without a score left out", func(a Averages) []statistics.Interval { return a.Domains }),
			r.average("rs_domains_zero", "mean of the domains' means, round trips without a score as 0", func(a Averages) []statistics.Interval { return a.DomainsZero }),
			r.fallback(),
		}},
		{"comparison", []Table{r.comparison(), r.against()}},
		{"effects", r.effects()},
		{"conversations", r.conversations()},
		{"harnesses", []Table{r.harnessScores(), r.harnessCosts()}},
		{"domains", []Table{
			r.readiness(),
			r.domainMatrix(),
			r.byDomain("domains", "RS at the end of the relays of each domain, in %", true, func(d DomainEnds) []statistics.Interval { return d.Ends }),
			r.byDomain("domains_done", "Forward steps carried out in each domain, in %", false, func(d DomainEnds) []statistics.Interval { return d.Done }),
		}},
		{"outcomes", []Table{r.outcomes(), r.work(), r.judgedEdits(), r.judges()}},
		{"tools", append([]Table{r.tools(), r.reads(), r.ratios()}, r.analyses["tools"]...)},
		{"critical", r.criticalTables()},
		{"damage", r.damageTables()},
		{"bytes", r.analyses["bytes"]},
		{"failures", append([]Table{r.reasonsTable()}, r.analyses["failures"]...)},
		{"hidden", []Table{r.hidden()}},
		{"sizes", []Table{r.sizes()}},
		{"images", r.images()},
		{"general", r.generalText()},
		{"properties", r.analyses["properties"]},
		{"operations", r.analyses["operations"]},
		{"sequences", []Table{r.sequences()}},
		{"similarity", r.analyses["similarity"]},
		{"compliance", r.analyses["compliance"]},
	}
	var chosen []Section
	for _, s := range all {
		s.Tables = slices.DeleteFunc(slices.Clone(s.Tables), func(t Table) bool { return len(t.Rows) == 0 })
		for i := range s.Tables {
			s.Tables[i].leaveOut()
			r.markJudged(&s.Tables[i])
		}
		if len(s.Tables) > 0 && (len(names) == 0 || slices.Contains(names, s.Name)) {
			chosen = append(chosen, s)
		}
	}
	return chosen, nil
}

// row begins an arm's row.
func (a *Arm) row(cells ...Cell) Row {
	row := Row{Labels: []string{a.Model, a.Policy}, StandIn: a.StandIn, Cells: cells}
	row.of(a.Work)
	return row
}

var armLabels = []string{"model", "policy"}

func (r *Report) trips() int {
	trips := 0
	for _, a := range r.Arms {
		trips = max(trips, len(a.RS), len(a.NoOpsZero.RS))
	}
	return trips
}

// survives reports whether an arm has round trips that are scored, or would be if they had
// kept to the protocol or a service had not failed them.
func (a *Arm) survives() bool { return len(a.RS) > 0 || a.Unscored > 0 || a.Faults > 0 }

// survival is a table of scores, with the work next to them: the share of forward steps
// that were carried out, and how well.
func (r *Report) survival(name, title string, scores func(Arm) []statistics.Interval) Table {
	t := r.series(Table{Name: name, Title: title}, Measure{Name: name, Unit: Percent, Graded: true, Score: true}, scores)
	t.Measures = slices.Insert(t.Measures, 1,
		Measure{Name: name + "_done", Head: "done", Unit: Percent, Aside: true},
		Measure{Name: name + "_forward", Head: "forward", Unit: Percent, Aside: true})
	at := 0
	for _, a := range r.Arms {
		if !a.survives() {
			continue
		}
		cells := t.Rows[at].Cells
		for i := range cells[1:] {
			cells[1+i].Doubtful, cells[1+i].Approximate = a.Doubtful(), a.Approximate > 0
			cells[1+i].Ungraded = a.Done.Exists() && a.Done.Estimate < enoughDone
		}
		t.Rows[at].Cells = slices.Insert(cells, 1, interval(a.Done), interval(a.Forward))
		at++
	}
	return t
}

// worked is a table of scores of relays whose work was done, if there are others too.
func (r *Report) worked(name, title string, scores func(Arm) []statistics.Interval) Table {
	if !r.idle() {
		return Table{}
	}
	t := r.series(Table{Name: name, Title: title}, Measure{Name: name, Unit: Percent, Graded: true, Score: true}, scores)
	t.Notes = []string{"(n): relays; – where none has done all its work so far."}
	return t
}

// idle reports whether some edit of an arm was not carried out.
func (r *Report) idle() bool {
	return slices.ContainsFunc(r.Arms, func(a Arm) bool { return a.Work.Done < a.Work.Edits })
}

// noOpsHead is what people read over scores with no-ops as 0.
const noOpsHead = "no-ops 0"

// noOps is a table of scores with no-ops as 0. Where all edits were carried out it has the numbers of
// the table before, and is left to programs.
func (r *Report) noOps(name, title string, scores func(Arm) []statistics.Interval) Table {
	t := r.series(Table{Name: name, Title: title}, Measure{Name: name, Unit: Percent, Graded: true}, scores)
	t.ForPrograms = !r.idle()
	return t
}

func (r *Report) average(name, how string, values func(Averages) []statistics.Interval) Table {
	return forPrograms(r.series(Table{Name: name, Title: "RS@k: " + how}, Measure{Name: name, Unit: Percent, Score: true},
		func(a Arm) []statistics.Interval { return values(a.Averages) }))
}

// forPrograms leaves a table to csv and json.
func forPrograms(t Table) Table {
	t.ForPrograms = true
	return t
}

func (r *Report) parts(name, title string, shares func(Arm) []statistics.Interval) Table {
	return r.series(Table{Name: name, Title: title}, Measure{Name: name, Unit: Percent, Score: true}, shares)
}

// series is a table of a measure after 2, 4, … interactions.
func (r *Report) series(t Table, of Measure, values func(Arm) []statistics.Interval) Table {
	t.Labels, t.Series = armLabels, true
	t.Measures = []Measure{{Name: "relays", Head: "relays"}}
	t.addMoments(of, r.trips())
	for _, a := range r.Arms {
		if !a.survives() {
			continue
		}
		t.addSeries(a.row(plainCell(float64(a.Relays))), values(a))
	}
	return t
}

func (r *Report) comparison() Table {
	return compared("comparison", "Policies of one model compared, relay by relay: mean difference in points", r.Comparisons)
}

func (r *Report) against() Table {
	return compared("against", "The same arms in two experiments, environment by environment: mean difference in points", r.Against)
}

func compared(name, title string, comparisons []Comparison) Table {
	t := Table{
		Name: name, Title: title, Labels: []string{"model", "policy", "against"},
		Measures: []Measure{
			{Name: "at", Head: "@"}, {Name: "pairs", Head: "pairs"},
			{Name: "rs_difference", Head: "RS", Unit: Points, Score: true}, {Name: "rs_p", Head: "p", Unit: Probability},
			{Name: "strict_difference", Head: "Strict", Unit: Points, Score: true}, {Name: "strict_p", Head: "p", Unit: Probability},
			{Name: "done", Head: "done", Unit: Percent}, {Name: "done_against", Head: "against", Unit: Percent},
		},
	}
	for _, c := range comparisons {
		row := Row{
			Labels: []string{c.Model, c.Policy, c.Baseline}, StandIn: c.StandIn,
			Cells: []Cell{
				plainCell(float64(c.At)), plainCell(float64(c.Pairs)),
				interval(c.RS), probability(c.RSP), interval(c.Strict), probability(c.StrictP),
				withoutBounds(c.Done), withoutBounds(c.BaselineDone),
			},
		}
		row.of(c.Work)
		t.Rows = append(t.Rows, row)
		t.against(strings.TrimSpace(c.Model+" "+c.Baseline), c.BaselineWork)
	}
	return t
}

// against notes that nothing is compared with an arm that did too little.
func (t *Table) against(baseline string, w results.Work) {
	if note := fmt.Sprintf("%s %v: no difference to it says anything.", baseline, w); w.TooLittle() && !slices.Contains(t.Notes, note) {
		t.Notes = append(t.Notes, note)
	}
}

// notDone counts relays that say nothing of how well work is done.
var notDone = Measure{Name: "relays_not_done", Head: "relays not done"}

// readiness counts domains by what is left of their documents at the end.
func (r *Report) readiness() Table {
	t := Table{Name: "readiness", Title: "Domains by RS at the end of their relays, in %: ready from 98. Only relays with at least 95 % of their forward steps done count", Labels: armLabels}
	t.Measures = append(t.Measures, Measure{Name: "domains", Head: "domains", Score: true})
	for g, head := range gradeNames {
		t.Measures = append(t.Measures, Measure{Name: fmt.Sprintf("grade_%d", g+1), Head: head, Score: true})
	}
	t.Measures = append(t.Measures, notDone)
	for a := range r.Arms {
		counts, domains := make([]int, len(gradeNames)), 0
		for _, d := range r.Domains {
			if d.Worked[a].Exists() {
				domains++
				counts[grade(d.Worked[a].Estimate)]++
			}
		}
		if domains == 0 && r.Arms[a].NotDone == 0 {
			continue
		}
		row := r.Arms[a].row(plainCell(float64(domains)))
		for _, n := range counts {
			row.Cells = append(row.Cells, plainCell(float64(n)))
		}
		row.Cells = append(row.Cells, plainCell(float64(r.Arms[a].NotDone)))
		t.Rows = append(t.Rows, row)
	}
	return t
}

// byDomain is a table with a row for each domain and, after the number of environments, a column for each arm. Pages draw
// graded columns in colours.
func (r *Report) byDomain(name, title string, graded bool, values func(DomainEnds) []statistics.Interval) Table {
	t := Table{
		Name: name, Title: title, Labels: []string{"domain"}, Wide: true,
		Measures: []Measure{{Name: "environments", Head: "environments"}},
	}
	for _, a := range r.Arms {
		t.Measures = append(t.Measures, Measure{
			Name: strings.Trim(a.Model+"/"+a.Policy, "/"), Head: armHead(a), Unit: Percent, Graded: graded,
		})
	}
	for _, d := range r.Domains {
		row := Row{Labels: []string{d.Domain}, Cells: []Cell{plainCell(float64(d.Environments))}}
		for a, e := range values(d) {
			cell := interval(e)
			if graded && r.Arms[a].Work.TooLittle() {
				cell = Cell{}
			}
			cell.Ungraded = d.Done[a].Exists() && d.Done[a].Estimate < enoughDone
			row.Cells = append(row.Cells, cell)
		}
		if slices.ContainsFunc(values(d), statistics.Interval.Exists) {
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// armHead is an arm as the head of a column.
func armHead(a Arm) string { return name(a.Model, a.StandIn) + "\n" + a.Policy }

func (r *Report) outcomes() Table {
	t := Table{
		Name: "outcomes", Title: "Failures, forward steps against their oracles, and cost", Labels: armLabels,
		Measures: []Measure{
			{Name: "interactions", Head: "interactions"}, {Name: "missing", Head: "not run"}, {Name: "failed", Head: "failed"},
			{Name: "forward", Head: "forward score %", Unit: Percent}, {Name: "forward_steps", Head: "over steps"},
			{Name: "cost", Head: r.costHead() + " USD", Unit: USD}, {Name: "cached", Head: "cached %", Unit: Percent},
		},
	}
	for _, a := range r.Arms {
		over := plainCell(float64(a.Forward.N))
		over.Of = a.ForwardSteps
		t.Rows = append(t.Rows, a.row(
			plainCell(float64(a.Total)), plainCell(float64(a.Missing)), plainCell(float64(a.Failures)),
			interval(a.Forward), over, optional(a.Cost), optional(a.Cached),
		))
	}
	return t
}

// work says what stands against the scores.
func (r *Report) work() Table {
	t := Table{
		Name: "work", Title: "Work that was done, and steps without a score", Labels: armLabels,
		Measures: []Measure{
			{Name: "done", Head: "done %", Unit: Percent}, {Name: "unscored", Head: "unscored"}, {Name: "unreadable", Head: "unreadable"}, {Name: "broken", Head: "broken %", Unit: Percent},
			{Name: "faults", Head: "no service"}, {Name: "given_up", Head: "given up"},
		},
	}
	for _, a := range r.Arms {
		t.Rows = append(t.Rows, a.row(
			interval(a.Done), plainCell(float64(a.Unscored)), plainCell(float64(a.Unreadable)), interval(a.Broken),
			plainCell(float64(a.Faults)), plainCell(float64(a.GivenUp)),
		))
	}
	return t
}

func (r *Report) tools() Table {
	t := Table{
		Name: "tools", Title: "Tool use: calls for each interaction, how interactions edited in %", Labels: armLabels,
		Measures: []Measure{
			{Name: "calls", Head: "calls/task", Unit: Ratio},
			{Name: "by_script", Head: "by script", Unit: Percent}, {Name: "by_writing", Head: "by writing", Unit: Percent},
			{Name: "by_editing", Head: "by editing", Unit: Percent}, {Name: "by_patch", Head: "by patch", Unit: Percent},
			{Name: "by_several", Head: "by several", Unit: Percent}, {Name: "by_neither", Head: "by neither", Unit: Percent},
		},
	}
	for _, u := range r.Tools {
		t.Rows = append(t.Rows, Row{Labels: []string{u.Model, u.Policy}, StandIn: u.StandIn, Cells: []Cell{
			interval(u.Calls), interval(u.ByScript), interval(u.ByWriting), interval(u.ByEditing), interval(u.ByPatch),
			interval(u.BySeveral), interval(u.ByNeither),
		}})
	}
	return t
}

func (r *Report) reads() Table {
	t := Table{
		Name: "reads", Title: "Distractor files that were opened, in %: at all, by tools, from inside of scripts", Labels: armLabels,
		Measures: []Measure{
			{Name: "distractors_read", Head: "read", Unit: Percent}, {Name: "read_by_tools", Head: "by tools", Unit: Percent},
			{Name: "read_by_scripts", Head: "by scripts", Unit: Percent},
		},
	}
	for _, u := range r.Tools {
		if u.Distractors.Exists() {
			t.Rows = append(t.Rows, Row{Labels: []string{u.Model, u.Policy}, StandIn: u.StandIn, Cells: []Cell{
				interval(u.Distractors), interval(u.ReadByTools), interval(u.ReadByScripts),
			}})
		}
	}
	return t
}

func (r *Report) ratios() Table {
	t := Table{
		Name: "ratios", Title: "Ratios to direct editing by the same model, over the interactions that both have", Labels: armLabels,
		Measures: []Measure{
			{Name: "interactions", Head: "interactions"}, {Name: "input_ratio", Head: "input ×", Unit: Ratio},
			{Name: "output_ratio", Head: "output ×", Unit: Ratio}, {Name: "cost_ratio", Head: "cost ×", Unit: Ratio},
			{Name: "latency_ratio", Head: "latency ×", Unit: Ratio},
		},
	}
	for _, u := range r.Tools {
		if u.Pairs == 0 {
			continue
		}
		t.Rows = append(t.Rows, Row{Labels: []string{u.Model, u.Policy}, StandIn: u.StandIn, Cells: []Cell{
			plainCell(float64(u.Pairs)), interval(u.Input), interval(u.Output), interval(u.Cost), interval(u.Latency),
		}})
	}
	return t
}

func (r *Report) hidden() Table {
	t := Table{
		Name: "hidden", Title: "What scores hide: work not done in whole round trips, what only Strict sees, RS less Strict at the end", Labels: armLabels,
		Measures: []Measure{
			{Name: "undone", Head: "not done %", Unit: Percent}, {Name: "unseen", Head: "unseen %", Unit: Percent, Score: true},
			{Name: "gap", Head: "RS − Strict", Unit: Points, Score: true},
		},
	}
	for _, a := range r.Arms {
		if len(a.RS) > 0 {
			t.Rows = append(t.Rows, a.row(
				interval(a.Hidden.Undone), interval(a.Hidden.Unseen), interval(a.Hidden.Gap),
			))
		}
	}
	return t
}

func (r *Report) sizes() Table {
	t := Table{
		Name: "sizes", Title: "RS@k by the size of the seed in tokens, in % (paper, Table 5)", Labels: []string{"model", "policy", "tokens"}, Series: true,
		Measures: []Measure{{Name: "relays", Head: "relays"}, {Name: "tokens", Head: "tokens, mean", Aside: true}, {Name: "done", Head: "done", Unit: Percent, Aside: true}},
	}
	t.addMoments(Measure{Name: "rs", Unit: Percent, Graded: true, Score: true}, r.trips())
	for _, size := range r.Sizes {
		row := r.Arms[size.Arm].row(plainCell(float64(size.Relays)), plainCell(size.Mean), interval(size.Done))
		row.Labels = append(row.Labels, size.Tokens)
		t.addSeries(row, size.RS)
	}
	return t
}

var effectMeasures = []Measure{
	{Name: "round_trips", Head: "round trips"}, {Name: "change_with", Head: "change with", Unit: Points},
	{Name: "change_without", Head: "without", Unit: Points}, {Name: "correlation", Head: "r", Unit: Coefficient},
}

func (e *Effect) cells() []Cell {
	return []Cell{plainCell(float64(e.Trips)), interval(e.With), interval(e.Without), interval(e.R)}
}

func (r *Report) sequences() Table {
	t := Table{
		Name: "sequences", Labels: []string{"policy", "call", "then"}, Measures: effectMeasures,
		Title: "Round trips by pairs of tool calls in a row, the most frequent ones: mean change of RS in points, and correlation",
	}
	for _, s := range r.Sequences {
		t.Rows = append(t.Rows, Row{Labels: []string{s.Policy, s.First, s.Then}, Cells: s.cells()})
	}
	return t
}
