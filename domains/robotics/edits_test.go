package robotics

import (
	"strings"
	"testing"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

// A small rover: a base with a left wheel and a mast, and a head on the mast.
const (
	opening  = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- rover -->\n<robot name=\"rover\">\n"
	grey     = "  <material name=\"grey\"/>\n"
	baseLink = `  <link name="base">
    <inertial>
      <origin xyz="0 0.01 0"/>
      <mass value="3.0"/>
      <inertia ixx="0.02" ixy="1e-4" iyz="0"/>
    </inertial>
    <collision>
      <geometry>
        <box size="0.4 0.2 0.1"/>
      </geometry>
    </collision>
  </link>
`
	wheelLink = `  <link name="left_wheel">
    <inertial>
      <mass value="1"/>
    </inertial>
    <visual>
      <geometry>
        <sphere radius="0.08"/>
      </geometry>
    </visual>
    <collision>
      <geometry>
        <sphere radius="0.08"/>
      </geometry>
    </collision>
  </link>
`
	mastLink  = "  <link name=\"mast\"/>\n"
	remark    = "  <!-- stiff -->\n"
	headLink  = "  <link name=\"head\"/>\n"
	mastJoint = `  <joint name="lift" type="prismatic">
    <parent link="base"/>
    <child link="mast"/>
    <axis xyz="0 0.5 1"/>
    <limit lower="0.05" upper="0.4" effort="310" velocity="0.045"/>
  </joint>
`
	wheelJoint = `  <joint name="left_drive" type="continuous">
    <origin xyz="0.1 0.15 0" rpy="0.1 0.2 -0.3"/>
    <parent link="base"/>
    <child link="left_wheel"/>
    <axis xyz="0 1 -1"/>
  </joint>
`
	headJoint = `  <joint name="head_joint" type="fixed">
    <parent link="mast"/>
    <child link="head"/>
  </joint>
`
	liftTransmission = `  <transmission name="lift_trans">
    <type>transmission_interface/SimpleTransmission</type>
    <joint name="lift">
      <hardwareInterface>hardware_interface/PositionJointInterface</hardwareInterface>
    </joint>
    <actuator name="spindle">
      <mechanicalReduction>1570.8</mechanicalReduction>
    </actuator>
  </transmission>
`
	wheelTransmission = `  <transmission name="drive_trans">
    <type>transmission_interface/SimpleTransmission</type>
    <joint name="left_drive">
      <hardwareInterface>hardware_interface/EffortJointInterface</hardwareInterface>
    </joint>
    <actuator name="m1"/>
  </transmission>
`
	driveBlock = `  <gazebo>
    <plugin name="drive" filename="drive.so">
      <left>left_drive</left>
    </plugin>
  </gazebo>
`
	headBlock = `  <gazebo reference="head_joint">
    <mu1>0.2</mu1>
  </gazebo>
`
	closing = "</robot>\n"

	rover = opening + grey + baseLink + wheelLink + mastLink + remark + headLink + mastJoint + wheelJoint + headJoint +
		liftTransmission + wheelTransmission + driveBlock + headBlock + closing
)

var forwardResults = map[string]vfs.Files{
	"split_by_branch": {
		"trunk.urdf":    opening + grey + baseLink + driveBlock + closing,
		"branch_1.urdf": strings.Replace(opening, "<!-- rover -->\n", "", 1) + mastLink + remark + headLink + mastJoint + headJoint + liftTransmission + headBlock + closing,
		"branch_2.urdf": strings.Replace(opening, "<!-- rover -->\n", "", 1) + wheelLink + wheelJoint + wheelTransmission + closing,
		"order.csv": `position,element,name,file
1,material,grey,trunk.urdf
2,link,base,trunk.urdf
3,link,left_wheel,branch_2.urdf
4,link,mast,branch_1.urdf
5,link,head,branch_1.urdf
6,joint,lift,branch_1.urdf
7,joint,left_drive,branch_2.urdf
8,joint,head_joint,branch_1.urdf
9,transmission,lift_trans,branch_1.urdf
10,transmission,drive_trans,branch_2.urdf
11,gazebo,,trunk.urdf
12,gazebo,head_joint,branch_1.urdf
`,
	},
	"link_by_link": {
		"by_link.urdf": opening + grey + driveBlock + baseLink + wheelLink + wheelJoint + wheelTransmission +
			mastLink + mastJoint + liftTransmission + remark + headLink + headJoint + headBlock + closing,
		"sequence.csv": "place,was\n1,1\n2,11\n3,2\n4,3\n5,7\n6,10\n7,4\n8,6\n9,9\n10,5\n11,8\n12,12\n",
	},
	"joint_table": {
		"links.urdf": strings.NewReplacer(mastJoint, "", wheelJoint, "", headJoint, "").Replace(rover),
		"joints.csv": `no,type,name,parent link,child link,axis xyz,limit lower,limit upper,limit effort,limit velocity,origin xyz,origin rpy
2,continuous,left_drive,base,left_wheel,0 1 -1,,,,,0.1 0.15 0,0.1 0.2 -0.3
3,fixed,head_joint,mast,head,,,,,,,
1,prismatic,lift,base,mast,0 0.5 1,0.05,0.4,310,0.045,,
`,
	},
	"mass_table": {
		"massless.urdf": strings.NewReplacer(
			"    <inertial>\n      <origin xyz=\"0 0.01 0\"/>\n      <mass value=\"3.0\"/>\n      <inertia ixx=\"0.02\" ixy=\"1e-4\" iyz=\"0\"/>\n    </inertial>\n", "",
			"    <inertial>\n      <mass value=\"1\"/>\n    </inertial>\n", "").Replace(rover),
		"masses.csv": `no,link,percent,origin xyz,mass value,inertia ixx,inertia ixy,inertia iyz
1,base,75.00,0 0.01 0,3.0,0.02,1e-4,0
2,left_wheel,25.00,,1,,,
`,
	},
	"geometry_list": {
		"by_reference.urdf": strings.NewReplacer(
			"<geometry>\n        <box size=\"0.4 0.2 0.1\"/>\n      </geometry>", `<geometry ref="g1"/>`,
			"<geometry>\n        <sphere radius=\"0.08\"/>\n      </geometry>", `<geometry ref="g2"/>`).Replace(rover),
		"geometries.json": `[
  {
    "id": "g1",
    "shape": "box",
    "attributes": {
      "size": "0.4 0.2 0.1"
    },
    "links": [
      "base"
    ]
  },
  {
    "id": "g2",
    "shape": "sphere",
    "attributes": {
      "radius": "0.08"
    },
    "links": [
      "left_wheel"
    ]
  }
]
`,
	},
	"ros2_control": {
		"kulvert_ros2.urdf": strings.NewReplacer(liftTransmission, "", wheelTransmission, "", closing, `  <ros2_control name="GazeboSystem" type="system">
    <hardware>
      <plugin>gazebo_ros2_control/GazeboSystem</plugin>
    </hardware>
    <joint name="lift">
      <command_interface name="position">
        <param name="min">0.05</param>
        <param name="max">0.4</param>
      </command_interface>
      <state_interface name="position"/>
      <state_interface name="velocity"/>
    </joint>
    <joint name="left_drive">
      <command_interface name="effort"/>
      <state_interface name="position"/>
      <state_interface name="velocity"/>
    </joint>
  </ros2_control>
`+closing).Replace(rover),
		"transmissions.csv": `transmission,type,joint,joint_interface,actuator,actuator_interface,reduction
lift_trans,transmission_interface/SimpleTransmission,lift,hardware_interface/PositionJointInterface,spindle,,1570.8
drive_trans,transmission_interface/SimpleTransmission,left_drive,hardware_interface/EffortJointInterface,m1,,
`,
	},
	"millimetres": {
		"kulvert_mm.urdf": strings.NewReplacer(
			`"0 0.01 0"`, `"0 10 0"`, `"3.0"`, `"3000"`, `ixx="0.02" ixy="1e-4"`, `ixx="20000000" ixy="100000"`, `"0.4 0.2 0.1"`, `"400 200 100"`,
			`mass value="1"`, `mass value="1000"`, `radius="0.08"`, `radius="80"`, `"0.1 0.15 0"`, `"100 150 0"`,
			`lower="0.05" upper="0.4"`, `lower="50" upper="400"`, `velocity="0.045"`, `velocity="45"`).Replace(rover),
	},
	"mirror_image": {
		"kulvert_mirrored.urdf": strings.NewReplacer(
			`"0 0.01 0"`, `"0 -0.01 0"`, `ixy="1e-4"`, `ixy="-1e-4"`, `"0.1 0.15 0" rpy="0.1 0.2 -0.3"`, `"0.1 -0.15 0" rpy="-0.1 0.2 0.3"`,
			`"0 1 -1"`, `"0 1 1"`, `"0 0.5 1"`, `"0 -0.5 1"`, `"left_wheel"`, `"right_wheel"`, `"left_drive"`, `"right_drive"`).Replace(rover),
	},
	"safe_limits": {
		"kulvert_safe.urdf": strings.NewReplacer(
			`effort="310"`, `effort="200"`, `"continuous"`, `"revolute"`,
			`<axis xyz="0 1 -1"/>`, "<axis xyz=\"0 1 -1\"/>\n    <limit lower=\"-3.14\" upper=\"3.14\" effort=\"20\" velocity=\"1\"/>").Replace(rover),
		"limits.csv": "no,joint,type,lower,upper,effort,velocity\n1,lift,prismatic,0.05,0.4,310,0.045\n2,left_drive,continuous,,,,\n",
	},
}

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "robotics1") }

