package starcatalog

import (
	"strings"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

// catalog is a file as the format has it, in any state.
type catalog struct{ xml.Document }

// read takes in any text. It forgives a byte order mark, blank lines before
// the declaration and code fences.
func read(text string) *catalog {
	if strings.HasPrefix(text, "\ufeff") || strings.Contains(text, "\r") || strings.Contains(text, "```") {
		text = plain.Text(plain.Lines(text))
	}
	return &catalog{xml.Read(text)}
}

// print writes a file with a line for each row.
func (c *catalog) print() string { return c.Print(xml.Named("TR")) }

// without leaves out rows.
func without(files vfs.Files, leave func(n int) bool) vfs.Files {
	left := vfs.Files{}
	n := 0
	for _, name := range files.Names() {
		c := read(files[name])
		before := n
		prune := func(parent *xml.Node) {
			if !parent.Is("TABLEDATA") {
				return
			}
			parent.Remove(func(child *xml.Node) bool {
				if !child.Is("TR") {
					return false
				}
				n++
				return leave(n - 1)
			})
		}
		c.Top.Walk(prune)
		if n == before {
			left[name] = files[name]
			continue
		}
		left[name] = c.print()
	}
	return left
}
