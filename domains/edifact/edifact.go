// Package edifact is the domain of UN/EDIFACT interchanges: messages between trading partners (orders, order responses,
// despatch advices, invoices) inside an envelope, made of segments whose elements have components. The line item, a LIN
// segment with what follows it, is what is counted.
//
// The published score discards a file at its first error and looks at a few segments: type, last date, last reference,
// currency and parties of a message; article, description, quantities, price, availability and reference of an item.
// Strict compares every segment, with the group it stands in (the contact of which party), amounts as decimals, the
// envelopes, and whether control counts and references agree; it sees what was added and the order of the items of a
// message. It reads files of any name, any announced separators, either decimal sign, and past slips between segments;
// how lines are broken, whether there is a UNA, and the order of messages and of segments within their group mean
// nothing to it.
package edifact

import (
	"agentd/domains"
	published "agentd/domains/published/edifact"
)

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[[]published.Brief]{
		Info: domains.Info{
			Name:       "edifact",
			Title:      "EDIFACT interchange",
			Category:   "Structured Records",
			Patterns:   []string{"*.edi", "*.edifact", "*.txt"},
			Element:    counted,
			Example:    "LIN+1++4000862141404:EN'\nQTY+21:6'",
			Components: []string{"messages", "header", "items", "detail"},
		},
		Parse:    published.Parse,
		Score:    published.Score,
		Stats:    published.Stats,
		Form:     wellFormed,
		Elements: elements,
		// The headers of messages have a score of their own.
		Others:     published.Others,
		Evidence:   domains.OfKinds(counted, messageKind),
		Without:    without,
		Sampling:   domains.Sampling{Category: domains.ByField("message")},
		Vocabulary: vocabulary,
	})
}
