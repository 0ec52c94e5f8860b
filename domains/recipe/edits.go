package recipe

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// recipes says how recipes, which are lists of lines, are taken apart and put together.
var recipes = exact.Format[[]line, line]{
	Patterns: []string{"*.txt"},
	Read:     read,
	Print:    write,
	Parts:    func(lines *[]line) *[]line { return lines },
	Empty:    errors.New("no ingredient or step found"),
	Counts:   (*line).counts,
	Says:     contents,
}

func edits() []domains.Edit {
	return []domains.Edit{
		domains.Taking("split_by_heading", splitByHeading),
		domains.Taking("scale_amounts", scaleAmounts),
		domains.Taking("take_figures", takeFigures),
		domains.Taking("split_steps", splitSteps),
		domains.Taking("list_ingredients", listIngredients),
		domains.Taking("tips_in_steps", tipsInSteps),
		domains.Taking("fahrenheit", inFahrenheit),
		domains.Taking("section_ingredients", sectionIngredients),
		domains.Taking("json", inJSON),
	}
}

// contents is what a document says, layout aside.
func contents(lines []line) string {
	var b strings.Builder
	for i := range lines {
		l := &lines[i]
		switch {
		case l.label != "":
			fmt.Fprintf(&b, "%s %s: %s\n", l.label, l.number, l.text)
		case l.heading:
			fmt.Fprintf(&b, "# %s\n", l.text)
		case pytext.Strip(l.raw) != "":
			fmt.Fprintf(&b, "%s\n", pytext.Strip(l.raw))
		}
	}
	return b.String()
}

// id names a record.
type id struct {
	label  label
	number ordinal
}

func (l *line) id() id { return id{l.label, l.number} }

// takeOut leaves a line such as "[Step 3]" in the place of each record that is
// picked, and returns these records in the order of the document.
func takeOut(lines []line, pick func(*line) bool) (rest, taken []line) {
	for _, l := range lines {
		if l.label != "" && pick(&l) {
			taken = append(taken, l)
			l = line{raw: fmt.Sprintf("[%s %s]", l.label, l.number)}
		}
		rest = append(rest, l)
	}
	return rest, taken
}

var placeholder = regexp.MustCompile(`^\[(Ingredient|Step|Tip) ([0-9]+)\]$`)

// putBack puts the texts of records in the places that takeOut left. Places of
// records that are not there any more go.
func putBack(rest []line, texts map[id]string) []line {
	var lines []line
	for _, l := range rest {
		if m := placeholder.FindStringSubmatch(pytext.Strip(l.raw)); m != nil {
			place := id{label(m[1]), ordinalOf(m[2])}
			text, ok := texts[place]
			if !ok {
				continue
			}
			l = record(place.label, place.number, text)
		}
		lines = append(lines, l)
	}
	return lines
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

// fileTexts returns the textsOf a file, which it reads once.
func fileTexts(files vfs.Files) func(name string) map[id]string {
	read := map[string]map[id]string{}
	return func(name string) map[id]string {
		if read[name] == nil {
			read[name] = textsOf(recipes.Read(files[name]))
		}
		return read[name]
	}
}

// numbered reads a table that has a record's number in the first of two columns.
func numbered(files vfs.Files, name, number, value string) (map[ordinal]string, error) {
	rows, err := plain.Table(files, name, number, value)
	values := map[ordinal]string{}
	for _, row := range rows {
		if number, ok := wholeNumber(row[0]); ok {
			values[number] = row[1]
		}
	}
	return values, err
}

// spaced writes lines with a blank one between them.
func spaced(lines []line) string {
	return strings.Join(lists.Each(lines, func(l *line) string { return l.raw + "\n" }), "\n")
}

// wholeNumber reads a cell with a record's number.
func wholeNumber(cell string) (ordinal, bool) {
	cell = pytext.Strip(cell)
	if cell == "" || strings.Trim(cell, "0123456789") != "" {
		return "", false
	}
	return ordinalOf(cell), true
}

// classes have names, and words that put a text into them.
type classes []struct {
	Name  string
	Words []string
}

// of is the first class of which a word occurs in a text, also inside other words and in any
// case; one after the last if there is none.
func (c classes) of(text string) int {
	text = strings.ToLower(text)
	for n := range c {
		for _, word := range c[n].Words {
			if strings.Contains(text, word) {
				return n
			}
		}
	}
	return len(c)
}

// name is that of a class, other after the last.
func (c classes) name(n int, other string) string {
	if n == len(c) {
		return other
	}
	return c[n].Name
}

// inTexts changes the texts of steps and tips.
func inTexts(lines []line, change func(string) string) {
	for i := range lines {
		if l := lines[i].label; l == step || l == tip {
			lines[i] = lines[i].with(change(lines[i].text))
		}
	}
}
