package earncall

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// A file for each speaker.
const (
	flowFile  = "call_flow.csv"
	frameFile = "call_frame.txt"
)

// speakerFile is the file of a speaker's turns.
func speakerFile(speaker string) string {
	words := strings.FieldsFunc(strings.ToLower(speaker), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	return "turns_" + strings.Join(words, "_") + ".txt"
}

func splitSpeakers(files vfs.Files) (vfs.Files, error) {
	c, err := callOf(files, document)
	if err != nil {
		return nil, err
	}
	parts, speakers := map[string]*part{}, map[string]string{}
	flow := [][]string{{"turn", "speaker", "file", "position"}}
	for _, t := range c.numbered() {
		name := speakerFile(t.speaker)
		if speakers[name] == "" {
			speakers[name], parts[name] = t.speaker, &part{}
		}
		if speakers[name] != t.speaker {
			return nil, fmt.Errorf("%s and %s would both be in %s", speakers[name], t.speaker, name)
		}
		p := parts[name]
		p.turns = append(p.turns, t.turn)
		flow = append(flow, []string{strconv.Itoa(t.number), t.speaker, name, strconv.Itoa(len(p.turns))})
	}
	split := vfs.Files{flowFile: plain.WriteCSV(flow), frameFile: c.frame()}
	for name, p := range parts {
		split[name] = (&call{parts: []part{*p}}).print()
	}
	return split, nil
}

// mergeSpeakers gives a turn that the table does not have the number of the one
// before it in its file.
func mergeSpeakers(files vfs.Files) (vfs.Files, error) {
	rows, err := plain.Table(files, flowFile, "file", "position", "turn")
	if err != nil {
		return nil, err
	}
	frame, err := plain.File(files, frameFile)
	if err != nil {
		return nil, err
	}
	type place struct {
		file     string
		position int
	}
	numbers := map[place]int{}
	for _, row := range rows {
		position, positionOK := wholeNumber(row[1])
		number, numberOK := wholeNumber(row[2])
		if positionOK && numberOK {
			numbers[place{strings.TrimSpace(row[0]), position}] = number
		}
	}
	var turns []numberedTurn
	for _, name := range files.Names() {
		if !strings.HasPrefix(name, "turns_") {
			continue
		}
		c := read(files[name])
		number := 0
		for i, t := range c.turns() {
			if known, ok := numbers[place{name, i + 1}]; ok {
				number = known
			}
			turns = append(turns, numberedTurn{t, number})
		}
	}
	return finished(fill(frame, turns), "turns_*.txt")
}

// Questions by topic.
const remarksFile = "call_remarks.txt"

// topicWords are the words by which an exchange is about a topic; the first
// topic of which one occurs is the exchange's.
var topicWords = []struct {
	topic string
	words []string
}{
	{"regulation", []string{"retrofit", "tariff"}},
	{"maintenance", []string{"labor", "welder"}},
	{"capital", []string{"leverage", "insurance"}},
	{"lease_rates", []string{"lease rate"}},
	{"fleet", []string{"hopper", "tank car"}},
}

func topicFile(topic string) string { return "qa_" + topic + ".txt" }

func topicOf(exchange []turn) string {
	var said strings.Builder
	for _, t := range exchange {
		if !t.byOperator() {
			said.WriteString(strings.ToLower(strings.Join(t.lines, " ")) + "\n")
		}
	}
	for _, t := range topicWords {
		for _, word := range t.words {
			if strings.Contains(said.String(), word) {
				return t.topic
			}
		}
	}
	return "other"
}

func (t *turn) byOperator() bool { return strings.EqualFold(t.speaker, "Operator") }

const exchangesLine = "[exchanges]"

// splitTopics takes the exchanges out of the first part of questions. One begins
// with each turn of the operator.
func splitTopics(files vfs.Files) (vfs.Files, error) {
	c, err := callOf(files, document)
	if err != nil {
		return nil, err
	}
	var exchanges [][]turn
	if at := slices.IndexFunc(c.parts, func(p part) bool { return isQuestions(p.heading) }); at >= 0 {
		p := &c.parts[at]
		for _, t := range p.turns {
			if len(exchanges) == 0 || t.byOperator() {
				exchanges = append(exchanges, nil)
			}
			last := &exchanges[len(exchanges)-1]
			*last = append(*last, t)
		}
		p.lines, p.turns = append(p.lines, exchangesLine), nil
	}
	split := vfs.Files{remarksFile: c.print()}
	for i, exchange := range exchanges {
		name := topicFile(topicOf(exchange))
		if split[name] != "" {
			split[name] += "\n"
		}
		split[name] += fmt.Sprintf("--- exchange %d ---\n\n", i+1) + (&call{parts: []part{{turns: exchange}}}).print()
	}
	return split, nil
}

var exchangeMark = regexp.MustCompile(`^--- exchange ([0-9]{1,9}) ---$`)

func mergeTopics(files vfs.Files) (vfs.Files, error) {
	remarks, err := plain.File(files, remarksFile)
	if err != nil {
		return nil, err
	}
	type exchange struct {
		number int
		lines  []string
	}
	var exchanges []exchange
	for _, name := range files.Names() {
		if !strings.HasPrefix(name, "qa_") {
			continue
		}
		current := exchange{}
		for _, line := range plain.Lines(files[name]) {
			if m := exchangeMark.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
				exchanges = append(exchanges, current)
				current = exchange{}
				current.number, _ = strconv.Atoi(m[1])
				continue
			}
			current.lines = append(current.lines, line)
		}
		exchanges = append(exchanges, current)
	}
	slices.SortStableFunc(exchanges, func(a, b exchange) int { return cmp.Compare(a.number, b.number) })
	c := readBy(plain.Lines(remarks), colonLabel)
	for i := range c.parts {
		p := &c.parts[i]
		at := slices.Index(p.lines, exchangesLine)
		if at < 0 {
			continue
		}
		p.lines = slices.Delete(p.lines, at, at+1)
		for _, e := range exchanges {
			read := readBy(e.lines, colonLabel)
			p.turns = append(p.turns, read.turns()...)
		}
		break
	}
	return finished(c, remarksFile)
}

