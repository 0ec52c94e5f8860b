// Package transit is the domain of public transport timetables in GTFS: up to some thirty tables of comma-separated
// values in .txt files, linked by keys. What is counted is the row, over all tables.
//
// The published score looks up the rows of each table by its key and compares their values without letter case, checks
// that references lead somewhere, and compares the order of stops of each trip. It does not see unknown tables, the
// zones that a fare rule contains, or which of two rows with one key is meant, and it takes another notation of a time
// or number for a change. Strict compares every value of every row of every table: times as times, numbers by value,
// texts with letter case, and the numbers of stops and shape points by the order that they give.
package transit

import (
	"agentd/domains"
	"agentd/domains/edit"
	"agentd/domains/internal/wellformed"
	published "agentd/domains/published/transit"
)

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[published.Feed]{
		Info: domains.Info{
			Name:       "transit",
			Title:      "Transit timetable in GTFS",
			Category:   "Everyday",
			Patterns:   []string{"*.txt"},
			Together:   true,
			Element:    "row",
			Example:    "stop_id,stop_name,stop_lat,stop_lon\nQ1,Quay,59.91,10.75",
			Components: []string{"rows", "files", "order", "references", "count", "headers"},
		},
		Parse:      published.Parse,
		Score:      published.Score,
		Stats:      published.Stats,
		Form:       wellformed.CSV,
		Elements:   elements,
		Evidence:   domains.Where(isOfGTFS),
		Forgives:   forgiven,
		Without:    without,
		Sampling:   domains.Sampling{Not: "the tables of a feed are linked by keys: a trip needs its stops, route and days"},
		Vocabulary: vocabulary,
	})
}

// vocabulary edits the longest table of a feed; the others stay.
func vocabulary() edit.Format { return edit.Table("feed", "row", "rows") }
