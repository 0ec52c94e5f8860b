package infra

import (
	"cmp"
	"errors"
	"path"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// mainFile is the file that every backward step leaves.
const mainFile = "main.tf"

func edits() []domains.Edit {
	return []domains.Edit{
		{Name: "layer_files", Forward: splitLayers, Backward: mergeLayers},
		{Name: "block_json", Forward: toJSON, Backward: fromJSON},
		{Name: "variable_values", Forward: takeDefaults, Backward: writeDefaults},
		{Name: "cost_order", Forward: orderByCost, Backward: orderWithoutCost},
		{Name: "dependency_order", Forward: orderByDependency, Backward: orderAsListed},
		{Name: "numbered_names", Forward: numberResources, Backward: nameResources},
		{Name: "address_move", Forward: moveAddresses, Backward: returnAddresses},
		{Name: "heredoc_files", Forward: takeHeredocs, Backward: writeHeredocs},
	}
}

var errNoBlock = errors.New("no .tf file with a block")

// readDocument reads the files that a forward step is given, as one.
func readDocument(files vfs.Files) (document, error) {
	var all document
	for _, name := range files.Names() {
		if path.Ext(name) == ".tf" {
			all.parts = append(all.parts, read(files[name]).parts...)
		}
	}
	if !slices.ContainsFunc(all.parts, isBlockPart) {
		return document{}, errNoBlock
	}
	return all, nil
}

// readNamed reads the file that a backward step needs.
func readNamed(files vfs.Files, name string) (document, error) {
	text, err := plain.File(files, name)
	return read(text), err
}

func asDocument(d document) vfs.Files { return vfs.Files{mainFile: d.print()} }

func isBlockPart(p part) bool { return p.kind == blockPart }

// group is a block with the parts that stand apart above it.
type group []part

func (g group) block() *part { return &g[len(g)-1] }

// groups divides a document at its blocks; closing is what follows the last.
func (d document) groups() (all []group, closing []part) {
	start := 0
	for i := range d.parts {
		if d.parts[i].kind == blockPart {
			all = append(all, d.parts[start:i+1])
			start = i + 1
		}
	}
	return all, d.parts[start:]
}

func joined(groups []group, closing []part) document {
	var d document
	for _, g := range groups {
		d.parts = append(d.parts, g...)
	}
	d.parts = append(d.parts, closing...)
	return d
}

// arranged puts groups in the order of the positions that are listed for their
// addresses, of equal addresses in the order of the list. Those that are not
// listed come last.
func arranged(groups []group, rows [][]string) []group {
	positions := map[string][]int{}
	for _, row := range rows {
		address := strings.TrimSpace(row[1])
		positions[address] = append(positions[address], wholeNumber(row[0]))
	}
	type placed struct {
		group
		position int
	}
	all := make([]placed, len(groups))
	for i, g := range groups {
		all[i] = placed{g, 1 << 30}
		address := g.block().item.address()
		if list := positions[address]; len(list) > 0 {
			all[i].position = list[0]
			positions[address] = list[1:]
		}
	}
	slices.SortStableFunc(all, func(a, b placed) int { return cmp.Compare(a.position, b.position) })
	ordered := make([]group, len(all))
	for i := range all {
		ordered[i] = all[i].group
	}
	return ordered
}

// change replaces a span of the source of a part.
type change struct {
	span
	text string
}

// rewrite applies changes that do not overlap.
func (p *part) rewrite(changes []change) {
	slices.SortFunc(changes, func(a, b change) int { return cmp.Compare(a.start, b.start) })
	var b strings.Builder
	at := 0
	for _, c := range changes {
		if c.start < at {
			continue
		}
		b.WriteString(p.source[at:c.start] + c.text)
		at = c.end
	}
	b.WriteString(p.source[at:])
	p.source = b.String()
}

// eachNode calls do with every expression of a part and all that it is made of,
// the insides of heredocs included.
func (p *part) eachNode(do func(*node)) { p.item.eachNode(p.source, do) }

func (i *item) eachNode(source string, do func(*node)) {
	if i.value != nil {
		i.value.each(func(n *node) {
			do(n)
			if n.kind == heredocNode {
				for _, part := range n.template(source) {
					part.each(do)
				}
			}
		})
	}
	for k := range i.items {
		i.items[k].eachNode(source, do)
	}
}

// template reads the text of a heredoc where it stands in the source; nothing
// if it is no template.
func (n *node) template(source string) []*node {
	start := n.start + strings.IndexByte(n.text, '\n') + 1
	end := n.start + strings.LastIndexByte(n.text, '\n') + 1
	p := parser{text: source[:end], at: start}
	var parts []*node
	for p.at < end && p.err == nil {
		parts = append(parts, p.part(false))
	}
	if p.err != nil {
		return nil
	}
	return parts
}
