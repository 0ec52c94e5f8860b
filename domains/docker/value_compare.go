package docker

import (
	"strconv"

	"agentd/domains"
)

const counted = "instruction"

const stageKind = "stage"

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
