package infra

import (
	"errors"
	"iter"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// blocks says how configurations are taken apart and put together.
var blocks = exact.Format[divided, group]{
	Patterns: []string{"*.tf"},
	Read: func(text string) divided {
		groups, closing := read(text).groups()
		return divided{groups, closing}
	},
	Print: func(c divided) string { return c.document().print() },
	Parts: func(c *divided) *[]group { return &c.groups },
	Join: func(all []divided) (joined divided) {
		for _, c := range all {
			if len(c.groups) > 0 {
				c.groups[0] = slices.Concat(joined.closing, c.groups[0])
				joined.closing = nil
			}
			joined.groups = append(joined.groups, c.groups...)
			joined.closing = append(joined.closing, c.closing...)
		}
		return joined
	},
	Empty: errors.New("no .tf file with a block"),
}

func edits() []domains.Edit {
	return []domains.Edit{
		domains.Taking("split_by_type", splitByType),
		domains.Taking("json", inJSON),
		domains.Taking("defaults_aside", defaultsAside),
		domains.Taking("sort_by_cost", sortByCost),
		domains.Taking("sort_by_dependency", sortByDependency),
		domains.Taking("number_resources", numberResources),
		domains.Taking("move_addresses", moveAddresses),
		domains.Taking("heredocs_aside", heredocsAside),
	}
}

// divided is a document divided at its blocks.
type divided struct {
	groups  []group
	closing []part // what follows the last block
}

// group is a block with the parts that stand apart above it.
type group []part

func (g group) block() *part { return &g[len(g)-1] }

// groups divides a document at its blocks; closing is what follows the last.
func (d document) groups() (all []group, closing []part) {
	start := 0
	for i := range d.parts {
		if d.parts[i].item.kind == blockItem {
			all = append(all, d.parts[start:i+1])
			start = i + 1
		}
	}
	return all, d.parts[start:]
}

func (c *divided) document() document {
	return document{parts: slices.Concat(slices.Concat(c.groups...), c.closing)}
}

// parts are all parts, to change them.
func (c *divided) parts() iter.Seq[*part] {
	return func(yield func(*part) bool) {
		for _, g := range append(c.groups[:len(c.groups):len(c.groups)], c.closing) {
			for i := range g {
				if !yield(&g[i]) {
					return
				}
			}
		}
	}
}

// listed returns the positions that a table has for the addresses of blocks, of equal
// addresses in the order of the table.
func listed(files vfs.Files, table string) (func(*group) (int, bool), error) {
	rows, err := plain.Table(files, table, "position", "address")
	of := plain.NotesBy(rows, func(row []string) string { return strings.TrimSpace(row[1]) })
	return func(g *group) (int, bool) { return of.TakeNumber(g.block().item.address()) }, err
}

// change replaces a span of the source of a part.
type change struct {
	span
	text string
}

// rewrite applies changes that do not overlap.
func (p *part) rewrite(changes []change) {
	p.source = plain.Splice(p.source, changes, func(c change) (int, int, string) { return c.start, c.end, c.text })
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
	parts, err := templateParts(source[:end], start)
	if err != nil {
		return nil
	}
	return parts
}
