package makefile

import (
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
)

// score is the published score (sheet, "Score").
func score(reference, candidate document, noted *notes.Notes) domains.Reading {
	common := 0
	prerequisites, recipes := 0.0, 0.0
	for _, name := range sorted(reference.targets) {
		got, ok := candidate.targets[name]
		if !ok {
			continue
		}
		ref := reference.targets[name]
		common++
		prerequisites += jaccard(setOf(ref.prerequisites), setOf(got.prerequisites))
		recipes += ratio.Share(normalRecipe(ref.recipe), normalRecipe(got.recipe), noted)
	}
	if common > 0 {
		prerequisites /= float64(common)
		recipes /= float64(common)
	}
	gate := 1.0
	if len(reference.targets) > 0 {
		gate = float64(common) / float64(len(reference.targets))
		gate *= gate
	}
	targets := jaccard(reference.targets, candidate.targets)
	variables := variableScore(reference.variables, candidate.variables, noted)
	phony := jaccard(reference.phony, candidate.phony)
	stems := jaccard(reference.patterns, candidate.patterns)
	value := 0.25*targets + 0.25*gate*prerequisites + 0.30*gate*recipes + 0.15*variables + 0.05*phony
	if len(reference.patterns) > 0 || len(candidate.patterns) > 0 {
		value = 0.9*value + 0.1*stems
	}
	if candidate.usedFallback {
		value *= 0.95
	}
	return domains.Reading{
		Value: value,
		Components: map[string]float64{
			"targets": targets, "prerequisites": prerequisites, "recipes": recipes,
			"variables": variables, "phony": phony, "patterns": stems,
		},
	}
}

// jaccard is the share of common names; it is 1 if there are none at all.
func jaccard[A, B any](a map[string]A, b map[string]B) float64 {
	common := 0
	for name := range a {
		if _, ok := b[name]; ok {
			common++
		}
	}
	if union := len(a) + len(b) - common; union > 0 {
		return float64(common) / float64(union)
	}
	return 1
}

func setOf(words []string) map[string]bool {
	set := make(map[string]bool, len(words))
	for _, word := range words {
		set[word] = true
	}
	return set
}

func sorted[V any](of map[string]V) []string {
	names := make([]string, 0, len(of))
	for name := range of {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// normalRecipe is a recipe as it is compared.
func normalRecipe(lines []string) string {
	var kept []string
	for _, line := range lines {
		line = pytext.Collapse(line)
		if line = pytext.Lower(strings.TrimLeft(line, "@-")); pytext.Strip(line) != "" {
			kept = append(kept, pytext.Strip(line))
		}
	}
	return strings.Join(kept, "\n")
}

func variableScore(reference, candidate map[string]string, noted *notes.Notes) float64 {
	common, values := 0, 0.0
	for _, name := range sorted(reference) {
		if got, ok := candidate[name]; ok {
			common++
			values += ratio.Share(pytext.Lower(pytext.Strip(reference[name])), pytext.Lower(pytext.Strip(got)), noted)
		}
	}
	switch {
	case len(reference) == 0 && len(candidate) == 0:
		return 1
	case common == 0:
		return 0
	}
	return 0.4*jaccard(reference, candidate) + 0.6*values/float64(common)
}
