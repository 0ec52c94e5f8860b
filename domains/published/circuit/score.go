package circuit

import (
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
)

// Stats counts the parts of a document.
func Stats(n Netlist) domains.Stats {
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

// Score is the weighted sum of eight parts, less where the candidate has lost all of a kind.
func Score(ref, got Netlist, noted *notes.Notes) domains.Reading {
	ports, elements := compareSubcircuits(ref.subcircuits, got.subcircuits, noted)
	parameterName := func(p *parameter) string { return p.name }
	sameParameter := func(ref, got *parameter) float64 { return ratio.Share(ref.value, got.value, noted) }
	parts := map[string]float64{
		"coverage":   f1(lists.Each(ref.subcircuits, (*subcircuit).called), lists.Each(got.subcircuits, (*subcircuit).called)),
		"ports":      ports,
		"elements":   elements,
		"instances":  sets.Named(ref.instances, got.instances, componentName, sameInstance),
		"sources":    sets.Named(ref.sources, got.sources, componentName, alike(0, 0.5, noted)),
		"parameters": sets.Named(ref.params, got.params, parameterName, sameParameter),
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
		RS:         pytext.Round(raw*parts["multiplier"], 6),
		Components: parts,
		Elements:   domains.Elements{Reference: ref.elements, Candidate: got.elements},
		Problem:    got.problem,
	}
}

func componentName(c *component) string { return c.name }

func sameInstance(ref, got *component) float64 {
	return float64(0.4*sets.OneIf(ref.value == got.value)) + float64(0.6*nodesShare(ref.nodes, got.nodes))
}

// alike compares components by their kind, value and nodes. As they have one name, they are of one kind.
func alike(kind, value float64, noted *notes.Notes) func(ref, got *component) float64 {
	return func(ref, got *component) float64 {
		return kind + float64(value*ratio.Share(ref.value, got.value, noted)) + float64(0.5*nodesShare(ref.nodes, got.nodes))
	}
}

func nodesShare(ref, got []string) float64 {
	if slices.Equal(ref, got) {
		return 1
	}
	return f1(ref, got)
}

// compareSubcircuits compares the ports of the subcircuits that both have, and the elements of
// all that the reference has.
func compareSubcircuits(ref, got []subcircuit, noted *notes.Notes) (ports, elements float64) {
	if len(ref) == 0 {
		return 0, 1
	}
	of := make(map[string]*subcircuit, len(got))
	for i := range got {
		of[got[i].name] = &got[i]
	}
	var shared sets.Mean
	for i := range ref {
		if other := of[ref[i].name]; other != nil {
			shared.Add(ratio.Share(joined(ref[i].ports), joined(other.ports), noted))
			elements += sets.Named(ref[i].elements, other.elements, componentName, alike(0.2, 0.3, noted))
		}
	}
	return shared.Or(0), elements / float64(len(ref))
}

func directivesShare(ref, got []string) float64 {
	shared, ofRef, ofGot := sets.Common(lists.Map(ref, folded), lists.Map(got, folded))
	if ofRef == 0 || ofGot == 0 {
		return sets.OneIf(ofRef == ofGot)
	}
	return float64(0.6*sets.F1(shared, ofRef, ofGot)) + float64(0.4*(float64(shared)/float64(ofRef)))
}

func joined(words []string) string { return strings.Join(words, " ") }

// folded is a text in lower case with its white space collapsed.
func folded(text string) string { return pytext.Collapse(pytext.Lower(text)) }

// f1 compares two lists as sets.
func f1(ref, got []string) float64 {
	if len(ref) == 0 && len(got) == 0 {
		return 1
	}
	return sets.F1(sets.Common(ref, got))
}
