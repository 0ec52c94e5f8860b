// Package dns is the domain of BIND zone files: the SOA, directives, resource records and comments of one DNS zone. The
// record set is what is counted: the records of one owner name and type.
//
// The published score compares the sets' owners and types, their data, their TTLs and once more the SOA, all relative
// to the zone's origin and without letter case. Strict compares fully qualified names, the value of addresses, texts to
// the letter, the TTL in force of every record, repeated records, the comments after records and those on lines of
// their own, and text that is neither. It reads what a name server reads, in a file of any name but .conf (the server's
// own configuration). The order of records, the division into files and the choice of origins, TTL spellings and line
// breaks mean nothing to it, and directives count by their effect.
package dns

import (
	"agentd/domains"
	published "agentd/domains/published/dns"
)

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[[]published.RecordSet]{
		Info: domains.Info{
			Name:       "dns",
			Title:      "DNS zone file",
			Category:   "Code & Configuration",
			Patterns:   []string{"*.zone", "*.db", "*.txt"},
			Element:    counted,
			Example:    "www 3600 IN A 192.0.2.10",
			Components: []string{"coverage", "rdata", "ttl", "soa"},
		},
		Parse:      published.Parse,
		Score:      domains.Noting(published.Score),
		Stats:      published.Stats,
		Form:       wellFormed,
		Elements:   elements,
		Forgives:   optionalDirectives,
		Comments:   []string{";"},
		Hazards:    hazards,
		WithoutIn:  without,
		Vocabulary: vocabulary,
	})
}
