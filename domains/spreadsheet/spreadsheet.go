// Package spreadsheet is the domain of tables: a budget, a stock list, a register of charges as comma-separated values
// with a header row. What is counted is the data row.
//
// The published score looks at the set of rows, each of them a set of cells whose numbers were cut to ten significant
// digits, at their order, at the header and at the number of rows. Strict compares cells as text, forgiving only
// another notation of the same number, so that leading zeros and the last digits of a code count; it sees repeated and
// invented rows, cells beyond the header, the order of rows and columns, and helper files left after. An environment's
// group_key names the columns whose equal values make rows a group, inside which their order means nothing.
package spreadsheet

import (
	"strings"

	"agentd/domains"
	"agentd/domains/edit"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/pycsv"
	"agentd/domains/internal/wellformed"
	published "agentd/domains/published/spreadsheet"
	"agentd/vfs"
)

// New returns the domain.
func New() domains.Domain { return domains.New(spec(nil)) }

func spec(key published.GroupKey) domains.Spec[published.Table] {
	return domains.Spec[published.Table]{
		Info: domains.Info{
			Name:       "spreadsheet",
			Title:      "Table in comma-separated values",
			Category:   "Structured Records",
			Patterns:   []string{"*.csv"},
			Element:    "row",
			Example:    "item,quantity,price\nrope,2,14.50",
			Components: []string{"rows", "order", "header", "count"},
		},
		Parse:      published.Parse,
		Score:      domains.Noting(key.Score),
		Stats:      published.Stats,
		Form:       wellFormed,
		Elements:   func(files vfs.Files) []domains.Element { return elements(files, key) },
		Evidence:   evidence,
		WithoutIn:  without,
		Sampling:   sampling(key),
		Vocabulary: func() edit.Format { return edit.Table("table", "row", "rows") },
		With: func(options domains.Metadata) domains.Spec[published.Table] {
			return spec(published.ReadGroupKey(options["group_key"]))
		},
	}
}

// wellFormed checks what is below the comments on top.
func wellFormed(name, text string) []domains.Slip {
	comments, rest := pycsv.Comments(text)
	return wellformed.CSV(name, strings.Repeat("\n", strings.Count(comments, "\n"))+rest)
}

// sampling takes a group for the main category of its rows.
func sampling(key published.GroupKey) domains.Sampling {
	if len(key) == 0 {
		return domains.Sampling{}
	}
	return domains.Sampling{Category: func(row domains.Element) string {
		return strings.Join(lists.Map(key, row.Value), "\xff")
	}}
}
