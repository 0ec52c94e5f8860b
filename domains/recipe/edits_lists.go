package recipe

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// splitByHeading makes a file of the ingredients and steps under each heading. On the way back
// what the files do not have any more is left out.
func splitByHeading(p struct {
	Document string
	Begins   string // names of files: a number and .txt follow
	Frame    string // the file for all else
}) exact.Steps {
	type card struct {
		title  string
		parts  map[label][]line
		number int
	}
	file := func(number int) string { return fmt.Sprintf("%s%d.txt", p.Begins, number) }
	forward := func(lines []line) (vfs.Files, error) {
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
			frame = append(frame, line{raw: fmt.Sprintf("[%s %s: %s, %s]", l.label, l.number, file(c.number), number)})
		}
		made := vfs.Files{p.Frame: write(frame)}
		for _, c := range cards {
			var on []line
			if c.title != "" {
				on = append(on, line{raw: "# " + c.title})
			}
			made[file(c.number)] = spaced(slices.Concat(on, c.parts[ingredient], c.parts[step]))
		}
		return made, nil
	}
	place := regexp.MustCompile(`^\[(Ingredient|Step) ([0-9]+): (` + regexp.QuoteMeta(p.Begins) + `[0-9]+\.txt), ([0-9]+)\]$`)
	return recipes.Whole(p.Document, forward, func(files vfs.Files) (lines []line, err error) {
		frame, err := recipes.Named(files, p.Frame)
		texts := fileTexts(files)
		for _, l := range frame {
			if m := place.FindStringSubmatch(pytext.Strip(l.raw)); m != nil {
				text, ok := texts(m[3])[id{label(m[1]), ordinalOf(m[4])}]
				if !ok {
					continue
				}
				l = record(label(m[1]), ordinalOf(m[2]), text)
			}
			lines = append(lines, l)
		}
		return lines, err
	})
}

// splitSteps makes files of the steps in which words of some classes occur.
func splitSteps(p struct {
	Document    string
	Begins      string // names of files: a class and .txt follow
	Stations    classes
	Others      string // the class of other steps
	Rest, Table string
}) exact.Steps {
	file := func(station string) string { return p.Begins + station + ".txt" }
	forward := func(lines []line) (vfs.Files, error) {
		rest, steps := takeOut(lines, func(l *line) bool { return l.label == step })
		at := map[string][]line{}
		timeline := [][]string{{"step", "station", "number"}}
		for _, l := range steps {
			station := p.Stations.name(p.Stations.of(l.text), p.Others)
			number := strconv.Itoa(len(at[station]) + 1)
			at[station] = append(at[station], record(step, ordinal(number), l.text))
			timeline = append(timeline, []string{string(l.number), station, number})
		}
		made := vfs.Files{p.Rest: write(rest), p.Table: plain.WriteCSV(timeline)}
		for station, lines := range at {
			made[file(station)] = spaced(lines)
		}
		return made, nil
	}
	return recipes.Whole(p.Document, forward, func(files vfs.Files) ([]line, error) {
		rest, err := recipes.Named(files, p.Rest)
		if err != nil {
			return nil, err
		}
		rows, err := plain.Table(files, p.Table, "step", "station", "number")
		texts, steps := fileTexts(files), map[id]string{}
		for _, row := range rows {
			was, wasOK := wholeNumber(row[0])
			is, isOK := wholeNumber(row[2])
			if text, ok := texts(file(pytext.Strip(row[1])))[id{step, is}]; ok && wasOK && isOK {
				steps[id{step, was}] = text
			}
		}
		return putBack(rest, steps), err
	})
}

// byClass sorts records by class and number.
func byClass(c classes) func(a, b line) int {
	return func(a, b line) int {
		return cmp.Or(cmp.Compare(c.of(a.text), c.of(b.text)), a.number.compare(b.number))
	}
}

