package docker

import (
	"strconv"

	"agentd/domains"
)

const counted = "instruction"

const stageKind = "stage"

func stats(stages []stage) domains.Stats {
	tables := tablesOf(stages)
	of := map[string]int{}
	for i := range stages {
		for _, in := range stages[i].instructions {
			of[in.keyword]++
		}
	}
	return domains.Stats{Elements: count(stages), Counts: []domains.Count{
		{Name: "Stages", Value: strconv.Itoa(len(stages))},
		{Name: "Instructions", Value: strconv.Itoa(count(stages))},
		{Name: "RUN commands", Value: strconv.Itoa(of["RUN"])},
		{Name: "COPY/ADD", Value: strconv.Itoa(of["COPY"] + of["ADD"])},
		{Name: "ENV vars", Value: strconv.Itoa(len(tables.env))},
		{Name: "ARG vars", Value: strconv.Itoa(len(tables.arg))},
	}}
}
