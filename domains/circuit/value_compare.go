package circuit

import (
	"slices"
	"strconv"

	"agentd/domains"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
)

const counted = "element"

func stats(n netlist) domains.Stats {
	inside := 0
	for i := range n.subcircuits {
		inside += len(n.subcircuits[i].elements)
	}
	return domains.Stats{Elements: n.elements, Counts: []domains.Count{
		{Name: "Subcircuits", Value: strconv.Itoa(len(n.subcircuits))},
		{Name: "Subckt Elements", Value: strconv.Itoa(inside)},
		{Name: "Top Instances", Value: strconv.Itoa(len(n.instances))},
		{Name: "Sources", Value: strconv.Itoa(len(n.sources))},
		{Name: "Parameters", Value: strconv.Itoa(len(n.params))},
		{Name: "Directives", Value: strconv.Itoa(len(n.directives))},
	}}
}

// score is the weighted sum of eight parts, less where the candidate has lost all
// of a kind.
func score(ref, got netlist, noted *notes.Notes) domains.Reading {
	parts := map[string]float64{
		"coverage":   f1(subcircuitNames(ref), subcircuitNames(got)),
		"ports":      portsShare(ref, got, noted),
		"elements":   elementsShare(ref, got, noted),
		"instances":  sets.Named(ref.instances, got.instances, componentName, sameInstance),
		"sources":    sets.Named(ref.sources, got.sources, componentName, sameSource(noted)),
		"parameters": sets.Named(ref.params, got.params, parameterName, sameParameter(noted)),
		"control":    ratio.Share(folded(ref.control), folded(got.control), noted),
		"directives": directivesShare(ref.directives, got.directives),
		"multiplier": 1,
	}
	lose := func(had, has int, factor float64) {
		if had > 0 && has == 0 {
			parts["multiplier"] *= factor
		}
	}
	lose(len(ref.subcircuits), len(got.subcircuits), 0.3)
	lose(len(ref.instances), len(got.instances), 0.4)
	lose(len(ref.sources), len(got.sources), 0.7)
	raw := float64(0.10*parts["coverage"]) + float64(0.10*parts["ports"]) + float64(0.30*parts["elements"]) +
		float64(0.20*parts["instances"]) + float64(0.10*parts["sources"]) + float64(0.10*parts["parameters"]) +
		float64(0.05*parts["control"]) + float64(0.05*parts["directives"])
	return domains.Reading{
		Value:      pytext.Round(raw*parts["multiplier"], 6),
		Components: parts,
		Elements:   domains.Elements{Reference: ref.elements, Candidate: got.elements},
		Problem:    got.problem,
	}
}

func componentName(c *component) string { return c.name }
func parameterName(p *parameter) string { return p.name }

func subcircuitNames(n netlist) []string {
	names := make([]string, len(n.subcircuits))
	for i := range n.subcircuits {
		names[i] = n.subcircuits[i].name
	}
	return names
}

func sameInstance(ref, got *component) float64 {
	return float64(0.4*truth(ref.value == got.value)) + float64(0.6*nodesShare(ref.nodes, got.nodes))
}

func sameSource(noted *notes.Notes) func(ref, got *component) float64 {
	return func(ref, got *component) float64 {
		return float64(0.5*ratio.Share(ref.value, got.value, noted)) + float64(0.5*nodesShare(ref.nodes, got.nodes))
	}
}

// sameElement is for elements of a subcircuit. As they have one name, they are of
// one kind.
func sameElement(noted *notes.Notes) func(ref, got *component) float64 {
	return func(ref, got *component) float64 {
		return 0.2 + float64(0.3*ratio.Share(ref.value, got.value, noted)) + float64(0.5*nodesShare(ref.nodes, got.nodes))
	}
}

func sameParameter(noted *notes.Notes) func(ref, got *parameter) float64 {
	return func(ref, got *parameter) float64 {
		return ratio.Share(ref.value, got.value, noted)
	}
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func nodesShare(ref, got []string) float64 {
	if slices.Equal(ref, got) {
		return 1
	}
	return f1(ref, got)
}

func portsShare(ref, got netlist, noted *notes.Notes) float64 {
	of := make(map[string]*subcircuit, len(got.subcircuits))
	for i := range got.subcircuits {
		of[got.subcircuits[i].name] = &got.subcircuits[i]
	}
	sum, shared := 0.0, 0
	for i := range ref.subcircuits {
		if other := of[ref.subcircuits[i].name]; other != nil {
			shared++
			sum += ratio.Share(joined(ref.subcircuits[i].ports), joined(other.ports), noted)
		}
	}
	if shared == 0 {
		return 0
	}
	return sum / float64(shared)
}

func elementsShare(ref, got netlist, noted *notes.Notes) float64 {
	if len(ref.subcircuits) == 0 {
		return 1
	}
	of := make(map[string]*subcircuit, len(got.subcircuits))
	for i := range got.subcircuits {
		of[got.subcircuits[i].name] = &got.subcircuits[i]
	}
	sum := 0.0
	for i := range ref.subcircuits {
		if other := of[ref.subcircuits[i].name]; other != nil {
			sum += sets.Named(ref.subcircuits[i].elements, other.elements, componentName, sameElement(noted))
		}
	}
	return sum / float64(len(ref.subcircuits))
}

func directivesShare(ref, got []string) float64 {
	a, b := foldedSet(ref), foldedSet(got)
	switch {
	case len(a) == 0 && len(b) == 0:
		return 1
	case len(a) == 0 || len(b) == 0:
		return 0
	}
	shared := sharedOf(a, b)
	return float64(0.6*f1Of(shared, len(a), len(b))) + float64(0.4*(float64(shared)/float64(len(a))))
}
