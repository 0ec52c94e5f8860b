package robotics

import (
	"math"
	"strings"
	"testing"

	"agentd/vfs"
)

func TestWhatLosesAFile(t *testing.T) {
	t.Parallel()
	const whole = `<robot name="r"><link name="a"><visual/></link><joint name="j" type="fixed"/></robot>`
	change := func(was, is string) string { return strings.Replace(whole, was, is, 1) }
	for rule, c := range map[string]struct {
		text string
		lost bool
	}{
		"nothing":                                {whole, false},
		"a byte order mark does not":             {"\ufeff" + whole, false},
		"an unknown encoding does not":           {`<?xml version="1.0" encoding="none"?>` + whole, false},
		"a blank line before the declaration":    {"\n<?xml version=\"1.0\"?>" + whole, true},
		"a code fence":                           {"```xml\n" + whole + "\n```\n", true},
		"another root":                           {strings.ReplaceAll(whole, "robot", "Robot"), true},
		"a root in a namespace":                  {change(`<robot `, `<robot xmlns="u" `), true},
		"a bare ampersand":                       {change(`"a"`, `"a & b"`), true},
		"a misspelt closing tag does not":        {change("</link>", "</lnk>"), false},
		"a closing tag in another case does not": {change("</link>", "</Link>"), false},
		"a misspelt opening tag does not":        {change("<link", "<lïnk"), false},
		"a missing closing tag":                  {change("</link>", ""), true},
		"a closing tag too many":                 {whole + "</robot>", true},
		"closing tags that are exchanged do not": {change("<visual/></link>", "<visual></link></visual>"), false},
		"a misspelt closing tag after a comment": {change("<visual/></link>", "<!-- <x> --></lnk>"), false},
		"a misspelt closing tag after a bare <":  {change("<visual/></link>", "<</lnk>"), true},
		"an attribute with >":                    {change(`"a"`, `"a>"`), false},
		"one with > before a misspelt tag":       {change(`"a"><visual/></link>`, `"a>"/><visual></visul>`), true},
		"an undeclared prefix":                   {change("<visual/>", "<x:visual/>"), true},
		"the empty file":                         {"", true},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			doc, err := Parse(vfs.Files{"a.urdf": c.text})
			if err != nil || (doc.problem != "") != c.lost || (len(doc.joints) == 0) != c.lost {
				t.Errorf("%d joints, problem %q, error %v", len(doc.joints), doc.problem, err)
			}
		})
	}
}

func TestWhatIsFound(t *testing.T) {
	t.Parallel()
	robot := func(inside string) string { return `<robot name="r">` + inside + `</robot>` }
	for rule, c := range map[string]struct {
		text          string
		links, joints int
	}{
		"elements in any case":            {robot(`<Link/><JOINT/>`), 1, 1},
		"no elements in a namespace":      {robot(`<link xmlns="u"/><x:joint xmlns:x="v"/>`), 0, 0},
		"no elements in others":           {robot(`<group><link/></group>`), 0, 0},
		"repeated names":                  {robot(`<link name="a"/><link name="a"/>`), 2, 0},
		"elements that are nested rather": {robot(strings.Repeat("<a>", 300) + strings.Repeat("</a>", 300) + `<link/>`), 1, 0},
	} {
		doc, err := Parse(vfs.Files{"a.urdf": c.text, "b.xml": c.text})
		if err != nil || len(doc.links) != c.links || len(doc.joints) != c.joints {
			t.Errorf("%s: %d links and %d joints, want %d and %d; %v %s",
				rule, len(doc.links), len(doc.joints), c.links, c.joints, err, doc.problem)
		}
	}
}

