// Package hamradio is the domain of amateur radio logs in ADIF, the Amateur Data Interchange Format: a header of free
// text and fields, then a record of tagged fields for each contact (QSO). The QSO is what is counted.
//
// The published score looks at some thirty fields, forgives small differences of frequency and letter case, and does
// not see the header, contacts that were added, or what follows a "<" in a value. Strict looks at every field, at the
// header and other text outside of records, and at the order of contacts. It takes a tag's length in characters or in
// bytes where one of them fits, and else reads up to the next tag; the layout, the order of fields within a record, the
// case of tags, data type indicators, and the ways of writing numbers, times and the terms of enumerations mean nothing
// to it.
package hamradio

import (
	"agentd/domains"
	published "agentd/domains/published/hamradio"
)

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[[]published.Contact]{
		Info: domains.Info{
			Name:       "hamradio",
			Title:      "Ham radio log",
			Category:   "Structured Records",
			Patterns:   []string{"*.adi", "*.adif"},
			Element:    counted,
			Example:    "<CALL:5>LB1AB <QSO_DATE:8>20250614 <TIME_ON:4>1412 <BAND:3>20M <MODE:2>CW <EOR>",
			Components: []string{"coverage", "accuracy", "ordering"},
		},
		Parse:      published.Parse,
		Score:      published.Score,
		Stats:      published.Stats,
		Form:       wellFormed,
		Elements:   elements,
		Without:    without,
		Sampling:   domains.Sampling{Category: domains.ByField("BAND")},
		Vocabulary: vocabulary,
	})
}
