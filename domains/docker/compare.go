package docker

import (
	"strconv"

	"agentd/domains"
)

const counted = "instruction"

const stageKind = "stage"

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[[]stage]{
		Info: domains.Info{
			Name:       "docker",
			Title:      "Dockerfile",
			Category:   "Code & Configuration",
			Patterns:   []string{"*Dockerfile*", "*dockerfile*"},
			Element:    counted,
			Example:    "FROM alpine:3.20\nRUN apk add --no-cache curl",
			Components: []string{"stages", "sequence", "run", "configuration", "copy", "comments"},
		},
		Parse:    parse,
		Score:    score,
		Stats:    stats,
		Elements: elements,
		Hazards:  hazards,
		// Where a stage comes from has a score of its own.
		Others:     func(stages []stage) int { return len(stages) },
		Evidence:   domains.Prevailing(counted, stageKind),
		Without:    without,
		Sampling:   domains.Sampling{Not: "a Dockerfile is one program: its instructions build on each other"},
		Edits:      edits(),
		Vocabulary: vocabulary,
	})
}

func stats(stages []stage) domains.Stats {
	tables := tablesOf(stages)
	runs, copies := 0, 0
	for i := range stages {
		for _, in := range stages[i].instructions {
			switch in.keyword {
			case "RUN":
				runs++
			case "COPY", "ADD":
				copies++
			}
		}
	}
	return domains.Stats{Elements: count(stages), Counts: []domains.Count{
		{Name: "Stages", Value: strconv.Itoa(len(stages))},
		{Name: "Instructions", Value: strconv.Itoa(count(stages))},
		{Name: "RUN commands", Value: strconv.Itoa(runs)},
		{Name: "COPY/ADD", Value: strconv.Itoa(copies)},
		{Name: "ENV vars", Value: strconv.Itoa(len(tables.env))},
		{Name: "ARG vars", Value: strconv.Itoa(len(tables.arg))},
	}}
}