const documentFile = "kulvert.urdf"

func TestForwardResults(t *testing.T) {
	t.Parallel()
	// Tables hold no place among other elements, and order means nothing.
	domaintest.Results(t, demonstration(t), vfs.Files{documentFile: rover}, forwardResults, domaintest.InMeaning)
}

func TestForwardTakesADocumentOfSeveralFiles(t *testing.T) {
	t.Parallel()
	for _, edit := range demonstration(t).Edits() {
		got, err := edit.Forward(forwardResults["split_by_branch"])
		if err != nil {
			t.Errorf("%s: %v", edit.Name, err)
			continue
		}
		back, err := edit.Backward(got)
		if err != nil {
			t.Errorf("%s: %v", edit.Name, err)
			continue
		}
		document := vfs.Files{documentFile: rover}
		differences := New().Differences(document, back)
		if len(differences) > 0 {
			t.Errorf("%s: %v", edit.Name, differences)
		}
	}
}

// What paths cannot tell stays where it is.
func TestOraclesLeaveWhatDoesNotFit(t *testing.T) {
	t.Parallel()
	d := demonstration(t)
	const odd = `<robot name="r"><link name="a"><inertial><!-- weighed --><mass value="1"/></inertial>
<visual><geometry><box size="1 1 1"/><!-- rough --></geometry></visual></link>
<joint name="j" type="floating"><parent link="a"/><parent link="b"/></joint>
<transmission name="t"><joint name="j"/><joint name="k"/></transmission></robot>`
	for edit, texts := range map[string][]string{
		"joint_table":   {"<joint name=\"j\" type=\"floating\">"},
		"mass_table":    {"<!-- weighed -->"},
		"geometry_list": {"<!-- rough -->", "[]"},
		"ros2_control":  {"<joint name=\"k\"/>"},
		"safe_limits":   {`type="floating"`},
	} {
		got, err := domaintest.Edit(t, d, edit).Forward(vfs.Files{documentFile: odd})
		if err != nil {
			t.Errorf("%s: %v", edit, err)
		}
		all := ""
		for _, name := range got.Names() {
			all += got[name]
		}
		for _, text := range texts {
			if !strings.Contains(all, text) {
				t.Errorf("%s: no %s in %s", edit, text, all)
			}
		}
	}
}

