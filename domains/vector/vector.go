// Package vector is the domain of SVG drawings, as Inkscape, Illustrator and people write them: nested groups of
// shapes, paths and text labels, definitions and a style sheet. What is counted is the drawn element: everything below
// the root but what stands in defs, titles and metadata. Groups and the container of the definitions count too.
//
// The published score looks at the ids and children of groups, at texts without regard to letter case, and at paint and
// geometry of the elements whose id, text or place is found again. Strict looks at every attribute, style property,
// rule of a style sheet and definition, at drawing order and nesting, titles, metadata and comments. It reads numbers,
// colours, lists and path data by value, and files of any name and number.
package vector

import (
	"agentd/domains"
	"agentd/domains/internal/wellformed"
	published "agentd/domains/published/vector"
)

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[published.Document]{
		Info: domains.Info{
			Name:     "vector",
			Title:    "SVG drawing",
			Category: "Creative & Media",
			Patterns: []string{"*.svg"},
			Element:  counted,
			Example:  `<rect x="10" y="10" width="80" height="40"/>`,
			Components: []string{
				"group_coverage", "text_accuracy", "visual_fidelity", "spatial_accuracy", "structure_score", "metadata_score",
			},
		},
		Parse:      published.Parse,
		Score:      published.Score,
		Stats:      published.Stats,
		Form:       wellformed.All(wellformed.XML, wellformed.Namespace(`^http://www\.w3\.org/2000/svg$`, "svg"), documentType),
		Elements:   elements,
		Evidence:   evidence,
		Forgives:   forgives,
		Without:    without,
		Sampling:   domains.Sampling{Not: "a drawing is one picture: what is left of its shapes is another"},
		Vocabulary: vocabulary,
	})
}
