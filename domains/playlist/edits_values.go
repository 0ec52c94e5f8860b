package playlist

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/xml"
	"agentd/vfs"
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

// clockTimes writes durations as clock times, and in a meta element when each track starts.
func clockTimes(p struct{ Document, To, Start string }) exact.Steps {
	change := func(d *playlist) (vfs.Files, error) {
		if err := refuseMeta(d.items, p.Start); err != nil {
			return nil, err
		}
		start := 0
		for n, track := range d.items {
			addSimple(track.Node, "meta "+p.Start, fmt.Sprintf("%d:%s", start/3_600_000, clock(start%3_600_000)))
			if _, is := fromClock(content(track.Child("duration"))); is {
				return nil, fmt.Errorf("track %d has a duration in clock time already", n+1)
			}
			if ms, ok := duration(track.Node); ok {
				track.Child("duration").SetContent(clock(ms))
				start += ms
			}
		}
		return nil, nil
	}
	return playlists.Rewrite(p.Document, p.To, change, func(d *playlist, _ vfs.Files) error {
		for _, track := range d.items {
			removeMetas(track.Node, p.Start)
			if ms, ok := fromClock(content(track.Child("duration"))); ok {
				track.Child("duration").SetContent(strconv.Itoa(ms))
			}
		}
		return nil
	})
}

// texts returns elements of all tracks that are but text.
func (p *playlist) texts(of func(track *xml.Node) []*xml.Node) []*xml.Node {
	var all []*xml.Node
	for _, track := range p.items {
		all = append(all, of(track.Node)...)
	}
	return slices.DeleteFunc(all, func(n *xml.Node) bool { return content(n) == "" || n.HasMarkup() })
}

// codeMeta writes a code for the values of a meta element, numbered by how often they occur.
func codeMeta(p struct{ Document, To, Meta, First, List string }) exact.Steps {
	values := func(track *xml.Node) []*xml.Node { return metas(track, p.Meta) }
	change := func(d *playlist) (vfs.Files, error) {
		times := map[string]int{}
		var names []string
		for _, meta := range d.texts(values) {
			name := content(meta)
			if times[name]++; times[name] == 1 {
				names = append(names, name)
			}
		}
		slices.SortFunc(names, func(a, b string) int {
			return cmp.Or(cmp.Compare(times[b], times[a]), cmp.Compare(a, b))
		})
		codes := exact.Codes{New: exact.Counting(p.First)}
		for _, name := range names {
			codes.Of(name)
		}
		for _, meta := range d.texts(values) {
			meta.SetContent(codes.Of(content(meta)))
		}
		return vfs.Files{p.List: codes.JSON()}, nil
	}
	return playlists.Rewrite(p.Document, p.To, change, func(d *playlist, files vfs.Files) error {
		names, err := exact.ReadCodes(files, p.List)
		for _, meta := range d.texts(values) {
			if name, known := names[content(meta)]; known {
				meta.SetContent(name)
			}
		}
		return err
	})
}

const noteHeading = "## "

// notesApart moves the annotations of tracks to a file of their own. A word and a number in
// brackets take their place.
func notesApart(p struct{ Document, To, Word, Notes, Title string }) exact.Steps {
	placeholder := func(number string) string { return "[" + p.Word + " " + number + "]" }
	annotations := func(track *xml.Node) []*xml.Node { return track.All("annotation") }
	change := func(d *playlist) (vfs.Files, error) {
		lines := []string{"# " + p.Title}
		for n, note := range d.texts(annotations) {
			number := strconv.Itoa(n + 1)
			text := strings.Split(content(note), "\n")
			if slices.ContainsFunc(text, func(line string) bool { return strings.HasPrefix(line, noteHeading) }) {
				return nil, fmt.Errorf("annotation %d has a line that reads as a heading", n+1)
			}
			lines = append(lines, "", noteHeading+number, "")
			lines = append(lines, text...)
			note.SetContent(placeholder(number))
		}
		return vfs.Files{p.Notes: plain.Text(lines)}, nil
	}
	return playlists.Rewrite(p.Document, p.To, change, func(d *playlist, files vfs.Files) error {
		text, err := plain.File(files, p.Notes)
		texts := map[string]string{}
		for section := range strings.SplitSeq("\n"+plain.Text(plain.Lines(text)), "\n"+noteHeading) {
			number, note, _ := strings.Cut(section, "\n")
			texts[placeholder(strings.TrimSpace(number))] = strings.TrimSpace(note)
		}
		for _, note := range d.texts(annotations) {
			if text, known := texts[content(note)]; known {
				note.SetContent(text)
			}
		}
		return err
	})
}
