package robotics

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"

	"agentd/vfs"
)

// drawDocument draws a robot of up to eight links, as exporters and people of
// different habits write it.
func drawDocument(t *rapid.T) vfs.Files {
	d := drawer{t}
	var parts []string
	links := []string{d.name("base")}
	parts = append(parts, d.link(links[0]))
	for n := range d.upTo(7, "links") {
		link := d.name(fmt.Sprintf("part_%d", n))
		if d.sometimes("name with a blank") {
			link += " left"
		}
		parent := d.one("parent", links...)
		joint := d.one("joint", link+"_joint", fmt.Sprintf("Revolute %d", n), fmt.Sprintf("left_%d", n))
		links = append(links, link)
		parts = append(parts, d.link(link), d.joint(joint, parent, link))
		if d.sometimes("transmission") {
			parts = append(parts, d.transmission(joint, n))
		}
		if d.sometimes("gazebo") {
			parts = append(parts, d.gazebo(d.one("reference", ` reference="`+link+`"`, ` reference="`+joint+`"`, "")))
		}
	}
	parts = append(parts, d.one("material", "", `<material name="grey"><color rgba="0.5 0.5 0.5 1.0"/></material>`))
	parts = append(parts, d.one("rest", "", `<ros2_control name="own" type="system"><joint name="a"><command_interface name="effort"/></joint></ros2_control>`, "<!-- the end -->"))
	if d.sometimes("another order") {
		parts = rapid.Permutation(parts).Draw(t, "order")
	}
	var b strings.Builder
	b.WriteString(d.one("head", "", "<?xml version=\"1.0\" ?>\n", "<?xml version=\"1.0\" ?>\n<!-- generated -->\n"))
	b.WriteString(d.one("robot", `<robot name="rover">`, `<robot name='arm' xmlns:xacro="http://www.ros.org/wiki/xacro">`, "<robot>"))
	for _, part := range parts {
		b.WriteString(d.one("before", "\n", "\n\n  ", "", "\n  <!-- next -->\n"))
		b.WriteString(part)
	}
	b.WriteString("\n</robot>\n")
	return vfs.Files{documentFile: b.String()}
}

type drawer struct{ *rapid.T }

func (d drawer) upTo(most int, label string) int { return rapid.IntRange(0, most).Draw(d.T, label) }
func (d drawer) sometimes(label string) bool     { return d.upTo(3, label) == 0 }
func (d drawer) one(label string, among ...string) string {
	return rapid.SampledFrom(among).Draw(d.T, label)
}

func (d drawer) name(base string) string {
	return base + d.one("side", "", "_left", "_right", "_l", "&amp;co", "é")
}

func (d drawer) number(label string) string {
	return d.one(label, "0", "0.0", "-0", "1", "-1.5708", "0.0125", "+0.3", "1e-3", "-2.5E-07", "12.50", "9.84261137205", "007")
}

func (d drawer) vector(label string) string {
	return d.number(label) + d.one("between", " ", "  ", " ") + d.number(label) + " " + d.number(label)
}

// maybe writes an element mostly.
func (d drawer) maybe(label, element string) string {
	if d.sometimes("no " + label) {
		return ""
	}
	return d.one("layout", "", "\n    ") + element
}

func (d drawer) origin() string {
	return d.maybe("origin", d.one("origin", `<origin xyz="`+d.vector("xyz")+`" rpy="`+d.vector("rpy")+`"/>`,
		`<origin rpy='0 0 0' xyz='`+d.vector("xyz")+`'></origin>`, `<origin xyz="0 0 0"/>`, `<origin/>`))
}

func (d drawer) link(name string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<link name="%s">`, name)
	if !d.sometimes("no mass") {
		fmt.Fprintf(&b, `<inertial>%s<mass value="%s"/>%s<inertia ixx="%s" ixy="%s" ixz="0" iyy="1e-5" iyz="%s" izz="1"/></inertial>`,
			d.origin(), d.number("mass"), d.one("remark", "", "", "<!-- weighed -->"), d.number("ixx"), d.number("ixy"), d.number("iyz"))
	}
	for _, tag := range []string{"visual", "collision"} {
		for range d.upTo(2, tag) {
			b.WriteString("<" + tag + d.one("name", "", "", ` name="shell"`) + ">" + d.origin() + d.geometry())
			b.WriteString(d.one("colour", "", `<material name="grey"/>`, `<material name="x"><color rgba="1 0 0 1"/></material>`) + "</" + tag + ">")
		}
	}
	b.WriteString("</link>")
	return b.String()
}

func (d drawer) geometry() string {
	return d.maybe("geometry", "<geometry>"+d.one("geometry",
		`<box size="`+d.vector("size")+`"/>`,
		`<cylinder radius="`+d.number("radius")+`" length="0.2"/>`,
		`<sphere radius="`+d.number("radius")+`"/>`,
		`<mesh filename="package://rover/meshes/left.stl"/>`,
		`<mesh filename="meshes/a &lt;b&gt;.dae" scale="`+d.vector("scale")+`"/>`,
		`<capsule radius="1"/>`, `<box size="1 1 1"/><!-- rough -->`, "")+"</geometry>")
}

func (d drawer) joint(name, parent, child string) string {
	kind := d.one("type", "fixed", "revolute", "continuous", "prismatic", "floating")
	limit := fmt.Sprintf(`<limit lower="%s" upper="%s" effort="%s" velocity="%s"/>`, d.number("lower"), d.number("upper"), d.number("effort"), d.number("velocity"))
	return fmt.Sprintf(`<joint type="%s" name="%s">%s<parent link="%s"/><child link="%s"/>%s%s%s%s%s</joint>`,
		kind, name, d.origin(), parent, child,
		d.maybe("axis", d.one("axis", `<axis xyz="0 0 1"/>`, `<axis xyz="-1 0.0 0"/>`, `<axis xyz="`+d.vector("axis")+`"/>`)),
		d.maybe("limit", d.one("limit", limit, limit, `<limit effort="1" velocity="250"/>`)),
		d.one("dynamics", "", `<dynamics damping="0.7"/>`, `<dynamics damping="0" friction="0.0"/>`),
		d.one("mimic", "", "", `<mimic joint="a" multiplier="-1"/>`),
		d.one("remark", "", "", "<!-- stiff -->"))
}

func (d drawer) transmission(joint string, n int) string {
	hardware := d.one("hardware", "", "<hardwareInterface>hardware_interface/EffortJointInterface</hardwareInterface>",
		"<hardwareInterface>hardware_interface/PositionJointInterface</hardwareInterface>", "<hardwareInterface>EffortJointInterface</hardwareInterface>")
	return fmt.Sprintf(`<transmission name="t%d"><type> transmission_interface/SimpleTransmission%s</type><joint name="%s">%s</joint><actuator name="m%d">%s</actuator></transmission>`,
		n, d.one("padding", "", "\n"), joint, hardware, n, d.one("reduction", "", "<mechanicalReduction>43</mechanicalReduction>"))
}

func (d drawer) gazebo(reference string) string {
	return "<gazebo" + reference + ">" + d.one("gazebo", "<mu1>0.2</mu1><mu2>0.20</mu2>", `<plugin name="p" filename="l.so"><rate>40</rate></plugin>`,
		`<sensor name="s" type="ray"><update_rate>40</update_rate></sensor>`, "") + "</gazebo>"
}
