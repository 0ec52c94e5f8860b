package report

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"

	"agentd/domains"
	"agentd/environments"
	"agentd/internal/opinion"
	"agentd/results"
	"agentd/vfs"
)

// Compliances are the categories of how a step followed its instruction (paper, Appendix A):
// whether the work was attempted, not whether it was done right.
var Compliances = []opinion.Category{
	{Name: "fully", Head: "fully executed", Meaning: "all that the instruction asks for was attempted, possibly with errors"},
	{Name: "partially", Head: "partially executed", Meaning: "some of what it asks for was attempted, and some was not"},
	{Name: "truncated", Head: "truncated attempt", Meaning: "the work was begun, and the output is cut short"},
	{Name: "hallucinated", Head: "hallucinated output", Meaning: "the output has nothing to do with the documents or the instruction"},
	{Name: "superficial", Head: "superficial attempt", Meaning: "a few cosmetic changes in place of what was asked for"},
	{Name: "not_executed", Head: "not executed", Meaning: "the documents came back as they were"},
	{Name: "empty", Head: "empty response", Meaning: "the output is empty, or nearly so"},
	{Name: "infeasible", Head: "instruction infeasible", Meaning: "the documents were so damaged before that the instruction cannot be carried out"},
}

// Places in Compliances. The last two need no judge; noFact is none of them.
const (
	fullyExecuted     = 0
	partiallyExecuted = 1
	hallucinated      = 3
	notExecuted       = 5
	emptyResponse     = 6
	noFact            = -1
)

// scoreBins are the strata of round trips (paper, Appendix A): ascending lower bounds of RS.
var scoreBins = []struct {
	name  string
	least float64
}{{"collapsed, below 20", 0}, {"low, 20 to 50", 0.2}, {"mid, 50 to 80", 0.5}, {"high, 80 to 98", 0.8}, {"perfect, from 98", 0.98}}

func scoreBin(score float64) int {
	bin := 0
	for i, b := range scoreBins {
		if score >= b.least-1e-9 {
			bin = i
		}
	}
	return bin
}

// complianceFact classifies a step by its files alone: nothing was done, or almost nothing was
// returned. The latter means less than a hundredth of the characters, not counting white space.
func complianceFact(before, after vfs.Files) int {
	left := inked(after)
	switch {
	case left == 0:
		return emptyResponse
	case sameContents(before, after):
		return notExecuted
	case 100*left < inked(before):
		return emptyResponse
	}
	return noFact
}

// inked counts the characters other than white space.
func inked(files vfs.Files) int {
	n := 0
	for _, text := range files {
		for _, r := range text {
			if !unicode.IsSpace(r) {
				n++
			}
		}
	}
	return n
}

// sameContents reports whether two sets of files differ in their names at most.
func sameContents(a, b vfs.Files) bool {
	contents := func(files vfs.Files) []string {
		all := make([]string, 0, len(files))
		for _, text := range files {
			all = append(all, text)
		}
		slices.Sort(all)
		return all
	}
	return slices.Equal(contents(a), contents(b))
}

// complianceStep is a step with its classification.
type complianceStep struct {
	arm, place, number int
	relay              int64
	fact               int // notExecuted, emptyResponse or noFact
	bin                int // of its round trip
	choice             *opinion.Choice
}

// judgeCompliance classifies how steps followed their instructions (paper, Appendix A). The files
// show which did or left nothing. A judge, if judging is not nil, classifies a sample of round trips
// drawn equally from all arms and bins of RS. All stored documents are read.
func (r *Report) judgeCompliance(ctx context.Context, store *results.Store, judging *Judging) error {
	chosen := r.chosenTrips(judging)
	var mu sync.Mutex
	var all []complianceStep
	err := r.eachRelay(ctx, store, func(read relayRead) error {
		steps, err := complianceSteps(read, chosen, judging)
		mu.Lock()
		defer mu.Unlock()
		all = append(all, steps...)
		return err
	})
	if err != nil {
		return err
	}
	slices.SortFunc(all, func(x, y complianceStep) int {
		if x.relay != y.relay {
			return int(x.relay - y.relay)
		}
		return x.number - y.number
	})
	tables := []Table{r.complianceFacts(all)}
	if judging != nil {
		r.judgedBy(judging)
		tables = append(r.complianceShares(all, judging), tables...)
		tables = append(tables, r.complianceAgreement(all, judging), r.complianceDetails(all))
	}
	r.add("compliance", tables...)
	return nil
}

