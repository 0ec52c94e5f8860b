package infra

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// costs are the prices a month of resources.
type costs struct {
	Document, To string
	Prices       map[string]decimal.Decimal // by type
	Symbol       string
	Counts       []string // arguments that say how many there are
	Table        string
}

// cost is a resource that has a price.
type cost struct {
	group
	position, quantity int
	price, total       decimal.Decimal
}

// sortByCost puts the resources that have a price first, the dearest at the top, with their
// cost in a comment.
func sortByCost(p costs) exact.Steps {
	costLine := regexp.MustCompile(`(?m)^# Cost: ` + regexp.QuoteMeta(p.Symbol) + `[0-9.]+/month\n`)
	change := func(c *divided) (vfs.Files, error) {
		costs, others := p.of(c.groups)
		table := [][]string{{"position", "address", "price", "quantity", "monthly"}}
		c.groups = nil
		for _, one := range costs {
			block, total := one.block(), one.total.StringFixed(2)
			table = append(table, []string{
				strconv.Itoa(one.position), block.item.address(), one.price.StringFixed(2), strconv.Itoa(one.quantity), total,
			})
			block.rewrite([]change{{span{block.item.start, block.item.start}, "# Cost: " + p.Symbol + total + "/month\n"}})
			c.groups = append(c.groups, one.group)
		}
		c.groups = append(c.groups, others...)
		return vfs.Files{p.Table: plain.WriteCSV(table)}, nil
	}
	return blocks.Rewrite(p.Document, p.To, change, func(c *divided, files vfs.Files) error {
		position, err := listed(files, p.Table)
		for _, g := range c.groups {
			block := g.block()
			start := block.item.start
			block.source = costLine.ReplaceAllString(block.source[:start], "") + block.source[start:]
		}
		var taken []placed
		var others []group
		places := map[int]bool{}
		for _, g := range c.groups {
			if n, ok := position(&g); ok && !places[n] {
				places[n] = true
				taken = append(taken, placed{g, n})
			} else {
				others = append(others, g)
			}
		}
		place := func(p placed) (int, group) { return p.position, p.group }
		c.groups = plain.PutIn(taken, others, place, nil)
		return err
	})
}

// of are the resources that have a price, the dearest first, and the other blocks.
func (p *costs) of(groups []group) (all []cost, others []group) {
	for i, g := range groups {
		block := &g.block().item
		price := decimal.Zero
		if block.name == "resource" && len(block.labels) > 0 {
			price = p.Prices[block.labels[0]]
		}
		if !price.IsPositive() {
			others = append(others, g)
			continue
		}
		quantity := block.quantity(p.Counts)
		all = append(all, cost{g, i + 1, quantity, price, price.Mul(decimal.NewFromInt(int64(quantity)))})
	}
	slices.SortStableFunc(all, func(a, b cost) int {
		return cmp.Or(b.total.Cmp(a.total), cmp.Compare(a.block().item.address(), b.block().item.address()))
	})
	return all, others
}

// placed is a block with its position. Of several with one, only the first gets it.
type placed struct {
	group
	position int
}

// quantity is an argument of a resource that is a plain number, 1 where there is none.
func (i *item) quantity(arguments []string) int {
	for _, name := range arguments {
		for k := range i.items {
			if at := &i.items[k]; at.name == name && at.value != nil && at.value.kind == numberNode {
				if n, err := strconv.Atoi(at.value.text); err == nil && n < 1_000_000 {
					return n
				}
			}
		}
	}
	return 1
}

// sortByDependency puts every block after those that it refers to, and takes the first in the
// file of those that could be next.
func sortByDependency(p struct{ Document, To, Table string }) exact.Steps {
	change := func(c *divided) (vfs.Files, error) {
		needs, groups := dependencies(c.groups), c.groups
		table := [][]string{{"position", "address", "refers_to"}}
		c.groups = nil
		for _, next := range inOrder(needs) {
			var addresses []string
			for _, k := range needs[next] {
				addresses = append(addresses, groups[k].block().item.address())
			}
			slices.Sort(addresses)
			table = append(table, []string{
				strconv.Itoa(next + 1), groups[next].block().item.address(), strings.Join(slices.Compact(addresses), " "),
			})
			c.groups = append(c.groups, groups[next])
		}
		return vfs.Files{p.Table: plain.WriteCSV(table)}, nil
	}
	return blocks.Rewrite(p.Document, p.To, change, func(c *divided, files vfs.Files) error {
		position, err := listed(files, p.Table)
		blocks.SortByNumber(c, position)
		return err
	})
}

