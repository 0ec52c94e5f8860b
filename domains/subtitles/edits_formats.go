package subtitles

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// A spotting list in frames at 25 frames a second.
const (
	spottingFile = "spotting.csv"
	framesPerSec = 25
	frame        = second / framesPerSec
)

func toSpotting(files vfs.Files) (vfs.Files, error) {
	cues, err := cuesOf(files, document)
	if err != nil {
		return nil, err
	}
	rows := [][]string{{"cue", "in", "in_ms", "out", "out_ms", "text"}}
	for _, c := range cues {
		in, inLeft := timecode(c.start)
		out, outLeft := timecode(c.end)
		rows = append(rows, []string{strconv.Itoa(c.number), in, inLeft, out, outLeft, oneLine(c.text)})
	}
	return vfs.Files{spottingFile: plain.WriteCSV(rows)}, nil
}

// timecode is a time as HH:MM:SS:FF and the milliseconds that are left over.
func timecode(c clock) (code, left string) {
	code = fmt.Sprintf("%02d:%02d:%02d:%02d", c/hour, c/minute%60, c/second%60, c%second/frame)
	return code, strconv.Itoa(int(c % frame))
}

// parseTimecode reads what timecode writes; scanTime takes the frames for
// milliseconds.
func parseTimecode(code, left string) (clock, bool) {
	c, ok := parseClock(code)
	milliseconds, leftOK := wholeNumber(left)
	frames := c % second
	return c + frames*(frame-1) + clock(milliseconds), ok && leftOK && frames < framesPerSec && milliseconds < int(second)
}

// fromSpotting leaves out rows of which the times cannot be read.
func fromSpotting(files vfs.Files) (vfs.Files, error) {
	rows, err := plain.Table(files, spottingFile, "cue", "in", "in_ms", "out", "out_ms", "text")
	if err != nil {
		return nil, err
	}
	var cues []cue
	for _, row := range rows {
		start, startOK := parseTimecode(row[1], row[2])
		end, endOK := parseTimecode(row[3], row[4])
		if startOK && endOK {
			cues = append(cues, cueOf(row[0], start, end, row[5]))
		}
	}
	return finished(cues, spottingFile)
}

// cueOf makes a cue of cells. The tables have no column for what may stand
// after a cue's times.
func cueOf(number string, start, end clock, text string) cue {
	n, _ := wholeNumber(number)
	return cue{number: n, start: start, end: end, text: severalLines(text)}
}

// WebVTT.
const vttFile = "lighthouse_tender.vtt"

var (
	speaker = regexp.MustCompile(`^(- ?)?(\p{Lu}[\p{Lu}\d .'-]*): (\S.*)$`)
	voice   = regexp.MustCompile(`^(- ?)?<v (\p{Lu}[\p{Lu}\d .'-]*)>(\S.*)$`)
)

func toWebVTT(files vfs.Files) (vfs.Files, error) {
	cues, err := cuesOf(files, document)
	if err != nil {
		return nil, err
	}
	eachLine(cues, func(line string) string { return speaker.ReplaceAllString(line, "$1<v $2>$3") })
	blocks := []string{"WEBVTT\n"}
	for _, c := range cues {
		blocks = append(blocks, c.print("."))
	}
	return vfs.Files{vttFile: strings.Join(blocks, "\n")}, nil
}

func fromWebVTT(files vfs.Files) (vfs.Files, error) {
	cues, err := cuesOf(files, vttFile)
	if err != nil {
		return nil, err
	}
	eachLine(cues, func(line string) string { return voice.ReplaceAllString(line, "$1$2: $3") })
	return finished(cues, vttFile)
}

func eachLine(cues []cue, change func(string) string) {
	for _, c := range cues {
		for i := range c.text {
			c.text[i] = change(c.text[i])
		}
	}
}

// A transcript with a heading for each minute.
const transcriptFile = "transcript.md"

func toTranscript(files vfs.Files) (vfs.Files, error) {
	cues, err := cuesOf(files, document)
	if err != nil {
		return nil, err
	}
	var lines []string
	headed := clock(-1)
	for _, c := range cues {
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
	return vfs.Files{transcriptFile: plain.Text(lines)}, nil
}

func fromTranscript(files vfs.Files) (vfs.Files, error) {
	text, err := plain.File(files, transcriptFile)
	if err != nil {
		return nil, err
	}
	var cues []cue
	for _, line := range plain.Lines(text) {
		inside, found := strings.CutPrefix(strings.TrimSpace(line), "[")
		inside, spoken, shut := strings.Cut(inside, "]")
		number, times, _ := strings.Cut(inside, " ")
		c, ok := readTimeLine(times)
		if !found || !shut || !ok {
			continue
		}
		c.number, _ = wholeNumber(number)
		c.text = severalLines(strings.TrimPrefix(spoken, " "))
		cues = append(cues, c)
	}
	return finished(cues, transcriptFile)
}

// A list by reading speed.
const speedFile = "by_speed.csv"

func toReadingSpeed(files vfs.Files) (vfs.Files, error) {
	cues, err := cuesOf(files, document)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(cues, func(a, b cue) int { return cmp.Compare(b.tenthsPerSecond(), a.tenthsPerSecond()) })
	rows := [][]string{{"cue", "start", "end", "cps", "text"}}
	for _, c := range cues {
		tenths := c.tenthsPerSecond()
		rows = append(rows, []string{
			strconv.Itoa(c.number), c.start.String(), c.end.String(),
			fmt.Sprintf("%d.%d", tenths/10, tenths%10), oneLine(c.text),
		})
	}
	return vfs.Files{speedFile: plain.WriteCSV(rows)}, nil
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

// fromReadingSpeed leaves out rows of which the times cannot be read.
func fromReadingSpeed(files vfs.Files) (vfs.Files, error) {
	rows, err := plain.Table(files, speedFile, "cue", "start", "end", "text")
	if err != nil {
		return nil, err
	}
	var cues []cue
	for _, row := range rows {
		start, startOK := parseClock(row[1])
		end, endOK := parseClock(row[2])
		if startOK && endOK {
			cues = append(cues, cueOf(row[0], start, end, row[3]))
		}
	}
	slices.SortStableFunc(cues, func(a, b cue) int { return cmp.Compare(a.number, b.number) })
	return finished(cues, speedFile)
}
