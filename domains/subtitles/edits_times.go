package subtitles

import (
	"strconv"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// Playback at 1.25 times the speed.
const (
	fastFile  = "lighthouse_tender_fast.srt"
	timesFile = "source_times.csv"
)

func speedUp(files vfs.Files) (vfs.Files, error) {
	cues, err := cuesOf(files, document)
	if err != nil {
		return nil, err
	}
	times := [][]string{{"cue", "start", "end"}}
	for i := range cues {
		c := &cues[i]
		times = append(times, []string{strconv.Itoa(c.number), c.start.String(), c.end.String()})
		c.start, c.end = c.start.scale(4, 5), c.end.scale(4, 5)
	}
	return vfs.Files{fastFile: printCues(cues), timesFile: plain.WriteCSV(times)}, nil
}

// slowDown takes the times of the table; a cue that it does not have is
// stretched.
func slowDown(files vfs.Files) (vfs.Files, error) {
	cues, err := cuesOf(files, fastFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, timesFile, "cue", "start", "end")
	if err != nil {
		return nil, err
	}
	times := byCue(rows)
	for i := range cues {
		c := &cues[i]
		c.start, c.end = c.start.scale(5, 4), c.end.scale(5, 4)
		row, ok := times[c.number]
		if !ok {
			continue
		}
		if start, ok := parseClock(row[0]); ok {
			c.start = start
		}
		if end, ok := parseClock(row[1]); ok {
			c.end = end
		}
	}
	return finished(cues, fastFile)
}

// A minimum time on screen.
const (
	minimumFile  = "lighthouse_tender_min.srt"
	extendedFile = "extended.csv"

	minimum = 1500 // milliseconds on screen
	gap     = 40   // milliseconds to the next cue: one frame
)

func extendShort(files vfs.Files) (vfs.Files, error) {
	cues, err := cuesOf(files, document)
	if err != nil {
		return nil, err
	}
	extended := [][]string{{"cue", "end"}}
	for i := range cues {
		c := &cues[i]
		end := c.start + minimum
		if i+1 < len(cues) {
			end = min(end, cues[i+1].start-gap)
		}
		if end > c.end {
			extended = append(extended, []string{strconv.Itoa(c.number), c.end.String()})
			c.end = end
		}
	}
	return vfs.Files{minimumFile: printCues(cues), extendedFile: plain.WriteCSV(extended)}, nil
}

func shortenExtended(files vfs.Files) (vfs.Files, error) {
	cues, err := cuesOf(files, minimumFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, extendedFile, "cue", "end")
	if err != nil {
		return nil, err
	}
	ends := byCue(rows)
	for i := range cues {
		row, ok := ends[cues[i].number]
		if !ok {
			continue
		}
		if end, ok := parseClock(row[0]); ok {
			cues[i].end = end
		}
	}
	return finished(cues, minimumFile)
}
