package recipe

import (
	"fmt"
	"regexp"
	"strconv"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// A card for each component.
const frameFile = "frame.txt"

func cardFile(n int) string { return fmt.Sprintf("card_%d.txt", n) }

// card is the records under headings of one text.
type card struct {
	title  string
	parts  map[label][]line
	number int
}

func toCards(lines []line) (vfs.Files, error) {
	var cards []*card
	bySection := map[string]*card{}
	var frame []line
	for _, l := range lines {
		if !l.counts() {
			frame = append(frame, l)
			continue
		}
		c := bySection[l.section]
		if c == nil {
			c = &card{title: l.section, parts: map[label][]line{}, number: len(cards) + 1}
			bySection[l.section] = c
			cards = append(cards, c)
		}
		number := ordinal(strconv.Itoa(len(c.parts[l.label]) + 1))
		c.parts[l.label] = append(c.parts[l.label], record(l.label, number, l.text))
		frame = append(frame, line{raw: fmt.Sprintf("[%s %s: %s, %s]", l.label, l.number, cardFile(c.number), number)})
	}
	files := vfs.Files{frameFile: write(frame)}
	for _, c := range cards {
		var on []line
		if c.title != "" {
			on = append(on, line{raw: "# " + c.title})
		}
		on = append(append(on, c.parts[ingredient]...), c.parts[step]...)
		files[cardFile(c.number)] = spaced(on)
	}
	return files, nil
}

var onCard = regexp.MustCompile(`^\[(Ingredient|Step) ([0-9]+): (card_[0-9]+\.txt), ([0-9]+)\]$`)

// fromCards leaves out what the cards do not have any more.
func fromCards(files vfs.Files) ([]line, error) {
	frame, err := linesOf(files, frameFile)
	if err != nil {
		return nil, err
	}
	cards := map[string]map[id]string{}
	var lines []line
	for _, l := range frame {
		m := onCard.FindStringSubmatch(pytext.Strip(l.raw))
		if m == nil {
			lines = append(lines, l)
			continue
		}
		file := m[3]
		if cards[file] == nil {
			cards[file] = textsOf(read(files[file]))
		}
		if text, ok := cards[file][id{label(m[1]), ordinalOf(m[4])}]; ok {
			lines = append(lines, record(label(m[1]), ordinalOf(m[2]), text))
		}
	}
	return lines, nil
}

// textsOf are the texts of records, the first of a number counting.
func textsOf(lines []line) map[id]string {
	texts := map[id]string{}
	for i := range lines {
		l := &lines[i]
		if _, twice := texts[l.id()]; l.label != "" && !twice {
			texts[l.id()] = l.text
		}
	}
	return texts
}

// Steps by station.
const (
	restFile     = "rest.txt"
	timelineFile = "timeline.csv"
	bench        = "bench"
)

var stations = []class{
	{"oven", []string{"oven", "bake", "roast"}},
	{"cold", []string{"chill", "fridge"}},
	{"stove", []string{"simmer", "boil", "pan", "fry"}},
}

func stationFile(station string) string { return "station_" + station + ".txt" }

func toStations(lines []line) (vfs.Files, error) {
	rest, steps := takeOut(lines, func(l *line) bool { return l.label == step })
	at := map[string][]line{}
	timeline := [][]string{{"step", "station", "number"}}
	for _, l := range steps {
		station := classified(l.text, stations, bench)
		number := strconv.Itoa(len(at[station]) + 1)
		at[station] = append(at[station], record(step, ordinal(number), l.text))
		timeline = append(timeline, []string{string(l.number), station, number})
	}
	files := vfs.Files{restFile: write(rest), timelineFile: plain.WriteCSV(timeline)}
	for station, lines := range at {
		files[stationFile(station)] = spaced(lines)
	}
	return files, nil
}

func fromStations(files vfs.Files) ([]line, error) {
	rest, err := linesOf(files, restFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, timelineFile, "step", "station", "number")
	if err != nil {
		return nil, err
	}
	at := map[string]map[id]string{}
	steps := map[id]string{}
	for _, row := range rows {
		was, wasOK := wholeNumber(row[0])
		is, isOK := wholeNumber(row[2])
		file := stationFile(pytext.Strip(row[1]))
		if !wasOK || !isOK {
			continue
		}
		if at[file] == nil {
			at[file] = textsOf(read(files[file]))
		}
		if text, ok := at[file][id{step, is}]; ok {
			steps[id{step, was}] = text
		}
	}
	return putBack(rest, steps), nil
}
