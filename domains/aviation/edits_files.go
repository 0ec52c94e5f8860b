package aviation

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	frameFile = "frame.txt"
	indexFile = "index.csv"
)

// splitAerodromes makes a file of the notices of each location, the earliest
// first. All other lines stay in the frame.
func splitAerodromes(files vfs.Files) (vfs.Files, error) {
	all, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	taken, rest := takeOut(all, allNotices)
	of := map[string][]placed{}
	for _, p := range taken {
		name := aerodromeFile(&p.entry)
		of[name] = append(of[name], p)
	}
	out := vfs.Files{frameFile: printed(rest), indexFile: placesTable(taken)}
	for name, notices := range of {
		slices.SortStableFunc(notices, func(a, b placed) int { return cmp.Compare(a.word(itemB), b.word(itemB)) })
		out[name] = apart(notices)
	}
	return out, nil
}

// aerodromeFile is named after the first location of a notice.
func aerodromeFile(e *entry) string {
	location := e.word(itemA)
	if location == "" || strings.TrimFunc(location, isWord) != "" {
		location = "OTHER"
	}
	return strings.ToUpper(location) + ".txt"
}

func mergeAerodromes(files vfs.Files) (vfs.Files, error) {
	frame, err := readNamed(files, frameFile)
	if err != nil {
		return nil, err
	}
	of, err := readPlaces(files, indexFile)
	if err != nil {
		return nil, err
	}
	var taken []placed
	for _, name := range files.Match([]string{"*.txt"}).Names() {
		if name != frameFile {
			taken = append(taken, of.take(readEntries(files[name]))...)
		}
	}
	return asDocument(putIn(taken, frame)), nil
}

const (
	triageFile = "triage.txt"
	notesFile  = "notes.txt"
	orderFile  = "order.csv"
)

// severities from the gravest.
var severities = []string{"CRITICAL", "CAUTION", "INFO"}

// sortBySeverity groups the notices by what they mean to a flight.
func sortBySeverity(files vfs.Files) (vfs.Files, error) {
	all, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	taken, rest := takeOut(all, allNotices)
	groups := map[string][]placed{}
	for _, p := range taken {
		groups[p.severity()] = append(groups[p.severity()], p)
	}
	var blocks []string
	var order []placed
	for _, severity := range severities {
		if group := groups[severity]; len(group) > 0 {
			blocks = append(blocks, fmt.Sprintf("## %s (%d)\n\n%s", severity, len(group), apart(group)))
			order = append(order, group...)
		}
	}
	return vfs.Files{
		triageFile: strings.Join(blocks, "\n"),
		notesFile:  printed(rest),
		orderFile:  placesTable(order),
	}, nil
}

// severity is by the subject and the condition in the code of the Q line.
func (e *entry) severity() string {
	_, rest, _ := strings.Cut(normal(e.value(itemQ)), "/")
	code, _, _ := strings.Cut(rest, "/")
	const length = len("QMRLC")
	if len(code) != length || e.notice.kind == "NOTAMC" {
		return "INFO"
	}
	subject, condition := code[1:3], code[3:]
	switch {
	case condition == "CA",
		condition == "LC" && (subject == "FA" || subject == "MR"),
		condition == "LW" && subject[0] == 'W':
		return "CRITICAL"
	case slices.Contains([]string{"LC", "LW", "LT", "AS", "AU", "CE", "HW"}, condition):
		return "CAUTION"
	}
	return "INFO"
}

var severityHeading = regexp.MustCompile(`^## (?:CRITICAL|CAUTION|INFO) \([0-9]+\)\s*$`)

func dropSeverity(files vfs.Files) (vfs.Files, error) {
	all, err := readNamed(files, triageFile)
	if err != nil {
		return nil, err
	}
	notes, err := readNamed(files, notesFile)
	if err != nil {
		return nil, err
	}
	of, err := readPlaces(files, orderFile)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(e entry) bool { return severityHeading.MatchString(e.lines[0]) })
	return asDocument(putIn(of.take(all), notes)), nil
}

const (
	activeFile   = "active.txt"
	inactiveFile = "inactive.txt"
	removedFile  = "removed.csv"
)

// The window in which notices are active, in UTC.
const (
	windowBegin = "2506140400"
	windowEnd   = "2506142200"
)

var errRunsOn = errors.New("without the NOTAMs that are not in force, lines after them run on from others")

// setAside moves the notices that are not in force during the window to a file
// of their own, and says of each why.
func setAside(files vfs.Files) (vfs.Files, error) {
	all, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	removed, active := takeOut(all, func(e *entry) bool { return e.inactive() != "" })
	if inked(readEntries(printed(active))) != inked(active) {
		return nil, errRunsOn
	}
	table := [][]string{append(slices.Clone(placeColumns), "reason")}
	for _, p := range removed {
		table = append(table, []string{strconv.Itoa(p.line), p.notice.id, p.inactive()})
	}
	return vfs.Files{activeFile: printed(active), inactiveFile: apart(removed), removedFile: plain.WriteCSV(table)}, nil
}

// inked is the number of entries that are not blank.
func inked(entries []entry) int {
	n := 0
	for i := range entries {
		if entries[i].kind != blankEntry {
			n++
		}
	}
	return n
}

var tenDigits = regexp.MustCompile(`^[0-9]{10}$`)

// inactive is why a notice is not in force during the window, empty if it is. One
// whose end is estimated is in force until it is cancelled.
func (e *entry) inactive() string {
	from, to := e.word(itemB), strings.TrimSpace(e.value(itemC))
	switch {
	case tenDigits.MatchString(from) && from > windowEnd:
		return "FUTURE"
	case tenDigits.MatchString(to) && to < windowBegin:
		return "EXPIRED"
	}
	return ""
}

func putBack(files vfs.Files) (vfs.Files, error) {
	active, err := readNamed(files, activeFile)
	if err != nil {
		return nil, err
	}
	inactive, err := readNamed(files, inactiveFile)
	if err != nil {
		return nil, err
	}
	of, err := readPlaces(files, removedFile)
	if err != nil {
		return nil, err
	}
	return asDocument(putIn(of.take(inactive), active)), nil
}
