package domains

import (
	"slices"

	"agentd/vfs"
)

// Hazards are what a person looks at first in a changed document, however small its share of
// the score, each in a few words: "aws_security_group.web: ingress from everywhere".
type Hazards struct {
	Dangers    []string // of which a new one is a warning
	Safeguards []string // of which a lost one is a warning
}

// Cautious is a domain that knows dangers and safeguards of its documents.
type Cautious interface {
	Domain
	// Hazards lists them, in the order of the document. A domain without any returns the zero value.
	Hazards(vfs.Files) Hazards
}

func (d domain[T]) Hazards(files vfs.Files) Hazards {
	if d.spec.Hazards == nil {
		return Hazards{}
	}
	return d.spec.Hazards(d.Elements(files))
}

// Warnings are the dangers that a document has after a change and did not have before, and the
// safeguards that it had and has no more. They are notes for a person and no part of any score. They
// are nil where the domain knows of none, and where no document is left.
func Warnings(d Domain, before, after vfs.Files) []string {
	cautious, ok := d.(Cautious)
	if !ok || len(after) == 0 {
		return nil
	}
	was, is := cautious.Hazards(before), cautious.Hazards(after)
	all := without(is.Dangers, was.Dangers)
	for _, lost := range without(was.Safeguards, is.Safeguards) {
		all = append(all, "no longer: "+lost)
	}
	return all
}

// without returns the texts of a list that another one has not, each once.
func without(all, others []string) []string {
	var left []string
	for _, text := range all {
		if !slices.Contains(others, text) && !slices.Contains(left, text) {
			left = append(left, text)
		}
	}
	return left
}
