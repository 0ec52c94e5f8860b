// Package json is the domain of structured data: one JSON or YAML document of nested objects, lists and scalars, such
// as a dashboard, a configuration or the answer of an API. The key path is what is counted: every member of an object
// and every entry of a list.
//
// The published score takes booleans for numbers, repairs JSON inside of strings, keeps the last of repeated names and
// does not see comments, anchors or wrappers. Strict looks at all of these, at the type and the exact value of every
// scalar, and at text outside of the document. It reads JSON and YAML under any file name and forgives what leaves all
// information intact: another layout or syntax, the order of members, code fences, trailing commas, single quotes,
// missing brackets at the end, comments in JSON, which has none, and an empty object next to the document.
package json

import (
	"agentd/domains"
	"agentd/domains/internal/element"
	"agentd/domains/internal/wellformed"
	published "agentd/domains/published/json"
)

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[*published.Value]{
		Info: domains.Info{
			Name:       "json",
			Title:      "JSON or YAML document",
			Category:   "Code & Configuration",
			Patterns:   []string{"*.json", "*.yaml", "*.yml"},
			Element:    counted,
			Example:    `{"port": 8080}`,
			Components: []string{"coverage", "values"},
		},
		Parse:      published.Parse,
		Score:      domains.Noting(published.Score),
		Stats:      published.Stats,
		Form:       wellformed.All(wellformed.For(wellformed.JSON, ".json"), wellformed.For(wellformed.YAML, ".yaml", ".yml")),
		Elements:   elements,
		Forgives:   element.Harmless{MayGo: true}.Forgive,
		Without:    without,
		Sampling:   domains.Sampling{Not: "a document is one tree, whose members belong together"},
		Vocabulary: vocabulary,
	})
}
