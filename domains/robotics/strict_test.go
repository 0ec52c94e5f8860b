package robotics

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

const sampleFile = "arm.urdf"

const sample = `<?xml version="1.0"?>
<!-- by hand -->
<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <material name="grey">
    <color rgba="0.5 0.5 0.5 1.0"/>
  </material>
  <link name="base">
    <inertial>
      <origin xyz="0 0 0.05" rpy="0 0 0"/>
      <mass value="2.50"/>
      <inertia ixx="1.2e-03" ixy="0" ixz="0" iyy="0.0012" iyz="0" izz="0.002"/>
    </inertial>
    <visual>
      <origin xyz="0 0 0" rpy="0 0 0"/>
      <geometry><box size="0.1 0.1 0.1"/></geometry>
      <material name="grey"/>
    </visual>
    <visual>
      <origin xyz="0 0 0.1" rpy="0 0 1.5708"/>
      <geometry><mesh filename="package://arm/meshes/flange.stl" scale="0.001 0.001 0.001"/></geometry>
    </visual>
    <collision>
      <geometry><cylinder radius="0.07" length="0.1"/></geometry>
    </collision>
  </link>
  <!-- the moving part -->
  <joint name="turn" type="revolute">
    <parent link="base"/>
    <child link="tool"/>
    <axis xyz="0 0 1"/>
    <limit lower="0" upper="1.57" effort="5" velocity="2"/>
    <dynamics damping="0.2"/>
    <mimic joint="other" multiplier="-1"/>
  </joint>
  <link name="tool"/>
  <transmission name="turn_trans">
    <type>transmission_interface/SimpleTransmission</type>
    <joint name="turn">
      <hardwareInterface>hardware_interface/EffortJointInterface</hardwareInterface>
    </joint>
    <actuator name="m1">
      <mechanicalReduction>50</mechanicalReduction>
    </actuator>
  </transmission>
  <gazebo>
    <plugin name="control" filename="libcontrol.so">
      <joint_name>turn</joint_name>
      <joint_name>other</joint_name>
    </plugin>
  </gazebo>
  <gazebo reference="tool">
    <mu1>0.2</mu1>
    <sensor name="s" type="ray"><rate>40</rate></sensor>
  </gazebo>
  <ros2_control name="sys" type="system">
    <joint name="turn"><command_interface name="effort"/></joint>
  </ros2_control>
</robot>
`

// between returns the part of the sample from one text up to another.
func between(from, to string) string {
	_, rest, _ := strings.Cut(sample, from)
	inside, _, _ := strings.Cut(rest, to)
	return from + inside
}

// change is the sample with one text replaced by another.
func change(t *testing.T, was, is string) vfs.Files {
	t.Helper()
	if !strings.Contains(sample, was) {
		t.Fatalf("the sample has no %q", was)
	}
	return vfs.Files{sampleFile: strings.ReplaceAll(sample, was, is)}
}

var (
	turn             = between(`  <joint name="turn" type`, `  <link name="tool"`)
	tool             = `  <link name="tool"/>` + "\n"
	boxVisual        = between("    <visual>\n", "    <visual>\n      <origin xyz=\"0 0 0.1\"")
	meshVisual       = between("    <visual>\n      <origin xyz=\"0 0 0.1\"", "    <collision>")
	turnTransmission = between("  <transmission", "  <gazebo>")
)