// Segments of at most five hundred words.
const segmentWords = 500

func segmentFile(n int) string { return fmt.Sprintf("segment_%d.txt", n) }

// cutSegments fills each segment with as many turns as fit; one that is longer
// stands alone. Headings and lines stand before the turn that they precede.
func cutSegments(files vfs.Files) (vfs.Files, error) {
	c, err := callOf(files, document)
	if err != nil {
		return nil, err
	}
	segments, words := []call{{}}, 0
	var waiting []part // without a turn yet
	for _, p := range c.parts {
		waiting = append(waiting, part{heading: p.heading, lines: p.lines})
		for _, t := range p.turns {
			if words > 0 && words+t.words() > segmentWords {
				segments, words = append(segments, call{}), 0
			}
			s := &segments[len(segments)-1]
			s.parts = append(s.parts, waiting...)
			waiting = nil
			last := s.last()
			last.turns = append(last.turns, t)
			words += t.words()
		}
	}
	last := &segments[len(segments)-1]
	last.parts = append(last.parts, waiting...)
	cut := vfs.Files{}
	for i := range segments {
		cut[segmentFile(i+1)] = segments[i].print()
	}
	return cut, nil
}

var segmentName = regexp.MustCompile(`^segment_([0-9]{1,9})\.txt$`)

// joinSegments goes on with the part before where a segment begins without a
// heading.
func joinSegments(files vfs.Files) (vfs.Files, error) {
	var numbers []int
	for name := range files {
		if m := segmentName.FindStringSubmatch(name); m != nil {
			n, _ := strconv.Atoi(m[1])
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	var joined call
	for _, n := range numbers {
		c := read(files[segmentFile(n)])
		for _, p := range c.parts {
			if p.heading != "" || len(joined.parts) == 0 {
				joined.parts = append(joined.parts, p)
				continue
			}
			last := joined.last()
			last.lines = append(last.lines, p.lines...)
			last.turns = append(last.turns, p.turns...)
		}
	}
	return finished(joined, "segment_<n>.txt")
}
