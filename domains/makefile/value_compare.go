package makefile

import (
	"strconv"

	"agentd/domains"
)

const counted = "target"

func stats(d document) domains.Stats {
	lines, prerequisites := 0, 0
	for _, t := range d.targets {
		lines += len(t.recipe)
		prerequisites += len(t.prerequisites)
	}
	return domains.Stats{Elements: d.explicit(), Counts: []domains.Count{
		{Name: "Targets", Value: strconv.Itoa(len(d.targets))},
		{Name: "Variables", Value: strconv.Itoa(len(d.variables))},
		{Name: "Dependencies", Value: "0"}, // as the published program has it
		{Name: "Prerequisites", Value: strconv.Itoa(prerequisites)},
		{Name: "Recipe Lines", Value: strconv.Itoa(lines)},
	}}
}
