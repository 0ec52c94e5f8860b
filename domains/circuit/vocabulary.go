package circuit

import "agentd/domains/edit"

// vocabulary makes parts of subcircuits; of the elements above them where there are few.
func vocabulary() edit.Format {
	return edit.Format{
		Document: "netlist", Part: "subcircuit", Parts: "subcircuits",
		Cut: edit.Whole(edit.Headed(`^[ \t]*\*`, edit.Enclosed(`(?i)^[ \t]*\.subckt\b`, `(?i)^[ \t]*\.ends\b`))),
		Attributes: []edit.Attribute{
			edit.Key("name", "names", `(?i)^[ \t]*\.subckt[ \t]+(\S+)`),
			edit.Key("first port", "first ports", `(?i)^[ \t]*\.subckt[ \t]+\S+[ \t]+(\S+)`),
			edit.Key("second port", "second ports", `(?i)^[ \t]*\.subckt[ \t]+\S+[ \t]+\S+[ \t]+(\S+)`),
			edit.Has("inductance", "inductances", `^[ \t]*[Ll]\S*[ \t]+\S+[ \t]+\S+[ \t]+(\d\S*)`),
			edit.ComputedNumber("number of elements", "numbers of elements", elementsOf),
			edit.HasNumber("resistance", "resistances", `^[ \t]*[Rr]\S*[ \t]+\S+[ \t]+\S+[ \t]+(\d\S*)`),
			edit.Has("capacitance", "capacitances", `^[ \t]*[Cc]\S*[ \t]+\S+[ \t]+\S+[ \t]+(\d\S*)`),
			edit.Has("transistor model", "transistor models", `^[ \t]*(?:[QJqj]\S*(?:[ \t]+\S+){3}|[Mm]\S*(?:[ \t]+\S+){4})[ \t]+([A-Za-z]\w*)`),
			edit.Has("comment", "comments", `(?:^[ \t]*\*+|;)[ \t]*([^\s*][^\n]*[^\s])`),
		},
		Remark: "* Computed: {}", RemarkAt: edit.Above,
		Tree: edit.Nested(`(?i)^[ \t]*\.(?:subckt|control)\b`, `(?i)^[ \t]*\.(?:ends|endc)\b`),
		Finer: &edit.Format{
			Document: "netlist", Part: "element", Parts: "elements",
			Cut: edit.Headed(`^[ \t]*\*`, edit.Starting(`^[ \t]*(?:[A-Za-z]\w*\d\w*[ \t]+\S|[A-Za-z]\w*[ \t]+\S+[ \t]+\S+[ \t].*\d)`, `^[ \t]*\.`)),
			Attributes: []edit.Attribute{
				edit.Key("kind of element", "kinds of elements", `^[ \t]*([A-Za-z])`),
				edit.Key("name", "names", `^[ \t]*([A-Za-z]\w*)`),
				edit.Has("first node", "first nodes", `^[ \t]*[A-Za-z]\w*[ \t]+(\S+)`),
				edit.Has("second node", "second nodes", `^[ \t]*[A-Za-z]\w*[ \t]+\S+[ \t]+(\S+)`),
				edit.Has("value", "values", `^[ \t]*[A-Za-z]\w*[ \t]+\S+[ \t]+\S+[ \t]+([^\n;]*[^\s;])`),
			},
		},
	}
}