func TestScoreRules(t *testing.T) {
	t.Parallel()
	joint := func(inside string) string { return `<joint name="j" type="revolute">` + inside + `</joint>` }
	mass := func(inside string) string { return `<link name="a"><inertial>` + inside + `</inertial></link>` }
	shape := func(inside string) string {
		return `<link name="a"><visual><geometry>` + inside + `</geometry></visual></link>`
	}
	const sixth, visual = 1.0 / 6, 0.35 / 2
	for rule, c := range map[string]struct {
		ref, got  string
		component string
		want      float64
	}{
		"a name in another case":           {`<link name="a"/>`, `<link name=" A "/>`, "link_coverage", 1},
		"the last of a repeated name":      {mass(`<mass value="1"/>`), mass(`<mass value="9"/>`) + mass(`<mass value="1"/>`), "link_accuracy", 1},
		"no link in common":                {`<link name="a"/>`, `<link name="b"/>`, "link_accuracy", 0},
		"an added link":                    {`<link name="a"/>`, `<link name="a"/><link name="b"/>`, "link_accuracy", 0.5},
		"half the mass":                    {mass(`<mass value="2"/>`), mass(`<mass value="1"/>`), "link_accuracy", 0.92},
		"a mass that is no number is zero": {mass(`<mass value="0"/>`), mass(`<mass value="heavy"/>`), "link_accuracy", 1},
		"no inertial block":                {mass(""), `<link name="a"/>`, "link_accuracy", 0.6},
		"an origin of zeros":               {mass(""), mass(`<origin xyz="0 0 0"/>`), "link_accuracy", 0.88},
		"an origin of two numbers":         {mass(`<origin xyz="1 2 3"/>`), mass(`<origin xyz="1 2"/>`), "link_accuracy", 1},
		"an origin that is no number":      {mass(`<origin xyz="0 0 0"/>`), mass(`<origin xyz="1 2 x"/>`), "link_accuracy", 1},
		"an origin half a millimetre off":  {mass(`<origin/>`), mass(`<origin xyz="0 0 0.0005"/>`), "link_accuracy", 1 - 0.4*0.3*0.025},
		"an origin 5 mm off":               {mass(`<origin/>`), mass(`<origin xyz="0 0 0.005"/>`), "link_accuracy", 1 - 0.4*0.3*0.15},
		"an origin 5 cm off":               {mass(`<origin/>`), mass(`<origin xyz="0 0 0.05"/>`), "link_accuracy", 1 - 0.4*0.3*0.35},
		"an origin 5 m off":                {mass(`<origin/>`), mass(`<origin xyz="0 0 5"/>`), "link_accuracy", 1 - 0.4*0.3*0.5},
		"another box":                      {shape(`<box size="1 1 1"/>`), shape(`<box size="1 1 2"/>`), "link_accuracy", 1 - visual*0.7},
		"boxes of two numbers":             {shape(`<box size="1 1"/>`), shape(`<box size="1 1"/>`), "link_accuracy", 1 - visual},
		"another radius":                   {shape(`<cylinder radius="1" length="2"/>`), shape(`<cylinder radius="2" length="2"/>`), "link_accuracy", 1 - visual/2},
		"a cylinder with a bad length":     {shape(`<cylinder radius="1" length="2"/>`), shape(`<cylinder radius="1" length="x"/>`), "link_accuracy", 1 - visual},
		"another sphere":                   {shape(`<sphere radius="1"/>`), shape(`<Sphere radius="2"/>`), "link_accuracy", 1 - visual*0.7},
		"another kind of shape":            {shape(`<sphere radius="1"/>`), shape(`<box size="1 1 1"/>`), "link_accuracy", 1 - visual},
		"the first of two shapes":          {shape(`<sphere/>`), shape(`<cone/><sphere/><box/>`), "link_accuracy", 1},
		"a mesh in another folder":         {shape(`<mesh filename="a/M.stl"/>`), shape(`<mesh filename="b/m.stl"/>`), "link_accuracy", 1},
		"a mesh without scale":             {shape(`<mesh filename="m" scale="1 1 1"/>`), shape(`<mesh filename="m"/>`), "link_accuracy", 1 - visual*0.2*0.5},
		"a scale of another length":        {shape(`<mesh filename="m" scale="1 1 1"/>`), shape(`<mesh filename="m" scale="1"/>`), "link_accuracy", 1},
		"a scale a little larger":          {shape(`<mesh filename="m" scale="1 1 1"/>`), shape(`<mesh filename="m" scale="1 1 1.25"/>`), "link_accuracy", 1 - visual*0.2*0.25},
		"one of two visuals":               {`<link name="a"><visual/><visual/></link>`, `<link name="a"><visual/></link>`, "link_accuracy", 1 - 0.35*0.5},
		"another type":                     {joint(""), strings.Replace(joint(""), "revolute", "fixed", 1), "joint_accuracy", 0.6},
		"another parent":                   {joint(`<parent link="A"/>`), joint(`<parent link="b"/>`), "joint_accuracy", 0.8},
		"the same parent in another case":  {joint(`<parent link="A"/>`), joint(`<parent link="a"/>`), "joint_accuracy", 1},
		"a reversed axis":                  {joint(`<axis xyz="0 0 1"/>`), joint(`<axis xyz="0 0 -1"/>`), "joint_accuracy", 1 - sixth*0.2},
		"an axis at right angles":          {joint(`<axis xyz="0 0 1"/>`), joint(`<axis xyz="0 1 0"/>`), "joint_accuracy", 1 - sixth},
		"an axis without numbers":          {joint(`<axis xyz="0 0 1"/>`), joint(`<axis/>`), "joint_accuracy", 1},
		"no axis":                          {joint(`<axis xyz="0 0 1"/>`), joint(""), "joint_accuracy", 1 - sixth},
		"half the effort":                  {joint(`<limit effort="2"/>`), joint(`<limit effort="1"/>`), "joint_accuracy", 1 - sixth*0.125},
		"another actuator":                 {`<transmission name="t"/>`, `<transmission name="T"><actuator name="m"/></transmission>`, "transmissions", 2.0 / 3},
		"transmissions on one side":        {``, `<transmission name="t"/>`, "transmissions", 0},
		"no transmissions on both sides":   {``, ``, "transmissions", 1},
		"a tag and a value in other cases": {`<gazebo><mu>A</mu></gazebo>`, `<gazebo reference=""><MU>a</MU></gazebo>`, "gazebo", 1},
		"one property of two":              {`<gazebo><a>1</a><b>2</b></gazebo>`, `<gazebo><a>1</a></gazebo>`, "gazebo", 0.5},
		"plugins that overlap":             {`<gazebo><plugin name="a"/><plugin name="b"/></gazebo>`, `<gazebo><plugin name="a"/></gazebo>`, "gazebo", 0.5},
		"a sensor is not compared":         {`<gazebo><sensor name="a"><x>1</x></sensor></gazebo>`, `<gazebo/>`, "gazebo", 1},
		"an infinite mass":                 {mass(`<mass value="inf"/>`), mass(`<mass value="1"/>`), "link_accuracy", 0.84},
	} {
		doc := func(inside string) Document {
			d, err := Parse(vfs.Files{"a.urdf": "<robot>" + inside + "</robot>"})
			if err != nil || d.problem != "" {
				t.Fatalf("%s: %v %s", rule, err, d.problem)
			}
			return d
		}
		got := Score(doc(c.ref), doc(c.got)).Components[c.component]
		if math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %s is %v, want %v", rule, c.component, got, c.want)
		}
	}
}
