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
	"fmt"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/wellformed"
	published "agentd/domains/published/starcatalog"
	"agentd/internal/lazyregexp"
)

// namespace checks the namespace of versions from 1.1 on. A file of version 1.0 with its document type has none, nor has one of
// version 1.1 that names a schema for no namespace.
func namespace(name, text string) []domains.Slip {
	tag := votable.FindString(text)
	if !strings.Contains(tag, "xmlns=") && (oldVersion.MatchString(tag) && strings.Contains(tag, "xsi:noNamespaceSchemaLocation=") || documentType.MatchString(text)) {
		return nil
	}
	return ofVersion(name, text)
}

var (
	votable      = lazyregexp.New(`<VOTABLE\s[^>]*>`)
	oldVersion   = lazyregexp.New(`\sversion=["']v?1\.[01]["']`)
	documentType = lazyregexp.New(`<!DOCTYPE\s+VOTABLE\s`)
)

// ofVersion checks that the namespace is that of a version of VOTable.
var ofVersion = wellformed.Namespace(`^http://www\.ivoa\.net/xml/VOTable/v1\.\d(?:\.\d)?$`, "VOTABLE")

var tableTags = lazyregexp.New(`<(/?)(?:[\w-]+:)?(TABLE|FIELD|TR|TD)\b`)

// cellsPerRow checks that each row has as many cells as its table has fields.
func cellsPerRow(_, text string) (all []domains.Slip) {
	var fields, cells, line, from int
	for _, at := range tableTags.FindAllStringSubmatchIndex(text, -1) {
		line, from = line+strings.Count(text[from:at[0]], "\n"), at[0]
		ends := at[2] < at[3]
		switch tag := text[at[4]:at[5]]; {
		case tag == "TABLE" && !ends:
			fields = 0
		case tag == "FIELD" && !ends:
			fields++
		case tag == "TR" && !ends:
			cells = 0
		case tag == "TD" && !ends:
			cells++
		case tag == "TR" && cells != fields && fields > 0:
			all = append(all, domains.Slip{Line: line + 1, What: "a row has not one cell for each field", Text: fmt.Sprintf("%d of %d", cells, fields)})
		}
	}
	return all
}

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
		Form:       wellformed.All(wellformed.XML, namespace, cellsPerRow),
		Elements:   elements,
		Without:    without,
		Vocabulary: vocabulary,
	})
}
