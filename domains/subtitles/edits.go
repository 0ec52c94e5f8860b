package subtitles

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"agentd/domains"
	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// captionFiles says how captions are taken apart and put together.
var captionFiles = exact.Format[track, cue]{
	Patterns: []string{"*.srt"},
	Read:     read,
	Print:    func(t track) string { return printCues(t.cues) },
	Parts:    func(t *track) *[]cue { return &t.cues },
	Empty:    errors.New("no cues found"),
}

func edits() []domains.Edit {
	return []domains.Edit{
		domains.Taking("play_faster", playFaster),
		domains.Taking("extend_short", extendShort),
		domains.Taking("split_sounds", splitSounds),
		domains.Taking("join_runs", joinRuns),
		domains.Taking("cut_reels", cutReels),
		domains.Taking("spotting_list", spottingList),
		domains.Taking("webvtt", inWebVTT),
		domains.Taking("transcript", transcript),
		domains.Taking("sort_by_speed", sortBySpeed),
	}
}

// playFaster divides all times by a speed, and keeps them in a table. A cue that the table does
// not have is stretched on the way back.
func playFaster(p struct {
	Document, To string
	Speed        decimal.Decimal
	Table        string
}) exact.Steps {
	if !p.Speed.IsPositive() {
		return exact.Refuse("speed must be above zero")
	}
	change := func(t *track) (vfs.Files, error) {
		times := [][]string{{"cue", "start", "end"}}
		for i := range t.cues {
			c := &t.cues[i]
			times = append(times, []string{strconv.Itoa(c.number), c.start.String(), c.end.String()})
			c.eachTime(func(at clock) clock { return clock(decimal.NewFromInt(int64(at)).DivRound(p.Speed, 0).IntPart()) })
		}
		return vfs.Files{p.Table: plain.WriteCSV(times)}, nil
	}
	return captionFiles.Rewrite(p.Document, p.To, change, func(t *track, files vfs.Files) error {
		times, err := byCue(files, p.Table, "cue", "start", "end")
		for i := range t.cues {
			c := &t.cues[i]
			c.eachTime(func(at clock) clock { return clock(decimal.NewFromInt(int64(at)).Mul(p.Speed).Round(0).IntPart()) })
			if row, ok := times[c.number]; ok {
				c.start, c.end = clockOr(row[0], c.start), clockOr(row[1], c.end)
			}
		}
		return err
	})
}

// extendShort gives cues a minimum time on screen, as far as the next cue allows.
func extendShort(p struct {
	Document, To string
	Least, Gap   clock // in milliseconds; Gap is to the next cue
	Table        string
}) exact.Steps {
	change := func(t *track) (vfs.Files, error) {
		extended := [][]string{{"cue", "end"}}
		for i := range t.cues {
			c := &t.cues[i]
			end := c.start + p.Least
			if i+1 < len(t.cues) {
				end = min(end, t.cues[i+1].start-p.Gap)
			}
			if end > c.end {
				extended = append(extended, []string{strconv.Itoa(c.number), c.end.String()})
				c.end = end
			}
		}
		return vfs.Files{p.Table: plain.WriteCSV(extended)}, nil
	}
	return captionFiles.Rewrite(p.Document, p.To, change, func(t *track, files vfs.Files) error {
		ends, err := byCue(files, p.Table, "cue", "end")
		for i := range t.cues {
			if row, ok := ends[t.cues[i].number]; ok {
				t.cues[i].end = clockOr(row[0], t.cues[i].end)
			}
		}
		return err
	})
}

