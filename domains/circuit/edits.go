package circuit

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
)

// netlists says how netlists are taken apart and put together.
var netlists = exact.Format[netFile, statement]{
	Patterns: []string{"*.cir"},
	Read:     func(text string) netFile { return readFile("", text) },
	Print:    func(f netFile) string { return f.print() },
	Parts:    func(f *netFile) *[]statement { return &f.statements },
	Empty:    errors.New("no netlist with an element line"),
	Counts:   func(s *statement) bool { return s.kind == elementLine },
}

func edits() []domains.Edit {
	return []domains.Edit{
		domains.Taking("cells_aside", cellsAside),
		domains.Taking("bench_aside", benchAside),
		domains.Taking("json", inJSON),
		domains.Taking("sort_ports", sortPorts),
		domains.Taking("values_aside", valuesAside),
		domains.Taking("number_nets", numberNets),
		domains.Taking("scale_impedance", scaleImpedance),
		domains.Taking("split_by_limits", splitByLimits),
	}
}

func printed(statements []statement) string { return (&netFile{statements: statements}).print() }

// unit is what moves as one: a subcircuit or control block from its first to its
// last line, or any other statement.
type unit struct {
	line       int // on which it begins, from 1; 0 if that is not known
	statements []statement
}

func (u *unit) first() *statement { return &u.statements[0] }

func (f *netFile) units() []unit {
	var units []unit
	line, depth := 1, 0
	for _, s := range f.statements {
		if depth > 0 {
			last := &units[len(units)-1]
			last.statements = append(last.statements, s)
		} else {
			units = append(units, unit{line, []statement{s}})
		}
		if s.kind == commandLine {
			switch s.word {
			case ".subckt", ".control":
				depth++
			case ".ends", ".endc":
				depth = max(depth-1, 0)
			}
		}
		line += 1 + strings.Count(s.text, "\n")
	}
	return units
}

// takeOut divides a document into the units that are taken and the rest.
func (f *netFile) takeOut(takes func(*unit) bool) (taken []unit, rest []statement) {
	for _, u := range f.units() {
		if takes(&u) {
			taken = append(taken, u)
		} else {
			rest = append(rest, u.statements...)
		}
	}
	return taken, rest
}

// putIn is the reverse of takeOut. Units without a line come last, before .end.
func putIn(taken []unit, rest []statement) []statement {
	slices.SortStableFunc(taken, func(a, b unit) int { return cmp.Compare(uint(a.line)-1, uint(b.line)-1) })
	var all []statement
	line := 1
	add := func(statements ...statement) {
		for _, s := range statements {
			all = append(all, s)
			line += 1 + strings.Count(s.text, "\n")
		}
	}
	for _, u := range taken {
		for len(rest) > 0 && (line < u.line || u.line == 0 && rest[0].word != ".end") {
			add(rest[0])
			rest = rest[1:]
		}
		add(u.statements...)
	}
	return append(all, rest...)
}

// splice is a text in place of a word.
type splice struct {
	word word
	text string
}

// splice puts texts in place of words, which are given in order.
func (s *statement) splice(changes []splice) {
	if len(changes) == 0 {
		return
	}
	s.text = plain.Splice(s.text, changes, func(c splice) (int, int, string) { return c.word.start, c.word.end(), c.text })
	s.lexed = false
}
