package infra

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	costedFile = "by_cost.tf"
	costsFile  = "costs.csv"
)

// prices are the cents a month of one resource.
var prices = map[string]int{
	"aws_nat_gateway": 3796, "aws_lb": 1937, "aws_db_instance": 5402, "aws_ecs_service": 2108,
	"aws_instance": 1416, "aws_vpc_endpoint": 803, "aws_vpn_gateway": 3650, "aws_eip": 365, "aws_kms_key": 100,
}

// cost is a resource that has a price.
type cost struct {
	group
	position, quantity, price int
}

func (c *cost) total() int { return c.quantity * c.price }

// orderByCost puts the resources that have a price first, the dearest at the
// top, with their cost in a comment.
func orderByCost(files vfs.Files) (vfs.Files, error) {
	d, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	groups, closing := d.groups()
	var costs []cost
	var others []group
	table := [][]string{{"position", "address", "price", "quantity", "monthly"}}
	for i, g := range groups {
		block := &g.block().item
		if price := block.price(); price > 0 {
			costs = append(costs, cost{g, i + 1, block.quantity(), price})
		} else {
			others = append(others, g)
		}
	}
	slices.SortStableFunc(costs, func(a, b cost) int {
		return cmp.Or(-cmp.Compare(a.total(), b.total()), cmp.Compare(a.block().item.address(), b.block().item.address()))
	})
	ordered := make([]group, 0, len(groups))
	for _, c := range costs {
		block := c.block()
		table = append(table, []string{
			strconv.Itoa(c.position), block.item.address(), dollars(c.price), strconv.Itoa(c.quantity), dollars(c.total()),
		})
		block.rewrite([]change{{span{block.item.start, block.item.start}, "# Cost: $" + dollars(c.total()) + "/month\n"}})
		ordered = append(ordered, c.group)
	}
	ordered = append(ordered, others...)
	return vfs.Files{costedFile: joined(ordered, closing).print(), costsFile: plain.WriteCSV(table)}, nil
}

func (i *item) price() int {
	if i.name != "resource" || len(i.labels) == 0 {
		return 0
	}
	return prices[i.labels[0]]
}

// quantity is the count or desired_count of a resource, 1 where it is no plain
// number.
func (i *item) quantity() int {
	for _, name := range []string{"count", "desired_count"} {
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

func dollars(cents int) string {
	return strconv.Itoa(cents/100) + "." + strconv.Itoa(cents/10%10) + strconv.Itoa(cents%10)
}

var costLine = regexp.MustCompile(`(?m)^# Cost: \$[0-9.]+/month\n`)

// orderWithoutCost takes the comments away and puts the resources where they
// are listed, among the others in their order.
func orderWithoutCost(files vfs.Files) (vfs.Files, error) {
	d, err := readNamed(files, costedFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, costsFile, "position", "address")
	if err != nil {
		return nil, err
	}
	listed := map[string][]int{}
	for _, row := range rows {
		listed[row[1]] = append(listed[row[1]], wholeNumber(row[0]))
	}
	groups, closing := d.groups()
	placed := map[int]group{}
	var others []group
	for _, g := range groups {
		block := g.block()
		start := block.item.start
		block.source = costLine.ReplaceAllString(block.source[:start], "") + block.source[start:]
		address := block.item.address()
		positions := listed[address]
		if len(positions) == 0 || placed[positions[0]] != nil {
			others = append(others, g)
			continue
		}
		placed[positions[0]], listed[address] = g, positions[1:]
	}
	ordered := make([]group, 0, len(groups))
	for _, position := range slices.Sorted(maps.Keys(placed)) {
		for len(ordered) < position-1 && len(others) > 0 {
			ordered, others = append(ordered, others[0]), others[1:]
		}
		ordered = append(ordered, placed[position])
	}
	return asDocument(joined(append(ordered, others...), closing)), nil
}

const (
	orderedFile = "ordered.tf"
	orderFile   = "order.csv"
)

// orderByDependency puts every block after those that it refers to, and takes
// the first in the file of those that could be next.
func orderByDependency(files vfs.Files) (vfs.Files, error) {
	d, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	groups, closing := d.groups()
	needs := dependencies(groups)
	waitsFor, neededBy := make([]int, len(groups)), make([][]int, len(groups))
	for i, list := range needs {
		waitsFor[i] = len(list)
		for _, k := range list {
			neededBy[k] = append(neededBy[k], i)
		}
	}
	table := [][]string{{"position", "address", "refers_to"}}
	ordered := make([]group, 0, len(groups))
	taken := make([]bool, len(groups))
	for range groups {
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
		var addresses []string
		for _, k := range needs[next] {
			addresses = append(addresses, groups[k].block().item.address())
		}
		slices.Sort(addresses)
		table = append(table, []string{
			strconv.Itoa(next + 1), groups[next].block().item.address(), strings.Join(slices.Compact(addresses), " "),
		})
		ordered = append(ordered, groups[next])
	}
	return vfs.Files{orderedFile: joined(ordered, closing).print(), orderFile: plain.WriteCSV(table)}, nil
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
	if i.name != "locals" {
		switch i.name {
		case "resource", "variable", "data", "module":
			return []string{i.address()}
		}
		return nil
	}
	var names []string
	for k := range i.items {
		if at := &i.items[k]; at.kind == attributeItem {
			names = append(names, "local."+at.name)
		}
	}
	return names
}

// reference is an expression such as var.region, data.aws_ami.al2023 or
// aws_vpc.main, without what is accessed after it; "" of any other.
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

func orderAsListed(files vfs.Files) (vfs.Files, error) {
	d, err := readNamed(files, orderedFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, orderFile, "position", "address")
	if err != nil {
		return nil, err
	}
	groups, closing := d.groups()
	return asDocument(joined(arranged(groups, rows), closing)), nil
}

const (
	numberedFile = "numbered.tf"
	namesFile    = "names.csv"
)

// numberResources names resources by their type and a number.
func numberResources(files vfs.Files) (vfs.Files, error) {
	d, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	table := [][]string{{"address", "name"}}
	counts, names := map[string]int{}, map[string]string{}
	for i := range d.parts {
		block := &d.parts[i].item
		if d.parts[i].kind != blockPart || block.name != "resource" || len(block.labels) != 2 {
			continue
		}
		kind := block.labels[0]
		if _, known := names[block.address()]; known {
			continue
		}
		counts[kind]++
		_, short, _ := strings.Cut(kind, "_")
		name := short + "_" + strconv.Itoa(counts[kind])
		names[block.address()] = name
		table = append(table, []string{kind + "." + name, block.labels[1]})
	}
	d.rename(names)
	return vfs.Files{numberedFile: d.print(), namesFile: plain.WriteCSV(table)}, nil
}

func nameResources(files vfs.Files) (vfs.Files, error) {
	d, err := readNamed(files, numberedFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, namesFile, "address", "name")
	if err != nil {
		return nil, err
	}
	names := map[string]string{}
	for _, row := range rows {
		names[strings.TrimSpace(row[0])] = strings.TrimSpace(row[1])
	}
	d.rename(names)
	return asDocument(d), nil
}

// rename gives resources other names, by their addresses, also where
// expressions refer to them.
func (d document) rename(names map[string]string) {
	for i := range d.parts {
		p := &d.parts[i]
		var changes []change
		if block := &p.item; p.kind == blockPart && block.name == "resource" && len(block.labels) == 2 {
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
