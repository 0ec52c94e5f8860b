package robotics

import (
	"cmp"
	"slices"

	"agentd/domains/internal/xml"
)

// tree is a robot's links and the joints between them.
type tree struct {
	links  []string
	isLink map[string]bool
	leaves map[string][]*xml.Node // the joints that leave a link, by its name
	// childOf is the link to which a joint leads, by the joint's name.
	childOf map[string]string
	isChild map[string]bool
}

func newTree(all []entry) *tree {
	t := tree{
		isLink: map[string]bool{}, leaves: map[string][]*xml.Node{},
		childOf: map[string]string{}, isChild: map[string]bool{},
	}
	for _, e := range all {
		switch c := e.Node; {
		case isPlain(c, "link"):
			t.links = append(t.links, name(c))
			t.isLink[name(c)] = true
		case isPlain(c, "joint"):
			parent := first(c, "parent").Value("link")
			t.leaves[parent] = append(t.leaves[parent], c)
			t.childOf[name(c)] = child(c)
			t.isChild[child(c)] = true
		}
	}
	return &t
}

// child is the link to which a joint leads.
func child(joint *xml.Node) string { return first(joint, "child").Value("link") }

// top is the first link to which no joint leads; empty if there is none.
func (t *tree) top() string {
	for _, link := range t.links {
		if !t.isChild[link] {
			return link
		}
	}
	return ""
}

// owner is the link to which an element of the robot belongs: a joint to the
// one that it leads to, a transmission to that of its joint, a Gazebo block to
// what it refers to; empty if it belongs to none.
func (t *tree) owner(n *xml.Node) string {
	link := ""
	switch {
	case isPlain(n, "link"):
		link = name(n)
	case isPlain(n, "joint"):
		link = child(n)
	case isPlain(n, "transmission"):
		link = t.childOf[first(n, "joint").Value("name")]
	case isPlain(n, "gazebo"):
		link = n.Value("reference")
		if !t.isLink[link] {
			link = t.childOf[link]
		}
	}
	if !t.isLink[link] {
		return ""
	}
	return link
}

// depthFirst calls do with a link and all below it, joints in the order of
// their names. Links that were seen are passed over.
func (t *tree) depthFirst(link string, seen map[string]bool, do func(link string)) {
	todo := []string{link}
	for len(todo) > 0 {
		link := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[link] || !t.isLink[link] {
			continue
		}
		seen[link] = true
		do(link)
		joints := slices.Clone(t.leaves[link])
		slices.SortStableFunc(joints, func(a, b *xml.Node) int { return cmp.Compare(name(a), name(b)) })
		for _, joint := range slices.Backward(joints) {
			todo = append(todo, child(joint))
		}
	}
}

// entry is an element of the robot with the comments before it.
type entry struct {
	*xml.Node
	before []*xml.Node
}

// nodes are the comments and the element.
func (e *entry) nodes() []*xml.Node { return append(slices.Clone(e.before), e.Node) }

// entries divides what is in a robot; tail is what comes after the last
// element.
func entries(root *xml.Node) (all []entry, tail []*xml.Node) {
	for _, c := range root.Children {
		if c.Kind != xml.Element {
			tail = append(tail, c)
			continue
		}
		all = append(all, entry{c, tail})
		tail = nil
	}
	return all, tail
}
