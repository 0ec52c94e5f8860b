package robotics

import (
	"strings"

	"agentd/domains/internal/xml"
)

// model is a file as the format has it, in any state.
type model struct{ xml.Document }

// read takes in any text. It forgives a byte order mark, code fences and
// misspelt closing tags.
func read(text string) *model {
	text = xml.Unfenced(text)
	x := xml.Read(text)
	if len(x.Faults) == 0 {
		return &model{x}
	}
	if repaired := repairEndTags(text); repaired != text {
		if again := xml.Read(repaired); len(again.Faults) == 0 {
			x = again
		}
	}
	return &model{x}
}

// print writes a file with each element on a line of its own.
func (m *model) print() string {
	return m.Print(func(*xml.Node) bool { return false })
}

// isCounted reports whether the element is a link or a joint, in the small
// letters of the format or others.
func isCounted(n *xml.Node) bool {
	if n.Kind != xml.Element || n.Space != "" {
		return false
	}
	return strings.EqualFold(n.Name, "link") || strings.EqualFold(n.Name, "joint")
}

// without leaves out links and joints.
func without(_, text string, leave func() bool) string {
	m := read(text)
	for _, root := range m.Top.Elements() {
		root.Remove(func(c *xml.Node) bool { return isCounted(c) && leave() })
	}
	return m.print()
}
