package filesystem

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// Files of the listing by top-level directory.
const (
	treeFile  = "tree_%s.txt"
	looseFile = "loose.txt"
)

// splitByTopLevel makes a file of each top-level directory, with its numbers
// in the first line.
func splitByTopLevel(files vfs.Files) (vfs.Files, error) {
	l, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	parts := map[string][]entry{}
	for _, e := range l.entries() {
		name := e.topLevelFile()
		parts[name] = append(parts[name], e)
	}
	out := vfs.Files{notesFile: l.notes()}
	for name, part := range parts {
		count, bytes := sum(part)
		heading := line{text: fmt.Sprintf("# %d files, %d bytes", count, bytes)}
		out[name] = append(listing{heading}, asLines(part)...).print()
	}
	return out, nil
}

func (e *entry) topLevelFile() string {
	top, _, inside := strings.Cut(e.path, "/")
	if !inside && !e.isDirectory() {
		return looseFile
	}
	return fmt.Sprintf(treeFile, top)
}

// mergeTopLevels sorts the entries of the parts by path.
func mergeTopLevels(files vfs.Files) (vfs.Files, error) {
	parts, err := readDocument(files.Match([]string{fmt.Sprintf(treeFile, "*"), looseFile}))
	if err != nil {
		return nil, err
	}
	entries := parts.entries()
	slices.SortStableFunc(entries, byPath)
	return withNotes(entries, files)
}

// reportFile has a table of each file name extension.
const reportFile = "by_extension.md"

const tableHead = "| line | mode | bytes | KiB | path |\n| ---: | --- | ---: | ---: | --- |\n"

// reported is an entry with the number of its line.
type reported struct {
	line  int
	entry entry
}

// toReport orders the tables, and the rows of each, by size, the largest
// first.
func toReport(files vfs.Files) (vfs.Files, error) {
	l, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	sections := map[string][]reported{}
	for n := range l {
		if e := l[n].entry; e != nil {
			title := e.extension()
			sections[title] = append(sections[title], reported{n + 1, *e})
		}
	}
	totals := map[string]uint64{}
	for title, rows := range sections {
		for _, r := range rows {
			totals[title] += r.entry.bytes()
		}
	}
	titles := slices.SortedFunc(maps.Keys(sections), func(a, b string) int {
		return cmp.Or(cmp.Compare(totals[b], totals[a]), cmp.Compare(a, b))
	})
	var b strings.Builder
	for n, title := range titles {
		if n > 0 {
			b.WriteByte('\n')
		}
		writeSection(&b, title, sections[title], totals[title])
	}
	return vfs.Files{reportFile: b.String(), notesFile: l.notes()}, nil
}

func writeSection(b *strings.Builder, title string, rows []reported, total uint64) {
	slices.SortStableFunc(rows, func(a, b reported) int {
		return cmp.Compare(b.entry.bytes(), a.entry.bytes())
	})
	fmt.Fprintf(b, "## %s (%d entries, %d bytes)\n\n%s", title, len(rows), total, tableHead)
	for _, r := range rows {
		e := &r.entry
		fmt.Fprintf(b, "| %d | %s | %s | %s | %s |\n", r.line, e.mode, e.size, e.kibibytes(), escapePipes.Replace(e.path))
	}
}

var (
	escapePipes   = strings.NewReplacer("|", `\|`)
	unescapePipes = strings.NewReplacer(`\|`, "|")
)

// extension is what the last dot of the name begins, in lower case.
func (e *entry) extension() string {
	if e.isDirectory() {
		return "directories"
	}
	name := e.path[strings.LastIndex(e.path, "/")+1:]
	if ext := path.Ext(name); ext != name && ext != "" {
		return strings.ToLower(ext)
	}
	return "no extension"
}

// kibibytes is the size to one decimal, half up.
func (e *entry) kibibytes() string {
	if e.normalSize() == "-" {
		return "-"
	}
	tenths := math.Floor(float64(e.bytes())*10/1024 + 0.5)
	return strconv.FormatFloat(tenths/10, 'f', 1, 64)
}

// fromReport puts the entries of all tables in the order of their lines.
func fromReport(files vfs.Files) (vfs.Files, error) {
	text, err := plain.File(files, reportFile)
	if err != nil {
		return nil, err
	}
	var rows []reported
	for _, text := range plain.Lines(text) {
		if row, ok := readRow(text); ok {
			rows = append(rows, row)
		}
	}
	slices.SortStableFunc(rows, func(a, b reported) int { return cmp.Compare(a.line, b.line) })
	entries := make([]entry, len(rows))
	for n := range rows {
		entries[n] = rows[n].entry
	}
	return withNotes(entries, files)
}

func readRow(text string) (reported, bool) {
	cells := strings.SplitN(strings.TrimSuffix(pytext.Strip(text), "|"), "|", 6)
	if len(cells) < 6 {
		return reported{}, false
	}
	for n := range cells {
		cells[n] = pytext.Strip(cells[n])
	}
	number, err := strconv.Atoi(cells[1])
	return reported{number, entry{cells[2], cells[3], unescapePipes.Replace(cells[5])}}, err == nil
}
