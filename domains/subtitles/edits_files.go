package subtitles

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// Sounds and music apart from speech.
const (
	soundsFile = "sounds.srt"
	speechFile = "speech.srt"
	mapFile    = "cue_map.csv"
)

func splitSounds(files vfs.Files) (vfs.Files, error) {
	cues, err := cuesOf(files, document)
	if err != nil {
		return nil, err
	}
	parts := map[string][]cue{}
	places := [][]string{{"cue", "file", "number"}}
	for _, c := range cues {
		file := speechFile
		if onlySound(c.text) {
			file = soundsFile
		}
		number := strconv.Itoa(c.number)
		c.number = len(parts[file]) + 1
		parts[file] = append(parts[file], c)
		places = append(places, []string{number, file, strconv.Itoa(c.number)})
	}
	return vfs.Files{
		soundsFile: printCues(parts[soundsFile]),
		speechFile: printCues(parts[speechFile]),
		mapFile:    plain.WriteCSV(places),
	}, nil
}

var tag = regexp.MustCompile(`<[^<>]*>|\{[^{}]*\}`)

// onlySound reports whether all of a text, tags aside, stands in square
// brackets or between ♪ signs.
func onlySound(text []string) bool {
	rest := pytext.Strip(tag.ReplaceAllString(strings.Join(text, " "), ""))
	if rest == "" {
		return false
	}
	for rest != "" {
		open, shut := "[", "]"
		if strings.HasPrefix(rest, "♪") {
			open, shut = "♪", "♪"
		}
		inside, found := strings.CutPrefix(rest, open)
		if !found {
			return false
		}
		if _, rest, found = strings.Cut(inside, shut); !found {
			return false
		}
		rest = pytext.StripLeft(rest)
	}
	return true
}

// place is where a cue stands after the split.
type place struct {
	file   string
	number int
}

// mergeSounds puts the cues in the order of the map; one that it does not have
// stays after the cue before it.
func mergeSounds(files vfs.Files) (vfs.Files, error) {
	rows, err := plain.Table(files, mapFile, "file", "number", "cue")
	if err != nil {
		return nil, err
	}
	numbers := map[place]int{}
	for _, row := range rows {
		there, thereOK := wholeNumber(row[1])
		number, numberOK := wholeNumber(row[2])
		if thereOK && numberOK {
			numbers[place{strings.TrimSpace(row[0]), there}] = number
		}
	}
	var merged []cue
	for _, file := range []string{speechFile, soundsFile} {
		number := 0
		for _, c := range read(files[file]).cues {
			if known, ok := numbers[place{file, c.number}]; ok {
				number = known
			}
			c.number = number
			merged = append(merged, c)
		}
	}
	slices.SortStableFunc(merged, func(a, b cue) int { return a.number - b.number })
	return finished(merged, speechFile+", "+soundsFile)
}

// Runs of cues with the same text in one.
const (
	joinedFile = "joined.srt"
	runsFile   = "runs.json"
)

// run says which times a joined cue was made of.
type run struct {
	Cue   int         `json:"cue"`
	Times [][2]string `json:"times"`
}

func joinRuns(files vfs.Files) (vfs.Files, error) {
	cues, err := cuesOf(files, document)
	if err != nil {
		return nil, err
	}
	joined, runs := []cue{}, []run{}
	for len(cues) > 0 {
		c := cues[0]
		c.number = len(joined) + 1
		same := run{Cue: c.number}
		for len(cues) > 0 && slices.Equal(cues[0].text, c.text) && cues[0].remark == c.remark {
			c.end = cues[0].end
			same.Times = append(same.Times, [2]string{cues[0].start.String(), c.end.String()})
			cues = cues[1:]
		}
		joined = append(joined, c)
		if len(same.Times) > 1 {
			runs = append(runs, same)
		}
	}
	list, err := json.MarshalIndent(runs, "", "  ")
	if err != nil {
		return nil, err
	}
	return vfs.Files{joinedFile: printCues(joined), runsFile: string(list) + "\n"}, nil
}

func expandRuns(files vfs.Files) (vfs.Files, error) {
	joined, err := cuesOf(files, joinedFile)
	if err != nil {
		return nil, err
	}
	list, err := plain.File(files, runsFile)
	if err != nil {
		return nil, err
	}
	var runs []run
	if err := json.Unmarshal([]byte(list), &runs); err != nil {
		return nil, fmt.Errorf("reading %s: %w", runsFile, err)
	}
	times := map[int][][2]string{}
	for _, r := range runs {
		times[r.Cue] = r.Times
	}
	var cues []cue
	for _, c := range joined {
		if len(times[c.number]) == 0 {
			cues = append(cues, c)
			continue
		}
		for _, span := range times[c.number] {
			single := c
			start, startOK := parseClock(span[0])
			end, endOK := parseClock(span[1])
			if startOK && endOK {
				single.start, single.end = start, end
			}
			cues = append(cues, single)
		}
	}
	return finished(numbered(cues), joinedFile)
}

// Reels of ten minutes.
const (
	reelsFile  = "reels.csv"
	reelLength = 10 * minute
)

func reelFile(reel clock) string { return fmt.Sprintf("reel_%d.srt", reel) }

func reelStart(reel clock) clock { return (reel - 1) * reelLength }

func cutReels(files vfs.Files) (vfs.Files, error) {
	cues, err := cuesOf(files, document)
	if err != nil {
		return nil, err
	}
	reels := map[clock][]cue{}
	for _, c := range cues {
		reel := c.start/reelLength + 1
		c.number = len(reels[reel]) + 1
		c.start -= reelStart(reel)
		c.end = max(c.end-reelStart(reel), 0)
		reels[reel] = append(reels[reel], c)
	}
	cut := vfs.Files{}
	offsets := [][]string{{"reel", "offset"}}
	for _, reel := range slices.Sorted(maps.Keys(reels)) {
		cut[reelFile(reel)] = printCues(reels[reel])
		offsets = append(offsets, []string{strconv.Itoa(int(reel)), reelStart(reel).String()})
	}
	cut[reelsFile] = plain.WriteCSV(offsets)
	return cut, nil
}

var reelName = regexp.MustCompile(`^reel_([0-9]{1,12})\.srt$`)

// joinReels shifts each reel by its offset; without one a reel has its usual
// ten minutes.
func joinReels(files vfs.Files) (vfs.Files, error) {
	rows, err := plain.Table(files, reelsFile, "reel", "offset")
	if err != nil {
		return nil, err
	}
	offsets := byCue(rows)
	var reels []int
	for name := range files {
		if m := reelName.FindStringSubmatch(name); m != nil {
			reel, _ := strconv.Atoi(m[1])
			reels = append(reels, reel)
		}
	}
	slices.Sort(reels)
	var cues []cue
	for _, reel := range reels {
		offset := reelStart(clock(reel))
		if row, ok := offsets[reel]; ok {
			if known, ok := parseClock(row[0]); ok {
				offset = known
			}
		}
		for _, c := range read(files[reelFile(clock(reel))]).cues {
			c.start += offset
			c.end += offset
			cues = append(cues, c)
		}
	}
	return finished(numbered(cues), "reel_<n>.srt")
}