// tripKey is a round trip of a relay, from 0.
type tripKey struct {
	relay int64
	trip  int
}

// chosenTrips returns the scored round trips whose two steps are judged.
func (r *Report) chosenTrips(judging *Judging) map[tripKey]bool {
	chosen := map[tripKey]bool{}
	if judging == nil {
		return chosen
	}
	var trips []tripKey
	var cells []int
	for a, key := range r.source.order {
		for _, c := range r.source.arms[key].curves {
			for k, t := range c.trips {
				if t.scored() && !t.unscored {
					trips, cells = append(trips, tripKey{c.relay, k}), append(cells, a*len(scoreBins)+scoreBin(t.rs))
				}
			}
		}
	}
	most := (judging.Most + 1) / 2 // each has two steps
	for i, is := range pick(cells, most, 0, r.Experiment.Manifest.Seed) {
		if is {
			chosen[trips[i]] = true
		}
	}
	return chosen
}

func complianceSteps(read relayRead, chosen map[tripKey]bool, judging *Judging) ([]complianceStep, error) {
	var all []complianceStep
	before := read.env.Seed
	for _, in := range read.steps {
		trip := (in.Number - 1) / 2
		step := complianceStep{arm: read.arm, place: read.curve.place, relay: in.Relay, number: in.Number, fact: complianceFact(before, in.Output)}
		if chosen[tripKey{in.Relay, trip}] {
			step.bin = scoreBin(read.curve.trips[trip].rs)
			choice, err := judging.complied(instructionOf(read.env, &in), before, in.Output)
			switch {
			case err == nil:
				step.choice = &choice
			case !errors.Is(err, domains.ErrNoAnswer):
				return nil, err
			}
		}
		before = in.Output
		if in.Unscored != results.ServiceFault {
			all = append(all, step)
		}
	}
	return all, nil
}

// instructionOf returns the instruction of a step; the edit's name if the environment lacks the edit.
func instructionOf(env *environments.Environment, in *results.Interaction) string {
	return cmp.Or(env.Instruction(in.Edit, in.Direction == results.Backward), in.Edit)
}

// complied returns the judge's opinion of a step as an index into Compliances.
func (j *Judging) complied(instruction string, before, after vfs.Files) (opinion.Choice, error) {
	prompt, err := opinion.Prompt(prompts, "prompts/compliance.md", map[string]any{
		"Instruction": opinion.FramedText("the instruction", instruction),
		"Before":      opinion.Framed("the documents before", before), "After": opinion.Framed("the documents after", after),
	})
	if err != nil {
		return opinion.Choice{}, err
	}
	return j.Ask.Choose(prompt, Compliances)
}

func (j *Judging) note() string {
	return "judged: the opinions are those of " + j.who()
}

// complianceShares are the shares of the categories, by arm and, of the arms that have a model, by
// bin of RS (Figure A1).
func (r *Report) complianceShares(all []complianceStep, judging *Judging) []Table {
	sums := []together{
		{Measure{Name: "attempted", Head: "fully +\npartially", Unit: Percent}, []int{fullyExecuted, partiallyExecuted}},
		{Measure{Name: "unattempted", Head: "halluc. + not\nexec. + empty", Unit: Percent}, []int{hallucinated, notExecuted, emptyResponse}},
	}
	arms, bins := counting{b: r.source, categories: Compliances, together: sums}, counting{b: r.source, categories: Compliances, together: sums}
	for bin, named := range scoreBins {
		for _, s := range all {
			if s.choice != nil && s.bin == bin && r.Arms[s.arm].Model != "" {
				bins.add(Row{Labels: []string{named.name}}, s.place, s.choice.Category)
			}
		}
	}
	for a := range r.Arms {
		for _, s := range all {
			if s.choice != nil && s.arm == a {
				row := r.Arms[a].row()
				row.Judged = true
				arms.add(row, s.place, s.choice.Category)
			}
		}
	}
	byArm := arms.fill(Table{Name: "compliance", Labels: armLabels, Title: "What steps did with their instructions, in a judge's opinion, in % (paper, Appendix A)"}, "steps")
	byBin := bins.fill(Table{Name: "compliance_bins", Labels: []string{"RS of the round trip"}, Title: "What steps did with their instructions, by RS of their round trips, in % (paper, Figure A1)"}, "steps")
	byBin.Plot = bins.bars(byBin.Title)
	byArm.Notes, byBin.Notes = []string{judging.note() + " The round trips are drawn alike from all arms and bins of RS, so the shares are those of the sample."}, []string{judging.note()}
	return []Table{byArm, byBin}
}