func TestStrictSees(t *testing.T) {
	t.Parallel()
	for rule, edit := range map[string][2]string{
		"a link that was lost":                 {tool, ""},
		"a link that was repeated":             {tool, tool + tool},
		"an invented link":                     {tool, tool + `<link name="camera"/>`},
		"a joint that was lost":                {turn, ""},
		"the name of the robot":                {`<robot name="arm"`, `<robot name="Arm"`},
		"the case of a link's name":            {`"tool"`, `"Tool"`},
		"a mass":                               {"2.50", "2.05"},
		"a moment of inertia":                  {"1.2e-03", "1.2e-02"},
		"an inertial block":                    {between("    <inertial>", "    <visual>"), ""},
		"an origin":                            {`"0 0 0.05"`, `"0 0 0.051"`},
		"an origin of a second visual":         {"1.5708", "1.5707"},
		"a shape for another":                  {`<box size="0.1 0.1 0.1"/>`, `<sphere radius="0.1"/>`},
		"a visual that was lost":               {meshVisual, ""},
		"a visual in the place of a collision": {boxVisual, strings.ReplaceAll(boxVisual, "visual", "collision")},
		"the origins of two visuals":           {boxVisual + meshVisual, strings.NewReplacer(`"0 0 0.1"`, `"0 0 0"`, `"0 0 0"`, `"0 0 0.1"`).Replace(boxVisual + meshVisual)},
		"the folder of a mesh":                 {"arm/meshes", "arm_description/meshes"},
		"a scale":                              {` scale="0.001 0.001 0.001"`, ""},
		"a collision's size":                   {`"0.07"`, `"0.08"`},
		"the colour of a visual":               {`      <material name="grey"/>` + "\n", ""},
		"a colour":                             {"0.5 0.5 0.5 1.0", "0.5 0.5 0.6 1.0"},
		"the type of a joint":                  {`"revolute"`, `"continuous"`},
		"the parent of a joint":                {`parent link="base"`, `parent link="tool"`},
		"a reversed axis":                      {`"0 0 1"`, `"0 0 -1"`},
		"an axis that was lost":                {`<axis xyz="0 0 1"/>`, ""},
		"a limit":                              {`upper="1.57"`, `upper="3.14"`},
		"dynamics":                             {`<dynamics damping="0.2"/>`, ""},
		"a mimic":                              {` multiplier="-1"`, ""},
		"a transmission":                       {turnTransmission, ""},
		"an interface":                         {"EffortJointInterface", "PositionJointInterface"},
		"a reduction":                          {">50<", ">5<"},
		"a plugin's file":                      {"libcontrol.so", "control.so"},
		"the order of values in a plugin":      {"      <joint_name>turn</joint_name>\n      <joint_name>other</joint_name>", "<joint_name>other</joint_name><joint_name>turn</joint_name>"},
		"a block without a reference":          {between("  <gazebo>", "  <gazebo reference"), ""},
		"what a block refers to":               {`<gazebo reference="tool">`, "<gazebo>"},
		"a friction":                           {"<mu1>0.2<", "<mu1>0.3<"},
		"a value of a sensor":                  {"<rate>40<", "<rate>4<"},
		"an unknown block":                     {between("  <ros2_control", "</robot>"), ""},
		"an interface in an unknown block":     {`"effort"`, `"velocity"`},
		"an invented block":                    {"</robot>", "<self_collision_checking/></robot>"},
		"a comment that was lost":              {"  <!-- the moving part -->\n", ""},
		"a comment that was added":             {"</robot>", "<!-- checked --></robot>"},
		"a comment that went into a link":      {"  <!-- the moving part -->\n  " + strings.TrimSpace(turn) + "\n" + tool, turn + `<link name="tool"><!-- the moving part --></link>`},
		"text around the document":             {"<?xml", "Here is the file:\n<?xml"},
		"text inside of it":                    {tool, "more\n" + tool},
		"a bare ampersand":                     {"libcontrol.so", "a & b"},
		"a closing tag that was lost":          {"    </visual>\n    <collision>", "    <collision>"},
		"a truncated file":                     {sample[len(sample)/2:], ""},
		"the document a second time":           {"</robot>\n", "</robot>\n" + sample},
		"an undeclared prefix":                 {tool, tool + "<x:include/>"},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			score := New().Compare(vfs.Files{sampleFile: sample}, change(t, edit[0], edit[1]))
			if score.Strict >= 1 || score.Strict < 0.2 {
				t.Errorf("Strict is %v", score.Strict)
			}
		})
	}
}

func TestStrictForgives(t *testing.T) {
	t.Parallel()
	for rule, edit := range map[string][2]string{
		"numbers in another spelling":       {"1.2e-03", "+.00120"},
		"zeros after a number":              {"2.50", "2.5"},
		"zeros before a number":             {`effort="5"`, `effort="05"`},
		"blanks between numbers":            {`"0 0 0.05"`, `" 0  0 0.05"`},
		"an origin of zeros":                {`<origin xyz="0 0 0" rpy="0 0 0"/>`, ""},
		"an origin of zeros that was added": {`<parent link="base"/>`, `<origin xyz="0 0 0"/><parent link="base"/>`},
		"a turn of zero":                    {`"0 0 0.05" rpy="0 0 0"`, `"0 0 0.05"`},
		"a lower limit of zero":             {`lower="0" `, ""},
		"friction of zero":                  {`damping="0.2"`, `damping="0.2" friction="0.0"`},
		"an offset of zero":                 {`multiplier="-1"`, `multiplier="-1" offset="0"`},
		"a scale of one":                    {`flange.stl" scale="0.001 0.001 0.001"`, `flange.stl" scale="0.001 0.001 1e-3"`},
		"the order of attributes":           {`name="turn" type="revolute"`, `type='revolute' name='turn'`},
		"the order of links and joints":     {turn + tool, tool + turn},
		"the order of visuals":              {boxVisual + meshVisual, meshVisual + boxVisual},
		"the order of elements in a joint":  {"    <parent link=\"base\"/>\n    <child link=\"tool\"/>\n", "    <child link=\"tool\"/>\n    <parent link=\"base\"/>\n"},
		"an element with an end tag":        {tool, `<link name="tool"></link>`},
		"a namespace that is not used":      {` xmlns:xacro="http://www.ros.org/wiki/xacro"`, ""},
		"the version of the format":         {`<robot name="arm"`, `<robot version="1.0" name="arm"`},
		"a root in another case":            {"robot", "Robot"},
		"a misspelt closing tag":            {"</mechanicalReduction>", "</mechanical_reduction>"},
		"no line ends":                      {"\n", " "},
		"no indentation":                    {"  ", ""},
		"CRLF":                              {"\n", "\r\n"},
		"a byte order mark":                 {"<?xml", "\ufeff<?xml"},
		"a blank line before the XML":       {"<?xml", "\n<?xml"},
		"a code fence":                      {sample, "```xml\n" + sample + "```\n"},
		"a file without XML declaration":    {`<?xml version="1.0"?>`, ""},
		"blanks in a comment":               {"by hand", "by  hand"},
		"a character reference":             {`"libcontrol.so"`, `"&#108;ibcontrol.so"`},
		"CDATA":                             {">turn</joint_name>", "><![CDATA[turn]]></joint_name>"},
		"blanks around a text":              {">turn</joint_name>", "> turn\n</joint_name>"},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			reference := vfs.Files{sampleFile: sample}
			candidate := change(t, edit[0], edit[1])
			if score := New().Compare(reference, candidate); score.Strict != 1 {
				t.Errorf("Strict is %v: %v", score.Strict, New().Differences(reference, candidate))
			}
		})
	}
}

