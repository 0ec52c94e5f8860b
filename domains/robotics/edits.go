package robotics

import (
	"errors"
	"slices"

	"agentd/domains"
	"agentd/domains/internal/exact"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

// robot is a file with the elements of the robot, which are not in its root.
type robot struct {
	*model
	entries []entry
	tail    []*xml.Node // what comes after the last element
}

func readRobot(text string) robot {
	r := robot{model: read(text)}
	r.divide()
	return r
}

// divide takes the elements out of the root.
func (r *robot) divide() {
	if root := r.Root(); root != nil {
		r.entries, r.tail = entries(root)
		root.Children = nil
	}
}

// whole is the root with all that is in it; nil if there is none.
func (r *robot) whole() *xml.Node {
	root := r.Root()
	if root != nil {
		root.Children = nil
		for i := range r.entries {
			root.Children = append(root.Children, r.entries[i].nodes()...)
		}
		root.Children = append(root.Children, r.tail...)
	}
	return root
}

// robots says how robots are taken apart and put together. Each part has the robot's name.
var robots = exact.Format[robot, entry]{
	Patterns: []string{"*.urdf"},
	Read:     readRobot,
	Print: func(r robot) string {
		r.whole()
		return r.print()
	},
	Parts: func(r *robot) *[]entry { return &r.entries },
	Join: func(all []robot) robot {
		joined := readRobot("")
		for _, r := range all {
			switch root := r.Root(); {
			case root == nil:
			case joined.Root() == nil:
				joined = r
			default:
				joined.add(r)
			}
		}
		return joined
	},
	Shell: func(r robot) robot {
		root := *r.Root()
		return robot{model: &model{xml.Document{Top: &xml.Node{Children: []*xml.Node{&root}}}}}
	},
	Empty: errors.New("no URDF file with an element"),
}

// add puts the elements of another file after the own ones.
func (r *robot) add(other robot) {
	if len(other.entries) > 0 {
		other.entries[0].before = slices.Concat(r.tail, other.entries[0].before)
		r.tail = nil
	}
	r.entries, r.tail = append(r.entries, other.entries...), append(r.tail, other.tail...)
	root := other.Root()
	other.Top.Remove(func(n *xml.Node) bool { return n == root })
	r.Top.Children = append(other.Top.Children, r.Top.Children...)
}

// rewrite changes the root of a robot, and back.
func rewrite(
	document, to string,
	change func(root *xml.Node) (vfs.Files, error), restore func(root *xml.Node, files vfs.Files) error,
) exact.Steps {
	forward := func(r *robot) (vfs.Files, error) {
		made, err := change(r.whole())
		r.divide()
		return made, err
	}
	return robots.Rewrite(document, to, forward, func(r *robot, files vfs.Files) error {
		root := r.whole()
		if root == nil {
			return errors.New(to + " has no element")
		}
		err := restore(root, files)
		r.divide()
		return err
	})
}

func edits() []domains.Edit {
	return []domains.Edit{
		domains.Taking("split_by_branch", splitByBranch),
		domains.Taking("sort_by_link", sortByLink),
		domains.Taking("joint_table", jointTable),
		domains.Taking("mass_table", massTable),
		domains.Taking("code_geometries", codeGeometries),
		domains.Taking("ros2_control", inROS2),
		domains.Taking("millimetres", inMillimetres),
		domains.Taking("mirror", mirror),
		domains.Taking("cap_limits", capLimits),
	}
}

// name is an element's name, empty if it has none.
func name(n *xml.Node) string { return n.Value("name") }
