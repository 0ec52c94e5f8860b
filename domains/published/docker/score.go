package docker

import (
	"cmp"
	"maps"
	"math"
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
func Stats(stages []Stage) domains.Stats {
	tables := tablesOf(stages)
	of := map[string]int{}
	for i := range stages {
		for _, in := range stages[i].instructions {
			of[in.keyword]++
		}
	}
	return domains.Stats{Elements: count(stages), Counts: []domains.Count{
		{Name: "Stages", Value: strconv.Itoa(len(stages))},
		{Name: "Instructions", Value: strconv.Itoa(count(stages))},
		{Name: "RUN commands", Value: strconv.Itoa(of["RUN"])},
		{Name: "COPY/ADD", Value: strconv.Itoa(of["COPY"] + of["ADD"])},
		{Name: "ENV vars", Value: strconv.Itoa(len(tables.env))},
		{Name: "ARG vars", Value: strconv.Itoa(len(tables.arg))},
	}}
}

// components are the parts of the score and their weights; comments are taken in last.
var components = []struct {
	name   string
	weight float64
}{{"stages", 0.25}, {"sequence", 0.15}, {"run", 0.25}, {"configuration", 0.20}, {"copy", 0.15}}

// Score is the weighted geometric mean of five parts, of which the comments decide the last tenth.
func Score(reference, candidate []Stage, noted *notes.Notes) domains.Reading {
	ref, got := tablesOf(reference), tablesOf(candidate)
	paired := pairStages(reference, candidate)
	parts := map[string]float64{
		"stages":        structure(reference, candidate, paired, noted),
		"sequence":      sequence(reference, candidate, paired),
		"run":           values(ref.runs, got.runs, noted),
		"configuration": configuration(&ref, &got, noted),
		"copy":          values(ref.copies, got.copies, noted),
		"comments":      ratio.Long(ref.comments, got.comments, noted),
	}
	const least = 1e-9
	core := 1.0
	for _, c := range components {
		core *= math.Pow(max(parts[c.name], least), c.weight)
	}
	return domains.Reading{
		RS:         core * (0.90 + float64(0.10*parts["comments"])),
		Components: parts,
		Elements:   domains.Elements{Reference: count(reference), Candidate: count(candidate)},
	}
}

func count(stages []Stage) int {
	total := 0
	for i := range stages {
		total += len(stages[i].instructions)
	}
	return total
}

// pairStages finds for each stage of the reference the candidate's of the same
// name, or place if it has no name; nil where there is none left.
func pairStages(reference, candidate []Stage) []*Stage {
	key := func(s *Stage, at int) string {
		if s.name != "" {
			return s.name
		}
		return "_pos_" + strconv.Itoa(at)
	}
	free := make(map[string]*Stage, len(candidate))
	for i := range candidate {
		free[key(&candidate[i], i)] = &candidate[i]
	}
	paired := make([]*Stage, len(reference))
	for i := range reference {
		k := key(&reference[i], i)
		paired[i] = free[k]
		delete(free, k)
	}
	return paired
}

func structure(reference, candidate []Stage, paired []*Stage, noted *notes.Notes) float64 {
	if len(reference) == 0 || len(candidate) == 0 {
		return sets.Quotient(len(reference), len(candidate))
	}
	completeness := 0.0
	for i, partner := range paired {
		if partner != nil {
			completeness += sets.Quotient(len(reference[i].instructions), len(partner.instructions))
		}
	}
	completeness /= float64(len(reference))
	refBases, gotBases := namedBases(reference), namedBases(candidate)
	names := 1.0
	if len(refBases) > 0 {
		names = sets.Jaccard(keys(refBases), keys(gotBases))
	}
	return float64(0.20*sets.Quotient(len(reference), len(candidate))) + float64(0.25*names) +
		float64(0.25*bases(reference, candidate, refBases, gotBases, noted)) + float64(0.30*completeness)
}

func namedBases(stages []Stage) map[string]string {
	named := map[string]string{}
	for i := range stages {
		if s := &stages[i]; s.name != "" {
			named[s.name] = s.base
		}
	}
	return named
}

// bases is the mean similarity of the bases of stages with common names, or
// of those at the same places if no name is common.
func bases(reference, candidate []Stage, refBases, gotBases map[string]string, noted *notes.Notes) float64 {
	var m sets.Mean
	for _, name := range keys(refBases) {
		if base, ok := gotBases[name]; ok {
			m.Add(similarity(refBases[name], base, noted))
		}
	}
	if m.Empty() {
		for i := range min(len(reference), len(candidate)) {
			m.Add(similarity(reference[i].base, candidate[i].base, noted))
		}
	}
	return m.Or(0)
}

// sequence is the mean similarity of the lists of keywords of paired stages.
func sequence(reference, candidate []Stage, paired []*Stage) float64 {
	if len(reference) == 0 {
		return sets.Quotient(0, len(candidate))
	}
	var m sets.Mean
	for i, partner := range paired {
		if partner == nil {
			m.Add(0)
			continue
		}
		ref, got := keywordsOf(&reference[i]), keywordsOf(partner)
		m.Add(sets.Quotient(len(ref), len(got)) * ratio.Tokens(ref, got, true))
	}
	return m.Or(0)
}

func keywordsOf(s *Stage) []string {
	return lists.Each(s.instructions, func(in *instruction) string { return in.keyword })
}

// values compares the RUN or the COPY and ADD values stage by stage.
func values(reference, candidate map[string][]string, noted *notes.Notes) float64 {
	if len(reference) == 0 {
		return sets.Quotient(0, len(candidate))
	}
	var m sets.Mean
	for _, key := range keys(reference) {
		ref, got := reference[key], candidate[key]
		m.Add(sets.Quotient(len(ref), len(got)) * ratio.Long(normLines(ref), normLines(got), noted))
	}
	return m.Or(0)
}

func normLines(values []string) string { return strings.Join(lists.Map(values, norm), "\n") }

func configuration(ref, got *tables, noted *notes.Notes) float64 {
	var m sets.Mean
	m.Add(variables(ref.env, got.env, noted))
	m.Add(variables(ref.arg, got.arg, noted))
	m.Add(sets.Jaccard(ports(ref), ports(got)))
	m.Add(common(ref.health, got.health, similarity, noted))
	m.Add(common(ref.commands, got.commands, func(a, b instruction, noted *notes.Notes) float64 {
		keyword := (1 + sets.OneIf(a.keyword == b.keyword)) / 2
		return float64(0.3*keyword) + float64(0.7*similarity(a.value, b.value, noted))
	}, noted))
	return m.Or(0)
}

func variables(ref, got map[string]string, noted *notes.Notes) float64 {
	return float64(0.4*sets.Jaccard(keys(ref), keys(got))) + float64(0.6*common(ref, got, similarity, noted))
}

// common is the mean similarity over common keys; without any it is 0, save where both sides are empty.
func common[V any](ref, got map[string]V, similarity func(ref, got V, noted *notes.Notes) float64, noted *notes.Notes) float64 {
	if len(ref) == 0 && len(got) == 0 {
		return 1
	}
	var m sets.Mean
	for _, key := range keys(ref) {
		if other, ok := got[key]; ok {
			m.Add(similarity(ref[key], other, noted))
		}
	}
	return m.Or(0)
}

// similarity is 1 for texts that are equal but for blanks and case.
func similarity(ref, got string, noted *notes.Notes) float64 {
	return ratio.Long(norm(ref), norm(got), noted)
}

// keys are in order, so that sums over them are the same every time.
func keys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

func ports(t *tables) []string { return slices.Concat(slices.Collect(maps.Values(t.expose))...) }

// Others counts the parts by which a document without a counted element is scored.
func Others(stages []Stage) int { return len(stages) }

// unnamed is the key that all stages without a name share in the tables.
const unnamed = "_unnamed_"

// variable is the key of ENV and ARG entries.
func variable(stage, name string) string { return stage + "\x00" + name }

// tables are what the published evaluator collects of all stages. Where several stages have one key, variables, health
// checks and commands of later ones replace those of earlier ones by name, lists as a whole.
type tables struct {
	env, arg, health     map[string]string
	commands             map[string]instruction // ENTRYPOINT and CMD
	expose, copies, runs map[string][]string
	comments             string // all of them, normalised
}

func tablesOf(stages []Stage) tables {
	t := tables{
		env: map[string]string{}, arg: map[string]string{}, health: map[string]string{}, commands: map[string]instruction{},
		expose: map[string][]string{}, copies: map[string][]string{}, runs: map[string][]string{},
	}
	var comments []string
	for i := range stages {
		s := &stages[i]
		t.add(s)
		comments = append(comments, s.comment)
		for k := range s.instructions {
			comments = append(comments, s.instructions[k].comment)
		}
	}
	t.comments = norm(strings.Join(comments, " "))
	return t
}

func (t *tables) add(s *Stage) {
	key := cmp.Or(s.name, unnamed)
	var ports, copies, runs []string
	for _, in := range s.instructions {
		switch in.keyword {
		case "ENV":
			name, value, ok := cutAssignment(in.value)
			if !ok {
				name, value = cutWord(pytext.Strip(in.value))
			}
			if name != "" {
				t.env[variable(key, name)] = value
			}
		case "ARG":
			name, value, ok := cutAssignment(in.value)
			if !ok {
				name = in.value
			}
			t.arg[variable(key, name)] = value
		case "EXPOSE":
			ports = append(ports, pytext.Fields(in.value)...)
		case "HEALTHCHECK":
			t.health[key] = in.value
		case "ENTRYPOINT", "CMD":
			t.commands[key] = in
		case "COPY", "ADD":
			copies = append(copies, in.value)
		case "RUN":
			runs = append(runs, in.value)
		}
	}
	replace := func(table map[string][]string, list []string) {
		if len(list) > 0 {
			table[key] = list
		}
	}
	replace(t.expose, ports)
	replace(t.copies, copies)
	replace(t.runs, runs)
}

// assignment is key=value. The key has at least one character, even if that is "=".
var assignment = pytext.Pattern(`(?s)^(\S+?)=(.+)$`)

// cutAssignment reads key=value: neither is empty, and no white space stands before the first "=" that ends a key.
func cutAssignment(text string) (name, value string, ok bool) {
	found := assignment.FindStringSubmatch(text)
	if found == nil {
		return "", "", false
	}
	return found[1], found[2], true
}

// norm is how texts are compared: in lower case, blanks made one.
func norm(text string) string {
	return pytext.Lower(pytext.Collapse(text))
}