// inOrder lists numbers so that each comes after those that it needs, the lowest first of
// those that could be next.
func inOrder(needs [][]int) (order []int) {
	waitsFor, neededBy := make([]int, len(needs)), make([][]int, len(needs))
	for i, list := range needs {
		waitsFor[i] = len(list)
		for _, k := range list {
			neededBy[k] = append(neededBy[k], i)
		}
	}
	taken := make([]bool, len(needs))
	for range needs {
		next := slices.IndexFunc(waitsFor, func(n int) bool { return n == 0 })
		if next < 0 { // a circle
			next = slices.Index(taken, false)
		}
		taken[next], waitsFor[next] = true, -1
		for _, i := range neededBy[next] {
			if !taken[i] {
				waitsFor[i]--
			}
		}
		order = append(order, next)
	}
	return order
}

// dependencies are, of each block, the numbers of the others that it refers to.
func dependencies(groups []group) [][]int {
	defined := map[string][]int{}
	for i, g := range groups {
		block := &g.block().item
		for _, name := range block.defines() {
			defined[name] = append(defined[name], i)
		}
	}
	needs := make([][]int, len(groups))
	for i, g := range groups {
		found := map[int]bool{}
		g.block().eachNode(func(n *node) {
			for _, k := range defined[n.reference()] {
				if k != i {
					found[k] = true
				}
			}
		})
		needs[i] = slices.Sorted(maps.Keys(found))
	}
	return needs
}

// defines are the names by which expressions refer to what a block declares.
func (i *item) defines() []string {
	var names []string
	switch i.name {
	case "resource", "variable", "data", "module":
		names = []string{i.address()}
	case "locals":
		for k := range i.items {
			if at := &i.items[k]; at.kind == attributeItem {
				names = append(names, "local."+at.name)
			}
		}
	}
	return names
}

// reference is an expression such as var.size, data.aws_ami.base or
// aws_lb.front, without what is accessed after it; "" of any other.
func (n *node) reference() string {
	if n.kind != attributeNode {
		return ""
	}
	switch of := n.kids[0]; of.kind {
	case wordNode:
		return of.text + "." + n.text
	case attributeNode:
		if of.kids[0].kind == wordNode && of.kids[0].text == "data" {
			return "data." + of.text + "." + n.text
		}
	}
	return ""
}

// numberResources names resources by their type and a number.
func numberResources(p struct{ Document, To, Table string }) exact.Steps {
	change := func(c *divided) (vfs.Files, error) {
		table := [][]string{{"address", "name"}}
		counts, names := map[string]int{}, map[string]string{}
		for _, g := range c.groups {
			block := &g.block().item
			if _, known := names[block.address()]; known || block.name != "resource" || len(block.labels) != 2 {
				continue
			}
			kind := block.labels[0]
			counts[kind]++
			_, short, _ := strings.Cut(kind, "_")
			name := short + "_" + strconv.Itoa(counts[kind])
			names[block.address()] = name
			table = append(table, []string{kind + "." + name, block.labels[1]})
		}
		c.rename(names)
		return vfs.Files{p.Table: plain.WriteCSV(table)}, nil
	}
	return blocks.Rewrite(p.Document, p.To, change, func(c *divided, files vfs.Files) error {
		names, err := exact.ReadRegister(files, p.Table, "address", "name")
		c.rename(names)
		return err
	})
}

// rename gives resources other names, by their addresses, also where
// expressions refer to them.
func (c *divided) rename(names map[string]string) {
	for p := range c.parts() {
		var changes []change
		if block := &p.item; p.item.kind == blockItem && block.name == "resource" && len(block.labels) == 2 {
			if name, ok := names[block.address()]; ok {
				end := block.start + strings.LastIndex(p.source[block.start:block.bodyStart], block.labels[1]) + len(block.labels[1])
				changes = append(changes, change{span{end - len(block.labels[1]), end}, name})
			}
		}
		p.eachNode(func(n *node) {
			if name, ok := names[n.reference()]; ok {
				changes = append(changes, change{span{n.end - len(n.text), n.end}, name})
			}
		})
		p.rewrite(changes)
	}
}
