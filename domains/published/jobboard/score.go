package jobboard

import (
	"math"
	"slices"

	"agentd/domains"
	"agentd/domains/internal/assign"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
)

// Stats counts the parts of a document.
func Stats(jobs []Job) domains.Stats {
	companies, skills := map[string]bool{}, map[string]bool{}
	for i := range jobs {
		if company := jobs[i].texts[companyLabel]; company != "" {
			companies[company] = true
		}
		for _, skill := range skillsOf(jobs[i].texts[skillsLabel]) {
			skills[skill] = true
		}
	}
	paid := lists.Count(jobs, func(j *Job) bool { return j.pay.amount != 0 })
	return domains.StatsOf(len(jobs), "Jobs", len(jobs), "Companies", len(companies), "With Salary", paid,
		"Unique Skills", len(skills))
}

// Score is the formula of the published program.
func Score(ref, got []Job, noted *notes.Notes) domains.Reading {
	reading := domains.Reading{Elements: domains.Elements{Reference: len(ref), Candidate: len(got)}}
	refIDs, gotIDs := ids(ref), ids(got)
	coverage := sets.Jaccard(refIDs, gotIDs)
	accuracy, sequence, count := 1.0, 1.0, 1.0
	if len(ref)+len(got) > 0 {
		pairs, similarity := pair(ref, got, noted)
		accuracy = similarity / max(float64(len(ref)), 1)
		sequence = order(pairs, refIDs, gotIDs)
		count = float64(min(len(ref), len(got))) / float64(max(len(ref), len(got)))
	}
	reading.RS = coverage * coverage * accuracy * math.Sqrt((sequence+count)/2)
	reading.Components = map[string]float64{
		"coverage": coverage, "accuracy": accuracy, "sequence": sequence, "count": count,
	}
	return reading
}

func ids(jobs []Job) []string {
	return lists.Each(jobs, func(j *Job) string { return j.id })
}

// order is how much of the order of the paired jobs is the same. A job's place is the last one at which its id stands.
func order(pairs []assign.Pair, refIDs, gotIDs []string) float64 {
	if len(pairs) == 0 {
		return 0
	}
	refPlaces, gotPlaces := lastPlaces(refIDs), lastPlaces(gotIDs)
	a, b := make([]int, len(pairs)), make([]int, len(pairs))
	for k, p := range pairs {
		a[k], b[k] = refPlaces[refIDs[p.Row]], gotPlaces[gotIDs[p.Col]]
	}
	if slices.Equal(a, b) {
		return 1
	}
	return ratio.Tokens(a, b, true)
}

func lastPlaces(ids []string) map[string]int {
	places := make(map[string]int, len(ids))
	for i, id := range ids {
		places[id] = i
	}
	return places
}

// hoursAYear are paid full-time.
const hoursAYear = 2080

// Annual is what is paid in a year.
func (p Pay) Annual() float64 {
	if p.Period == "hour" {
		return p.amount * hoursAYear
	}
	return p.amount
}

// The weights of the parts of a job.
const (
	salaryWeight = 0.25
	skillsWeight = 0.15
	postedWeight = 0.05
)

// textFields are the fields that are compared as texts.
var textFields = [...]struct {
	weight float64
	label  Label
}{{0.15, titleText}, {0.15, companyLabel}, {0.15, locationLabel}, {0.10, typeLabel}}

// pair pairs the jobs so that the sum of their similarities, which it returns, is largest.
func pair(ref, got []Job, noted *notes.Notes) ([]assign.Pair, float64) {
	s := newSimilarities(ref, got, noted)
	pairs := assign.MinByLabel(assign.Costs{
		Rows: len(ref), Cols: len(got), Cost: s.cost, Bound: s.bound,
	}, func(i int) contentLabel { return s.label(&ref[i], func(l *likeness) int { return l.refs[i] }) },
		func(j int) contentLabel { return s.label(&got[j], func(l *likeness) int { return l.gots[j] }) }, noted)
	sum := 0.0
	for _, p := range pairs {
		sum += 1 - s.cost(p.Row, p.Col)
	}
	return pairs, sum
}

