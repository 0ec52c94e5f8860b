package robotics

import (
	"errors"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

// documentFile is the file that every backward step leaves.
const documentFile = "kulvert.urdf"

func edits() []domains.Edit {
	return []domains.Edit{
		{Name: "split_by_branch", Forward: splitByBranch, Backward: joinBranches},
		{Name: "link_by_link", Forward: toLinkOrder, Backward: fromLinkOrder},
		{Name: "joint_table", Forward: toJointTable, Backward: fromJointTable},
		{Name: "mass_table", Forward: toMassTable, Backward: fromMassTable},
		{Name: "geometry_list", Forward: toGeometryList, Backward: fromGeometryList},
		{Name: "ros2_control", Forward: toROS2, Backward: fromROS2},
		{Name: "millimetres", Forward: toMillimetres, Backward: toMetres},
		{Name: "mirror_image", Forward: mirrorThere, Backward: mirrorBack},
		{Name: "safe_limits", Forward: toSafeLimits, Backward: fromSafeLimits},
	}
}

var errNoRobot = errors.New("no URDF file")

// readDocument reads the URDF files that a forward step is given, as one.
func readDocument(files vfs.Files) (*model, error) {
	urdf := files.Match([]string{"*.urdf"})
	var doc *model
	for _, name := range urdf.Names() {
		m := read(urdf[name])
		switch root := m.Root(); {
		case root == nil:
		case doc == nil:
			doc = m
		default:
			doc.append(root.Children...)
			m.Top.Remove(func(n *xml.Node) bool { return n == root })
			doc.Top.Children = append(m.Top.Children, doc.Top.Children...)
		}
	}
	if doc == nil {
		return nil, errNoRobot
	}
	return doc, nil
}

// readNamed reads the URDF file that a backward step needs.
func readNamed(files vfs.Files, name string) (*model, error) {
	text, err := plain.File(files, name)
	if err != nil {
		return nil, err
	}
	m := read(text)
	if m.Root() == nil {
		return nil, errors.New(name + " has no element")
	}
	return m, nil
}

func asDocument(m *model) vfs.Files { return vfs.Files{documentFile: m.print()} }

// append adds elements at the end of the robot.
func (m *model) append(elements ...*xml.Node) {
	m.Root().Children = append(m.Root().Children, elements...)
}

// sameRobot returns a file with the same outermost element, without what is in
// it.
func (m *model) sameRobot() *model {
	root := *m.Root()
	root.Children = nil
	return &model{xml.Document{Top: &xml.Node{Children: []*xml.Node{&root}}}}
}

// name is an element's name, empty if it has none.
func name(n *xml.Node) string { return text(n, "name", "") }
