package aviation

import (
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// bulletins says how bulletins, which are lists of entries, are taken apart and put together.
var bulletins = exact.Format[[]entry, entry]{
	Patterns: []string{"*.txt"},
	Read:     readEntries,
	Print:    printed,
	Parts:    func(entries *[]entry) *[]entry { return entries },
	Empty:    errNoNotam,
	Counts:   func(e *entry) bool { return e.kind == noticeEntry },
	Says:     contents,
}

func edits() []domains.Edit {
	return []domains.Edit{
		domains.Taking("split_by_location", splitByLocation),
		domains.Taking("group_by_code", groupByCode),
		domains.Taking("split_by_window", splitByWindow),
		domains.Taking("shift_times", shiftTimes),
		domains.Taking("metres", inMetres),
		domains.Taking("take_q_lines", takeQLines),
		domains.Taking("decode_codes", decodeCodes),
		domains.Taking("list_positions", listPositions),
	}
}

// contents is what a bulletin says, blank lines aside.
func contents(all []entry) string {
	return printed(slices.DeleteFunc(slices.Clone(all), func(e entry) bool { return e.kind == blankEntry }))
}

// rewrite replaces, line by line, what the items of a notice say.
func (e *entry) rewrite(change func(name itemName, text string) string) {
	line, shift := 0, 0 // by how much what follows on a line has moved
	for _, at := range e.items() {
		for n := at.first; n <= at.last; n++ {
			if n != line {
				line, shift = n, 0
			}
			from, to := 0, len(e.lines[n])
			if n == at.first {
				from = at.start + shift
			}
			if n == at.last {
				to = at.end + shift
			}
			was := e.lines[n][from:to]
			is := change(at.name, was)
			shift += len(is) - len(was)
			e.lines[n] = e.lines[n][:from] + is + e.lines[n][to:]
		}
	}
}

// rewriteAll rewrites the notices of a bulletin.
func rewriteAll(all []entry, change func(e *entry, name itemName, text string) string) {
	for i := range all {
		e := &all[i]
		e.rewrite(func(name itemName, text string) string { return change(e, name, text) })
	}
}

// replaceTrimmed replaces what stands between outer blanks.
func replaceTrimmed(text, by string) string {
	bare := strings.TrimSpace(text)
	before, after, _ := strings.Cut(text, bare)
	return before + by + after
}

// placed is an entry with the line on which it begins in the bulletin, 0 if
// nothing says it.
type placed struct {
	line int
	entry
}

// takeOut divides a bulletin into the notices that are taken and the rest.
func takeOut(all []entry, takes func(*entry) bool) (taken []placed, rest []entry) {
	line := 1
	for n := range all {
		if all[n].kind == noticeEntry && takes(&all[n]) {
			taken = append(taken, placed{line, all[n]})
		} else {
			rest = append(rest, all[n])
		}
		line += len(all[n].lines)
	}
	return taken, rest
}

func allNotices(*entry) bool { return true }

// placesTable has a row for each notice, and more cells of each after its place.
func placesTable(taken []placed, cells func(*entry) []string, columns ...string) string {
	table := [][]string{append([]string{"line", "notam"}, columns...)}
	for _, p := range taken {
		table = append(table, append([]string{strconv.Itoa(p.line), p.notice.id}, cells(&p.entry)...))
	}
	return plain.WriteCSV(table)
}

func noCells(*entry) []string { return nil }

// putIn is the reverse of takeOut: it puts notices, and foreign text among them, into the file
// of the rest, on the lines of the table. Entries without a line come last.
func putIn(entries []entry, files vfs.Files, rest, table string) ([]entry, error) {
	others, err := bulletins.Named(files, rest)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, table, "line", "notam")
	if err != nil {
		return nil, err
	}
	places := plain.NotesBy(rows, func(row []string) string { return normal(row[1]) })
	var taken []placed
	for _, e := range entries {
		if e.kind == textEntry {
			taken = append(taken, placed{0, e})
		} else if e.kind == noticeEntry {
			row := append(places.Take(e.notice.id), "")
			taken = append(taken, placed{plain.LineNumber(row[0]), e})
		}
	}
	place := func(p placed) (int, entry) { return p.line, p.entry }
	return plain.PutIn(taken, others, place, func(e entry) int { return len(e.lines) }), nil
}

// apart prints notices with an empty line between them.
func apart(notices []placed) string {
	return strings.Join(lists.Map(notices, func(p placed) string { return plain.Text(p.lines) }), "\n")
}
