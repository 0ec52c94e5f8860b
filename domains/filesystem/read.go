package filesystem

import (
	"cmp"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	published "agentd/domains/published/filesystem"
	"agentd/vfs"
)

// entry is a path with its mode and size, as they are written.
type entry struct{ mode, size, path string }

// line is an entry or, where there is none, a comment, a blank line, or any other text.
type line struct {
	entry *entry
	text  string // without the blanks around it
}

// listing is a file as it is.
type listing []line

// read takes in any text. Only the blanks around and between columns are lost, and code fences.
func read(text string) listing {
	lines := plain.Lines(text)
	l := make(listing, len(lines))
	for n, text := range lines {
		text = pytext.Strip(text)
		if e, ok := readEntry(text); ok {
			l[n].entry = &e
		} else {
			l[n].text = text
		}
	}
	return l
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

// comment reports whether the line is a comment that says something.
func (l line) comment() bool {
	return strings.HasPrefix(l.text, "#") && !l.gap()
}

// gap reports whether the line is blank, or a comment that is.
func (l line) gap() bool { return strings.TrimLeft(l.text, "#") == "" && l.entry == nil }

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

// print is the reverse of read, with the sizes in a column.
func (l listing) print() string {
	var b strings.Builder
	for n := range l {
		if e := l[n].entry; e != nil {
			b.WriteString(e.print())
		} else {
			b.WriteString(l[n].text)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func (e *entry) print() string {
	const width = 8
	padding := strings.Repeat(" ", max(width-len(e.size), 0))
	return e.mode + " " + padding + e.size + " " + e.path
}

// without leaves out entries.
func without(_, text string, leave func() bool) string {
	return listing(slices.DeleteFunc(read(text), func(l line) bool { return l.entry != nil && leave() })).print()
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
