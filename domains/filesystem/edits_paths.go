package filesystem

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// splitByTopLevel makes a file of each top-level directory, with its numbers in the first line.
// On the way back the entries of all files are sorted by path.
func splitByTopLevel(p struct {
	Document string
	Begins   string // names of files: a directory and .txt follow
	Others   string // the file for what is in no directory
	Notes    string
}) exact.Steps {
	return withNotes(p.Document, p.Notes, func(l listing) vfs.Files {
		parts := map[string][]entry{}
		for e := range l.all() {
			name := p.Others
			if top, _, inside := strings.Cut(e.path, "/"); inside || e.isDirectory() {
				name = p.Begins + top + ".txt"
			}
			parts[name] = append(parts[name], *e)
		}
		made := vfs.Files{}
		for name, part := range parts {
			made[name] = append(listing{heading(part)}, asLines(part)...).print()
		}
		return made
	}, func(files vfs.Files) ([]entry, error) {
		parts, err := listings.Document(files.Match([]string{p.Begins + "*.txt", p.Others}))
		entries := parts.entries()
		slices.SortStableFunc(entries, byPath)
		return entries, err
	})
}

// heading is a comment with the number of files and the sum of their sizes.
func heading(entries []entry) line {
	count, bytes := sum(entries)
	return line{text: fmt.Sprintf("# %d files, %d bytes", count, bytes)}
}

// fillTotals gives each directory the sum of the sizes below it, and the listing a first line
// with all sizes.
func fillTotals(p struct{ Document, To string }) exact.Steps {
	return listings.Change(p.Document, p.To, func(l *listing) {
		totals := map[string]uint64{}
		for e := range l.all() {
			if !e.isDirectory() {
				for _, parent := range parents(e.path) {
					totals[parent] += e.bytes()
				}
			}
		}
		*l = append(listing{heading(l.entries())}, *l...)
		for e := range l.all() {
			if e.isDirectory() {
				e.size = strconv.FormatUint(totals[e.normalPath()], 10)
			}
		}
	}, func(l *listing) {
		if first := *l; len(first) > 0 && first[0].comment() && strings.HasSuffix(first[0].text, " bytes") {
			*l = first[1:]
		}
		for e := range l.all() {
			if e.isDirectory() {
				e.size = "-"
			}
		}
	})
}

// storeLarge moves large files into a directory, the store, and lists the directories that this
// makes. On the way back a file that the table lacks loses the store's name alone.
func storeLarge(p struct {
	Document, To string
	From         uint64 // bytes
	Store, Table string
}) exact.Steps {
	return listings.Rewrite(p.Document, p.To, func(l *listing) (vfs.Files, error) {
		var large []entry
		var directories listing
		known := map[string]bool{}
		for e := range l.all() {
			if e.isDirectory() || e.bytes() < p.From {
				continue
			}
			large = append(large, *e)
			e.path = p.Store + "/" + e.path
			for _, parent := range parents(e.path) {
				if !known[parent] {
					known[parent] = true
					directories = append(directories, asDirectory(parent))
				}
			}
		}
		slices.SortStableFunc(large, func(a, b entry) int { return cmp.Or(cmp.Compare(b.bytes(), a.bytes()), byPath(a, b)) })
		table := [][]string{{"path", "store_path", "bytes"}}
		for n := range large {
			e := &large[n]
			table = append(table, []string{e.path, p.Store + "/" + e.path, strconv.FormatUint(e.bytes(), 10)})
		}
		*l = append(*l, directories...)
		return vfs.Files{p.Table: plain.WriteCSV(table)}, nil
	}, func(l *listing, files vfs.Files) error {
		paths, err := exact.ReadRegister(files, p.Table, "store_path", "path")
		*l = l.without(func(path string) bool { return within(path, p.Store) })
		for e := range l.all() {
			e.path = cmp.Or(paths[e.path], strings.TrimPrefix(e.path, p.Store+"/"))
		}
		return err
	})
}

// moveDirectories moves directories with all below them into a new one, and lists them with the
// number of entries that went along. On the way back the longest directory is tried first,
// since one may lie in another.
func moveDirectories(p struct {
	Document, To string
	Into         string
	Moves        []struct{ Old, New string } // New is the whole path
	Table        string
}) exact.Steps {
	return listings.Rewrite(p.Document, p.To, func(l *listing) (vfs.Files, error) {
		table := [][]string{{"old", "new", "entries"}}
		for _, m := range p.Moves {
			moved := 0
			for e := range l.all() {
				if within(e.path, m.Old) {
					e.path = m.New + strings.TrimPrefix(e.path, m.Old)
					moved++
				}
			}
			table = append(table, []string{m.Old, m.New, strconv.Itoa(moved)})
		}
		*l = append(*l, asDirectory(p.Into))
		return vfs.Files{p.Table: plain.WriteCSV(table)}, nil
	}, func(l *listing, files vfs.Files) error {
		rows, err := plain.Table(files, p.Table, "old", "new")
		slices.SortStableFunc(rows, func(a, b []string) int { return cmp.Compare(len(b[1]), len(a[1])) })
		*l = l.without(func(path string) bool { return path == p.Into })
		for e := range l.all() {
			for _, row := range rows {
				if within(e.path, row[1]) {
					e.path = row[0] + strings.TrimPrefix(e.path, row[1])
					break
				}
			}
		}
		return err
	})
}

// codeDirectories puts a code in brackets in the place of all of a path up to its last slash.
// On the way back codes that the table does not have stay.
func codeDirectories(p struct{ Document, To, First, Table string }) exact.Steps {
	return listings.Rewrite(p.Document, p.To, func(l *listing) (vfs.Files, error) {
		codes := exact.Codes{New: exact.Counting(p.First)}
		for e := range l.all() {
			if at := strings.LastIndex(e.path, "/"); at >= 0 {
				e.path = "[" + codes.Of(e.path[:at]) + "]" + e.path[at:]
			}
		}
		return vfs.Files{p.Table: codes.CSV("id", "directory")}, nil
	}, func(l *listing, files vfs.Files) error {
		directories, err := exact.ReadRegister(files, p.Table, "id", "directory")
		for e := range l.all() {
			id, rest, _ := strings.Cut(e.path, "/")
			if !strings.HasPrefix(id, "[") || !strings.HasSuffix(id, "]") {
				continue
			}
			if directory, known := directories[strings.Trim(id, "[]")]; known {
				e.path = directory + "/" + rest
			}
		}
		return err
	})
}
