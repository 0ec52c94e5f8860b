package makefile

import (
	"maps"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
)

// Stats counts the parts of a document.
func Stats(d Document) domains.Stats {
	lines, prerequisites := 0, 0
	for _, t := range d.targets {
		lines += len(t.recipe)
		prerequisites += len(t.prerequisites)
	}
	return domains.StatsOf(d.explicit(), "Targets", len(d.targets), "Variables", len(d.variables),
		"Dependencies", 0, // as the published program has it
		"Prerequisites", prerequisites, "Recipe Lines", lines)
}

// Score is the published score (sheet, "Score").
func Score(reference, candidate Document, noted *notes.Notes) domains.Reading {
	var prerequisite, recipe sets.Mean
	common := shared(reference.targets, candidate.targets)
	for _, name := range common {
		ref, got := reference.targets[name], candidate.targets[name]
		prerequisite.Add(sets.Jaccard(ref.prerequisites, got.prerequisites))
		recipe.Add(ratio.Share(normalRecipe(ref.recipe), normalRecipe(got.recipe), noted))
	}
	prerequisites, recipes := prerequisite.Or(0), recipe.Or(0)
	gate := 1.0
	if len(reference.targets) > 0 {
		gate = float64(len(common)) / float64(len(reference.targets))
		gate *= gate
	}
	targets := sets.Jaccard(Names(reference.targets), Names(candidate.targets))
	variables := variableScore(reference.variables, candidate.variables, noted)
	phony := sets.Jaccard(Names(reference.phony), Names(candidate.phony))
	stems := sets.Jaccard(Names(reference.patterns), Names(candidate.patterns))
	value := 0.25*targets + 0.25*gate*prerequisites + 0.30*gate*recipes + 0.15*variables + 0.05*phony
	if len(reference.patterns) > 0 || len(candidate.patterns) > 0 {
		value = 0.9*value + 0.1*stems
	}
	if candidate.usedFallback {
		value *= 0.95
	}
	return domains.Reading{
		RS: value,
		Components: map[string]float64{
			"targets": targets, "prerequisites": prerequisites, "recipes": recipes,
			"variables": variables, "phony": phony, "patterns": stems,
		},
	}
}

// Names are those of a set, in order.
func Names[V any](of map[string]V) []string { return slices.Sorted(maps.Keys(of)) }

// shared are the names that two sets have in common, in order.
func shared[V any](reference, candidate map[string]V) []string {
	return slices.DeleteFunc(Names(reference), func(name string) bool {
		_, inBoth := candidate[name]
		return !inBoth
	})
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
	if len(reference) == 0 && len(candidate) == 0 {
		return 1
	}
	common := shared(reference, candidate)
	if len(common) == 0 {
		return 0
	}
	values := 0.0
	for _, name := range common {
		values += ratio.Share(pytext.Lower(pytext.Strip(reference[name])), pytext.Lower(pytext.Strip(candidate[name])), noted)
	}
	return 0.4*sets.Jaccard(Names(reference), Names(candidate)) + 0.6*values/float64(len(common))
}

// Others counts the parts by which a document without a counted element is scored.
func Others(d Document) int { return len(d.variables) }
