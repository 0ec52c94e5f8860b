// Package circuit is the domain of SPICE netlists: a title, subcircuits, element
// lines, parameters, models, simulation commands and comments of a circuit. The
// element line is what is counted: a device, source or instance, at top level or
// inside a subcircuit.
//
// The published score compares subcircuits by name, ports and elements,
// instances, sources, parameters, control text and simulation commands, with a
// reader that gives up on a whole file for one line that it does not know.
// Strict reads what a simulator reads: statements with their continuation lines,
// numbers by value in any unit, every node in its place, every parameter, model
// card, control line and comment. The order of statements, their division into
// files, letter case and layout mean nothing to it.
package circuit

import "agentd/domains"

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[netlist]{
		Info: domains.Info{
			Name:     "circuit",
			Title:    "SPICE netlist",
			Category: "Science & Engineering",
			Patterns: []string{"*.cir"},
			Element:  counted,
			Example:  "R1 in out 10k\nC1 out 0 100n",
			Components: []string{
				"coverage", "ports", "elements", "instances", "sources", "parameters", "control", "directives", "multiplier",
			},
		},
		Parse:      parse,
		Score:      score,
		Stats:      stats,
		Elements:   elements,
		Forgives:   forgives,
		Without:    without,
		Sampling:   domains.Sampling{Not: "a circuit is one whole: without an element its nets are another circuit"},
		Vocabulary: vocabulary,
	})
}
