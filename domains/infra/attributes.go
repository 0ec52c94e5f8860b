package infra

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/edit"
	published "agentd/domains/published/infra"
)

// vocabulary makes parts of the blocks that are in no other, with the comments above each.
func vocabulary() edit.Format {
	return edit.Format{
		Document: "configuration", Part: "top-level block", Parts: "top-level blocks",
		Cut: edit.Headed(`^[ \t]*(?:#|//)`, edit.Statements(0, "\n",
			edit.RestOfLine("#"), edit.RestOfLine("//"), edit.Remark("/*", "*/"), edit.Apart{Open: `"`, Close: `"`, Escaped: true, OneLine: true})),
		Tree:   edit.Nested(`[{\[(]$`, `^[ \t]*[}\])]`),
		Remark: "# Computed: {}", RemarkAt: edit.Above,
		Attributes: []edit.Attribute{
			edit.Key("block type", "block types", `^(\w+)[^\n={]*\{`),
			edit.Has("first label", "first labels", `^\w+[ \t]+"([^"\n]+)"`),
			edit.Has("last label", "last labels", `^\w+[ \t]+(?:"[^"\n]+"[ \t]+)?"([^"\n]+)"[ \t]*\{`),
			edit.Has("description", "descriptions", `\bdescription[ \t]*=[ \t]*"([^"\n]+)"`),
			edit.HasNumber("number", "numbers", `=[ \t]*(\d+(?:\.\d+)?)[ \t]*(?:#.*)?$`),
			edit.Has("dependency", "dependencies", `\bdepends_on[ \t]*=[ \t]*\[[ \t\n]*([\w.]+)`),
			edit.Has("quoted value", "quoted values", `[^=!<>\n]=[ \t]*"((?:[^"\\\n$]|\\.)+)"`),
			edit.Has("comment", "comments", `(?:#|//)[ \t]+([^\s][^\n]*[^\s])`),
			edit.Has("resource name", "resource names", `^(?:resource|data)[ \t]+"[^"\n]+"[ \t]+"([^"\n]+)"`),
			edit.Has("referenced name", "referenced names", `\b[a-z]\w*_\w+\.([A-Za-z][\w-]*)`),
			edit.Has("address range", "address ranges", `\b(\d{1,3}(?:\.\d{1,3}){3}/\d{1,2})\b`),
			edit.Has("second number", "second numbers", `\b10\.(\d{1,3})\.\d{1,3}\.\d{1,3}\b`),
			edit.Computed("address", "addresses", address),
			edit.Computed("references", "lists of references", references),
			edit.ComputedNumber("reference count", "reference counts", referenceCount),
		},
	}
}

// address is how expressions name what a block declares, as in aws_eip.nat or var.region; of a block
// that none can name its kind and labels, as in locals.
func address(part string) string {
	for _, p := range read(part).parts {
		if p.item.kind == blockItem {
			return p.item.address()
		}
	}
	return ""
}

// references are the addresses of the variables, locals, modules, data and resources that a block's
// expressions name, interpolations and heredocs included, in order and each once.
func references(part string) string { return strings.Join(referencesOf(part), ", ") }

// referenceCount is how many different addresses a block's expressions name.
func referenceCount(part string) string { return strconv.Itoa(len(referencesOf(part))) }

func referencesOf(part string) []string {
	found := make(map[string]bool)
	for _, p := range read(part).parts {
		p.item.eachNode(p.source, func(n *published.Node) {
			if name := nodeReference(n); name != "" {
				found[name] = true
			}
		})
	}
	return slices.Sorted(maps.Keys(found))
}

// reference is what an expression such as var.size, data.aws_ami.base or aws_lb.front names, without
// what is accessed after it; empty of any other. A type of resources has an underscore; each, count
// and the variables of for expressions have none.
func nodeReference(n *published.Node) string {
	if n.Kind != published.AttributeNode {
		return ""
	}
	switch of := n.Kids[0]; {
	case of.Kind == published.WordNode && (slices.Contains([]string{"var", "local", "module"}, of.Text) || strings.Contains(of.Text, "_")):
		return of.Text + "." + n.Text
	case of.Kind == published.AttributeNode && of.Kids[0].Kind == published.WordNode && of.Kids[0].Text == "data":
		return "data." + of.Text + "." + n.Text
	}
	return ""
}

// eachNode calls do with every expression of an item and all that it is made of, the insides of heredocs included.
func (i *item) eachNode(source string, do func(*published.Node)) {
	if i.value != nil {
		each(i.value, func(n *published.Node) {
			do(n)
			if n.Kind == published.HeredocNode {
				for _, part := range template(n, source) {
					each(part, do)
				}
			}
		})
	}
	for k := range i.items {
		i.items[k].eachNode(source, do)
	}
}

// template reads the text of a heredoc where it stands in the source; nothing if it is no template.
func template(n *published.Node, source string) []*published.Node {
	start := n.Start + strings.IndexByte(n.Text, '\n') + 1
	end := n.Start + strings.LastIndexByte(n.Text, '\n') + 1
	parts, err := published.TemplateParts(source[:end], start)
	if err != nil {
		return nil
	}
	return parts
}
