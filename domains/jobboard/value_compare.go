package jobboard

import (
	"math"
	"slices"
	"strconv"

	"agentd/domains"
	"agentd/domains/internal/assign"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
)

// counted is the kind of the elements that are counted.
const counted = "posting"

func stats(jobs []job) domains.Stats {
	companies, skills := map[string]bool{}, map[string]bool{}
	for i := range jobs {
		if company := jobs[i].texts[companyLabel]; company != "" {
			companies[company] = true
		}
		for _, skill := range skillsOf(jobs[i].texts[skillsLabel]) {
			skills[skill] = true
		}
	}
	paid := lists.Count(jobs, func(j *job) bool { return j.pay.amount != 0 })
	return domains.Stats{
		Elements: len(jobs),
		Counts: []domains.Count{
			{Name: "Jobs", Value: strconv.Itoa(len(jobs))},
			{Name: "Companies", Value: strconv.Itoa(len(companies))},
			{Name: "With Salary", Value: strconv.Itoa(paid)},
			{Name: "Unique Skills", Value: strconv.Itoa(len(skills))},
		},
	}
}

// score is the formula of the published program.
func score(ref, got []job, noted *notes.Notes) domains.Reading {
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
	reading.Value = coverage * coverage * accuracy * math.Sqrt((sequence+count)/2)
	reading.Components = map[string]float64{
		"coverage": coverage, "accuracy": accuracy, "sequence": sequence, "count": count,
	}
	return reading
}

func ids(jobs []job) []string {
	return lists.Each(jobs, func(j *job) string { return j.id })
}

// order is how much of the order of the paired jobs is the same. A job's place
// is the last one at which its id stands.
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
