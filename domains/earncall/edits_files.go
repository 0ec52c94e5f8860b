package earncall

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// inJSON makes an array with an object for each section.
func inJSON(p struct{ Document, To string }) exact.Steps {
	forward := func(c call) ([]part, error) {
		for i := range c.parts { // what is empty is written as a list, too
			p := &c.parts[i]
			p.Lines, p.Turns = append([]string{}, p.Lines...), append([]turn{}, p.Turns...)
		}
		c.eachTurn(func(t *turn) { t.Lines = append([]string{}, t.Lines...) })
		return c.parts, nil
	}
	return exact.JSON(&calls, p.Document, p.To, forward, func(parts []part) (call, error) {
		return call{parts: parts}, nil
	})
}

// splitBySpeaker makes a file of each speaker's turns. On the way back a turn that the table
// does not have gets the number of the one before it in its file.
func splitBySpeaker(p struct {
	Document     string
	Begins       string // names of files: the speaker and .txt follow
	Frame, Table string
}) exact.Steps {
	forward := func(c call) (vfs.Files, error) {
		said := map[string][]turn{}
		flow := [][]string{{"turn", "speaker", "file", "position"}}
		for _, t := range c.numbered() {
			name := p.Begins + exact.FileName(t.Speaker, ".txt", ".txt")
			said[name] = append(said[name], t.turn)
			if other := said[name][0].Speaker; other != t.Speaker {
				return nil, fmt.Errorf("%s and %s would both be in %s", other, t.Speaker, name)
			}
			flow = append(flow, []string{strconv.Itoa(t.number), t.Speaker, name, strconv.Itoa(len(said[name]))})
		}
		made := vfs.Files{p.Table: plain.WriteCSV(flow), p.Frame: c.frame()}
		for name, turns := range said {
			made[name] = printed(turns...)
		}
		return made, nil
	}
	return calls.Whole(p.Document, forward, func(files vfs.Files) (none call, err error) {
		rows, err := plain.Table(files, p.Table, "file", "position", "turn")
		if err != nil {
			return none, err
		}
		frame, err := plain.File(files, p.Frame)
		numbers := map[exact.Place]int{}
		for _, row := range rows {
			numbers[exact.Place{File: strings.TrimSpace(row[0]), Number: plain.LineNumber(row[1])}] = plain.LineNumber(row[2])
		}
		var turns []numberedTurn
		for _, name := range files.Match([]string{p.Begins + "*.txt"}).Names() {
			c := read(files[name])
			number := 0
			for i, t := range c.turns() {
				if known := numbers[exact.Place{File: name, Number: i + 1}]; known > 0 {
					number = known
				}
				turns = append(turns, numberedTurn{t, number})
			}
		}
		return fill(frame, turns), err
	})
}

// sortByLength makes a table of the turns, the longest first.
func sortByLength(p struct{ Document, Table, Frame string }) exact.Steps {
	forward := func(c call) (vfs.Files, error) {
		turns := c.numbered()
		slices.SortStableFunc(turns, func(a, b numberedTurn) int { return b.words() - a.words() })
		rows := [][]string{{"turn", "speaker", "words", "text"}}
		for _, t := range turns {
			rows = append(rows, []string{strconv.Itoa(t.number), t.Speaker, strconv.Itoa(t.words()), plain.OneLine(t.Lines)})
		}
		return vfs.Files{p.Table: plain.WriteCSV(rows), p.Frame: c.frame()}, nil
	}
	return calls.Whole(p.Document, forward, func(files vfs.Files) (none call, err error) {
		rows, err := plain.Table(files, p.Table, "turn", "speaker", "text")
		if err != nil {
			return none, err
		}
		frame, err := plain.File(files, p.Frame)
		return fill(frame, lists.Map(rows, func(row []string) numberedTurn {
			said := turn{strings.TrimSpace(row[1]), plain.SeveralLines(row[2])}
			return numberedTurn{said, plain.LineNumber(row[0])}
		})), err
	})
}

func (t *turn) byOperator() bool { return strings.EqualFold(t.Speaker, "Operator") }

const exchangesLine = "[exchanges]"

var exchangeMark = regexp.MustCompile(`^--- exchange ([0-9]{1,9}) ---$`)

