package earncall

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// Sections as JSON.
const jsonFile = "wapsie_call.json"

type jsonPart struct {
	Heading string     `json:"heading"`
	Lines   []string   `json:"lines"`
	Turns   []jsonTurn `json:"turns"`
}

type jsonTurn struct {
	Speaker    string   `json:"speaker"`
	Paragraphs []string `json:"paragraphs"`
}

func toJSON(files vfs.Files) (vfs.Files, error) {
	c, err := callOf(files, document)
	if err != nil {
		return nil, err
	}
	parts := make([]jsonPart, len(c.parts))
	for i, p := range c.parts {
		parts[i] = jsonPart{p.heading, append([]string{}, p.lines...), []jsonTurn{}}
		for _, t := range p.turns {
			parts[i].Turns = append(parts[i].Turns, jsonTurn{t.speaker, append([]string{}, t.lines...)})
		}
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(parts); err != nil {
		return nil, err
	}
	return vfs.Files{jsonFile: b.String()}, nil
}

func fromJSON(files vfs.Files) (vfs.Files, error) {
	var parts []jsonPart
	if err := plain.JSON(files, jsonFile, &parts); err != nil {
		return nil, err
	}
	var c call
	for _, p := range parts {
		section := part{heading: p.Heading, lines: p.Lines}
		for _, t := range p.Turns {
			section.turns = append(section.turns, turn{t.Speaker, t.Paragraphs})
		}
		c.parts = append(c.parts, section)
	}
	return finished(c, jsonFile)
}

// Roles in the place of speakers.
const (
	rolesFile = "wapsie_call_roles.txt"
	castFile  = "roles.csv"
)

func toRoles(files vfs.Files) (vfs.Files, error) {
	c, err := callOf(files, document)
	if err != nil {
		return nil, err
	}
	titles := c.titles()
	roles, holders := map[string]string{}, map[string]string{} // by speaker, and the other way
	cast := [][]string{{"role", "name"}}
	for i := range c.parts {
		turns := c.parts[i].turns
		for k := range turns {
			name := turns[k].speaker
			if _, known := roles[name]; !known {
				role := titles[name]
				if role != "" {
					cast = append(cast, []string{role, name})
				}
				role = cmp.Or(role, name)
				if other, taken := holders[role]; taken {
					return nil, fmt.Errorf("%s and %s would both be %q", other, name, role)
				}
				roles[name], holders[role] = role, name
			}
			turns[k].speaker = roles[name]
		}
	}
	return vfs.Files{rolesFile: c.print(), castFile: plain.WriteCSV(cast)}, nil
}

// titles are what lines outside of turns say of people, as in "Amy Roe - Chief
// Executive Officer", where it can be read as a speaker.
func (c *call) titles() map[string]string {
	titles := map[string]string{}
	for i := range c.parts {
		for _, line := range c.parts[i].lines {
			name, title, found := strings.Cut(line, " - ")
			title = pytext.Strip(title)
			if read, _, ok := colonLabel(title + ":"); found && ok && read == title {
				titles[pytext.Strip(name)] = title
			}
		}
	}
	return titles
}

func fromRoles(files vfs.Files) (vfs.Files, error) {
	c, err := callOf(files, rolesFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, castFile, "role", "name")
	if err != nil {
		return nil, err
	}
	names := map[string]string{}
	for _, row := range rows {
		names[strings.TrimSpace(row[0])] = strings.TrimSpace(row[1])
	}
	for i := range c.parts {
		for k := range c.parts[i].turns {
			t := &c.parts[i].turns[k]
			if name := names[t.speaker]; name != "" {
				t.speaker = name
			}
		}
	}
	return finished(c, rolesFile)
}

// Minutes with the time of each turn.
const (
	minutesFile = "wapsie_call.md"

	wordsPerMinute = 150
)

func toMinutes(files vfs.Files) (vfs.Files, error) {
	c, err := callOf(files, document)
	if err != nil {
		return nil, err
	}
	var blocks [][]string
	n, words := 0, 0
	for _, p := range c.parts {
		if p.heading != "" {
			blocks = append(blocks, []string{"## " + p.heading})
		}
		if len(p.lines) > 0 {
			blocks = append(blocks, p.lines)
		}
		for _, t := range p.turns {
			n++
			second := words * 60 / wordsPerMinute
			clock := fmt.Sprintf("%02d:%02d:%02d", second/3600, second/60%60, second%60)
			blocks = append(blocks, []string{fmt.Sprintf("### %d. %s [%s]", n, t.speaker, clock)})
			if len(t.lines) > 0 {
				blocks = append(blocks, t.lines)
			}
			words += t.words()
		}
	}
	texts := make([]string, len(blocks))
	for i, block := range blocks {
		texts[i] = plain.Text(block)
	}
	return vfs.Files{minutesFile: strings.Join(texts, "\n")}, nil
}

var minuteLine = regexp.MustCompile(`^### [0-9]+\. (.*?)(?: \[[0-9:]*\])?$`)

// fromMinutes reads "## " and "### " lines as headings and speakers, however the
// rest is divided by blank lines.
func fromMinutes(files vfs.Files) (vfs.Files, error) {
	text, err := plain.File(files, minutesFile)
	if err != nil {
		return nil, err
	}
	var c call
	for _, line := range plain.Lines(text) {
		line = pytext.Strip(line)
		if heading, ok := strings.CutPrefix(line, "## "); ok {
			c.parts = append(c.parts, part{heading: heading})
			continue
		}
		p := c.last()
		switch m := minuteLine.FindStringSubmatch(line); {
		case line == "":
		case m != nil:
			p.turns = append(p.turns, turn{speaker: m[1]})
		case len(p.turns) == 0:
			p.lines = append(p.lines, line)
		default:
			t := &p.turns[len(p.turns)-1]
			t.lines = append(t.lines, line)
		}
	}
	return finished(c, minutesFile)
}

// Turns by their length.
const (
	lengthsFile      = "turns_by_length.csv"
	lengthsFrameFile = "call_without_turns.txt"
)

func toLengths(files vfs.Files) (vfs.Files, error) {
	c, err := callOf(files, document)
	if err != nil {
		return nil, err
	}
	turns := c.numbered()
	slices.SortStableFunc(turns, func(a, b numberedTurn) int { return cmp.Compare(b.words(), a.words()) })
	rows := [][]string{{"turn", "speaker", "words", "text"}}
	for _, t := range turns {
		rows = append(rows, []string{strconv.Itoa(t.number), t.speaker, strconv.Itoa(t.words()), oneLine(t.lines)})
	}
	return vfs.Files{lengthsFile: plain.WriteCSV(rows), lengthsFrameFile: c.frame()}, nil
}

func fromLengths(files vfs.Files) (vfs.Files, error) {
	rows, err := plain.Table(files, lengthsFile, "turn", "speaker", "text")
	if err != nil {
		return nil, err
	}
	frame, err := plain.File(files, lengthsFrameFile)
	if err != nil {
		return nil, err
	}
	var turns []numberedTurn
	for _, row := range rows {
		if n, ok := wholeNumber(row[0]); ok {
			turns = append(turns, numberedTurn{turn{strings.TrimSpace(row[1]), severalLines(row[2])}, n})
		}
	}
	return finished(fill(frame, turns), lengthsFile)
}