// complianceFacts are the shares of steps whose files show that nothing was done or left.
func (r *Report) complianceFacts(all []complianceStep) Table {
	t := Table{Name: "compliance_facts", Labels: armLabels,
		Title:    "Steps whose files show by themselves that nothing was done, or next to nothing left, in %; all that are stored",
		Measures: []Measure{{Name: "steps", Head: "steps"}, {Name: "not_executed", Head: "not executed", Unit: Percent}, {Name: "empty", Head: "empty response", Unit: Percent}}}
	for a := range r.Arms {
		same, empty, n := r.source.tally(), r.source.tally(), 0
		for _, s := range all {
			if s.arm == a {
				n++
				same.add(s.place, when(s.fact == notExecuted), 1)
				empty.add(s.place, when(s.fact == emptyResponse), 1)
			}
		}
		if n > 0 {
			t.Rows = append(t.Rows, r.Arms[a].row(plainCell(float64(n)), interval(r.source.sampler.Mean(same)), interval(r.source.sampler.Mean(empty))))
		}
	}
	return t
}

// complianceAgreement compares the judge's opinion with what the files show, over the steps
// that were judged.
func (r *Report) complianceAgreement(all []complianceStep, judging *Judging) Table {
	t := Table{Name: "compliance_agreement", Labels: []string{"category"}, Title: "How the judge agrees with the files, over the steps that it judged",
		Measures: []Measure{{Name: "by_files", Head: "by the files"}, {Name: "by_judge", Head: "by the judge"}, {Name: "by_both", Head: "by both"},
			{Name: "judge_agrees", Head: "of the files', the judge's %", Unit: Percent}, {Name: "files_agree", Head: "of the judge's, the files' %", Unit: Percent}}}
	for _, category := range []int{notExecuted, emptyResponse} {
		files, judge, both := 0, 0, 0
		for _, s := range all {
			if s.choice == nil {
				continue
			}
			isFact, isChoice := s.fact == category, s.choice.Category == category
			files, judge, both = files+int(when(isFact)), judge+int(when(isChoice)), both+int(when(isFact && isChoice))
		}
		row := Row{Labels: []string{Compliances[category].Head}, Cells: []Cell{plainCell(float64(files)), plainCell(float64(judge)), plainCell(float64(both)), {}, {}}}
		for i, of := range []int{files, judge} {
			if of > 0 {
				row.Cells[3+i] = plainCell(float64(both) / float64(of))
			}
		}
		t.Rows = append(t.Rows, row)
	}
	t.Notes = []string{judging.note()}
	return t
}

// complianceDetails are the judged steps with their justifications.
func (r *Report) complianceDetails(all []complianceStep) Table {
	t := Table{Name: "compliance_steps", Title: "The steps that were judged, with the judge's justification",
		Labels:   append(slices.Clone(armLabels), "relay", "step", "category", "justification"),
		Measures: []Measure{{Name: "category", Head: "category"}, {Name: "category_by_files", Head: "by the files"}}}
	for _, s := range all {
		if s.choice == nil {
			continue
		}
		row := r.Arms[s.arm].row(plainCell(float64(s.choice.Category+1)), Cell{})
		if s.fact != noFact {
			row.Cells[1] = plainCell(float64(s.fact + 1))
		}
		row.Judged = true
		row.Labels = append(row.Labels, fmt.Sprint(s.relay), fmt.Sprint(s.number), Compliances[s.choice.Category].Name, strings.ReplaceAll(s.choice.Why, "\n", " "))
		t.Rows = append(t.Rows, row)
	}
	return forPrograms(t)
}
