package xml

import (
	"strings"

	"agentd/domains/internal/element"
	"agentd/domains/internal/plain"
)

// Margin is what a node that is no element says, a comment or a line for each of its lines that
// squash leaves something of.
func (n *Node) Margin(squash func(string) string) (all []element.Element) {
	kind := "line"
	if n.Kind == Comment {
		kind = "comment"
	}
	for text := range strings.SplitSeq(n.Text, "\n") {
		if text = squash(text); text != "" {
			all = append(all, element.Element{Kind: kind, Key: kind, Fields: []element.Field{{Value: text}}})
		}
	}
	return all
}

// FaultElements are the faults of a document, to be compared.
func (d *Document) FaultElements() (all []element.Element) {
	for _, fault := range d.Faults {
		all = append(all, element.Element{Kind: "fault", Key: "XML", Fields: []element.Field{{Value: fault}}})
	}
	return all
}

// Flat gathers the elements of documents whose values are known by the paths that lead to them.
type Flat struct {
	All   []element.Element
	Paths Paths

	spaces Spaces
	lines  int // that were met so far
}

// NewFlat is one without elements.
func NewFlat() Flat { return Flat{Paths: Paths{}, spaces: Spaces{}} }

// Add takes in an element.
func (f *Flat) Add(e element.Element) { f.All = plain.Append(f.All, e) }

// Margin takes in what is no element: comments, and lines of text, which have an order.
func (f *Flat) Margin(n *Node, squash func(string) string) {
	for _, e := range n.Margin(squash) {
		if e.Kind == "line" {
			f.lines++
			e.Position = f.lines
		}
		f.Add(e)
	}
}

// Space notes the namespace of an extension, once.
func (f *Flat) Space(n *Node) {
	if !n.Foreign {
		return
	}
	if name, first := f.spaces.Meet(n); first {
		f.Add(element.Element{Kind: "namespace", Key: "namespace", Fields: []element.Field{{Value: name}}})
	}
}

// Attributes appends the attributes of an element, under the path that leads to it.
func (f *Flat) Attributes(fields []element.Field, n *Node, path string, normal func(string) string) []element.Field {
	for _, a := range n.Attrs {
		if !a.IsDeclaration() {
			fields = plain.Append(fields, element.Field{Name: f.Paths.Join(path, Local(a.Name)), Value: normal(a.Value)})
		}
	}
	return fields
}