// similarities compares the jobs of two documents.
type similarities struct {
	ref, got             []Job
	texts                [len(textFields)]likeness
	refSkills, gotSkills [][]int // as ascending numbers
}

// contentLabel is equal for jobs of equal contents.
type contentLabel struct {
	texts          [len(textFields)]int
	posted, skills string
	pay            Pay
}

func (s *similarities) label(j *Job, number func(*likeness) int) contentLabel {
	l := contentLabel{posted: j.texts[PostedLabel], skills: j.texts[skillsLabel], pay: j.pay}
	for k := range s.texts {
		l.texts[k] = number(&s.texts[k])
	}
	return l
}

func newSimilarities(ref, got []Job, noted *notes.Notes) *similarities {
	numbers := map[string]int{}
	number := func(skill string) int {
		if _, known := numbers[skill]; !known {
			numbers[skill] = len(numbers)
		}
		return numbers[skill]
	}
	skills := func(j *Job) []int {
		all := lists.Map(skillsOf(j.texts[skillsLabel]), number)
		slices.Sort(all)
		return slices.Compact(all)
	}
	s := &similarities{ref: ref, got: got, refSkills: lists.Each(ref, skills), gotSkills: lists.Each(got, skills)}
	for k := range s.texts {
		s.texts[k] = newLikeness(ref, got, textFields[k].label, noted)
	}
	return s
}

func (s *similarities) cost(i, j int) float64 {
	return s.sum(i, j, (*likeness).of)
}

// bound is a number that the cost is not below.
func (s *similarities) bound(i, j int) float64 {
	const rounding = 1e-12
	return s.sum(i, j, (*likeness).atMost) - rounding
}

func (s *similarities) sum(i, j int, like func(*likeness, int, int) float64) float64 {
	similarity := 0.0
	for k := range s.texts {
		similarity += float64(textFields[k].weight * like(&s.texts[k], i, j))
	}
	ref, got := &s.ref[i], &s.got[j]
	similarity += float64(salaryWeight * salarySimilarity(ref.pay, got.pay))
	similarity += float64(skillsWeight * commonShare(s.refSkills[i], s.gotSkills[j]))
	if ref.texts[PostedLabel] == got.texts[PostedLabel] {
		similarity += postedWeight
	}
	return 1 - similarity
}

func salarySimilarity(ref, got Pay) float64 {
	a, b := ref.Annual(), got.Annual()
	switch {
	case ref.Period == "" && got.Period == "":
		return 1
	case ref.Period == "" || got.Period == "", a == 0, b == 0:
		return 0
	}
	return min(a, b) / max(a, b)
}

// commonShare is the share of common numbers in all of two ascending lists, 1 if both are empty.
func commonShare(a, b []int) float64 {
	all := len(a) + len(b)
	if all == 0 {
		return 1
	}
	common := 0
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			a = a[1:]
		case a[0] > b[0]:
			b = b[1:]
		default:
			a, b = a[1:], b[1:]
			common++
		}
	}
	return float64(common) / float64(all-common)
}

// likeness is how similar the texts of one field are, trimmed and in lower case.
type likeness struct {
	refs, gots []int // the number of each job's text
	*ratio.Table
}

func newLikeness(ref, got []Job, field Label, noted *notes.Notes) likeness {
	l := likeness{Table: ratio.NewTable(noted)}
	numbers := func(jobs []Job) []int {
		return lists.Each(jobs, func(j *Job) int { return l.Number(pytext.Strip(pytext.Lower(j.texts[field]))) })
	}
	l.refs, l.gots = numbers(ref), numbers(got)
	return l
}

// of is the published similarity, the ratio of the texts.
func (l *likeness) of(i, j int) float64 { return l.Ratio(l.refs[i], l.gots[j]) }

func (l *likeness) atMost(i, j int) float64 { return l.AtMost(l.refs[i], l.gots[j]) }
