package dns

import (
	"strings"

	"agentd/domains"
)

// hazards finds the records that protect a zone's mail and its answers, and an SPF record that
// protects nothing.
func hazards(elements []domains.Element) domains.Hazards {
	var h domains.Hazards
	for _, e := range elements {
		owner, typ, _ := strings.Cut(e.Key, " ")
		if e.Kind != counted {
			continue
		}
		switch typ {
		case "CAA":
			h.Safeguards = append(h.Safeguards, "CAA records of "+owner)
		case "DNSKEY", "DS":
			h.Safeguards = append(h.Safeguards, "DNSSEC of "+owner)
		case "TXT", "SPF":
			for _, f := range e.Fields {
				if f.Name == "record" {
					text(&h, owner, f.Value)
				}
			}
		}
	}
	return h
}

// text adds what a text record says of who may send mail. record has its TTL first.
func text(h *domains.Hazards, owner, record string) {
	_, data, _ := strings.Cut(record, " ")
	data = strings.ToLower(strings.ReplaceAll(strings.ReplaceAll(data, `" "`, ""), `"`, ""))
	words := strings.FieldsFunc(data, func(r rune) bool { return r == ' ' || r == ';' || r == '\t' })
	if len(words) == 0 {
		return
	}
	if words[0] == "v=spf1" {
		h.Safeguards = append(h.Safeguards, "SPF record of "+owner)
	}
	for _, word := range words {
		switch words[0] + " " + word {
		case "v=spf1 +all", "v=spf1 all":
			h.Dangers = append(h.Dangers, "SPF record of "+owner+" lets everyone send (+all)")
		case "v=dmarc1 p=reject", "v=dmarc1 p=quarantine":
			h.Safeguards = append(h.Safeguards, "DMARC policy of "+owner)
		}
	}
}
