package subtitles

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// table says how a CSV file of cues is made. Each row has a cue's number and text, and between
// them the cells that write makes, in columns of these names.
type table struct {
	columns []string
	write   func(*cue) []string
	times   func(cells []string) (start, end clock, ok bool)
	// by sorts the rows. They are sorted by number on the way back. nil leaves cues in order.
	by func(a, b cue) int
}

// edit makes a table of cues. Rows of which the times cannot be read are left out.
func (f *table) edit(document, name string) exact.Steps {
	columns := slices.Concat([]string{"cue"}, f.columns, []string{"text"})
	forward := func(t track) (vfs.Files, error) {
		if f.by != nil {
			slices.SortStableFunc(t.cues, f.by)
		}
		rows := [][]string{columns}
		for i := range t.cues {
			c := &t.cues[i]
			rows = append(rows, slices.Concat([]string{strconv.Itoa(c.number)}, f.write(c), []string{oneLine(c.text)}))
		}
		return vfs.Files{name: plain.WriteCSV(rows)}, nil
	}
	return captionFiles.Whole(document, forward, func(files vfs.Files) (t track, err error) {
		rows, err := plain.Table(files, name, columns...)
		for _, row := range rows {
			last := len(row) - 1
			if start, end, ok := f.times(row[1:last]); ok {
				number, _ := wholeNumber(row[0])
				t.cues = append(t.cues, cue{number: number, start: start, end: end, text: plain.SeveralLines(row[last])})
			}
		}
		if f.by != nil {
			t.sort()
		}
		return t, err
	})
}

// spottingList makes a table with the times in frames.
func spottingList(p struct {
	Document string
	Frames   clock // a second
	Table    string
}) exact.Steps {
	if p.Frames < 1 || p.Frames > second {
		return exact.Refuse("frames must be from 1 to 1000")
	}
	milliseconds := func(frames clock) clock { return (frames*second + p.Frames - 1) / p.Frames }
	timecode := func(c clock) (code, left string) {
		frames := c % second * p.Frames / second
		code = fmt.Sprintf("%02d:%02d:%02d:%02d", c/hour, c/minute%60, c/second%60, frames)
		return code, strconv.Itoa(int(c%second - milliseconds(frames)))
	}
	parse := func(code, left string) (clock, bool) {
		c, ok := parseClock(code) // which takes frames for milliseconds
		rest, leftOK := wholeNumber(left)
		frames := c % second
		return c - frames + milliseconds(frames) + clock(rest), ok && leftOK && frames < p.Frames && rest < int(second)
	}
	list := table{
		columns: []string{"in", "in_ms", "out", "out_ms"},
		write: func(c *cue) []string {
			in, inLeft := timecode(c.start)
			out, outLeft := timecode(c.end)
			return []string{in, inLeft, out, outLeft}
		},
		times: func(cells []string) (start, end clock, ok bool) {
			start, startOK := parse(cells[0], cells[1])
			end, endOK := parse(cells[2], cells[3])
			return start, end, startOK && endOK
		},
	}
	return list.edit(p.Document, p.Table)
}

// sortBySpeed makes a table by reading speed.
func sortBySpeed(p struct{ Document, Table string }) exact.Steps {
	list := table{
		columns: []string{"start", "end", "cps"},
		write: func(c *cue) []string {
			tenths := c.tenthsPerSecond()
			return []string{c.start.String(), c.end.String(), fmt.Sprintf("%d.%d", tenths/10, tenths%10)}
		},
		times: func(cells []string) (start, end clock, ok bool) {
			start, startOK := parseClock(cells[0])
			end, endOK := parseClock(cells[1])
			return start, end, startOK && endOK
		},
		by: func(a, b cue) int { return cmp.Compare(b.tenthsPerSecond(), a.tenthsPerSecond()) },
	}
	return list.edit(p.Document, p.Table)
}

// tenthsPerSecond is the reading speed in tenths of a character a second,
// rounded half up; 0 for a cue that is not shown. Tags and line ends are not
// read.
func (c *cue) tenthsPerSecond() int {
	shown := int(c.end - c.start)
	if shown <= 0 {
		return 0
	}
	characters := 0
	for _, line := range c.text {
		characters += utf8.RuneCountInString(tag.ReplaceAllString(line, ""))
	}
	const tenths = 10 * int(second)
	return (2*tenths*characters + shown) / (2 * shown)
}

var (
	speaker = regexp.MustCompile(`^(- ?)?(\p{Lu}[\p{Lu}\d .'-]*): (\S.*)$`)
	voice   = regexp.MustCompile(`^(- ?)?<v (\p{Lu}[\p{Lu}\d .'-]*)>(\S.*)$`)
)

// inWebVTT makes a WebVTT file, with voices for the labels of speakers.
func inWebVTT(p struct{ Document, To string }) exact.Steps {
	forward := func(t track) (vfs.Files, error) {
		t.eachLine(func(line string) string { return speaker.ReplaceAllString(line, "$1<v $2>$3") })
		blocks := []string{"WEBVTT\n"}
		for _, c := range t.cues {
			blocks = append(blocks, c.print("."))
		}
		return vfs.Files{p.To: strings.Join(blocks, "\n")}, nil
	}
	return captionFiles.Whole(p.Document, forward, func(files vfs.Files) (track, error) {
		t, err := captionFiles.Named(files, p.To)
		t.eachLine(func(line string) string { return voice.ReplaceAllString(line, "$1$2: $3") })
		return t, err
	})
}

// transcript makes a text with a heading for each minute.
func transcript(p struct{ Document, To string }) exact.Steps {
	forward := func(t track) (vfs.Files, error) {
		var lines []string
		headed := clock(-1)
		for _, c := range t.cues {
			if now := c.start / minute; now != headed {
				if headed >= 0 {
					lines = append(lines, "")
				}
				lines = append(lines, fmt.Sprintf("## %02d min", now), "")
				headed = now
			}
			line := fmt.Sprintf("[%d %s] %s", c.number, c.timeLine(","), oneLine(c.text))
			lines = append(lines, strings.TrimSuffix(line, " "))
		}
		return vfs.Files{p.To: plain.Text(lines)}, nil
	}
	return captionFiles.Whole(p.Document, forward, func(files vfs.Files) (t track, err error) {
		text, err := plain.File(files, p.To)
		for _, line := range plain.Lines(text) {
			inside, found := strings.CutPrefix(strings.TrimSpace(line), "[")
			inside, spoken, shut := strings.Cut(inside, "]")
			number, times, _ := strings.Cut(inside, " ")
			if c, ok := readTimeLine(times); found && shut && ok {
				c.number, _ = wholeNumber(number)
				c.text = plain.SeveralLines(strings.TrimPrefix(spoken, " "))
				t.cues = append(t.cues, c)
			}
		}
		return t, err
	})
}
