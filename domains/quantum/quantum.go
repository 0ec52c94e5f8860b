// Package quantum is the domain of OpenQASM 3 programs: constants, registers,
// extern declarations, gate definitions, subroutines and the operations of the
// program itself. The subroutine (`def`) is what is counted; of a program without
// any, the operation at top level.
//
// The published score reads each file by the grammar of OpenQASM 3.1 and compares
// declarations and the bodies of gates and subroutines in canonical spelling. A file
// that does not follow the grammar is searched by patterns. The program at top level
// and comments play no part. Strict reads statements with their blocks: every
// declaration, every operation with its angles and qubits in its place, every
// comment. The order of definitions, layout, and the spelling of what means the same
// are free.
package quantum

import "agentd/domains"

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[program]{
		Info: domains.Info{
			Name:       "quantum",
			Title:      "OpenQASM 3 program",
			Category:   "Science & Engineering",
			Patterns:   []string{"*.qasm"},
			Element:    counted,
			Example:    "def clear(qubit[3] q) {\n  reset q;\n}",
			Components: []string{"constants", "registers", "externs", "gates", "subroutines", "multiplier", "text"},
		},
		Parse:    parse,
		Score:    score,
		Stats:    stats,
		Elements: elements,
		// Constants, registers and externs have a score of their own.
		Others:     func(p program) int { return len(p.constants) + len(p.registers) + len(p.externs) },
		Evidence:   domains.OfKinds(counted, kinds[gateForm], kinds[registerForm], kinds[externForm], kinds[constantForm]),
		Forgives:   forgives,
		WithoutIn:  without,
		Sampling:   domains.Sampling{Not: "a program is one whole: what is left calls the subroutines that are not"},
		Vocabulary: vocabulary,
	})
}
