package infra

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/element"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/wellformed"
	published "agentd/domains/published/infra"
	"agentd/internal/lazyregexp"
	"agentd/vfs"
)

// What elements are called that are not counted.
const (
	otherBlock     = "other block"
	settingElement = "setting"
	commentElement = element.RemarkKind
	lineElement    = "line"
)

// elements flattens files of any name by the rules of the format. A file that
// neither Terraform would read nor holds a block is no part of a configuration.
func elements(files vfs.Files) []domains.Element {
	var f flattener
	for _, name := range files.Names() {
		if d := read(files[name]); d.isConfiguration(name) {
			f.document(d)
		}
	}
	f.placeComments()
	return f.all
}

func (d document) isConfiguration(name string) bool {
	return path.Ext(name) == ".tf" || path.Ext(name) == ".tfvars" || strings.HasSuffix(name, ".tf.json") ||
		slices.ContainsFunc(d.parts, func(p part) bool { return p.item.kind == blockItem })
}

type flattener struct {
	all    []domains.Element
	placed []int // the comments that have a place
}

func (f *flattener) document(d document) {
	for i := range d.parts {
		p := &d.parts[i]
		switch p.item.kind {
		case remarkItem:
			f.comments("", p.comments)
		case foreignItem:
			f.comments("", p.comments)
			f.foreign(p)
		case attributeItem:
			f.comments(p.item.name, p.comments, p.item.comments)
			f.add(domains.Element{
				Kind: settingElement, Key: p.item.name,
				Fields: p.item.fields([]domains.Field{{Name: "name", Value: p.item.name}}),
			})
		case blockItem:
			f.block(p)
		}
	}
}

func (f *flattener) add(e domains.Element) { f.all = plain.Append(f.all, e) }

func (f *flattener) foreign(p *part) {
	for line := range strings.SplitSeq(p.source[p.item.start:], "\n") {
		if line = published.OneLine(line); line != "" {
			f.add(domains.Element{Kind: lineElement, Key: "line", Fields: []domains.Field{{Value: line}}})
		}
	}
}

func (f *flattener) block(p *part) {
	address := p.item.address()
	f.comments(address, p.comments)
	fields := []domains.Field{{Name: "address", Value: strings.Join(append([]string{p.item.name}, p.item.labels...), " ")}}
	kind := otherBlock
	if _, read := published.Kinds[p.item.name]; read {
		kind = counted
	}
	f.add(domains.Element{Kind: kind, Key: address, Fields: p.item.fields(fields)})
	f.commentsInside(address, &p.item)
}

// address is what Terraform calls a block.
func (i *item) address() string {
	labels := strings.Join(i.labels, ".")
	switch i.name {
	case "resource":
		return labels
	case "variable":
		return "var." + labels
	}
	if labels == "" {
		return i.name
	}
	return i.name + "." + labels
}

// fields appends what a block or attribute says: its attributes, objects flattened, and each nested block as one text.
func (i *item) fields(all []domains.Field) []domains.Field {
	if i.kind == attributeItem {
		if i.value == nil {
			return append(all, domains.Field{Name: i.name, Value: "(cannot be read) " + i.text})
		}
		return nodeFields(i.value, all, i.name)
	}
	for k := range i.items {
		switch next := &i.items[k]; next.kind {
		case attributeItem:
			all = next.fields(all)
		case blockItem:
			name := strings.Join(append([]string{next.name}, next.labels...), " ")
			all = append(all, domains.Field{Name: name, Value: next.body()})
		case foreignItem:
			all = append(all, domains.Field{Name: "line", Value: next.text})
		}
	}
	if i.fault != "" {
		all = append(all, domains.Field{Name: "fault", Value: i.fault})
	}
	return all
}

// body is a nested block as one text, regardless of the order of what is in it.
func (i *item) body() string {
	fields := i.fields(nil)
	texts := lists.Map(fields, func(f domains.Field) string { return f.Name + " = " + f.Value })
	slices.Sort(texts)
	return "{" + strings.Join(texts, ", ") + "}"
}

// commentsInside adds the comments in the body of a block. One belongs to the
// attribute or block that it stands above, in or after.
func (f *flattener) commentsInside(place string, i *item) {
	for k := range i.items {
		next := &i.items[k]
		at := place
		if next.kind != foreignItem {
			at += ", " + strings.Join(append([]string{next.name}, next.labels...), " ")
		}
		f.comments(at, next.above)
		if next.kind == blockItem {
			f.commentsInside(at, next)
		} else {
			f.comments(at, next.comments)
		}
	}
	f.comments(place, i.comments)
}

