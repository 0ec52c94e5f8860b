package starcatalog

import "agentd/domains/internal/xml"

// catalog is a file as the format has it, in any state.
type catalog struct{ xml.Document }

// read takes in any text. It forgives a byte order mark, blank lines before
// the declaration and code fences.
func read(text string) *catalog {
	return &catalog{xml.Read(xml.Unfenced(text))}
}

// print writes a file with a line for each row.
func (c *catalog) print() string { return c.Print(xml.Named("TR")) }

// without leaves out rows.
func without(_, text string, leave func() bool) string {
	c := read(text)
	c.Top.Walk(func(parent *xml.Node) {
		if parent.Is("TABLEDATA") {
			parent.Remove(func(child *xml.Node) bool { return child.Is("TR") && leave() })
		}
	})
	return c.print()
}
