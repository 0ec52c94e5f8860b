package filesystem

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// Files of the listing with large files in a directory of their own.
const (
	storedFile = "with_store.txt"
	storeTable = "large_files.csv"
	store      = "store"
	largeFrom  = 40_000 // bytes
)

// storeLargeFiles moves large files below the store and lists the directories
// that this makes.
func storeLargeFiles(files vfs.Files) (vfs.Files, error) {
	l, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	var large []entry
	known := map[string]bool{}
	var directories []entry
	for n := range l {
		e := l[n].entry
		if e == nil || e.isDirectory() || e.bytes() < largeFrom {
			continue
		}
		large = append(large, *e)
		e.path = store + "/" + e.path
		for _, parent := range parents(e.path) {
			if !known[parent] {
				known[parent] = true
				directories = append(directories, entry{"040000", "-", parent})
			}
		}
	}
	slices.SortStableFunc(large, func(a, b entry) int {
		return cmp.Or(cmp.Compare(b.bytes(), a.bytes()), byPath(a, b))
	})
	table := [][]string{{"path", "store_path", "bytes"}}
	for n := range large {
		e := &large[n]
		table = append(table, []string{e.path, store + "/" + e.path, strconv.FormatUint(e.bytes(), 10)})
	}
	l = append(l, asLines(directories)...)
	return vfs.Files{storedFile: l.print(), storeTable: plain.WriteCSV(table)}, nil
}

// unstoreLargeFiles goes by the table and, for files that it lacks, by the
// store's own path.
func unstoreLargeFiles(files vfs.Files) (vfs.Files, error) {
	l, err := readNamed(files, storedFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, storeTable, "path", "store_path")
	if err != nil {
		return nil, err
	}
	paths := map[string]string{}
	for _, row := range rows {
		paths[row[1]] = row[0]
	}
	l = slices.DeleteFunc(l, func(l line) bool {
		return l.entry != nil && l.entry.isDirectory() && within(l.entry.path, store)
	})
	for n := range l {
		if e := l[n].entry; e != nil {
			e.path = cmp.Or(paths[e.path], strings.TrimPrefix(e.path, store+"/"))
		}
	}
	return asDocument(l), nil
}

// within reports whether a path is a directory or lies in it.
func within(path, directory string) bool {
	rest, ok := strings.CutPrefix(path, directory)
	return ok && (rest == "" || rest[0] == '/')
}

// Files of the listing with parts moved into packages.
const (
	packagesFile = "packages.txt"
	pathMapFile  = "path_map.csv"
	packages     = "packages"
)

// packageOf says where directories go.
var packageOf = []struct{ from, to string }{
	{"base", "packages/base"},
	{"debian", "packages/base/debian"},
	{"firmware", "packages/sonde"},
	{"hardware", "packages/sonde-board"},
	{"web", "packages/tide-page"},
}

// moveToPackages lists the directories that it moved with the number of
// entries that went along.
func moveToPackages(files vfs.Files) (vfs.Files, error) {
	l, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	table := [][]string{{"old", "new", "entries"}}
	for _, p := range packageOf {
		moved := 0
		for n := range l {
			if e := l[n].entry; e != nil && within(e.path, p.from) {
				e.path = p.to + strings.TrimPrefix(e.path, p.from)
				moved++
			}
		}
		table = append(table, []string{p.from, p.to, strconv.Itoa(moved)})
	}
	l = append(l, line{entry: &entry{"040000", "-", packages}})
	return vfs.Files{packagesFile: l.print(), pathMapFile: plain.WriteCSV(table)}, nil
}

// moveFromPackages tries the longest directory first, since one may lie in
// another.
func moveFromPackages(files vfs.Files) (vfs.Files, error) {
	l, err := readNamed(files, packagesFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, pathMapFile, "old", "new")
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(rows, func(a, b []string) int { return cmp.Compare(len(b[1]), len(a[1])) })
	l = slices.DeleteFunc(l, func(l line) bool {
		return l.entry != nil && l.entry.isDirectory() && l.entry.normalPath() == packages
	})
	for n := range l {
		e := l[n].entry
		if e == nil {
			continue
		}
		for _, row := range rows {
			if within(e.path, row[1]) {
				e.path = row[0] + strings.TrimPrefix(e.path, row[1])
				break
			}
		}
	}
	return asDocument(l), nil
}

// Files of the listing with numbers for directories.
const (
	numberedFile  = "directory_ids.txt"
	directoryFile = "directories.csv"
)

// numberDirectories puts a number for all of a path up to its last slash.
func numberDirectories(files vfs.Files) (vfs.Files, error) {
	l, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	ids := map[string]string{}
	table := [][]string{{"id", "directory"}}
	for n := range l {
		e := l[n].entry
		if e == nil {
			continue
		}
		at := strings.LastIndex(e.path, "/")
		if at < 0 {
			continue
		}
		directory, rest := e.path[:at], e.path[at:]
		if ids[directory] == "" {
			ids[directory] = fmt.Sprintf("D%02d", len(ids)+1)
			table = append(table, []string{ids[directory], directory})
		}
		e.path = "[" + ids[directory] + "]" + rest
	}
	return vfs.Files{numberedFile: l.print(), directoryFile: plain.WriteCSV(table)}, nil
}

// nameDirectories leaves numbers that the table does not have.
func nameDirectories(files vfs.Files) (vfs.Files, error) {
	l, err := readNamed(files, numberedFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, directoryFile, "id", "directory")
	if err != nil {
		return nil, err
	}
	directories := map[string]string{}
	for _, row := range rows {
		directories["["+strings.TrimSpace(row[0])+"]"] = row[1]
	}
	for n := range l {
		e := l[n].entry
		if e == nil {
			continue
		}
		id, rest, _ := strings.Cut(e.path, "/")
		if directory, known := directories[id]; known {
			e.path = directory + "/" + rest
		}
	}
	return asDocument(l), nil
}

// totalsFile has the sizes of directories too.
const totalsFile = "with_totals.txt"

// fillTotals gives each directory the sum of the sizes below it.
func fillTotals(files vfs.Files) (vfs.Files, error) {
	l, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	totals := map[string]uint64{}
	entries := l.entries()
	for n := range entries {
		if e := &entries[n]; !e.isDirectory() {
			for _, parent := range parents(e.path) {
				totals[parent] += e.bytes()
			}
		}
	}
	for n := range l {
		if e := l[n].entry; e != nil && e.isDirectory() {
			e.size = strconv.FormatUint(totals[e.normalPath()], 10)
		}
	}
	count, bytes := sum(entries)
	heading := line{text: fmt.Sprintf("# %d files, %d bytes", count, bytes)}
	return vfs.Files{totalsFile: append(listing{heading}, l...).print()}, nil
}

// clearTotals takes away the total in the first line and the sizes of
// directories.
func clearTotals(files vfs.Files) (vfs.Files, error) {
	l, err := readNamed(files, totalsFile)
	if err != nil {
		return nil, err
	}
	if len(l) > 0 && l[0].comment() && strings.HasSuffix(l[0].text, " bytes") {
		l = l[1:]
	}
	for n := range l {
		if e := l[n].entry; e != nil && e.isDirectory() {
			e.size = "-"
		}
	}
	return asDocument(l), nil
}