// splitSounds sets sounds and music apart from speech, each numbered from 1. On the way back a
// cue that the table does not have stays after the cue before it.
func splitSounds(p struct{ Document, Sounds, Speech, Table string }) exact.Steps {
	forward := func(t track) (vfs.Files, error) {
		counts := map[string]int{}
		places := [][]string{{"cue", "file", "number"}}
		made := captionFiles.Divide(t, p.Speech, func(c *cue) string {
			file := p.Speech
			if onlySound(c.text) {
				file = p.Sounds
			}
			counts[file]++
			places = append(places, []string{strconv.Itoa(c.number), file, strconv.Itoa(counts[file])})
			c.number = counts[file]
			return file
		})
		made[p.Sounds] += "" // there is a file also for no sounds
		made[p.Table] = plain.WriteCSV(places)
		return made, nil
	}
	return captionFiles.Whole(p.Document, forward, func(files vfs.Files) (merged track, err error) {
		rows, err := plain.Table(files, p.Table, "file", "number", "cue")
		numbers := map[exact.Place]int{}
		for _, row := range rows {
			there, thereOK := wholeNumber(row[1])
			if number, ok := wholeNumber(row[2]); ok && thereOK {
				numbers[exact.Place{File: strings.TrimSpace(row[0]), Number: there}] = number
			}
		}
		for _, file := range []string{p.Speech, p.Sounds} {
			number := 0
			for _, c := range read(files[file]).cues {
				if known, ok := numbers[exact.Place{File: file, Number: c.number}]; ok {
					number = known
				}
				c.number = number
				merged.cues = append(merged.cues, c)
			}
		}
		merged.sort()
		return merged, err
	})
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

// joinRuns makes one cue of neighbours with the same text, and keeps their times in a list.
func joinRuns(p struct{ Document, To, List string }) exact.Steps {
	type run struct {
		Cue   int         `json:"cue"`
		Times [][2]string `json:"times"`
	}
	change := func(t *track) ([]run, error) {
		cues, runs := t.cues, []run{}
		for t.cues = nil; len(cues) > 0; {
			c := cues[0]
			c.number = len(t.cues) + 1
			same := run{Cue: c.number}
			for len(cues) > 0 && slices.Equal(cues[0].text, c.text) && cues[0].remark == c.remark {
				c.end = cues[0].end
				same.Times = append(same.Times, [2]string{cues[0].start.String(), c.end.String()})
				cues = cues[1:]
			}
			t.cues = append(t.cues, c)
			if len(same.Times) > 1 {
				runs = append(runs, same)
			}
		}
		return runs, nil
	}
	return exact.Keeping(&captionFiles, p.Document, p.To, p.List, change, func(t *track, runs []run) error {
		times := map[int][][2]string{}
		for _, r := range runs {
			times[r.Cue] = r.Times
		}
		joined := t.cues
		t.cues = nil
		for _, c := range joined {
			spans := times[c.number]
			for n := range max(len(spans), 1) {
				single := c
				if n < len(spans) {
					start, startOK := parseClock(spans[n][0])
					end, endOK := parseClock(spans[n][1])
					if startOK && endOK {
						single.start, single.end = start, end
					}
				}
				t.cues = append(t.cues, single)
			}
		}
		t.number()
		return nil
	})
}

// cutReels makes a file of each reel, in which times begin at zero again. Without an offset in the table
// a reel begins where reels of their usual length would.
func cutReels(p struct {
	Document string
	Begins   string // names of files: a number and .srt follow
	Minutes  clock  // of a reel
	Table    string
}) exact.Steps {
	if p.Minutes < 1 {
		return exact.Refuse("minutes must be at least 1")
	}
	start := func(reel int) clock { return clock(reel-1) * p.Minutes * minute }
	forward := func(t track) (vfs.Files, error) {
		counts := map[int]int{}
		made := captionFiles.Divide(t, "", func(c *cue) string {
			reel := int(c.start/(p.Minutes*minute)) + 1
			counts[reel]++
			c.number = counts[reel]
			c.eachTime(func(at clock) clock { return max(at-start(reel), 0) })
			return p.Begins + strconv.Itoa(reel) + ".srt"
		})
		offsets := [][]string{{"reel", "offset"}}
		for _, reel := range slices.Sorted(maps.Keys(counts)) {
			offsets = append(offsets, []string{strconv.Itoa(reel), start(reel).String()})
		}
		made[p.Table] = plain.WriteCSV(offsets)
		return made, nil
	}
	return captionFiles.Whole(p.Document, forward, func(files vfs.Files) (joined track, err error) {
		offsets, err := byCue(files, p.Table, "reel", "offset")
		names := map[int]string{}
		for name := range files {
			number, found := strings.CutPrefix(strings.TrimSuffix(name, ".srt"), p.Begins)
			if reel, ok := wholeNumber(number); found && ok && name == fmt.Sprintf("%s%s.srt", p.Begins, number) {
				names[reel] = name
			}
		}
		for _, reel := range slices.Sorted(maps.Keys(names)) {
			offset := start(reel)
			if row, ok := offsets[reel]; ok {
				offset = clockOr(row[0], offset)
			}
			for _, c := range read(files[names[reel]]).cues {
				c.eachTime(func(at clock) clock { return at + offset })
				joined.cues = append(joined.cues, c)
			}
		}
		joined.number()
		return joined, err
	})
}
