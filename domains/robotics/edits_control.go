package robotics

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

const (
	ros2File          = "kulvert_ros2.urdf"
	transmissionsFile = "transmissions.csv"
)

// transmissionPaths are what a transmission of ROS 1 has below its name;
// transmissionColumns are the name and those.
var (
	transmissionPaths = []string{
		"type", "joint name", "joint/hardwareInterface",
		"actuator name", "actuator/hardwareInterface", "actuator/mechanicalReduction",
	}
	transmissionColumns = []string{
		"transmission", "type", "joint", "joint_interface", "actuator", "actuator_interface", "reduction",
	}
)

// toROS2 puts one block of ros2_control in the place of the transmissions, which
// are kept in a table. Transmissions of any other form stay.
func toROS2(files vfs.Files) (vfs.Files, error) {
	doc, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	root := doc.Root()
	records := [][]string{transmissionColumns}
	joints := []*xml.Node{}
	limits := map[string]*xml.Node{}
	for _, joint := range plainChildren(root, "joint") {
		limits[name(joint)] = first(joint, "limit")
	}
	root.Remove(func(n *xml.Node) bool {
		row, ok := transmissionRow(n)
		if ok {
			records = append(records, row)
			joints = append(joints, controlled(row[2], commandOf(row[3]), limits[row[2]]))
		}
		return ok
	})
	plugin := &xml.Node{Name: "plugin"}
	plugin.SetContent("gazebo_ros2_control/GazeboSystem")
	doc.append(&xml.Node{
		Name:     "ros2_control",
		Attrs:    []xml.Attr{{Name: "name", Value: "GazeboSystem"}, {Name: "type", Value: "system"}},
		Children: append([]*xml.Node{{Name: "hardware", Children: []*xml.Node{plugin}}}, joints...),
	})
	return vfs.Files{ros2File: doc.print(), transmissionsFile: plain.WriteCSV(records)}, nil
}

// transmissionRow is a transmission as a row of the table; false if it does not
// fit in one.
func transmissionRow(n *xml.Node) ([]string, bool) {
	if !isPlain(n, "transmission") {
		return nil, false
	}
	inside, ok := values(n)
	row := make([]string, len(transmissionColumns))
	row[0] = name(n)
	for _, v := range inside {
		at := slices.Index(transmissionPaths, v.path)
		if at < 0 {
			return nil, false
		}
		row[1+at] = v.text
	}
	return row, ok && hasOnly(n, "name") && commandOf(row[3]) != ""
}

// commandOf is what ros2_control calls an interface of ROS 1; empty if it has
// none.
func commandOf(hardware string) string {
	for _, command := range []string{"position", "velocity", "effort"} {
		if strings.EqualFold(hardware, "hardware_interface/"+command+"JointInterface") {
			return command
		}
	}
	return ""
}

// controlled is a joint of a ros2_control block. The bounds of its command are
// those of the joint.
func controlled(joint, command string, limit *xml.Node) *xml.Node {
	commands := &xml.Node{Name: "command_interface", Attrs: []xml.Attr{{Name: "name", Value: command}}}
	lower, upper := text(limit, "lower", ""), text(limit, "upper", "")
	if command != "position" {
		upper = text(limit, command, "")
		lower = negated(upper, 0)
	}
	for _, bound := range []value{{"min", lower}, {"max", upper}} {
		if bound.text != "" {
			param := &xml.Node{Name: "param", Attrs: []xml.Attr{{Name: "name", Value: bound.path}}}
			param.SetContent(bound.text)
			commands.Children = append(commands.Children, param)
		}
	}
	n := &xml.Node{Name: "joint", Attrs: []xml.Attr{{Name: "name", Value: joint}}, Children: []*xml.Node{commands}}
	for _, state := range []string{"position", "velocity"} {
		n.Children = append(n.Children, &xml.Node{Name: "state_interface", Attrs: []xml.Attr{{Name: "name", Value: state}}})
	}
	return n
}

