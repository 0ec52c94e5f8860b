package aviation

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// bulletinFile is the file that every backward step leaves.
const bulletinFile = "bulletin.txt"

func edits() []domains.Edit {
	return []domains.Edit{
		{Name: "aerodrome_files", Forward: splitAerodromes, Backward: mergeAerodromes},
		{Name: "triage", Forward: sortBySeverity, Backward: dropSeverity},
		{Name: "active_window", Forward: setAside, Backward: putBack},
		{Name: "local_times", Forward: toLocal, Backward: toUniversal},
		{Name: "metric_limits", Forward: toMetres, Backward: toFeet},
		{Name: "q_lines", Forward: explodeQLines, Backward: writeQLines},
		{Name: "decoded_codes", Forward: decodeCodes, Backward: encodeCodes},
		{Name: "positions", Forward: listPositions, Backward: insertPositions},
	}
}

// readDocument reads the bulletin that a forward step is given.
func readDocument(files vfs.Files) ([]entry, error) {
	var all []entry
	for _, name := range files.Match([]string{"*.txt"}).Names() {
		all = append(all, readEntries(files[name])...)
	}
	if !slices.ContainsFunc(all, func(e entry) bool { return e.kind == noticeEntry }) {
		return nil, errNoNotam
	}
	return all, nil
}

// readNamed reads the file that a backward step needs.
func readNamed(files vfs.Files, name string) ([]entry, error) {
	text, err := plain.File(files, name)
	if err != nil {
		return nil, err
	}
	return readEntries(text), nil
}

func asDocument(entries []entry) vfs.Files { return vfs.Files{bulletinFile: printed(entries)} }

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

// refuseMarks is an error if an item of the bulletin already holds what a forward
// step would leave there, so that a backward step could not tell them apart.
func refuseMarks(all []entry, isMark func(name itemName, text string) bool) error {
	for i := range all {
		for _, at := range all[i].items() {
			if isMark(at.name, at.text(all[i].lines)) {
				return fmt.Errorf("%s already has what the edit would leave", all[i].notice.id)
			}
		}
	}
	return nil
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

// putIn is the reverse of takeOut. Entries without a line come last.
func putIn(taken []placed, rest []entry) []entry {
	return plain.PutIn(taken, rest, func(p placed) (int, entry) { return p.line, p.entry }, func(e entry) int { return len(e.lines) })
}

var placeColumns = []string{"line", "notam"}

// placesTable has a row for each notice.
func placesTable(taken []placed) string {
	table := [][]string{placeColumns}
	for _, p := range taken {
		table = append(table, []string{strconv.Itoa(p.line), p.notice.id})
	}
	return plain.WriteCSV(table)
}

// places are the lines on which notices begin, by identifier.
type places map[string][]int

func readPlaces(files vfs.Files, name string) (places, error) {
	rows, err := plain.Table(files, name, placeColumns...)
	if err != nil {
		return nil, err
	}
	of := places{}
	for _, row := range rows {
		line, _ := strconv.Atoi(strings.TrimSpace(row[0]))
		id := normal(row[1])
		of[id] = append(of[id], max(line, 0))
	}
	return of, nil
}

// take gives the notices and the foreign text of a file their places.
func (p places) take(entries []entry) []placed {
	var taken []placed
	for _, e := range entries {
		line := 0
		switch e.kind {
		case noticeEntry:
			if lines := p[e.notice.id]; len(lines) > 0 {
				line, p[e.notice.id] = lines[0], lines[1:]
			}
		case textEntry:
		default:
			continue
		}
		taken = append(taken, placed{line, e})
	}
	return taken
}

// apart prints notices with an empty line between them.
func apart(notices []placed) string {
	texts := make([]string, len(notices))
	for i, p := range notices {
		texts[i] = plain.Text(p.lines)
	}
	return strings.Join(texts, "\n")
}
