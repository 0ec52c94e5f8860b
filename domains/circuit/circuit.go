// Package circuit is the domain of SPICE netlists: a title, subcircuits, element lines, parameters, models, simulation
// commands and comments of a circuit. The element line is what is counted: a device, source or instance, at top level
// or inside a subcircuit.
//
// The published score compares subcircuits by name, ports and elements, instances, sources, parameters, control text
// and simulation commands, with a reader that gives up on a whole file for one line that it does not know. Strict reads
// what a simulator reads: statements with their continuation lines, numbers by value in any unit, every node in its
// place, every parameter, model card, control line and comment. The order of statements, their division into files,
// letter case and layout mean nothing to it.
package circuit

import (
	"slices"
	"strconv"

	"agentd/domains"
	"agentd/domains/edit"
	published "agentd/domains/published/circuit"
	"agentd/internal/lazyregexp"
)

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[published.Netlist]{
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
		Parse:      published.Parse,
		Score:      published.Score,
		Stats:      published.Stats,
		Form:       wellFormed,
		Elements:   elements,
		Comments:   []string{"*"},
		Evidence:   domains.OfKinds(counted, "model", "subcircuit"),
		Forgives:   forgives,
		Without:    without,
		Sampling:   domains.Sampling{Not: "a circuit is one whole: without an element its nets are another circuit"},
		Vocabulary: vocabulary,
	})
}

// vocabulary makes parts of subcircuits; of the elements above them where there are few.
func vocabulary() edit.Format {
	return edit.Format{
		Document: "netlist", Part: "subcircuit", Parts: "subcircuits",
		Cut: edit.Whole(edit.Headed(`^[ \t]*\*`, edit.Enclosed(`(?i)^[ \t]*\.subckt\b`, `(?i)^[ \t]*\.ends\b`))),
		Attributes: []edit.Attribute{
			edit.Key("name", "names", `(?i)^[ \t]*\.subckt[ \t]+(\S+)`),
			edit.Key("first port", "first ports", `(?i)^[ \t]*\.subckt[ \t]+\S+[ \t]+(\S+)`),
			edit.Key("second port", "second ports", `(?i)^[ \t]*\.subckt[ \t]+\S+[ \t]+\S+[ \t]+(\S+)`),
			edit.Has("inductance", "inductances", `^[ \t]*[Ll]\S*[ \t]+\S+[ \t]+\S+[ \t]+(\d\S*)`),
			edit.ComputedNumber("number of elements", "numbers of elements", elementsOf),
			edit.HasNumber("resistance", "resistances", `^[ \t]*[Rr]\S*[ \t]+\S+[ \t]+\S+[ \t]+(\d\S*)`),
			edit.Has("capacitance", "capacitances", `^[ \t]*[Cc]\S*[ \t]+\S+[ \t]+\S+[ \t]+(\d\S*)`),
			edit.Has("transistor model", "transistor models", `^[ \t]*(?:[QJqj]\S*(?:[ \t]+\S+){3}|[Mm]\S*(?:[ \t]+\S+){4})[ \t]+([A-Za-z]\w*)`),
			edit.Has("comment", "comments", `(?:^[ \t]*\*+|;)[ \t]*([^\s*][^\n]*[^\s])`),
		},
		Remark: "* Computed: {}", RemarkAt: edit.Above,
		Tree: edit.Nested(`(?i)^[ \t]*\.(?:subckt|control)\b`, `(?i)^[ \t]*\.(?:ends|endc)\b`),
		Finer: &edit.Format{
			Document: "netlist", Part: "element", Parts: "elements",
			Cut: edit.Headed(`^[ \t]*\*`, edit.Starting(`^[ \t]*(?:[A-Za-z]\w*\d\w*[ \t]+\S|[A-Za-z]\w*[ \t]+\S+[ \t]+\S+[ \t].*\d)`, `^[ \t]*\.`)),
			Attributes: []edit.Attribute{
				edit.Key("kind of element", "kinds of elements", `^[ \t]*([A-Za-z])`),
				edit.Key("name", "names", `^[ \t]*([A-Za-z]\w*)`),
				edit.Has("first node", "first nodes", `^[ \t]*[A-Za-z]\w*[ \t]+(\S+)`),
				edit.Has("second node", "second nodes", `^[ \t]*[A-Za-z]\w*[ \t]+\S+[ \t]+(\S+)`),
				edit.Has("value", "values", `^[ \t]*[A-Za-z]\w*[ \t]+\S+[ \t]+\S+[ \t]+([^\n;]*[^\s;])`),
			},
		},
	}
}

var lettered = lazyregexp.New(`(?m)^[ \t]*[A-Za-z]\w*[ \t]+\S`)

// elementsOf is how many elements and instances a subcircuit has: its lines but comments, continued lines and those with a dot.
func elementsOf(part string) string { return strconv.Itoa(len(lettered.FindAllString(part, -1))) }

// without leaves out element lines, with what continues them.
func without(name, text string, leave func() bool) string {
	f := readFile(name, text)
	f.statements = slices.DeleteFunc(f.statements, func(s statement) bool { return s.kind == elementLine && leave() })
	return f.print()
}