// splitByTopic files the exchanges of the first part of questions by the first topic of which
// others than the operator say a word. An exchange begins with each turn of the operator.
func splitByTopic(p struct {
	Document string
	Begins   string // names of files: a topic and .txt follow
	Topics   []struct {
		Name  string
		Words []string
	}
	Others string // the topic of other exchanges
	Rest   string
}) exact.Steps {
	topicOf := func(exchange []turn) string {
		said := ""
		for _, t := range exchange {
			if !t.byOperator() {
				said += strings.ToLower(strings.Join(t.Lines, " ")) + "\n"
			}
		}
		for _, topic := range p.Topics {
			if slices.ContainsFunc(topic.Words, func(word string) bool { return strings.Contains(said, word) }) {
				return topic.Name
			}
		}
		return p.Others
	}
	forward := func(c call) (vfs.Files, error) {
		var exchanges [][]turn
		if at := slices.IndexFunc(c.parts, func(p part) bool { return isQuestions(p.Heading) }); at >= 0 {
			p := &c.parts[at]
			for _, t := range p.Turns {
				if len(exchanges) == 0 || t.byOperator() {
					exchanges = append(exchanges, nil)
				}
				last := &exchanges[len(exchanges)-1]
				*last = append(*last, t)
			}
			p.Lines, p.Turns = append(p.Lines, exchangesLine), nil
		}
		made := vfs.Files{p.Rest: c.print()}
		for i, exchange := range exchanges {
			name := p.Begins + topicOf(exchange) + ".txt"
			if made[name] != "" {
				made[name] += "\n"
			}
			made[name] += fmt.Sprintf("--- exchange %d ---\n\n%s", i+1, printed(exchange...))
		}
		return made, nil
	}
	return calls.Whole(p.Document, forward, func(files vfs.Files) (none call, err error) {
		rest, err := plain.File(files, p.Rest)
		return withExchanges(rest, files.Match([]string{p.Begins + "*.txt"})), err
	})
}

// withExchanges puts exchanges, in the order of their numbers, in their place in the rest.
func withExchanges(rest string, files vfs.Files) call {
	exchanges := map[int][]string{}
	for _, name := range files.Names() {
		number := 0
		for _, line := range plain.Lines(files[name]) {
			if m := exchangeMark.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
				number, _ = strconv.Atoi(m[1])
				continue
			}
			exchanges[number] = append(exchanges[number], line)
		}
	}
	var said []string
	for _, number := range slices.Sorted(maps.Keys(exchanges)) {
		said = append(said, exchanges[number]...)
	}
	lines := plain.Lines(rest)
	if at := slices.Index(lines, exchangesLine); at >= 0 {
		return readBy(slices.Replace(lines, at, at+1, said...), colonLabel)
	}
	return readBy(append(lines, said...), colonLabel)
}

// cutByWords fills each file with as many turns as fit; one that is longer stands alone. Headings and
// lines stand before the turn that they precede. On the way back a file without a heading at
// its beginning goes on with the part before.
func cutByWords(p struct {
	Document string
	Begins   string // names of files: a number and .txt follow
	Words    int    // that fit into a file
}) exact.Steps {
	forward := func(c call) (vfs.Files, error) {
		pieces, words := []call{{}}, 0
		var waiting []part // without a turn yet
		for _, section := range c.parts {
			waiting = append(waiting, part{Heading: section.Heading, Lines: section.Lines})
			for _, t := range section.Turns {
				if words > 0 && words+t.words() > p.Words {
					pieces, words = append(pieces, call{}), 0
				}
				piece := &pieces[len(pieces)-1]
				piece.parts = append(piece.parts, waiting...)
				waiting = nil
				last := piece.last()
				last.Turns = append(last.Turns, t)
				words += t.words()
			}
		}
		last := &pieces[len(pieces)-1]
		last.parts = append(last.parts, waiting...)
		made := vfs.Files{}
		for i := range pieces {
			made[fmt.Sprintf("%s%d.txt", p.Begins, i+1)] = pieces[i].print()
		}
		return made, nil
	}
	return calls.Whole(p.Document, forward, func(files vfs.Files) (call, error) {
		var all strings.Builder
		for _, name := range exact.Numbered(files, p.Begins, ".txt") {
			all.WriteString(files[name] + "\n")
		}
		return read(all.String()), nil
	})
}
