package infra

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
	"agentd/internal/lazyregexp"
)

// Score is coverage² · body · √((types + references + comments) / 3).
func Score(reference, candidate Configuration, noted *notes.Notes) domains.Reading {
	parts := map[string]float64{
		"coverage":   sets.Jaccard(reference.fingerprints(), candidate.fingerprints()),
		"body":       bodyAccuracy(reference, candidate, noted),
		"types":      typeDistribution(reference.types(), candidate.types()),
		"references": kept(reference.references(), candidate.references()),
		"comments":   kept(reference.comments, candidate.comments),
	}
	mean := (parts["types"] + parts["references"] + parts["comments"]) / 3
	return domains.Reading{
		RS:         parts["coverage"] * parts["coverage"] * parts["body"] * math.Sqrt(mean),
		Components: parts,
		Elements:   domains.Elements{Reference: len(reference.blocks), Candidate: len(candidate.blocks)},
	}
}

func (c *Configuration) fingerprints() []fingerprint {
	return lists.Each(c.blocks, func(b *block) fingerprint { return b.fingerprint })
}

// bodyAccuracy is the mean similarity of the bodies that have the same
// fingerprint on both sides. Of several blocks the last stands for all.
func bodyAccuracy(reference, candidate Configuration, noted *notes.Notes) float64 {
	var m sets.Mean
	for _, pair := range sets.LastPairs(reference.fingerprints(), candidate.fingerprints()) {
		m.Add(similarity(&reference.blocks[pair[0]].body, &candidate.blocks[pair[1]].body, noted))
	}
	return m.Or(0)
}

// types counts blocks by kind and, of resources and data sources, type.
func (c *Configuration) types() map[string]int {
	counts := map[string]int{}
	for i := range c.blocks {
		key := c.blocks[i].kind
		if key == "resource" || key == "data" {
			key += "." + c.blocks[i].label
		}
		counts[key]++
	}
	return counts
}

func typeDistribution(reference, candidate map[string]int) float64 {
	if len(reference) == 0 && len(candidate) == 0 {
		return 1
	}
	var shares sets.Mean
	keys := slices.Sorted(maps.Keys(reference)) // sums of floats depend on their order
	for _, key := range keys {
		if n, m := reference[key], candidate[key]; m > 0 {
			shares.Add(float64(min(n, m)) / float64(max(n, m)))
		}
	}
	return float64(0.5*sets.Jaccard(keys, slices.Collect(maps.Keys(candidate)))) + float64(0.5*shares.Or(0))
}

var (
	resourcePattern = lazyregexp.New(`\b(?:aws_|random_|data\.aws_)[a-z_]+\.[a-z_]+\b`)
	variablePattern = lazyregexp.New(`\b(?:var|local)\.[a-z_][a-z0-9_]*\b`)
)

// references are what the texts of all bodies refer to.
func (c *Configuration) references() []string {
	var all []string
	for i := range c.blocks {
		c.blocks[i].body.eachText(func(text string) {
			if strings.Contains(text, "aws_") || strings.Contains(text, "random_") {
				all = append(all, resourcePattern.FindAllString(text, -1)...)
			}
			if strings.Contains(text, "var.") || strings.Contains(text, "local.") {
				all = append(all, variablePattern.FindAllString(text, -1)...)
			}
		})
	}
	return all
}

func (v *value) eachText(do func(string)) {
	if v.kind == textValue {
		do(v.text)
	}
	for i := range v.items {
		v.items[i].eachText(do)
	}
}

// kept is how much there is of texts; what was added to none costs nothing.
func kept(reference, candidate []string) float64 {
	if len(reference) == 0 {
		return 1
	}
	return sets.Jaccard(reference, candidate)
}

// similarity of two values, 1 if Python takes them for equal.
func similarity(a, b *value, noted *notes.Notes) float64 {
	switch {
	case equal(a, b):
		return 1
	case a.kind == mapValue && b.kind == mapValue:
		return mapSimilarity(a, b, noted)
	case a.kind == listValue && b.kind == listValue:
		return sets.InPlace(a.items, b.items, func(a, b *value) float64 { return similarity(a, b, noted) })
	case a.isNumber() && b.isNumber():
		if a.number == 0 || b.number == 0 {
			return 0
		}
		return min(a.number, b.number) / max(a.number, b.number)
	}
	return ratio.Share(a.printed(), b.printed(), noted)
}

func (v *value) isNumber() bool { return v.kind == numberValue || v.kind == booleanValue }

// mapSimilarity is the mean over the keys of both, 0 for one that a side lacks.
func mapSimilarity(a, b *value, noted *notes.Notes) float64 {
	common, sum := 0, 0.0
	for i, key := range a.keys {
		if k := b.place(key); k >= 0 {
			common++
			sum += similarity(&a.items[i], &b.items[k], noted)
		}
	}
	return sum / float64(len(a.keys)+len(b.keys)-common)
}

func equal(a, b *value) bool {
	if a.isNumber() && b.isNumber() {
		return a.number == b.number
	}
	if a.kind != b.kind || a.text != b.text || len(a.items) != len(b.items) {
		return false
	}
	for i := range a.items {
		k := i
		if a.kind == mapValue {
			k = b.place(a.keys[i])
		}
		if k < 0 || !equal(&a.items[i], &b.items[k]) {
			return false
		}
	}
	return true
}

func (e syntaxError) Error() string {
	return fmt.Sprintf("line %d: %s", 1+strings.Count(e.text[:e.at], "\n"), e.what)
}

// Stats counts the parts of a document.
func Stats(c Configuration) domains.Stats {
	resources, kinds := map[string]bool{}, map[string]int{}
	for i := range c.blocks {
		key := c.blocks[i].kind
		if key == "resource" {
			key = c.blocks[i].label
			resources[key] = true
		}
		kinds[key]++
	}
	return domains.StatsOf(len(c.blocks), "Total Blocks", len(c.blocks), "Resource Types", len(resources),
		"Block Types", kinds)
}
