package filesystem

import (
	"fmt"
	"slices"
	"strconv"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	counted = "entry"
	comment = "comment"
)

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[tree]{
		Info: domains.Info{
			Name:       "filesystem",
			Title:      "Listing of a source tree",
			Category:   "Code & Configuration",
			Patterns:   []string{"*.txt"},
			Element:    counted,
			Example:    "100644 1824 src/main.c",
			Components: []string{"coverage", "paths", "types", "sizes", "modes"},
		},
		Parse:      parse,
		Score:      domains.Noting(score),
		Stats:      stats,
		Elements:   elements,
		Forgives:   optionalComments,
		Without:    without,
		Edits:      edits(),
		Vocabulary: vocabulary,
	})
}

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

func stats(t tree) domains.Stats {
	var directories, files, executables int
	var size float64
	for _, l := range t.of {
		switch {
		case l.directory():
			directories++
		case l.executable():
			executables++
		default:
			files++
		}
		size += l.size
	}
	return domains.Stats{Elements: len(t.of), Counts: []domains.Count{
		{Name: "Entries", Value: strconv.Itoa(len(t.of))},
		{Name: "Directories", Value: strconv.Itoa(directories)},
		{Name: "Files", Value: strconv.Itoa(files)},
		{Name: "Executables", Value: strconv.Itoa(executables)},
		{Name: "Total Size", Value: grouped(size) + " B"},
	}}
}

// grouped is a whole number with a comma between groups of three digits.
func grouped(number float64) string {
	text := fmt.Sprintf("%.0f", number)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

// score is coverage · (0.30 paths + 0.25 types + 0.25 sizes + 0.20 modes), where
// coverage is the share of the reference's paths that are still there and paths
// the share of common paths among all.
func score(reference, candidate tree) domains.Reading {
	common, sameType, sameMode, sized := 0, 0, 0, 0
	quotients := 0.0
	for _, path := range reference.paths {
		ref := reference.of[path]
		got, ok := candidate.of[path]
		if !ok {
			continue
		}
		common++
		if ref.mode == got.mode {
			sameMode++
		}
		if ref.directory() == got.directory() && ref.executable() == got.executable() {
			sameType++
		}
		if ref.sized && got.sized {
			sized++
			quotients += quotient(ref.size, got.size)
		}
	}
	all := len(reference.of) + len(candidate.of) - common
	parts := map[string]float64{
		"coverage": share(common, len(reference.of)),
		"paths":    share(common, all),
		"types":    0,
		"sizes":    1,
		"modes":    0,
	}
	if len(reference.of) == 0 && len(candidate.of) > 0 {
		parts["coverage"] = 0
	}
	if common > 0 {
		parts["types"], parts["modes"] = share(sameType, common), share(sameMode, common)
	}
	if sized > 0 {
		parts["sizes"] = quotients / float64(sized)
	}
	// The conversions keep products and sums from being fused on some machines.
	return domains.Reading{
		Value: parts["coverage"] * (float64(0.30*parts["paths"]) + float64(0.25*parts["types"]) +
			float64(0.25*parts["sizes"]) + float64(0.20*parts["modes"])),
		Components: parts,
		Elements:   domains.Elements{Reference: len(reference.of), Candidate: len(candidate.of)},
	}
}

// share is a part of a whole, 1 where there is nothing to have a part of.
func share(part, whole int) float64 {
	if whole == 0 {
		return 1
	}
	return float64(part) / float64(whole)
}

func quotient(a, b float64) float64 {
	if a == b {
		return 1
	}
	return min(a, b) / max(a, b)
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
				text := l.remark()
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

// without leaves out entries.
func without(files vfs.Files, leave func(n int) bool) vfs.Files {
	left := vfs.Files{}
	n := 0
	for _, name := range files.Names() {
		var kept listing
		for _, l := range read(files[name]) {
			if l.entry != nil {
				n++
				if leave(n - 1) {
					continue
				}
			}
			kept = append(kept, l)
		}
		left[name] = kept.print()
	}
	return left
}
