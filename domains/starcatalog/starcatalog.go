// Package starcatalog is the domain of star catalogues in VOTable, the XML format of the Virtual Observatory: resources
// of tables, whose columns are described by FIELD elements with units, data types and UCDs, and whose rows stand in
// TABLEDATA. The row is what is counted.
//
// The published score pools the rows of all tables by their identifier, of which the last row counts, and is a product:
// coverage of identifiers, likeness of cells and fields, metadata of the first resource, order. Strict looks at every
// element with all its attributes and texts, and at the rows table by table, in order, with numbers at full precision.
// It reads the VOTable under any prefix, in files of any name and number, and goes on after what is not well-formed.
package starcatalog

import (
	"agentd/domains"
	"agentd/domains/internal/wellformed"
	published "agentd/domains/published/starcatalog"
)

// namespace is that of a version of VOTable.
var namespace = wellformed.Namespace(`^http://www\.ivoa\.net/xml/VOTable/v1\.\d(?:\.\d)?$`, "VOTABLE")

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[published.Document]{
		Info: domains.Info{
			Name:     "starcatalog",
			Title:    "star catalogue in VOTable",
			Category: "Science & Engineering",
			Patterns: published.Patterns,
			Element:  counted,
			Example:  "<TR><TD>HIP 1042</TD><TD>10.75</TD></TR>",
			Components: []string{
				"field_coverage", "field_attr_accuracy", "row_coverage", "row_accuracy", "metadata_score", "row_order",
			},
		},
		Parse:      published.Parse,
		Score:      domains.Noting(published.Score),
		Stats:      published.Stats,
		Form:       wellformed.All(wellformed.XML, namespace),
		Elements:   elements,
		Without:    without,
		Vocabulary: vocabulary,
	})
}