func fromROS2(files vfs.Files) (vfs.Files, error) {
	rows, err := plain.Table(files, transmissionsFile, transmissionColumns...)
	if err != nil {
		return nil, err
	}
	doc, err := readNamed(files, ros2File)
	if err != nil {
		return nil, err
	}
	blocks := plainChildren(doc.Root(), "ros2_control")
	if len(blocks) == 0 {
		return nil, errors.New(ros2File + " has no ros2_control")
	}
	last := blocks[len(blocks)-1]
	doc.Root().Remove(func(n *xml.Node) bool { return n == last })
	for _, row := range rows {
		var inside []value
		for at, path := range transmissionPaths {
			inside = append(inside, value{path, row[1+at]})
		}
		n := newElement("transmission", inside)
		setAttribute(n, "name", row[0])
		doc.append(n)
	}
	return asDocument(doc), nil
}

const (
	safeFile   = "kulvert_safe.urdf"
	limitsFile = "limits.csv"
)

// caps are the largest effort and velocity that are safe, by type of joint.
var caps = map[string]struct{ effort, velocity string }{
	"revolute":  {"20", "1"},
	"prismatic": {"200", "0.1"},
}

// toSafeLimits gives every joint that moves bounds for trials next to people. The
// types and limits that it changes are kept in a table.
func toSafeLimits(files vfs.Files) (vfs.Files, error) {
	doc, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	records := [][]string{append([]string{"no", "joint", "type"}, limitAttributes...)}
	for n, joint := range plainChildren(doc.Root(), "joint") {
		row := []string{strconv.Itoa(n + 1), name(joint), text(joint, "type", "")}
		for _, attribute := range limitAttributes {
			row = append(row, text(first(joint, "limit"), attribute, ""))
		}
		if makeSafe(joint) {
			records = append(records, row)
		}
	}
	return vfs.Files{safeFile: doc.print(), limitsFile: plain.WriteCSV(records)}, nil
}

// makeSafe reports whether it changed a joint.
func makeSafe(joint *xml.Node) bool {
	isEndless := text(joint, "type", "") == "continuous"
	if isEndless {
		setAttribute(joint, "type", "revolute")
	}
	safe, ok := caps[text(joint, "type", "")]
	if !ok {
		return false
	}
	changed := isEndless
	set := func(attribute, is string) {
		if limit := first(joint, "limit"); text(limit, attribute, "") != is {
			setAttribute(descend(joint, "limit"), attribute, is)
			changed = true
		}
	}
	if isEndless {
		set("lower", "-3.14")
		set("upper", "3.14")
	}
	set("effort", smaller(text(first(joint, "limit"), "effort", ""), safe.effort))
	set("velocity", smaller(text(first(joint, "limit"), "velocity", ""), safe.velocity))
	return changed
}

// smaller is the smaller of a number and a bound; the bound if the text is no
// number.
func smaller(text, bound string) string {
	value, ok := readDecimal(text, longestNumber)
	if ok && value.LessThanOrEqual(decimal.RequireFromString(bound)) {
		return text
	}
	return bound
}

func fromSafeLimits(files vfs.Files) (vfs.Files, error) {
	rows, err := plain.Table(files, limitsFile, append([]string{"no", "type"}, limitAttributes...)...)
	if err != nil {
		return nil, err
	}
	doc, err := readNamed(files, safeFile)
	if err != nil {
		return nil, err
	}
	joints := plainChildren(doc.Root(), "joint")
	for _, row := range rows {
		n, err := strconv.Atoi(strings.TrimSpace(row[0]))
		if err != nil || n < 1 || n > len(joints) {
			continue // of no joint that there is
		}
		joint := joints[n-1]
		setAttribute(joint, "type", row[1])
		limit := descend(joint, "limit")
		for k, attribute := range limitAttributes {
			setAttribute(limit, attribute, row[2+k])
		}
		if len(limit.Attrs) == 0 && len(limit.Children) == 0 {
			joint.Remove(func(c *xml.Node) bool { return c == limit })
		}
	}
	return asDocument(doc), nil
}
