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
		if kind, _, _ := strings.Cut(field(e, "address"), " "); e.Kind != counted || kind != "resource" {
			continue
		}
		for _, f := range e.Fields {
			switch {
			case isIngress(e, f) && isEverywhere(f.Value):
				h.Dangers = append(h.Dangers, e.Key+": ingress from everywhere"+port(e, f))
			case f.Name == "publicly_accessible" && f.Value == "true":
				h.Dangers = append(h.Dangers, e.Key+": publicly accessible")
			case f.Name == "acl" && strings.HasPrefix(f.Value, `"public-`):
				h.Dangers = append(h.Dangers, e.Key+": "+strings.Trim(f.Value, `"`))
			case f.Name == "skip_final_snapshot" && f.Value == "true":
				h.Dangers = append(h.Dangers, e.Key+": no snapshot before deletion")
			case f.Name == "force_destroy" && f.Value == "true":
				h.Dangers = append(h.Dangers, e.Key+": deleted with all that is in it")
			case slices.Contains(protections, f.Name) && f.Value == "true", f.Name == "lifecycle" && strings.Contains(f.Value, "prevent_destroy = true"):
				h.Safeguards = append(h.Safeguards, "deletion protection of "+e.Key)
			case slices.Contains(encryptions, f.Name) && f.Value == "true":
				h.Safeguards = append(h.Safeguards, "encryption of "+e.Key)
			}
		}
	}
	return h
}

// protections are the attributes that keep a resource from being deleted, encryptions those that
// have its data encrypted.
var (
	protections = []string{"deletion_protection", "deletion_protection_enabled", "enable_deletion_protection"}
	encryptions = []string{"encrypted", "storage_encrypted", "at_rest_encryption_enabled", "transit_encryption_enabled"}
)

// isIngress reports whether a field says from where traffic is let in.
func isIngress(e domains.Element, f domains.Field) bool {
	switch resource(e) {
	case "aws_security_group", "aws_default_security_group":
		return f.Name == "ingress"
	case "aws_security_group_rule":
		return (f.Name == "cidr_blocks" || f.Name == "ipv6_cidr_blocks") && field(e, "type") == `"ingress"`
	case "aws_vpc_security_group_ingress_rule":
		return f.Name == "cidr_ipv4" || f.Name == "cidr_ipv6"
	case "google_compute_firewall":
		return f.Name == "source_ranges" && field(e, "direction") != `"EGRESS"`
	case "azurerm_network_security_rule":
		return (f.Name == "source_address_prefix" || f.Name == "source_address_prefixes") &&
			strings.EqualFold(field(e, "direction"), `"Inbound"`) && strings.EqualFold(field(e, "access"), `"Allow"`)
	}
	return false
}

// isEverywhere reports whether a value names all addresses.
func isEverywhere(value string) bool {
	return slices.ContainsFunc([]string{`"0.0.0.0/0"`, `"::/0"`, `"Internet"`}, func(all string) bool { return strings.Contains(value, all) }) || value == `"*"`
}

var ports = regexp.MustCompile(`\bfrom_port = (\d+)`)

// port names the port that a rule opens; "" where it is not plain.
func port(e domains.Element, f domains.Field) string {
	if found := ports.FindStringSubmatch(f.Value); found != nil {
		return ", port " + found[1]
	}
	if from := field(e, "from_port"); ports.MatchString("from_port = " + from) {
		return ", port " + from
	}
	return ""
}

// resource is the type of a block's resource.
func resource(e domains.Element) string {
	name, _, _ := strings.Cut(e.Key, ".")
	return name
}

// field is the value of an element's field; "" without one.
func field(e domains.Element, name string) string {
	for _, f := range e.Fields {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}
