package dns

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/edit"
	published "agentd/domains/published/dns"
	"agentd/vfs"
)

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

// recordsOf are the records of a part.
func recordsOf(part string) []entry {
	return slices.DeleteFunc(readFiles(vfs.Files{"part.zone": part})[0].entries, func(e entry) bool { return e.kind != recordEntry })
}

// records is how many records a part has.
func records(part string) string { return strconv.Itoa(len(recordsOf(part))) }

// seconds is the TTL that the first record of a part is written with, in seconds; empty if it has none.
func seconds(part string) string {
	all := recordsOf(part)
	if len(all) == 0 || all[0].ttl < 0 {
		return ""
	}
	n, ok := published.ReadTTL(all[0].word(all[0].ttl))
	if !ok {
		return ""
	}
	return strconv.FormatUint(uint64(n), 10)
}

// reverseName is the name under which the address of the first record of a part is looked up (RFC 1035, section
// 3.5; RFC 3596, section 2.5); empty if it has no address.
func reverseName(part string) string {
	all := recordsOf(part)
	if len(all) == 0 || all[0].typeName != "A" && all[0].typeName != "AAAA" || len(all[0].data()) == 0 {
		return ""
	}
	address, err := netip.ParseAddr(all[0].word(all[0].typ + 1))
	if err != nil {
		return ""
	}
	var labels []string
	for _, b := range slices.Backward(address.AsSlice()) {
		if address.Is4() {
			labels = append(labels, strconv.Itoa(int(b)))
		} else {
			labels = append(labels, fmt.Sprintf("%x.%x", b&0xf, b>>4))
		}
	}
	zone := ".ip6.arpa."
	if address.Is4() {
		zone = ".in-addr.arpa."
	}
	return strings.Join(labels, ".") + zone
}
