package recipe

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// A shopping list by department.
const (
	shoppingFile = "shopping.csv"
	methodFile   = "method.txt"
	store        = "store"
)

var departments = []class{
	{"butcher", []string{"venison", "bacon", "bones"}},
	{"greengrocer", []string{"onion", "garlic", "mushroom", "thyme", "parsley", "celer", "carrot"}},
	{"dairy", []string{"butter", "milk", "cream", "egg"}},
	{"cellar", []string{"wine", "port", "vinegar"}},
	{store, nil},
}

// rank is the place of a class in a list.
func rank(classes []class, name string) int {
	return slices.IndexFunc(classes, func(c class) bool { return c.name == name })
}

func toShopping(lines []line) (vfs.Files, error) {
	rest, taken := takeOut(lines, func(l *line) bool { return l.label == ingredient })
	department := func(l line) string { return classified(l.text, departments, store) }
	slices.SortStableFunc(taken, func(a, b line) int {
		return cmp.Or(
			cmp.Compare(rank(departments, department(a)), rank(departments, department(b))),
			a.number.compare(b.number))
	})
	rows := [][]string{{"department", "number", "ingredient"}}
	for _, l := range taken {
		rows = append(rows, []string{department(l), string(l.number), l.text})
	}
	return vfs.Files{shoppingFile: plain.WriteCSV(rows), methodFile: write(rest)}, nil
}

func fromShopping(files vfs.Files) ([]line, error) {
	rest, err := linesOf(files, methodFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, shoppingFile, "number", "ingredient")
	if err != nil {
		return nil, err
	}
	texts := map[id]string{}
	for _, row := range rows {
		if number, ok := wholeNumber(row[0]); ok {
			texts[id{ingredient, number}] = pytext.Strip(row[1])
		}
	}
	return putBack(rest, texts), nil
}

// Ingredients with allergens in a section of their own.
const (
	allergensFile    = "pithivier_allergens.txt"
	allergensHeading = "ALLERGENS"
)

var allergens = []class{
	{"celery", []string{"celery", "celeriac"}},
	{"eggs", []string{"egg"}},
	{"gluten", []string{"flour", "breadcrumbs"}},
	{"milk", []string{"butter", "milk", "cream"}},
	{"mustard", []string{"mustard"}},
	{"sulphites", []string{"wine", "port", "vinegar"}},
}

func toAllergens(lines []line) (vfs.Files, error) {
	holds := func(l *line) string { return classified(l.text, allergens, "") }
	rest, taken := takeOut(lines, func(l *line) bool { return l.label == ingredient && holds(l) != "" })
	slices.SortStableFunc(taken, func(a, b line) int {
		return cmp.Or(cmp.Compare(rank(allergens, holds(&a)), rank(allergens, holds(&b))), a.number.compare(b.number))
	})
	section := []line{{raw: "## " + allergensHeading}}
	headed := ""
	for _, l := range taken {
		if allergen := holds(&l); allergen != headed {
			section = append(section, line{raw: "### " + allergen})
			headed = allergen
		}
		section = append(section, record(l.label, l.number, l.text))
	}
	return vfs.Files{allergensFile: strings.TrimRight(write(rest), "\n") + "\n\n" + spaced(section)}, nil
}

func fromAllergens(files vfs.Files) ([]line, error) {
	lines, err := recipeOf(files, allergensFile)
	if err != nil {
		return nil, err
	}
	at := len(lines) - 1
	for at >= 0 && !(lines[at].heading && lines[at].text == allergensHeading) {
		at--
	}
	if at < 0 {
		return nil, fmt.Errorf("%s: no heading %s", allergensFile, allergensHeading)
	}
	texts := textsOf(lines[at:])
	for at > 0 && pytext.Strip(lines[at-1].raw) == "" {
		at--
	}
	return putBack(lines[:at], texts), nil
}

// JSON.
const jsonFile = "pithivier.json"

// block is a line of a recipe.
type block struct {
	Type   string      `json:"type"` // heading, ingredient, step, tip or text
	Level  int         `json:"level,omitempty"`
	Number json.Number `json:"number,omitempty"`
	Text   string      `json:"text"`
}

func toJSON(lines []line) (vfs.Files, error) {
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
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(blocks); err != nil {
		return nil, err
	}
	return vfs.Files{jsonFile: b.String()}, nil
}

// deepest is the level of the deepest heading.
const deepest = 6

func fromJSON(files vfs.Files) ([]line, error) {
	var blocks []block
	if err := plain.JSON(files, jsonFile, &blocks); err != nil {
		return nil, err
	}
	var raw []string
	for _, b := range blocks {
		text := b.Text
		switch l := labelOf(b.Type + " "); {
		case l != "":
			number, ok := wholeNumber(b.Number.String())
			if !ok {
				return nil, fmt.Errorf("%s: %s without a number", jsonFile, b.Type)
			}
			text = record(l, number, b.Text).raw
		case b.Type == "heading":
			text = strings.Repeat("#", min(max(b.Level, 1), deepest)) + " " + b.Text
		}
		raw = append(raw, text, "")
	}
	return read(plain.Text(raw[:max(len(raw)-1, 0)])), nil
}
