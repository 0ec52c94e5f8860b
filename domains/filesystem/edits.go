package filesystem

import (
	"cmp"
	"errors"
	"iter"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// listings says how listings, which are lists of lines, are taken apart and put together.
var listings = exact.Format[listing, line]{
	Patterns: []string{"*.txt"},
	Read:     read,
	Print:    listing.print,
	Parts:    func(l *listing) *[]line { return (*[]line)(l) },
	Empty:    errors.New("no .txt file with an entry"),
	Counts:   func(l *line) bool { return l.entry != nil },
}

func edits() []domains.Edit {
	return []domains.Edit{
		domains.Taking("split_by_top_level", splitByTopLevel),
		domains.Taking("json", inJSON),
		domains.Taking("list_recursively", listRecursively),
		domains.Taking("report_by_extension", reportByExtension),
		domains.Taking("store_large", storeLarge),
		domains.Taking("move_directories", moveDirectories),
		domains.Taking("code_directories", codeDirectories),
		domains.Taking("fill_totals", fillTotals),
	}
}

// withNotes makes an edit of the entries alone: the table notes keeps the lines that are no
// entries, by their number.
func withNotes(document, notes string, forward func(listing) vfs.Files, backward func(vfs.Files) ([]entry, error)) exact.Steps {
	return listings.Whole(document, func(l listing) (vfs.Files, error) {
		made := forward(l)
		rows := [][]string{{"line", "text"}}
		for n := range l {
			if l[n].entry == nil {
				rows = append(rows, []string{strconv.Itoa(n + 1), l[n].text})
			}
		}
		made[notes] = plain.WriteCSV(rows)
		return made, nil
	}, func(files vfs.Files) (listing, error) {
		entries, err := backward(files)
		if err != nil {
			return nil, err
		}
		rows, err := plain.Table(files, notes, "line", "text")
		placed := func(row []string) (int, line) { return plain.LineNumber(row[0]), line{text: row[1]} }
		return plain.PutIn(rows, asLines(entries), placed, nil), err
	})
}

// all are the entries, to be changed.
func (l listing) all() iter.Seq[*entry] {
	return func(yield func(*entry) bool) {
		for n := range l {
			if l[n].entry != nil && !yield(l[n].entry) {
				return
			}
		}
	}
}

// asLines makes a line of each entry.
func asLines(entries []entry) listing {
	l := make(listing, len(entries))
	for n := range entries {
		l[n].entry = &entries[n]
	}
	return l
}

// asDirectory is the line of a directory.
func asDirectory(path string) line { return line{entry: &entry{"040000", "-", path}} }

// without leaves the directories out that drop picks.
func (l listing) without(drop func(path string) bool) listing {
	return slices.DeleteFunc(l, func(l line) bool {
		return l.entry != nil && l.entry.isDirectory() && drop(l.entry.normalPath())
	})
}

func byPath(a, b entry) int { return cmp.Compare(a.path, b.path) }

// isDirectory is for the edits, to which all else is a file.
func (e *entry) isDirectory() bool { return e.kind() == directory }

// bytes is the size, 0 where there is none or none that can be read.
func (e *entry) bytes() uint64 {
	size, err := strconv.ParseUint(e.normalSize(), 10, 63)
	if err != nil {
		return 0
	}
	return size
}

// sum counts the files of entries and adds up their sizes.
func sum(entries []entry) (files int, bytes uint64) {
	for n := range entries {
		if e := &entries[n]; !e.isDirectory() {
			files++
			bytes += e.bytes()
		}
	}
	return files, bytes
}

// longestPath is how far into a path directories are looked for, as in Linux.
const longestPath = 4096

// parents are the directories that a path lies in, the outermost first.
func parents(path string) []string {
	var all []string
	for at := 1; at < min(len(path)-1, longestPath); at++ {
		if path[at] == '/' {
			all = append(all, path[:at])
		}
	}
	return all
}

// within reports whether a path is a directory or lies in it.
func within(path, directory string) bool {
	rest, ok := strings.CutPrefix(path, directory)
	return ok && (rest == "" || rest[0] == '/')
}
