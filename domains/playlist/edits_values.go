package playlist

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

const (
	clockFile = "clock.xspf"
	startRel  = "start"
)

// clock writes milliseconds as minutes, seconds and thousandths.
func clock(ms int) string { return fmt.Sprintf("%02d:%02d.%03d", ms/60_000, ms/1000%60, ms%1000) }

var clockTime = regexp.MustCompile(`^(\d{2,6}):([0-5]\d)\.(\d{3})$`)

// fromClock reads what clock writes.
func fromClock(text string) (ms int, ok bool) {
	found := clockTime.FindStringSubmatch(text)
	if found == nil {
		return 0, false
	}
	minutes, _ := strconv.Atoi(found[1])
	seconds, _ := strconv.Atoi(found[2])
	thousandths, _ := strconv.Atoi(found[3])
	return (minutes*60+seconds)*1000 + thousandths, true
}

// toClockTimes writes durations as clock times, and when each track starts.
func toClockTimes(files vfs.Files) (vfs.Files, error) {
	p, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	if err := refuseMeta(p.tracks(), startRel); err != nil {
		return nil, err
	}
	start := 0
	for n, track := range p.tracks() {
		addMeta(track, startRel, fmt.Sprintf("%d:%s", start/3_600_000, clock(start%3_600_000)))
		if _, is := fromClock(content(track.Child("duration"))); is {
			return nil, fmt.Errorf("track %d has a duration in clock time already", n+1)
		}
		if ms, ok := duration(track); ok {
			track.Child("duration").SetContent(clock(ms))
			start += ms
		}
	}
	return vfs.Files{clockFile: p.print()}, nil
}

func fromClockTimes(files vfs.Files) (vfs.Files, error) {
	p, err := readNamed(files, clockFile)
	if err != nil {
		return nil, err
	}
	for _, track := range p.tracks() {
		removeMetas(track, startRel)
		if ms, ok := fromClock(content(track.Child("duration"))); ok {
			track.Child("duration").SetContent(strconv.Itoa(ms))
		}
	}
	return asDocument(p), nil
}

// hasTextAlone reports whether an element holds some text and nothing else.
func hasTextAlone(n *xml.Node) bool {
	return content(n) != "" && !slices.ContainsFunc(n.Children, func(c *xml.Node) bool { return c.Kind != xml.Text })
}

const (
	codedFile  = "coded.xspf"
	labelsFile = "labels.json"
	labelRel   = "label"
)

// labels returns the label elements of all tracks.
func (p *playlist) labels() []*xml.Node {
	var all []*xml.Node
	for _, track := range p.tracks() {
		all = append(all, metas(track, labelRel)...)
	}
	return slices.DeleteFunc(all, func(n *xml.Node) bool { return !hasTextAlone(n) })
}

// toCodes writes a code for every label, numbered by how often it occurs.
func toCodes(files vfs.Files) (vfs.Files, error) {
	p, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	times := map[string]int{}
	var names []string
	for _, label := range p.labels() {
		name := content(label)
		if times[name]++; times[name] == 1 {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(times[b], times[a]), cmp.Compare(a, b))
	})
	codes, table := map[string]string{}, map[string]string{}
	for n, name := range names {
		code := fmt.Sprintf("L%02d", n+1)
		codes[name], table[code] = code, name
	}
	for _, label := range p.labels() {
		label.SetContent(codes[content(label)])
	}
	text, err := printJSON(table)
	return vfs.Files{codedFile: p.print(), labelsFile: text}, err
}

func fromCodes(files vfs.Files) (vfs.Files, error) {
	p, err := readNamed(files, codedFile)
	if err != nil {
		return nil, err
	}
	var table map[string]string
	if err := plain.JSON(files, labelsFile, &table); err != nil {
		return nil, err
	}
	for _, label := range p.labels() {
		if name, known := table[content(label)]; known {
			label.SetContent(name)
		}
	}
	return asDocument(p), nil
}

func printJSON(value any) (string, error) {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(value); err != nil {
		return "", fmt.Errorf("writing JSON: %w", err)
	}
	return b.String(), nil
}

const (
	numberedFile = "numbered.xspf"
	notesFile    = "notes.md"
	noteHeading  = "## "
)

// notes returns the annotations of all tracks that are but text.
func (p *playlist) notes() []*xml.Node {
	var all []*xml.Node
	for _, track := range p.tracks() {
		all = append(all, track.All("annotation")...)
	}
	return slices.DeleteFunc(all, func(n *xml.Node) bool { return !hasTextAlone(n) })
}

func placeholder(number string) string { return "[note " + number + "]" }

// toNotes moves the annotations to a file of their own.
func toNotes(files vfs.Files) (vfs.Files, error) {
	p, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	lines := []string{"# Notes"}
	for n, note := range p.notes() {
		number := strconv.Itoa(n + 1)
		text := strings.Split(content(note), "\n")
		if slices.ContainsFunc(text, func(line string) bool { return strings.HasPrefix(line, noteHeading) }) {
			return nil, fmt.Errorf("annotation %d has a line that reads as a heading", n+1)
		}
		lines = append(lines, "", noteHeading+number, "")
		lines = append(lines, text...)
		note.SetContent(placeholder(number))
	}
	return vfs.Files{numberedFile: p.print(), notesFile: plain.Text(lines)}, nil
}

func fromNotes(files vfs.Files) (vfs.Files, error) {
	p, err := readNamed(files, numberedFile)
	if err != nil {
		return nil, err
	}
	text, err := plain.File(files, notesFile)
	if err != nil {
		return nil, err
	}
	texts := map[string]string{}
	for section := range strings.SplitSeq("\n"+plain.Text(plain.Lines(text)), "\n"+noteHeading) {
		number, note, _ := strings.Cut(section, "\n")
		texts[placeholder(strings.TrimSpace(number))] = strings.TrimSpace(note)
	}
	for _, note := range p.notes() {
		if text, known := texts[content(note)]; known {
			note.SetContent(text)
		}
	}
	return asDocument(p), nil
}
