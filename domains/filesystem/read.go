package filesystem

import (
	"cmp"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/doc"
	"agentd/domains/internal/element"
	"agentd/domains/internal/pytext"
	published "agentd/domains/published/filesystem"
)

// entry is a path with its mode and size, as they are written.
type entry struct{ mode, size, path string }

// format finds the entries of a listing of any name, its comments, and any other lines. A comment that several files
// share is a header that each repeats.
var format = doc.Format{
	Counted: counted,
	Read: func(text string) []doc.Part {
		lines := doc.Lines(text)
		parts := make([]doc.Part, 0, len(lines))
		for _, line := range lines {
			text := pytext.Strip(line.Text)
			e, isEntry := readEntry(text)
			says := strings.TrimLeft(text, "#")
			switch {
			case isEntry:
				p := doc.At(line, counted, e.normalPath())
				p.Fields = []element.Field{{Name: "path", Value: p.Key}, {Name: "mode", Value: e.normalMode()}, {Name: "size", Value: e.normalSize()}}
				parts = append(parts, p)
			case says == "": // a blank line, or a comment that is
			case says != text:
				p := doc.Loose(line, comment, comment, pytext.Collapse(says))
				p.Head = true
				parts = append(parts, p)
			default:
				parts = append(parts, doc.Loose(line, "line", "line", text))
			}
		}
		return parts
	},
}

// readEntry is more lenient than git: a mode may lack its first zero, and anything that begins like a size is one, so
// that a wrong size is not a path lost.
func readEntry(text string) (entry, bool) {
	if text == "" || !strings.Contains(digits, text[:1]) {
		return entry{}, false
	}
	mode, size, path := published.Columns(text)
	ok := isMode(mode) && isSize(size) && path != ""
	return entry{mode, size, path}, ok
}

func isMode(text string) bool {
	return len(text) >= 5 && len(text) <= 7 && strings.Trim(text, digits) == ""
}

func isSize(text string) bool {
	if isDash(text) {
		return true
	}
	return text != "" && strings.Contains(digits, text[:1]) &&
		strings.Trim(text, digits+units+separators+".") == ""
}

func isDash(size string) bool { return size == "-" || size == "–" || size == "—" }

const (
	digits     = "0123456789"
	separators = ",_'"              // may stand between groups of three digits
	units      = "BKMGTPbkmgtpiyes" // 4.2M, 17KiB, 498bytes
)

// normalMode is a mode with six digits.
func (e *entry) normalMode() string {
	mode := strings.TrimLeft(e.mode, "0")
	return strings.Repeat("0", max(6-len(mode), 0)) + mode
}

// normalSize is a size in plain digits, a dash where there is none. Git gives directories and submodules none.
func (e *entry) normalSize() string {
	if isDash(e.size) {
		return "-"
	}
	size, ok := ungrouped(e.size)
	if !ok {
		return e.size
	}
	size = strings.TrimLeft(size, "0")
	switch kind := e.kind(); {
	case size != "":
		return size
	case kind == directory || kind == submodule:
		return "-"
	}
	return "0"
}

// ungrouped is a size without the separators between groups of three digits; false if it is not written like that.
func ungrouped(size string) (string, bool) {
	first := strings.IndexAny(size, separators)
	if first < 0 {
		return size, published.IsDigits(size)
	}
	groups := strings.Split(size, size[first:first+1])
	for n, group := range groups {
		if !published.IsDigits(group) || len(group) > 3 || n > 0 && len(group) < 3 {
			return "", false
		}
	}
	return strings.Join(groups, ""), true
}

// normalPath is a path without what may stand around it: ./ as find prints it, and a slash after a directory.
func (e *entry) normalPath() string {
	path := strings.TrimPrefix(e.path, "./")
	if e.kind() == directory {
		path = strings.TrimRight(path, "/")
	}
	return cmp.Or(path, e.path)
}

// Kinds of entries, by their modes.
const (
	directory  = "directory"
	file       = "file"
	executable = "executable"
	symlink    = "symlink"
	submodule  = "submodule"
)

func (e *entry) kind() string {
	switch mode := e.normalMode(); {
	case strings.HasPrefix(mode, "040"):
		return directory
	case mode == "100755":
		return executable
	case strings.HasPrefix(mode, "120"):
		return symlink
	case strings.HasPrefix(mode, "160"):
		return submodule
	}
	return file
}

// optionalComments makes the comments of the reference weightless where the candidate has none: it says nothing false about
// the tree, whereas a comment that differs does. Where the reference has no entry, comments are all there is.
func optionalComments(reference, candidate []domains.Element) (ref, got []domains.Element) {
	isComment := func(e domains.Element) bool { return e.Kind == comment }
	isEntry := func(e domains.Element) bool { return e.Kind == counted }
	if !slices.ContainsFunc(reference, isEntry) || slices.ContainsFunc(candidate, isComment) {
		return reference, candidate
	}
	ref = slices.Clone(reference)
	for i := range ref {
		ref[i].Weightless = isComment(ref[i])
	}
	return ref, candidate
}
