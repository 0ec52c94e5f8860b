package vector

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/shopspring/decimal"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

// placedShape is a child of a group that has a position.
type placedShape struct {
	*xml.Node
	slot int // in the group's nodes
	was  int // among its child elements, from 1
	x, y decimal.Decimal
}

// placedIn are the children of a group that have a position.
func placedIn(g *xml.Node) []placedShape {
	var all []placedShape
	number := 0
	for slot, c := range g.Children {
		if c.Kind != xml.Element {
			continue
		}
		number++
		if x, y, ok := position(c); ok {
			all = append(all, placedShape{c, slot, number, x, y})
		}
	}
	return all
}

// position is the place of a shape that has one of its own.
func position(n *xml.Node) (x, y decimal.Decimal, ok bool) {
	for _, axes := range [][2]string{{"x", "y"}, {"cx", "cy"}, {"x1", "y1"}} {
		left, _ := n.Attribute(axes[0])
		top, _ := n.Attribute(axes[1])
		if plainNumber.MatchString(left) && plainNumber.MatchString(top) {
			return decimal.RequireFromString(left), decimal.RequireFromString(top), true
		}
	}
	return x, y, false
}

func (d *drawing) visibleGroups() []*xml.Node {
	return visible(d.Root(), func(n *xml.Node) bool { return n.Is("g") })
}

// sortByPosition sorts the shapes of each group from top to bottom, then from left to right.
func sortByPosition(p struct{ Document, To, Table string }) exact.Steps {
	change := func(d *drawing) (vfs.Files, error) {
		rows := [][]string{{"group", "place", "was"}}
		for n, g := range d.visibleGroups() {
			before := placedIn(g)
			after := slices.Clone(before)
			slices.SortStableFunc(after, func(a, b placedShape) int { return cmp.Or(a.y.Cmp(b.y), a.x.Cmp(b.x)) })
			for k, shape := range after {
				g.Children[before[k].slot] = shape.Node
				if before[k].was != shape.was {
					rows = append(rows, []string{strconv.Itoa(n + 1), strconv.Itoa(before[k].was), strconv.Itoa(shape.was)})
				}
			}
		}
		return vfs.Files{p.Table: plain.WriteCSV(rows)}, nil
	}
	return rewrite(p.Document, p.To, change, func(d *drawing, files vfs.Files) error {
		rows, err := plain.Table(files, p.Table, "group", "place", "was")
		if err != nil {
			return err
		}
		moves := map[int][][2]int{} // from a place to another, by the number of the group
		for _, row := range rows {
			group := plain.LineNumber(row[0])
			moves[group] = append(moves[group], [2]int{plain.LineNumber(row[1]), plain.LineNumber(row[2])})
		}
		for n, g := range d.visibleGroups() {
			if err := moveBack(g, moves[n+1]); err != nil {
				return fmt.Errorf("%s: group %d: %w", p.Table, n+1, err)
			}
		}
		return nil
	})
}

// moveBack puts child elements into their former places.
func moveBack(g *xml.Node, moves [][2]int) error {
	now := g.Elements()
	former := slices.Clone(now)
	used, filled := map[int]bool{}, map[int]bool{}
	for _, m := range moves {
		place, was := m[0], m[1]
		if place < 1 || place > len(now) || was < 1 || was > len(now) || used[place] || filled[was] {
			return fmt.Errorf("place %d cannot have been %d", place, was)
		}
		used[place], filled[was] = true, true
		former[was-1] = now[place-1]
	}
	for place := range now {
		if used[place+1] != filled[place+1] {
			return fmt.Errorf("place %d is named on one side only", place+1)
		}
	}
	next := 0
	for at, c := range g.Children {
		if c.Kind == xml.Element {
			g.Children[at] = former[next]
			next++
		}
	}
	return nil
}
