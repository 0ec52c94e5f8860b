package mathlean

import (
	"slices"
	"strconv"

	"agentd/domains"
	"agentd/domains/internal/assign"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/ratio"
)

// score follows the published evaluator. The conversions keep products and sums
// from being fused on some machines.
func score(ref, got source, noted *notes.Notes) domains.Reading {
	reading := domains.Reading{Elements: domains.Elements{
		Reference: len(ref.declarations), Candidate: len(got.declarations),
	}}
	declarations := declarationScore(ref.declarations, got.declarations, noted)
	imports, sections := coverage(ref.imports, got.imports), coverage(ref.sections, got.sections)
	text := textSimilarity(ref.text, got.text, noted)
	kept := min(1, float64(len(got.declarations))/float64(max(len(ref.declarations), 1)))
	structure := float64(0.25*imports) + float64(0.15*sections)
	reading.Value = float64(0.40*declarations) + float64(float64(kept*kept)*structure) + float64(0.20*text)
	reading.Components = map[string]float64{
		"declaration_score": declarations, "import_coverage": imports,
		"section_coverage": sections, "text_similarity": text,
	}
	return reading
}

// coverage is the share of the reference's names that the candidate has.
func coverage(ref, got []string) float64 {
	wanted, found := setOf(ref), setOf(got)
	switch {
	case len(wanted) == 0 && len(found) == 0:
		return 1
	case len(wanted) == 0:
		return 0.5
	}
	common := 0
	for name := range wanted {
		if found[name] {
			common++
		}
	}
	return float64(common) / float64(len(wanted))
}

func setOf(names []string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[name] = true
	}
	return set
}

// declarationScore is the largest sum of similarities over pairs of
// declarations, divided by the number of the side that has more.
func declarationScore(ref, got []statement, noted *notes.Notes) float64 {
	switch {
	case len(ref) == 0 && len(got) == 0:
		return 1
	case len(ref) == 0 || len(got) == 0:
		return 0
	}
	if slices.Equal(ref, got) {
		return 1
	}
	s := similarities{ref: ref, got: got, known: map[[2]string]float64{}, texts: map[string]*text{}, noted: noted}
	pairs := assign.MinByLabel(assign.Costs{
		Rows: len(ref), Cols: len(got), Cost: s.cost, Bound: s.leastCost,
	}, func(i int) statement { return ref[i] }, func(j int) statement { return got[j] }, noted)
	sum := 0.0
	for _, p := range pairs {
		sum += 1 - s.cost(p.Row, p.Col)
	}
	return sum / float64(max(len(ref), len(got)))
}

// similarities are those between two lists of declarations.
type similarities struct {
	ref, got []statement
	known    map[[2]string]float64 // ratios that were asked for
	texts    map[string]*text
	noted    *notes.Notes
}

// text is a name or signature made ready to be compared.
type text struct {
	runes    []rune
	profile  ratio.Profile
	prepared *ratio.Text        // as the second sequence, once needed
	tally    *ratio.Tally[rune] // once needed
}

func (s *similarities) text(of string) *text {
	t := s.texts[of]
	if t == nil {
		runes := []rune(of)
		t = &text{runes: runes, profile: ratio.ProfileOf(runes)}
		s.texts[of] = t
	}
	return t
}

func (t *text) characters() *ratio.Tally[rune] {
	if t.tally == nil {
		t.tally = ratio.TallyOf(t.runes)
	}
	return t.tally
}

const (
	otherKeyword = 0.8 // of the similarity, where the keywords differ
	half         = 0.5 // the weight of the name, and of the signature
)

func (s *similarities) cost(i, j int) float64 {
	return s.costBy(s.ratio, i, j)
}

func (s *similarities) leastCost(i, j int) float64 {
	return s.costBy(s.atMost, i, j)
}

func (s *similarities) costBy(ratio func(a, b string) float64, i, j int) float64 {
	a, b := &s.ref[i], &s.got[j]
	similarity := float64(half*ratio(a.name, b.name)) + float64(half*ratio(a.signature, b.signature))
	if a.keyword != b.keyword {
		similarity *= otherKeyword
	}
	return 1 - similarity
}

func (s *similarities) ratio(a, b string) float64 {
	if a == b {
		return 1
	}
	pair := [2]string{a, b}
	known, ok := s.known[pair]
	if !ok {
		known = s.ratioOf(a, b)
		s.known[pair] = known
	}
	return known
}

func (s *similarities) ratioOf(a, b string) float64 {
	ref, got := s.text(a), s.text(b)
	if len(ref.runes)*len(got.runes) > mostShortWork {
		s.noted.Add(notes.AnyOrder)
		return ref.characters().Shared(got.characters())
	}
	if got.prepared == nil {
		got.prepared = ratio.Prepare(b)
	}
	return got.prepared.RatioRunes(ref.runes)
}

// atMost is a number that the ratio does not exceed.
func (s *similarities) atMost(a, b string) float64 {
	if a == b {
		return 1
	}
	return s.text(a).profile.AtMost(&s.text(b).profile)
}

func stats(s source) domains.Stats {
	theorems, lemmas := 0, 0
	for i := range s.declarations {
		switch s.declarations[i].keyword {
		case "theorem":
			theorems++
		case "lemma":
			lemmas++
		}
	}
	return domains.Stats{Elements: len(s.declarations), Counts: []domains.Count{
		{Name: "Declarations", Value: strconv.Itoa(len(s.declarations))},
		{Name: "Theorems", Value: strconv.Itoa(theorems)},
		{Name: "Lemmas", Value: strconv.Itoa(lemmas)},
		{Name: "Imports", Value: strconv.Itoa(len(s.imports))},
	}}
}
