package dns

import "agentd/domains/edit"

// recordTypes are those of what an owner block may begin with; the zone's own one comes before all.
const recordTypes = `(?:A|AAAA|AFSDB|CAA|CDS|CERT|CNAME|DNAME|DNSKEY|DS|HINFO|HTTPS|LOC|MX|NAPTR|NS|OPENPGPKEY|PTR|RP|SMIMEA|SRV|SSHFP|SVCB|TLSA|TXT|URI|WKS)\b`

// beforeType is what a record has between its owner and its type.
const beforeType = `[ \t]+(?:\d\w*[ \t]+)?(?:(?:IN|CH|HS)[ \t]+)?(?:\d\w*[ \t]+)?`

// vocabulary makes parts of owners with all their records, so that records without a name of their own stay.
// Smaller ones are records, which stay in their order; and a zone has an origin or several.
func vocabulary() edit.Format {
	attributes := []edit.Attribute{
		edit.Key("record type", "record types", `(?i)^[^\s;$()"]*`+beforeType+`(SOA\b|`+recordTypes+`)`),
		edit.Key("owner name", "owner names", `^([^\s;$()"]+)`),
		edit.Has("IPv4 address", "IPv4 addresses", `[ \t](\d+\.\d+\.\d+\.\d+)\b`),
		edit.Has("IPv6 address", "IPv6 addresses", `(?i)[ \t]AAAA[ \t]+([\da-f:.]+)`),
		edit.HasNumber("private host number", "private host numbers", `[ \t](?:10\.\d+|172\.(?:1[6-9]|2\d|3[01])|192\.168)\.\d+\.(\d+)\b`),
		edit.Has("target", "targets", `(?i)[ \t](?:CNAME|NS|PTR|DNAME|(?:MX[ \t]+|SRV[ \t]+\d+[ \t]+\d+[ \t]+)\d+)[ \t]+([^\s;]+)`),
		edit.Has("quoted text", "quoted texts", `"([^"\n]+)"`),
		edit.Has("comment", "comments", `;[ \t]*([^\s;"][^\n;"]*[^\s;"])[ \t]*$`),
		edit.Has("host information", "lines of host information", `(?i)^([^;\n]*[ \t](?:HINFO|SSHFP)[ \t][^\n]*)$`),
		edit.ComputedNumber("seconds", "TTLs in seconds", seconds),
		edit.Computed("reverse name", "reverse names", reverseName),
		edit.ComputedNumber("records", "numbers of records", records),
	}
	return edit.Format{
		Document: "zone file", Part: "owner block", Parts: "owner blocks", Attributes: attributes, Remark: "\t; computed: {}", RemarkAt: edit.End,
		Cut: edit.Headed(`^[ \t]*;`, edit.Starting(`(?i)^[^\s;$()"]+`+beforeType+recordTypes, `^\$`)),
		Finer: &edit.Format{
			Document: "zone file", Part: "record", Parts: "records", Attributes: attributes,
			Cut: edit.Starting(`(?i)^[^\s;$()"]*`+beforeType+`(?:SOA\b|`+recordTypes+`)`, ""),
			Finer: &edit.Format{
				Document: "zone file", Part: "origin", Parts: "origins", Cut: edit.Headed(`^[ \t]*;`, edit.Starting(`(?i)^\$ORIGIN\b`, "")),
				Attributes: append([]edit.Attribute{edit.Key("origin name", "origin names", `(?i)^\$ORIGIN[ \t]+(\S+)`)}, attributes...),
			},
		},
	}
}