// mostLines is how many lines of one run of comments are elements; what follows is one more.
const mostLines = 1024

// comments adds lines of comments. Those that stand apart have no place.
func (f *flattener) comments(place string, lists ...[]published.Comment) {
	for _, list := range lists {
		for _, c := range list[:min(len(list), mostLines)] {
			f.comment(place, c.Text)
		}
		if len(list) <= mostLines {
			continue
		}
		var rest strings.Builder
		for _, c := range list[mostLines:] {
			rest.WriteString(c.Text + "\n")
		}
		f.comment(place, rest.String())
	}
}

func (f *flattener) comment(place, text string) {
	e := domains.Element{Kind: commentElement, Key: "comment", Fields: []domains.Field{{Name: "text", Value: text}}}
	if place != "" {
		e.Key += " at " + place
		e.Fields = append(e.Fields, domains.Field{Name: "place", Value: place})
		f.placed = append(f.placed, len(f.all))
	}
	f.add(e)
}

// placeComments gives the comments of one place their order. The places follow
// one another by name, so that their own order does not matter.
func (f *flattener) placeComments() {
	slices.SortStableFunc(f.placed, func(a, b int) int { return cmp.Compare(f.all[a].Key, f.all[b].Key) })
	for n, at := range f.placed {
		f.all[at].Position = n + 1
	}
}

// without leaves out blocks of the counted kinds, in name order of the files.
func without(name, text string, leave func() bool) string {
	if path.Ext(name) != ".tf" {
		return text
	}
	return document{slices.DeleteFunc(read(text).parts, func(p part) bool {
		_, read := published.Kinds[p.item.name]
		return p.item.kind == blockItem && read && leave()
	})}.print()
}

const counted = "block"

// comments may be added, but not where one was lost: a reader of the configuration loses nothing by them. A comment that was lost,
// changed or moved is another matter.
var comments = element.Harmless{Place: func(e *domains.Element) string { return e.Key }}

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
			case f.Name == "versioning_configuration" && strings.Contains(f.Value, `status = "Enabled"`),
				f.Name == "versioning" && strings.Contains(f.Value, "enabled = true"):
				h.Safeguards = append(h.Safeguards, "versioning of "+e.Key)
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

var ports = lazyregexp.New(`\bfrom_port = (\d+)`)

// port names the port that a rule opens; "" where it is not plain.
func port(e domains.Element, f domains.Field) string {
	found := ports.FindStringSubmatch(f.Value + " from_port = " + e.Value("from_port"))
	if found == nil {
		return ""
	}
	return ", port " + found[1]
}

// each calls do with a node and all below it, parents first.
func each(n *published.Node, do func(*published.Node)) {
	do(n)
	for _, kid := range n.Kids {
		each(kid, do)
	}
}

// fields flattens a value: an object into its elements, anything else into one field.
func nodeFields(n *published.Node, all []domains.Field, path string) []domains.Field {
	switch {
	case n.Kind == published.ObjectNode && len(n.Kids) > 0:
		for i := 0; i < len(n.Kids); i += 2 {
			all = nodeFields(n.Kids[i+1], all, path+"."+n.Kids[i].NormalKey())
		}
		return all
	case n.Kind == published.CallNode && n.Text == "jsonencode" && len(n.Kids) == 1 && !n.Expanded && n.Kids[0].Kind == published.ObjectNode:
		return nodeFields(n.Kids[0], all, path+" as JSON")
	case n.Kind == published.TupleNode && slices.ContainsFunc(n.Kids, func(kid *published.Node) bool { return kid.Kind == published.ObjectNode }):
		for i, kid := range n.Kids {
			all = nodeFields(kid, all, path+"["+strconv.Itoa(i)+"]")
		}
		return all
	}
	return append(all, domains.Field{Name: path, Value: n.Normal()})
}

// wellFormed checks brackets, texts, here-documents and comments.
var hcl = wellformed.Code{
	Line: []string{"#", "//"}, Block: [][2]string{{"/*", "*/"}}, Quotes: `"`, Escape: true, Here: true, Template: true, Brackets: "(){}[]",
}

var wellFormed = wellformed.All(
	hcl.Check,
	hcl.Apart("([", false, "for", "in", "if"),
	hcl.Bare(wellformed.Not(`^\s*[A-Za-z_][\w-]*\s+(?:"x*"|\[[^{]*|\d[\d.]*|true|false|null)\s*$`, "a sign of equality is missing")),
)
