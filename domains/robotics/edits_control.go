package robotics

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/xml"
	"agentd/vfs"
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

// inROS2 puts one block of ros2_control in the place of the transmissions, which
// are kept in a table. Transmissions of any other form stay.
func inROS2(p struct {
	Document, To string
	System       string // name of the block
	Plugin       string
	Table        string
}) exact.Steps {
	change := func(root *xml.Node) (vfs.Files, error) {
		records := [][]string{transmissionColumns}
		hardware := newNode("hardware", newNode("plugin").With(p.Plugin))
		block := newNode("ros2_control", hardware).With("", "name", p.System, "type", "system")
		limits := map[string]*xml.Node{}
		for _, joint := range plainChildren(root, "joint") {
			limits[name(joint)] = first(joint, "limit")
		}
		root.Remove(func(n *xml.Node) bool {
			row, ok := transmissionRow(n)
			if ok {
				records = append(records, row)
				block.Append(controlled(row[2], commandOf(row[3]), limits[row[2]]))
			}
			return ok
		})
		root.Append(block)
		return vfs.Files{p.Table: plain.WriteCSV(records)}, nil
	}
	return rewrite(p.Document, p.To, change, func(root *xml.Node, files vfs.Files) error {
		rows, err := plain.Table(files, p.Table, transmissionColumns...)
		blocks := plainChildren(root, "ros2_control")
		if err == nil && len(blocks) == 0 {
			err = fmt.Errorf("%s has no ros2_control", p.To)
		}
		if err != nil {
			return err
		}
		root.Drop(blocks[len(blocks)-1])
		for _, row := range rows {
			var inside []value
			for at, path := range transmissionPaths {
				inside = append(inside, value{Path: path, Text: row[1+at]})
			}
			n := newElement("transmission", inside)
			setAttribute(n, "name", row[0])
			root.Append(n)
		}
		return nil
	})
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
		at := slices.Index(transmissionPaths, v.Path)
		if at < 0 {
			return nil, false
		}
		row[1+at] = v.Text
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
	commands := newNode("command_interface").With("", "name", command)
	lower, upper := limit.Value("lower"), limit.Value("upper")
	if command != "position" {
		upper = limit.Value(command)
		lower = negated(upper, 0)
	}
	for _, bound := range []value{{Path: "min", Text: lower}, {Path: "max", Text: upper}} {
		if bound.Text != "" {
			commands.Append(newNode("param").With(bound.Text, "name", bound.Path))
		}
	}
	n := newNode("joint", commands).With("", "name", joint)
	for _, state := range []string{"position", "velocity"} {
		n.Append(newNode("state_interface").With("", "name", state))
	}
	return n
}

// bounds are the largest effort and velocity of joints.
type bounds struct {
	Effort   decimal.Decimal `json:"effort"`
	Velocity decimal.Decimal `json:"velocity"`
}

// capLimits gives joints bounds for their type, and endless ones a turn to both sides. The types
// and limits that it changes are kept in a table.
func capLimits(p struct {
	Document, To string
	Turn         decimal.Decimal
	Caps         map[string]bounds // by type
	Table        string
}) exact.Steps {
	change := func(root *xml.Node) (vfs.Files, error) {
		records := [][]string{append([]string{"no", "joint", "type"}, limitAttributes...)}
		for n, joint := range plainChildren(root, "joint") {
			row := []string{strconv.Itoa(n + 1), name(joint), joint.Value("type")}
			for _, attribute := range limitAttributes {
				row = append(row, first(joint, "limit").Value(attribute))
			}
			if capJoint(joint, p.Turn, p.Caps) {
				records = append(records, row)
			}
		}
		return vfs.Files{p.Table: plain.WriteCSV(records)}, nil
	}
	return rewrite(p.Document, p.To, change, func(root *xml.Node, files vfs.Files) error {
		rows, err := plain.Table(files, p.Table, append([]string{"no", "type"}, limitAttributes...)...)
		joints := plainChildren(root, "joint")
		for _, row := range rows {
			n := plain.LineNumber(row[0])
			if n < 1 || n > len(joints) {
				continue // of no joint that there is
			}
			joint := joints[n-1]
			setAttribute(joint, "type", row[1])
			limit := descend(joint, "limit")
			for k, attribute := range limitAttributes {
				setAttribute(limit, attribute, row[2+k])
			}
			if len(limit.Attrs) == 0 && len(limit.Children) == 0 {
				joint.Drop(limit)
			}
		}
		return err
	})
}

// capJoint reports whether it changed a joint.
func capJoint(joint *xml.Node, turn decimal.Decimal, caps map[string]bounds) bool {
	isEndless := joint.Value("type") == "continuous"
	if isEndless {
		setAttribute(joint, "type", "revolute")
	}
	most, ok := caps[joint.Value("type")]
	changed := isEndless
	set := func(attribute, is string) {
		if limit := first(joint, "limit"); limit.Value(attribute) != is {
			setAttribute(descend(joint, "limit"), attribute, is)
			changed = true
		}
	}
	if isEndless {
		set("lower", turn.Neg().String())
		set("upper", turn.String())
	}
	if ok {
		set("effort", smaller(first(joint, "limit").Value("effort"), most.Effort))
		set("velocity", smaller(first(joint, "limit").Value("velocity"), most.Velocity))
	}
	return changed
}

// smaller is the smaller of a number and a bound; the bound if the text is no
// number.
func smaller(text string, bound decimal.Decimal) string {
	value, ok := readDecimal(text, longestNumber)
	if ok && value.LessThanOrEqual(bound) {
		return text
	}
	return bound.String()
}
