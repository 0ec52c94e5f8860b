package recipe

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// document is the file that the edits begin and end with.
const document = "pithivier.txt"

func edits() []domains.Edit {
	return []domains.Edit{
		edit("component_cards", toCards, fromCards),
		edit("batch_for_twenty", scaleUp, scaleDown),
		edit("figures_out", takeFigures, putFigures),
		edit("stations", toStations, fromStations),
		edit("shopping_list", toShopping, fromShopping),
		edit("tips_inline", inlineTips, collectTips),
		edit("fahrenheit", toFahrenheit, toCelsius),
		edit("allergen_section", toAllergens, fromAllergens),
		edit("json", toJSON, fromJSON),
	}
}

// edit makes an edit of functions from and to the lines of the document. Its
// forward step refuses a document that its backward step would not lead back to.
func edit(name string, forward func([]line) (vfs.Files, error), backward func(vfs.Files) ([]line, error)) domains.Edit {
	return domains.Edit{
		Name: name,
		Forward: func(files vfs.Files) (vfs.Files, error) {
			lines, err := recipeOf(files, document)
			if err != nil {
				return nil, err
			}
			was := contents(lines) // forward may change the lines
			there, err := forward(lines)
			if err != nil {
				return nil, err
			}
			again, err := backward(there)
			if err != nil {
				return nil, err
			}
			if contents(again) != was {
				return nil, fmt.Errorf("%s: the edit would not lead back to this recipe", document)
			}
			return there, nil
		},
		Backward: func(files vfs.Files) (vfs.Files, error) {
			lines, err := backward(files)
			if err != nil {
				return nil, err
			}
			if !hasRecords(lines) {
				return nil, errNoRecords
			}
			return vfs.Files{document: write(lines)}, nil
		},
	}
}

var errNoRecords = errors.New("no ingredient or step found")

// recipeOf reads a file that must have ingredients or steps.
func recipeOf(files vfs.Files, name string) ([]line, error) {
	text, err := plain.File(files, name)
	if err != nil {
		return nil, err
	}
	lines := read(text)
	if !hasRecords(lines) {
		return nil, fmt.Errorf("%s: %w", name, errNoRecords)
	}
	return lines, nil
}

func hasRecords(lines []line) bool {
	for i := range lines {
		if lines[i].counts() {
			return true
		}
	}
	return false
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

// linesOf reads a file that may hold any lines.
func linesOf(files vfs.Files, name string) ([]line, error) {
	text, err := plain.File(files, name)
	if err != nil {
		return nil, err
	}
	return read(text), nil
}

// spaced writes lines with a blank one between them.
func spaced(lines []line) string {
	raw := make([]string, len(lines))
	for i := range lines {
		raw[i] = lines[i].raw + "\n"
	}
	return strings.Join(raw, "\n")
}

// wholeNumber reads a cell with a record's number.
func wholeNumber(cell string) (ordinal, bool) {
	cell = pytext.Strip(cell)
	if cell == "" || strings.Trim(cell, "0123456789") != "" {
		return "", false
	}
	return ordinalOf(cell), true
}

// class is a name and the words that put a text into it.
type class struct {
	name  string
	words []string
}

// classified is the name of the first class of which a word occurs in a text,
// also inside other words and in any case; other if there is none.
func classified(text string, classes []class, other string) string {
	text = strings.ToLower(text)
	for _, c := range classes {
		for _, word := range c.words {
			if strings.Contains(text, word) {
				return c.name
			}
		}
	}
	return other
}
