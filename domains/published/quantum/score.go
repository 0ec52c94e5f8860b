package quantum

import (
	"strings"

	"agentd/domains"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
)

// count is the number of subroutines, or of operations where there are none on the reference's side.
func (p *Program) count(reference *Program) int {
	if len(reference.subroutines) > 0 {
		return len(p.subroutines)
	}
	return p.operations()
}

// Stats counts the parts of a document.
func Stats(p Program) domains.Stats {
	operations := p.flat
	for i := range p.subroutines {
		operations += len(p.subroutines[i].operations)
	}
	return domains.StatsOf(p.count(&p), "Constants", len(p.constants), "Qubit Registers", len(p.registers),
		"Extern Decls", len(p.externs), "Gate Defs", len(p.gates), "Subroutines", len(p.subroutines),
		"Total Gate Ops", operations)
}

// Score is the weighted sum of five parts, less where the candidate has lost all of a kind. A candidate that does not
// follow the grammar and in which nothing is found is compared as text.
func Score(ref, got Program, noted *notes.Notes) domains.Reading {
	parts := map[string]float64{}
	reading := domains.Reading{
		Components: parts,
		Elements:   domains.Elements{Reference: ref.count(&ref), Candidate: got.count(&ref)},
	}
	if got.fellBack && len(got.subroutines)+len(got.constants)+len(got.registers)+len(got.externs) == 0 {
		parts["text"] = ratio.Share(plainText(ref.raw), plainText(got.raw), noted)
		reading.RS = pytext.Round(0.5*parts["text"], 6)
		return reading
	}
	declared := func(ref, got []declaration, text, more float64) float64 {
		return sets.Named(ref, got, declaredName, func(a, b *declaration) float64 {
			return float64(text*ratio.Share(a.text, b.text, noted)) + float64(more*ratio.Share(a.more, b.more, noted))
		})
	}
	parts["constants"] = declared(ref.constants, got.constants, 1, 0)
	parts["registers"] = declared(ref.registers, got.registers, 1, 0)
	parts["externs"] = declared(ref.externs, got.externs, 0.6, 0.4)
	parts["gates"] = declared(ref.gates, got.gates, 0.7, 0.3)
	parts["subroutines"] = subroutinesShare(ref.subroutines, got.subroutines, noted)
	parts["multiplier"] = 1
	lose := func(had, has int, factor float64) {
		if had > 0 && has == 0 {
			parts["multiplier"] *= factor
		}
	}
	lose(len(ref.subroutines), len(got.subroutines), 0.2)
	lose(len(ref.constants), len(got.constants), 0.6)
	lose(len(ref.registers), len(got.registers), 0.7)
	raw := float64(0.10*parts["constants"]) + float64(0.10*parts["registers"]) + float64(0.10*parts["externs"]) +
		float64(0.05*parts["gates"]) + float64(0.65*parts["subroutines"])
	reading.RS = pytext.Round(raw*parts["multiplier"], 6)
	return reading
}

func subroutinesShare(ref, got []subroutine, noted *notes.Notes) float64 {
	switch {
	case len(ref) == 0 && len(got) == 0:
		return 1
	case len(ref) == 0:
		return 0.5
	}
	pairs, sum := sets.PairByName(ref, got, subroutineName).Both, 0.0
	for _, pair := range pairs {
		sum += sameSubroutine(pair[0], pair[1], noted)
	}
	share := sum / float64(len(ref))
	if extra := len(got) - len(pairs); extra > 0 {
		share *= 1 - min(float64(extra)/float64(len(ref)), 0.2)
	}
	return share
}

func sameSubroutine(ref, got *subroutine, noted *notes.Notes) float64 {
	args, returns := ratio.Share(ref.args, got.args, noted), ratio.Share(ref.returns, got.returns, noted)
	signature := float64(0.6*args) + float64(0.4*returns)
	operations := ratio.Share(strings.Join(ref.operations, " "), strings.Join(got.operations, " "), noted)
	return float64(0.25*signature) + float64(0.50*ratio.Share(ref.body, got.body, noted)) + float64(0.25*operations)
}

// plainText is a text without outer blanks on its lines and without the lines that are comments.
func plainText(text string) string {
	var kept []string
	for line := range strings.SplitSeq(text, "\n") {
		if line = pytext.Strip(line); !strings.HasPrefix(line, "//") {
			kept = append(kept, line)
		}
	}
	return pytext.Strip(strings.Join(kept, "\n"))
}

// Others counts the parts by which a document without a counted element is scored.
func Others(p Program) int { return len(p.constants) + len(p.registers) + len(p.externs) }
