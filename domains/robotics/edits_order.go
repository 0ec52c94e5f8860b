package robotics

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	trunkFile = "trunk.urdf"
	orderFile = "order.csv"
)

func branchFile(n int) string { return fmt.Sprintf("branch_%d.urdf", n) }

// splitByBranch makes a file of each branch of the tree, and one of the chain
// of links from which they branch off.
func splitByBranch(files vfs.Files) (vfs.Files, error) {
	doc, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	t := newTree(doc.Root())
	branchOf, branches := t.branches()
	all, tail := entries(doc.Root())
	doc.Root().Children = nil
	parts := []*model{doc}
	for range branches {
		parts = append(parts, doc.sameRobot())
	}
	order := [][]string{{"position", "element", "name", "file"}}
	for n, e := range all {
		branch := branchOf[t.owner(e.Node)]
		parts[branch].append(e.nodes()...)
		order = append(order, []string{strconv.Itoa(n + 1), e.Name, cmp.Or(name(e.Node), text(e.Node, "reference", "")), partFile(branch)})
	}
	doc.append(tail...)
	out := vfs.Files{orderFile: plain.WriteCSV(order)}
	for n, part := range parts {
		out[partFile(n)] = part.print()
	}
	return out, nil
}

func partFile(branch int) string {
	if branch == 0 {
		return trunkFile
	}
	return branchFile(branch)
}

// branches numbers the branches from 1 and returns those of the links; the
// trunk is 0. It goes from the top down to the first link that more than one
// joint leaves.
func (t *tree) branches() (of map[string]int, n int) {
	of = map[string]int{}
	seen := map[string]bool{}
	fork := t.top()
	for !seen[fork] {
		seen[fork] = true
		if joints := t.leaves[fork]; len(joints) == 1 {
			fork = child(joints[0])
		}
	}
	for _, joint := range t.leaves[fork] {
		if link := child(joint); t.isLink[link] && !seen[link] {
			n++
			t.depthFirst(link, seen, func(link string) { of[link] = n })
		}
	}
	return of, n
}

func joinBranches(files vfs.Files) (vfs.Files, error) {
	rows, err := plain.Table(files, orderFile, "position", "file")
	if err != nil {
		return nil, err
	}
	doc, err := readNamed(files, trunkFile)
	if err != nil {
		return nil, err
	}
	queues := map[string][]entry{}
	names := files.Match([]string{trunkFile, "branch_*.urdf"}).Names()
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(branchNumber(a), branchNumber(b)) })
	for _, file := range names {
		m := read(files[file])
		if m.Root() != nil {
			queues[file], _ = entries(m.Root())
		}
	}
	_, tail := entries(doc.Root())
	doc.Root().Children = nil
	slices.SortStableFunc(rows, plain.ByNumber)
	for _, row := range rows {
		if queue := queues[row[1]]; len(queue) > 0 {
			doc.append(queue[0].nodes()...)
			queues[row[1]] = queue[1:]
		}
	}
	for _, file := range names { // what the table does not name
		for _, e := range queues[file] {
			doc.append(e.nodes()...)
		}
	}
	doc.append(tail...)
	return asDocument(doc), nil
}

// branchNumber is that in the name of a file, 0 for the trunk.
func branchNumber(file string) int {
	n, _ := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(file, "branch_"), ".urdf"))
	return n
}

const (
	orderedFile  = "by_link.urdf"
	sequenceFile = "sequence.csv"
)

// toLinkOrder puts each link with all that belongs to it, in the order of the
// tree, after what belongs to none.
func toLinkOrder(files vfs.Files) (vfs.Files, error) {
	doc, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	t := newTree(doc.Root())
	place, seen := map[string]int{}, map[string]bool{}
	number := func(link string) { place[link] = len(place) + 1 }
	t.depthFirst(t.top(), seen, number)
	for _, link := range t.links {
		if !seen[link] {
			seen[link] = true
			number(link)
		}
	}
	type placed struct {
		entry
		was int
	}
	all, tail := entries(doc.Root())
	var sorted []placed
	for n, e := range all {
		sorted = append(sorted, placed{e, n + 1})
	}
	slices.SortStableFunc(sorted, func(a, b placed) int {
		linkA, linkB := place[t.owner(a.Node)], place[t.owner(b.Node)]
		if linkA == 0 && linkB == 0 {
			return 0
		}
		return cmp.Or(cmp.Compare(linkA, linkB), cmp.Compare(rank(a.Name), rank(b.Name)))
	})
	doc.Root().Children = nil
	sequence := [][]string{{"place", "was"}}
	for n, e := range sorted {
		doc.append(e.nodes()...)
		sequence = append(sequence, []string{strconv.Itoa(n + 1), strconv.Itoa(e.was)})
	}
	doc.append(tail...)
	return vfs.Files{orderedFile: doc.print(), sequenceFile: plain.WriteCSV(sequence)}, nil
}

func rank(tag string) int {
	return slices.Index([]string{"link", "joint", "transmission", "gazebo"}, tag)
}

func fromLinkOrder(files vfs.Files) (vfs.Files, error) {
	rows, err := plain.Table(files, sequenceFile, "place", "was")
	if err != nil {
		return nil, err
	}
	doc, err := readNamed(files, orderedFile)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(rows, plain.ByNumber)
	all, tail := entries(doc.Root())
	type placed struct {
		entry
		was []string
	}
	var sorted []placed
	for n, e := range all {
		p := placed{e, []string{strconv.Itoa(len(all))}}
		if n < len(rows) {
			p.was = rows[n][1:]
		}
		sorted = append(sorted, p)
	}
	slices.SortStableFunc(sorted, func(a, b placed) int { return plain.ByNumber(a.was, b.was) })
	doc.Root().Children = nil
	for _, e := range sorted {
		doc.append(e.nodes()...)
	}
	doc.append(tail...)
	return asDocument(doc), nil
}
