// Package edifact is the domain of UN/EDIFACT interchanges: messages between
// trading partners (orders, order responses, despatch advices, invoices) inside
// an envelope, made of segments whose elements have components. The line item,
// a LIN segment with what follows it, is what is counted.
//
// The published score discards a file at its first error and looks at a few
// segments: type, last date, last reference, currency and parties of a message;
// article, description, quantities, price, availability and reference of an
// item. Strict compares every segment, with the group it stands in (the contact
// of which party), amounts as decimals, the envelopes, and whether control
// counts and references agree; it sees what was added and the order of the items
// of a message. It reads files of any name, any announced separators, either
// decimal sign, and past slips between segments; how lines are broken, whether
// there is a UNA, and the order of messages and of segments within their group
// mean nothing to it.
package edifact