// listIngredients makes a table of the ingredients, sorted by class.
func listIngredients(p struct {
	Document    string
	Classes     classes
	Others      string // the class of other ingredients
	Column      string // of the classes
	Table, Rest string
}) exact.Steps {
	forward := func(lines []line) (vfs.Files, error) {
		rest, taken := takeOut(lines, func(l *line) bool { return l.label == ingredient })
		slices.SortStableFunc(taken, byClass(p.Classes))
		rows := [][]string{{p.Column, "number", "ingredient"}}
		for _, l := range taken {
			rows = append(rows, []string{p.Classes.name(p.Classes.of(l.text), p.Others), string(l.number), l.text})
		}
		return vfs.Files{p.Table: plain.WriteCSV(rows), p.Rest: write(rest)}, nil
	}
	return recipes.Whole(p.Document, forward, func(files vfs.Files) ([]line, error) {
		rest, err := recipes.Named(files, p.Rest)
		if err != nil {
			return nil, err
		}
		ingredients, err := numbered(files, p.Table, "number", "ingredient")
		texts := map[id]string{}
		for number, text := range ingredients {
			texts[id{ingredient, number}] = pytext.Strip(text)
		}
		return putBack(rest, texts), err
	})
}

// sectionIngredients moves the ingredients of some classes to a section at the end.
func sectionIngredients(p struct {
	Document, To string
	Heading      string
	Classes      classes
}) exact.Steps {
	forward := func(lines []line) (vfs.Files, error) {
		none := len(p.Classes)
		rest, taken := takeOut(lines, func(l *line) bool { return l.label == ingredient && p.Classes.of(l.text) < none })
		slices.SortStableFunc(taken, byClass(p.Classes))
		section := []line{{raw: "## " + p.Heading}}
		headed := none
		for _, l := range taken {
			if class := p.Classes.of(l.text); class != headed {
				section = append(section, line{raw: "### " + p.Classes[class].Name})
				headed = class
			}
			section = append(section, record(l.label, l.number, l.text))
		}
		return vfs.Files{p.To: strings.TrimRight(write(rest), "\n") + "\n\n" + spaced(section)}, nil
	}
	return recipes.Whole(p.Document, forward, func(files vfs.Files) ([]line, error) {
		lines, err := recipes.Named(files, p.To)
		if err != nil {
			return nil, err
		}
		at := len(lines) - 1
		for at >= 0 && !(lines[at].heading && lines[at].text == p.Heading) {
			at--
		}
		if at < 0 {
			return nil, fmt.Errorf("%s: no heading %s", p.To, p.Heading)
		}
		texts := textsOf(lines[at:])
		for at > 0 && pytext.Strip(lines[at-1].raw) == "" {
			at--
		}
		return putBack(lines[:at], texts), nil
	})
}

// inJSON makes an array with an object for each line.
func inJSON(p struct{ Document, To string }) exact.Steps {
	type block struct {
		Type   string      `json:"type"` // heading, ingredient, step, tip or text
		Level  int         `json:"level,omitempty"`
		Number json.Number `json:"number,omitempty"`
		Text   string      `json:"text"`
	}
	const deepest = 6 // level of a heading
	forward := func(lines []line) (vfs.Files, error) {
		blocks := []block{}
		for _, l := range lines {
			text := pytext.Strip(l.raw)
			title := strings.TrimLeft(text, "#")
			switch {
			case l.label != "":
				blocks = append(blocks, block{Type: strings.ToLower(string(l.label)), Number: json.Number(l.number), Text: l.text})
			case len(title) < len(text):
				blocks = append(blocks, block{Type: "heading", Level: len(text) - len(title), Text: pytext.Strip(title)})
			case text != "":
				blocks = append(blocks, block{Type: "text", Text: text})
			}
		}
		return vfs.Files{p.To: plain.WriteJSON(blocks)}, nil
	}
	return recipes.Whole(p.Document, forward, func(files vfs.Files) ([]line, error) {
		var blocks []block
		err := plain.JSON(files, p.To, &blocks)
		var raw []string
		for _, b := range blocks {
			text := b.Text
			switch l := labelOf(b.Type + " "); {
			case l != "":
				number, ok := wholeNumber(b.Number.String())
				if !ok {
					return nil, fmt.Errorf("%s: %s without a number", p.To, b.Type)
				}
				text = record(l, number, b.Text).raw
			case b.Type == "heading":
				text = strings.Repeat("#", min(max(b.Level, 1), deepest)) + " " + b.Text
			}
			raw = append(raw, text, "")
		}
		return read(plain.Text(raw[:max(len(raw)-1, 0)])), err
	})
}