func TestOraclesNameWhatIsWrong(t *testing.T) {
	t.Parallel()
	d := demonstration(t)
	for _, c := range []struct {
		edit  string
		files vfs.Files
		want  string
	}{
		{"split_by_branch", vfs.Files{"trunk.urdf": rover}, "order.csv is missing"},
		{"split_by_branch", vfs.Files{"order.csv": "position,file\n"}, "trunk.urdf is missing"},
		{"link_by_link", vfs.Files{"by_link.urdf": rover, "sequence.csv": "place\n"}, `no column "was"`},
		{"joint_table", vfs.Files{"joints.csv": "no,type,name\n"}, "links.urdf is missing"},
		{"mass_table", vfs.Files{"massless.urdf": rover, "masses.csv": "link\n"}, `no column "no"`},
		{"geometry_list", vfs.Files{"by_reference.urdf": rover, "geometries.json": "{}"}, "reading geometries.json"},
		{"ros2_control", vfs.Files{"kulvert_ros2.urdf": rover, "transmissions.csv": forwardResults["ros2_control"]["transmissions.csv"]}, "has no ros2_control"},
		{"millimetres", vfs.Files{"kulvert_mm.urdf": "no robot here"}, "kulvert_mm.urdf has no element"},
		{"safe_limits", vfs.Files{"kulvert_safe.urdf": rover}, "limits.csv is missing"},
	} {
		if _, err := domaintest.Edit(t, d, c.edit).Backward(c.files); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.edit, err, c.want)
		}
	}
}

