package infra

import (
	"regexp"
	"slices"
	"strings"

	"agentd/domains"
)

// hazards finds what a reviewer of a configuration looks at first: networks that are open to
// everyone, data that is public, and protections against deletion.
func hazards(elements []domains.Element) domains.Hazards {
	var h domains.Hazards
	for _, e := range elements {
		if kind, _, _ := strings.Cut(e.Value("address"), " "); e.Kind != counted || kind != "resource" {
			continue
		}
		for _, f := range e.Fields {
			switch {
			case isIngress(e, f) && isEverywhere(f.Value):
				h.Dangers = append(h.Dangers, e.Key+": ingress from everywhere"+port(e, f))
			case f.Name == "acl" && strings.HasPrefix(f.Value, `"public-`):
				h.Dangers = append(h.Dangers, e.Key+": "+strings.Trim(f.Value, `"`))
			case f.Name == "lifecycle" && strings.Contains(f.Value, "prevent_destroy = true"):
				h.Safeguards = append(h.Safeguards, "deletion protection of "+e.Key)
			case f.Value == "true" && dangers[f.Name] != "":
				h.Dangers = append(h.Dangers, e.Key+": "+dangers[f.Name])
			case f.Value == "true" && safeguards[f.Name] != "":
				h.Safeguards = append(h.Safeguards, safeguards[f.Name]+" of "+e.Key)
			}
		}
	}
	return h
}

// What it means that an attribute of a resource is true.
var (
	dangers = map[string]string{
		"publicly_accessible": "publicly accessible", "skip_final_snapshot": "no snapshot before deletion",
		"force_destroy": "deleted with all that is in it",
	}
	safeguards = map[string]string{
		"deletion_protection": "deletion protection", "deletion_protection_enabled": "deletion protection",
		"enable_deletion_protection": "deletion protection", "encrypted": "encryption", "storage_encrypted": "encryption",
		"at_rest_encryption_enabled": "encryption", "transit_encryption_enabled": "encryption",
	}
)

// isIngress reports whether a field says from where traffic is let in.
func isIngress(e domains.Element, f domains.Field) bool {
	resource, _, _ := strings.Cut(e.Key, ".")
	switch resource {
	case "aws_security_group", "aws_default_security_group":
		return f.Name == "ingress"
	case "aws_security_group_rule":
		return (f.Name == "cidr_blocks" || f.Name == "ipv6_cidr_blocks") && e.Value("type") == `"ingress"`
	case "aws_vpc_security_group_ingress_rule":
		return f.Name == "cidr_ipv4" || f.Name == "cidr_ipv6"
	case "google_compute_firewall":
		return f.Name == "source_ranges" && e.Value("direction") != `"EGRESS"`
	case "azurerm_network_security_rule":
		return (f.Name == "source_address_prefix" || f.Name == "source_address_prefixes") &&
			strings.EqualFold(e.Value("direction"), `"Inbound"`) && strings.EqualFold(e.Value("access"), `"Allow"`)
	}
	return false
}

// isEverywhere reports whether a value names all addresses.
func isEverywhere(value string) bool {
	everywhere := []string{`"0.0.0.0/0"`, `"::/0"`, `"Internet"`}
	return value == `"*"` || slices.ContainsFunc(everywhere, func(all string) bool { return strings.Contains(value, all) })
}

var ports = regexp.MustCompile(`\bfrom_port = (\d+)`)

// port names the port that a rule opens; "" where it is not plain.
func port(e domains.Element, f domains.Field) string {
	found := ports.FindStringSubmatch(f.Value + " from_port = " + e.Value("from_port"))
	if found == nil {
		return ""
	}
	return ", port " + found[1]
}