func TestStrictReadsFilesOfAnyNameAndNumber(t *testing.T) {
	t.Parallel()
	first := strings.Replace(sample, turn, "", 1)
	for rule, candidate := range map[string]vfs.Files{
		"another extension":         {"arm.xml": sample},
		"no extension":              {"out/arm": sample},
		"two files":                 {"a.urdf": first, "b.urdf": `<robot name="arm">` + turn + "</robot>"},
		"a second one without name": {"a.urdf": first, "b.urdf": `<robot>` + turn + "</robot>"},
		"files in the other order":  {"b.urdf": first, "a.urdf": `<robot name="arm">` + turn + "</robot>"},
	} {
		reference := vfs.Files{sampleFile: sample}
		if score := New().Compare(reference, candidate); score.Strict != 1 {
			t.Errorf("%s: Strict is %v: %v", rule, score.Strict, New().Differences(reference, candidate))
		}
	}
}

func TestStrictFallsInProportion(t *testing.T) {
	t.Parallel()
	seed := domaintest.Seed(t, "robotics1")
	changed := func(was, is string) vfs.Files {
		return vfs.Files{documentFile: strings.Replace(seed[documentFile], was, is, 1)}
	}
	one := changed(`"0.612"`, `"0.621"`)
	if score := New().Compare(seed, one); score.Strict < 0.99 || score.Strict >= 1 {
		t.Errorf("one wrong mass leaves Strict at %v", score.Strict)
	}
	want := []domains.Difference{{
		Kind: domains.Changed, Where: "link wheel_front_left, inertial/mass value", Was: "0.612", Is: "0.621",
	}}
	if diff := cmp.Diff(want, New().Differences(seed, one)); diff != "" {
		t.Error(diff)
	}
	lost := New().Compare(seed, changed(`<link name="camera_link"/>`, ""))
	added := New().Compare(seed, changed(`<link name="camera_link"/>`, `<link name="camera_link"/><link name="depth_camera"/>`))
	if lost.Strict < 0.95 || added.Strict < 0.95 {
		t.Errorf("a lost link leaves %v, an added one %v", lost.Strict, added.Strict)
	}
	broken := New().Compare(seed, changed("<mass value=\"0.612\"/>", "<mass value=0.612/>"))
	if broken.Strict < 0.9 || broken.RS > 0.3 {
		t.Errorf("quotes that are missing leave Strict at %v and Value at %v", broken.Strict, broken.RS)
	}
}

func TestBadInputIsReadFast(t *testing.T) {
	t.Parallel()
	const size = 1 << 18
	reference := vfs.Files{sampleFile: sample}
	for name, text := range map[string]string{
		"links":               "<robot>" + strings.Repeat("<link/>", size/7) + "</robot>",
		"elements that open":  strings.Repeat("<a>", size/3),
		"tags that open":      strings.Repeat("<a", size/2),
		"elements that close": strings.Repeat("</a>", size/4),
		"comments that open":  strings.Repeat("<!--", size/4),
		"quotes that open":    strings.Repeat(`<a b="`, size/6),
		"attributes":          "<robot " + strings.Repeat(`a="1" `, size/6) + "/>",
		"nested elements":     strings.Repeat("<a>", 10_000) + strings.Repeat("</a>", 10_000),
		"numbers":             `<robot><link><inertial><mass value="` + strings.Repeat("1 ", size/2) + `"/></inertial></link></robot>`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			score := New().Compare(reference, vfs.Files{sampleFile: text})
			if score.Problem == "" && name != "links" && name != "numbers" || score.Strict > 0.1 {
				t.Errorf("%+v", score)
			}
		})
	}
}

func TestAttributesAndElementsOfOneNameDiffer(t *testing.T) {
	t.Parallel()
	robot := func(blocks ...string) vfs.Files {
		return vfs.Files{sampleFile: `<robot name="r">` + strings.Join(blocks, "") + "</robot>"}
	}
	const attribute, element = `<gazebo><p a="1"/></gazebo>`, `<gazebo><p><a>1</a></p></gazebo>`
	if score := New().Compare(robot(attribute, element), robot(element, attribute)); score.Strict != 1 {
		t.Errorf("in another order Strict is %v", score.Strict)
	}
	if score := New().Compare(robot(attribute), robot(element)); score.Strict == 1 {
		t.Error("Strict takes an element for an attribute")
	}
}