// Damage between the steps is carried over, not multiplied.
func TestBackwardStepsTakeDamagedFiles(t *testing.T) {
	t.Parallel()
	d := demonstration(t)
	for _, edit := range d.Edits() {
		t.Run(edit.Name, func(t *testing.T) {
			t.Parallel()
			document := vfs.Files{documentFile: rover}
			files, err := edit.Forward(document)
			if err != nil {
				t.Fatal(err)
			}
			damaged := vfs.Files{}
			for name, text := range files {
				if name == "order.csv" || name == "sequence.csv" {
					text = strings.Join(strings.SplitAfter(text, "\n")[:8], "")
				}
				damaged[name] = strings.ReplaceAll(text, "spindle", "spindel")
			}
			back, err := edit.Backward(damaged)
			if err != nil {
				t.Fatal(err)
			}
			score := d.Compare(document, back)
			if score.Strict >= 1 || score.Strict < 0.9 || score.Elements.Candidate != 7 {
				t.Errorf("Strict %v, %+v: %v", score.Strict, score.Elements, d.Differences(document, back))
			}
		})
	}
}

// Other parameters make other files of the same robot.
func TestEditsWithOtherParameters(t *testing.T) {
	t.Parallel()
	domaintest.Parameters(t, New(), vfs.Files{"rover.urdf": rover}, domaintest.InMeaning, []domaintest.Made{
		{
			Edit: "cap_limits", Parameters: `{"document": "rover.urdf", "to": "slow.urdf", "turn": 1.5, "caps": {"prismatic": {"effort": 400, "velocity": 0.04}}, "table": "t.csv"}`,
			Want: vfs.Files{
				"slow.urdf": strings.NewReplacer(`velocity="0.045"`, `velocity="0.04"`, `"continuous"`, `"revolute"`,
					`<axis xyz="0 1 -1"/>`, "<axis xyz=\"0 1 -1\"/>\n    <limit lower=\"-1.5\" upper=\"1.5\"/>").Replace(rover),
				"t.csv": "no,joint,type,lower,upper,effort,velocity\n1,lift,prismatic,0.05,0.4,310,0.045\n2,left_drive,continuous,,,,\n",
			},
		},
		{
			Edit: "mirror", Parameters: `{"document": "rover.urdf", "to": "m.urdf", "sides": ["head", "tail"]}`,
			Want: vfs.Files{
				"m.urdf": strings.NewReplacer(
					`"0 0.01 0"`, `"0 -0.01 0"`, `ixy="1e-4"`, `ixy="-1e-4"`, `"0.1 0.15 0" rpy="0.1 0.2 -0.3"`, `"0.1 -0.15 0" rpy="-0.1 0.2 0.3"`,
					`"0 1 -1"`, `"0 1 1"`, `"0 0.5 1"`, `"0 -0.5 1"`, `"head"`, `"tail"`, `"head_joint"`, `"tail_joint"`).Replace(rover),
			},
		},
		{
			Edit: "split_by_branch", Parameters: `{"document": "rover.urdf", "trunk": "t.urdf", "begins": "b", "table": "t.csv"}`,
			Want: vfs.Files{
				"t.urdf":  forwardResults["split_by_branch"]["trunk.urdf"],
				"b1.urdf": forwardResults["split_by_branch"]["branch_1.urdf"],
				"b2.urdf": forwardResults["split_by_branch"]["branch_2.urdf"],
				"t.csv": strings.NewReplacer("trunk.urdf", "t.urdf", "branch_", "b").
					Replace(forwardResults["split_by_branch"]["order.csv"]),
			},
		},
	}...)
	made, err := domaintest.Edit(t, New(), "mirror").With(`{"document": "a.urdf", "to": "b.urdf", "sides": ["left", ""]}`)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := made.Forward(vfs.Files{"a.urdf": rover}); err == nil {
		t.Errorf("a side without a word makes %v", got)
	}
}
