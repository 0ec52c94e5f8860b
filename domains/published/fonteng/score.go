package fonteng

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"agentd/domains"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
)

// Stats counts the parts of a document.
func Stats(m Model) domains.Stats {
	return domains.Stats{Elements: m.size(), Counts: []domains.Count{
		{Name: "Language Systems", Value: strconv.Itoa(len(m.systems))},
		{Name: "Glyph Classes", Value: strconv.Itoa(len(m.classes))},
		{Name: "Features", Value: strconv.Itoa(len(m.features))},
		{Name: "Tables", Value: strconv.Itoa(len(m.tables))},
		{Name: "Parse Error", Value: "false"},
	}}
}

func (m *Model) size() int {
	return len(m.systems) + len(m.classes) + len(m.features) + len(m.tables)
}

// Score weighs classes, features, tables and language systems by their numbers
// in the reference. Of each but the last it is coverage² · accuracy.
func Score(reference, candidate Model, noted *notes.Notes) domains.Reading {
	langsys := sets.Jaccard(reference.systems, candidate.systems)
	components := map[string]float64{
		"class_score":   blockScore(reference.classes, candidate.classes, noted),
		"feature_score": blockScore(reference.features, candidate.features, noted),
		"table_score":   blockScore(reference.tables, candidate.tables, noted),
		"langsys_score": langsys * langsys,
	}
	value, total := 0.0, 0.0
	for _, part := range []struct {
		name  string
		count int
	}{
		{"class_score", len(reference.classes)}, {"feature_score", len(reference.features)},
		{"langsys_score", len(reference.systems)}, {"table_score", len(reference.tables)},
	} {
		weight := float64(max(1, part.count))
		total += weight
		value += float64(weight * components[part.name])
	}
	return domains.Reading{
		RS:         value / total,
		Components: components,
		Elements:   domains.Elements{Reference: reference.size(), Candidate: candidate.size()},
	}
}

// blockScore is 1 where the reference has no such blocks.
func blockScore(reference, candidate map[string]string, noted *notes.Notes) float64 {
	if len(reference) == 0 {
		return 1
	}
	shared, similarity := 0, 0.0
	for _, name := range slices.Sorted(maps.Keys(reference)) {
		if text, has := candidate[name]; has {
			shared++
			similarity += ratio.Share(reference[name], text, noted)
		}
	}
	if shared == 0 {
		return 0
	}
	coverage := float64(shared) / float64(len(reference))
	return float64(coverage*coverage) * (similarity / float64(shared))
}

func (l listed) AppendNames(names []string) []string { return append(names, l...) }

// AppendNames appends the names of the range, in order.
func (r *GlyphRange) AppendNames(names []string) []string {
	for n := range r.Count {
		names = append(names, fmt.Sprintf(r.format, r.from+n))
	}
	return names
}

func (e syntaxError) Error() string { return fmt.Sprintf("line %d: %s", e.line, e.message) }
