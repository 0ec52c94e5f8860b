package domains

import (
	"fmt"
	"slices"
	"strings"

	"agentd/domains/internal/element"
	"agentd/vfs"
)

// ReferenceError says why documents cannot be the reference of a score.
type ReferenceError struct {
	Problem  string // what is wrong, and with which files
	Expected string // what a reference looks like, with an example
}

func (e *ReferenceError) Error() string { return e.Problem + "; expected " + e.Expected }

func (d domain[T]) CheckReference(reference vfs.Files) error {
	info := &d.spec.Info
	fitting := info.named(reference)
	if len(fitting) == 0 {
		return info.refuse("no %s found in %s", info.Element, listed(reference))
	}
	var parsed T
	if d.spec.Parse != nil {
		var err error
		if parsed, err = d.spec.Parse(normalized(reference)); err != nil {
			return info.refuse("the published reader cannot read %s: %v", listed(fitting), err)
		}
	}
	own := normalized(fitting)
	if d.spec.evidence(own, d.spec.Elements(own)) == 0 {
		return info.refuse("no %s found in %s", info.Element, listed(fitting))
	}
	if d.spec.Parse == nil {
		return nil
	}
	scored := d.spec.Stats(parsed).Elements
	if scored == 0 && d.spec.Others != nil {
		scored = d.spec.Others(parsed)
	}
	if scored == 0 {
		problem := fmt.Sprintf("the published reader finds no %s in %s", info.Element, listed(fitting))
		if why := d.spec.Score(parsed, parsed, nil).Problem; why != "" {
			problem += ": " + why
		}
		return info.refuse("%s", problem)
	}
	if d.spec.Crashes != nil {
		if err := d.spec.Crashes(parsed); err != nil {
			return info.refuse("%s cannot be compared with itself: %v", listed(fitting), err)
		}
	}
	return nil
}

// named are the files that have a name of the domain, in any letter case: some readers
// take LOG.ADI for log.adi, and those that do not find nothing in it.
func (i *Info) named(files vfs.Files) vfs.Files {
	fitting := vfs.Files{}
	for name, content := range files {
		if slices.ContainsFunc(i.Patterns, func(p string) bool {
			return vfs.Matches(strings.ToLower(p), strings.ToLower(name))
		}) {
			fitting[name] = content
		}
	}
	return fitting
}

// refuse makes the error of a reference.
func (i *Info) refuse(problem string, args ...any) error {
	const indent = "\n    "
	return &ReferenceError{
		Problem: fmt.Sprintf(problem, args...),
		Expected: strings.Join(i.Patterns, ", ") + " with lines such as" + indent +
			strings.ReplaceAll(strings.TrimSuffix(i.Example, "\n"), "\n", indent),
	}
}

// listed names files, at most a few.
func listed(files vfs.Files) string {
	const most = 4
	names := files.Names()
	switch {
	case len(names) == 0:
		return "no file"
	case len(names) > most:
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}

// by is how two documents are compared.
func (s *Spec[T]) by() element.By { return element.By{Counted: s.Info.Element, OneOrder: s.OneOrder} }

// evidence is Spec.Evidence, or the number of counted elements.
func (s *Spec[T]) evidence(files vfs.Files, elements []Element) int {
	if s.Evidence != nil {
		return s.Evidence(files, elements)
	}
	return countKinds(elements, s.Info.Element)
}

func (s *Spec[T]) legible(files vfs.Files, elements []Element) bool {
	return s.evidence(files, elements) > 0 || Legible(files, elements, s.Info.Element)
}

// Legible reports whether a format's own reader could read files, of which it made the elements: some of them are of
// the counted kind, or there is no more foreign text than there are parts of the format.
func Legible(files vfs.Files, elements []Element, counted string) bool {
	if countKinds(elements, counted) > 0 {
		return true
	}
	return len(elements) > 0 && 2*countKinds(elements, ForeignKind) <= len(elements) && !isBlank(files)
}

func isBlank(files vfs.Files) bool {
	for _, content := range files {
		if strings.TrimSpace(content) != "" {
			return false
		}
	}
	return true
}

// Where makes a Spec.Evidence that counts the elements that is accepts.
func Where(is func(e *Element) bool) func(vfs.Files, []Element) int {
	return func(_ vfs.Files, elements []Element) int {
		n := 0
		for i := range elements {
			if is(&elements[i]) {
				n++
			}
		}
		return n
	}
}

// OfKinds makes a Spec.Evidence that counts the elements of the kinds.
func OfKinds(kinds ...string) func(vfs.Files, []Element) int {
	return Where(func(e *Element) bool { return slices.Contains(kinds, e.Kind) })
}

// ForeignKind is the kind of the elements that hold text in which a format's own reader sees no part of the format.
const ForeignKind = "line"

// Prevailing makes a Spec.Evidence for a format in which a line of foreign text can look like an element. It counts the
// elements of the kinds, but none if foreign elements outnumber them.
func Prevailing(kinds ...string) func(vfs.Files, []Element) int {
	return func(files vfs.Files, elements []Element) int {
		n := OfKinds(kinds...)(files, elements)
		if countKinds(elements, ForeignKind) > n {
			return 0
		}
		return n
	}
}

// countKinds counts the elements of the kinds.
func countKinds(elements []Element, kinds ...string) int { return OfKinds(kinds...)(nil, elements) }
