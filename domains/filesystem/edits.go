package filesystem

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// document is the file that every backward step leaves.
const document = "tidewrack.txt"

func edits() []domains.Edit {
	return []domains.Edit{
		{Name: "top_level_files", Forward: splitByTopLevel, Backward: mergeTopLevels},
		{Name: "size_manifest", Forward: toManifest, Backward: fromManifest},
		{Name: "recursive_ls", Forward: toRecursiveLS, Backward: fromRecursiveLS},
		{Name: "extension_report", Forward: toReport, Backward: fromReport},
		{Name: "large_file_store", Forward: storeLargeFiles, Backward: unstoreLargeFiles},
		{Name: "monorepo_packages", Forward: moveToPackages, Backward: moveFromPackages},
		{Name: "directory_ids", Forward: numberDirectories, Backward: nameDirectories},
		{Name: "directory_totals", Forward: fillTotals, Backward: clearTotals},
	}
}

var errNoEntry = errors.New("no .txt file with an entry")

// readDocument reads the listings that a forward step is given, as one.
func readDocument(files vfs.Files) (listing, error) {
	files = files.Match([]string{"*.txt"})
	var all listing
	for _, name := range files.Names() {
		all = append(all, read(files[name])...)
	}
	if len(all.entries()) == 0 {
		return nil, errNoEntry
	}
	return all, nil
}

// readNamed reads the listing that a backward step needs.
func readNamed(files vfs.Files, name string) (listing, error) {
	text, err := plain.File(files, name)
	return read(text), err
}

func asDocument(l listing) vfs.Files { return vfs.Files{document: l.print()} }

// asLines makes a line of each entry.
func asLines(entries []entry) listing {
	l := make(listing, len(entries))
	for n := range entries {
		l[n].entry = &entries[n]
	}
	return l
}

// notesFile keeps the lines that are no entries, by their number.
const notesFile = "notes.csv"

func (l listing) notes() string {
	rows := [][]string{{"line", "text"}}
	for n := range l {
		if l[n].entry == nil {
			rows = append(rows, []string{strconv.Itoa(n + 1), l[n].text})
		}
	}
	return plain.WriteCSV(rows)
}

// withNotes puts the noted lines at their numbers among entries.
func withNotes(entries []entry, files vfs.Files) (vfs.Files, error) {
	rows, err := plain.Table(files, notesFile, "line", "text")
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(rows, plain.ByNumber)
	rest := asLines(entries)
	var l listing
	for _, row := range rows {
		number, _ := strconv.Atoi(strings.TrimSpace(row[0]))
		before := min(max(number-1-len(l), 0), len(rest))
		l = append(l, rest[:before]...)
		l = append(l, line{text: row[1]})
		rest = rest[before:]
	}
	return asDocument(append(l, rest...)), nil
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
