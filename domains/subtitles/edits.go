package subtitles

import (
	"fmt"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// document is the file that the edits begin and end with.
const document = "lighthouse_tender.srt"

func edits() []domains.Edit {
	return []domains.Edit{
		{Name: "playback_speed", Forward: speedUp, Backward: slowDown},
		{Name: "minimum_display", Forward: extendShort, Backward: shortenExtended},
		{Name: "sounds_apart", Forward: splitSounds, Backward: mergeSounds},
		{Name: "joined_runs", Forward: joinRuns, Backward: expandRuns},
		{Name: "reels", Forward: cutReels, Backward: joinReels},
		{Name: "spotting_list", Forward: toSpotting, Backward: fromSpotting},
		{Name: "webvtt", Forward: toWebVTT, Backward: fromWebVTT},
		{Name: "transcript", Forward: toTranscript, Backward: fromTranscript},
		{Name: "reading_speed", Forward: toReadingSpeed, Backward: fromReadingSpeed},
	}
}

// cuesOf reads a file that must have cues.
func cuesOf(files vfs.Files, name string) ([]cue, error) {
	text, err := plain.File(files, name)
	if err != nil {
		return nil, err
	}
	cues := read(text).cues
	if len(cues) == 0 {
		return nil, fmt.Errorf("%s: no cues found", name)
	}
	return cues, nil
}

// byCue files rows under the cue number in their first cell, the first row of a
// number counting.
func byCue(rows [][]string) map[int][]string {
	filed := make(map[int][]string, len(rows))
	for _, row := range rows {
		number, ok := wholeNumber(row[0])
		if _, twice := filed[number]; ok && !twice {
			filed[number] = row[1:]
		}
	}
	return filed
}

// wholeNumber reads a cell with a number that is not negative.
func wholeNumber(cell string) (int, bool) {
	n, err := strconv.Atoi(strings.TrimSpace(cell))
	return n, err == nil && n >= 0
}

// parseClock reads a cell with a time.
func parseClock(cell string) (clock, bool) {
	cell = strings.TrimSpace(cell)
	c, end := scanTime(cell, 0)
	return c, end == len(cell) && c < endOfClock
}

// finished is the document made of the cues that were found in source.
func finished(cues []cue, source string) (vfs.Files, error) {
	if len(cues) == 0 {
		return nil, fmt.Errorf("%s: no cues found", source)
	}
	return vfs.Files{document: printCues(cues)}, nil
}

// numbered numbers cues from 1.
func numbered(cues []cue) []cue {
	for i := range cues {
		cues[i].number = i + 1
	}
	return cues
}

// scale is c × numerator / denominator, rounded half up.
func (c clock) scale(numerator, denominator clock) clock {
	return (2*c*numerator + denominator) / (2 * denominator)
}
