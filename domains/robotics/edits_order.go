package robotics

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// splitByBranch makes a file of each branch of the tree, and one of the chain of links from
// which they branch off, and of what belongs to no link.
func splitByBranch(p struct {
	Document, Trunk string
	Begins          string // names of the branches' files: a number and .urdf follow
	Table           string
}) exact.Steps {
	forward := func(r robot) (vfs.Files, error) {
		t := newTree(r.entries)
		branches := t.branches()
		rows := [][]string{{"position", "element", "name", "file"}}
		made := robots.Divide(r, p.Trunk, func(e *entry) string {
			file := p.Trunk
			if branch := branches[t.owner(e.Node)]; branch > 0 {
				file = fmt.Sprintf("%s%d.urdf", p.Begins, branch)
			}
			rows = append(rows, []string{strconv.Itoa(len(rows)), e.Name, cmp.Or(name(e.Node), e.Node.Value("reference")), file})
			return file
		})
		made[p.Table] = plain.WriteCSV(rows)
		return made, nil
	}
	return robots.Whole(p.Document, forward, func(files vfs.Files) (robot, error) {
		for _, name := range []string{p.Table, p.Trunk} {
			if _, err := plain.File(files, name); err != nil {
				return robot{}, err
			}
		}
		return robots.MergeByTable(files, p.Trunk, p.Table)
	})
}

// branches numbers the branches from 1 and returns those of the links; the
// trunk is 0. It goes from the top down to the first link that more than one
// joint leaves.
func (t *tree) branches() map[string]int {
	of := map[string]int{}
	seen := map[string]bool{}
	fork := t.top()
	for !seen[fork] {
		seen[fork] = true
		if joints := t.leaves[fork]; len(joints) == 1 {
			fork = child(joints[0])
		}
	}
	n := 0
	for _, joint := range t.leaves[fork] {
		if link := child(joint); t.isLink[link] && !seen[link] {
			n++
			t.depthFirst(link, seen, func(link string) { of[link] = n })
		}
	}
	return of
}

// sortByLink puts each link with all that belongs to it, in the order of the
// tree, after what belongs to none.
func sortByLink(p struct{ Document, To, Table string }) exact.Steps {
	change := func(r *robot) (vfs.Files, error) {
		t := newTree(r.entries)
		place, seen := map[string]int{}, map[string]bool{}
		number := func(link string) { place[link] = len(place) + 1 }
		t.depthFirst(t.top(), seen, number)
		for _, link := range t.links {
			if !seen[link] {
				seen[link] = true
				number(link)
			}
		}
		positions := robots.Sort(r, func(a, b *entry) int {
			linkA, linkB := place[t.owner(a.Node)], place[t.owner(b.Node)]
			if linkA == 0 && linkB == 0 {
				return 0
			}
			return cmp.Or(cmp.Compare(linkA, linkB), cmp.Compare(rank(a.Name), rank(b.Name)))
		})
		rows := [][]string{{"place", "was"}}
		for n, was := range positions {
			rows = append(rows, []string{strconv.Itoa(n + 1), strconv.Itoa(was)})
		}
		return vfs.Files{p.Table: plain.WriteCSV(rows)}, nil
	}
	return robots.Rewrite(p.Document, p.To, change, func(r *robot, files vfs.Files) error {
		rows, err := plain.Table(files, p.Table, "place", "was")
		slices.SortStableFunc(rows, plain.ByNumber)
		lists.Arrange(r.entries, lists.Map(rows, func(row []string) int {
			return cmp.Or(plain.LineNumber(row[1]), math.MaxInt) // without a place it comes last
		}))
		return err
	})
}

func rank(tag string) int {
	return slices.Index([]string{"link", "joint", "transmission", "gazebo"}, tag)
}
