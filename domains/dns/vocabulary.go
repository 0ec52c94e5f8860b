package dns

import "agentd/domains/edit"

// recordTypes are those of what an owner block may begin with; the zone's own one comes before all.
const recordTypes = `(?:A|AAAA|AFSDB|CAA|CDS|CERT|CNAME|DNAME|DNSKEY|DS|HINFO|HTTPS|LOC|MX|NAPTR|NS|OPENPGPKEY|PTR|RP|SMIMEA|SRV|SSHFP|SVCB|TLSA|TXT|URI|WKS)\b`

// vocabulary makes parts of owners with all their records, so that records without a name of their own stay.
func vocabulary() edit.Format {
	return edit.Format{
		Document: "zone file", Part: "owner block", Parts: "owner blocks",
		Cut: edit.Headed(`^[ \t]*;`, edit.Starting(`(?i)^[^\s;$()"]+[ \t]+(?:\d\w*[ \t]+)?(?:(?:IN|CH|HS)[ \t]+)?(?:\d\w*[ \t]+)?`+recordTypes, `^\$`)),
		Attributes: []edit.Attribute{
			edit.Key("record type", "record types", `(?i)^[^\s;$()"]*[ \t]+(?:\d\w*[ \t]+)?(?:(?:IN|CH|HS)[ \t]+)?(?:\d\w*[ \t]+)?(`+recordTypes+`)`),
			edit.Key("owner name", "owner names", `^([^\s;$()"]+)`),
			edit.Has("IPv4 address", "IPv4 addresses", `[ \t](\d+\.\d+\.\d+\.\d+)\b`),
			edit.Has("IPv6 address", "IPv6 addresses", `(?i)[ \t]AAAA[ \t]+([\da-f:.]+)`),
			edit.Has("target", "targets", `(?i)[ \t](?:CNAME|NS|PTR|DNAME|(?:MX[ \t]+|SRV[ \t]+\d+[ \t]+\d+[ \t]+)\d+)[ \t]+([^\s;]+)`),
			edit.Has("quoted text", "quoted texts", `"([^"\n]+)"`),
			edit.Has("comment", "comments", `;[ \t]*([^\s;"][^\n;"]*[^\s;"])[ \t]*$`),
		},
	}
}
