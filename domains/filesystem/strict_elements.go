package filesystem

import (
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// optionalComments compares a listing without any comment with the entries of
// the reference alone: it says nothing false about the tree, whereas a comment
// that differs does. Where the reference has no entry, comments are all there is.
func optionalComments(reference, candidate []domains.Element) (ref, got []domains.Element) {
	isComment := func(e domains.Element) bool { return e.Kind == comment }
	isEntry := func(e domains.Element) bool { return e.Kind == counted }
	if !slices.ContainsFunc(reference, isEntry) || slices.ContainsFunc(candidate, isComment) {
		return reference, candidate
	}
	return slices.DeleteFunc(slices.Clone(reference), isComment), candidate
}

// elements flattens files of any name. A comment that several files share is
// taken for the header of each and counts once.
func elements(files vfs.Files) []domains.Element {
	var all []domains.Element
	fileOf := map[string]string{} // of the comments, the first that has it
	for _, name := range files.Names() {
		for _, l := range read(files[name]) {
			switch {
			case l.entry != nil:
				all = plain.Append(all, l.entry.element())
			case l.comment():
				text := pytext.Collapse(strings.TrimLeft(l.text, "#"))
				if first, known := fileOf[text]; !known || first == name {
					fileOf[text] = name
					all = plain.Append(all, lineElement(comment, text))
				}
			case !l.gap():
				all = plain.Append(all, lineElement("line", l.text))
			}
		}
	}
	return all
}

func (e *entry) element() domains.Element {
	path := e.normalPath()
	return domains.Element{Kind: counted, Key: path, Fields: []domains.Field{
		{Name: "path", Value: path},
		{Name: "mode", Value: e.normalMode()},
		{Name: "size", Value: e.normalSize()},
	}}
}

func lineElement(kind, text string) domains.Element {
	return domains.Element{Kind: kind, Key: kind, Fields: []domains.Field{{Value: text}}}
}
