// Package weather is the domain of aviation weather bulletins: a header, METAR and SPECI observations, and TAF
// forecasts, as an office passes them on. The report is what is counted.
//
// The published score reads observations as a lenient METAR reader does, group by group in a fixed order, and forecasts
// by their change groups. It compares keys of type, station and time, then fields as texts; it does not see maintenance
// flags, runway visual range, trends, or in forecasts gusts and metric visibility, and a temperature of the body is
// hidden by that of the remarks. Strict compares every group of every report by its kind, the periods of a forecast,
// the order of observations and of forecasts, the header item by item, and each line that is no part of the format. It
// knows a report by its first words, wherever it stands and however it is wrapped or marked as a list; the order of
// groups within a report, section titles, rulers and letter case mean nothing to it.
package weather

import (
	"agentd/domains"
	published "agentd/domains/published/weather"
)

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[published.Document]{
		Info: domains.Info{
			Name:     "weather",
			Title:    "Aviation weather bulletin",
			Category: "Science & Engineering",
			Patterns: []string{"*.txt"},
			Element:  counted,
			Example:  "METAR ENGM 141150Z 02012KT 9999 FEW030 14/06 Q1013",
			Components: []string{
				"metar_coverage", "metar_field_accuracy", "taf_coverage", "taf_field_accuracy",
				"sequence_score", "header_similarity",
			},
		},
		Parse:      published.Parse,
		Score:      domains.Noting(published.Score),
		Stats:      published.Stats,
		Elements:   elements,
		Without:    without,
		Sampling:   domains.Sampling{Category: domains.ByField("station")},
		Vocabulary: vocabulary,
	})
}
