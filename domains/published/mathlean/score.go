package mathlean

import (
	"slices"

	"agentd/domains"
	"agentd/domains/internal/assign"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
)

const (
	// mostWork is the product of the lengths of two texts, in characters, and mostPairs the number of pairs of equal
	// characters that may begin a matching block, above which what the texts share at most stands for their ratio. Two
	// documents of 50,000 tokens have less of both.
	mostWork  = 1 << 35
	mostPairs = 1 << 27
	// mostShortWork is that product for names and signatures, of which there are many.
	mostShortWork = 1 << 24
)

// Score follows the published evaluator. The conversions keep products and sums from being fused on some machines.
func Score(ref, got Source, noted *notes.Notes) domains.Reading {
	reading := domains.Reading{Elements: domains.Elements{
		Reference: len(ref.declarations), Candidate: len(got.declarations),
	}}
	declarations := declarationScore(ref.declarations, got.declarations, noted)
	imports, sections := coverage(ref.imports, got.imports), coverage(ref.sections, got.sections)
	text := ratio.Bounded([]rune(ref.text), []rune(got.text), ratio.Limits{Work: mostWork, Pairs: mostPairs}, noted)
	kept := min(1, float64(len(got.declarations))/float64(max(len(ref.declarations), 1)))
	structure := float64(0.25*imports) + float64(0.15*sections)
	reading.RS = float64(0.40*declarations) + float64(float64(kept*kept)*structure) + float64(0.20*text)
	reading.Components = map[string]float64{
		"declaration_score": declarations, "import_coverage": imports,
		"section_coverage": sections, "text_similarity": text,
	}
	return reading
}

// coverage is the share of the reference's names that the candidate has.
func coverage(ref, got []string) float64 {
	names := sets.PairByName(ref, got, func(name *string) string { return *name })
	switch {
	case names.Refs == 0 && names.Gots == 0:
		return 1
	case names.Refs == 0:
		return 0.5
	}
	return float64(len(names.Both)) / float64(names.Refs)
}

// declarationScore is the largest sum of similarities over pairs of
// declarations, divided by the number of the side that has more.
func declarationScore(ref, got []statement, noted *notes.Notes) float64 {
	if similarity, empty := sets.EitherEmpty(ref, got); empty {
		return similarity
	}
	if slices.Equal(ref, got) {
		return 1
	}
	texts := ratio.NewTable(noted)
	texts.Most = mostShortWork
	refs, gots := numbered(ref, texts), numbered(got, texts)
	cost := func(similarity func(a, b int) float64) func(i, j int) float64 {
		return func(i, j int) float64 { return 1 - refs[i].similarity(gots[j], similarity) }
	}
	costs := assign.Costs{Rows: len(ref), Cols: len(got), Cost: cost(texts.Ratio), Bound: cost(texts.AtMost)}
	of := func(all []declaration) func(i int) declaration { return func(i int) declaration { return all[i] } }
	pairs := assign.MinByLabel(costs, of(refs), of(gots), noted)
	sum := 0.0
	for _, p := range pairs {
		sum += 1 - costs.Cost(p.Row, p.Col)
	}
	return sum / float64(max(len(ref), len(got)))
}

// declaration is a statement with numbers for its texts.
type declaration struct {
	keyword         string
	name, signature int
}

func numbered(statements []statement, texts *ratio.Table) []declaration {
	return lists.Map(statements, func(s statement) declaration {
		return declaration{s.keyword, texts.Number(s.name), texts.Number(s.signature)}
	})
}

// similarity is the mean of those of names and signatures, 0.8 of it where the keywords differ.
func (d declaration) similarity(other declaration, of func(a, b int) float64) float64 {
	similarity := float64(0.5*of(d.name, other.name)) + float64(0.5*of(d.signature, other.signature))
	if d.keyword != other.keyword {
		similarity *= 0.8
	}
	return similarity
}

// Stats counts the parts of a document.
func Stats(s Source) domains.Stats {
	theorems, lemmas := 0, 0
	for i := range s.declarations {
		switch s.declarations[i].keyword {
		case "theorem":
			theorems++
		case "lemma":
			lemmas++
		}
	}
	return domains.StatsOf(len(s.declarations), "Declarations", len(s.declarations), "Theorems", theorems,
		"Lemmas", lemmas, "Imports", len(s.imports))
}

// Others counts the parts by which a document without a counted element is scored.
func Others(s Source) int { return len(s.text) }
