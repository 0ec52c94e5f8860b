package foodmenu

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

const (
	barFile    = "bar_list.md"
	diningFile = "dining_room.txt"
	lineBreak  = "<br>"
)

var barColumns = []string{"line", "section", "drink", "price", "with tax", "also", "tags", "details"}

// withTax is a price with the meals tax of seven hundredths, half a cent rounded up.
func withTax(cents int) int { return (cents*107 + 50) / 100 }

// toBarList makes a table of the items with alcohol.
func toBarList(files vfs.Files) (vfs.Files, error) {
	all, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	isDrink := func(e *entry) bool { return e.kind == itemEntry && slices.Contains(e.dish.marks, "A") }
	rows := [][]string{barColumns, slices.Repeat([]string{"---"}, len(barColumns))}
	taken, rest := takeOut(all, isDrink)
	inSections(all, func(e *entry, _ int, section string) {
		if !isDrink(e) {
			return
		}
		if bad := e.plainly(); bad != nil {
			err = bad
		}
		cents, bad := inCents(e.dish.price)
		if bad != nil {
			err = bad
		}
		var details []string
		for _, line := range e.lines[1:] {
			details = append(details, pytext.Strip(line))
		}
		rows = append(rows, []string{
			strconv.Itoa(taken[len(rows)-2].line), section, e.dish.words, inDollars(cents), inDollars(withTax(cents)),
			e.dish.after, tagged(e.dish.marks, e.dish.codes), strings.Join(details, lineBreak),
		})
	})
	var b strings.Builder
	for _, row := range rows {
		if strings.Contains(strings.Join(row, ""), "|") {
			err = errors.New("a drink with a bar in its text")
		}
		b.WriteString("| " + strings.Join(row, " | ") + " |\n")
	}
	if err != nil {
		return nil, err
	}
	return vfs.Files{barFile: b.String(), diningFile: plain.Text(rest)}, nil
}

// fromBarList puts the drinks on their lines again.
func fromBarList(files vfs.Files) (vfs.Files, error) {
	table, err := plain.File(files, barFile)
	if err != nil {
		return nil, err
	}
	dining, err := plain.File(files, diningFile)
	if err != nil {
		return nil, err
	}
	var taken []placed
	for _, line := range plain.Lines(table) {
		cells := strings.Split(strings.Trim(pytext.Strip(line), "|"), "|")
		if len(cells) != len(barColumns) {
			continue
		}
		for i := range cells {
			cells[i] = pytext.Strip(cells[i])
		}
		cents, err := inCents(strings.TrimPrefix(cells[3], "$"))
		if err != nil {
			continue // the header and the line below it
		}
		var details []string
		if cells[7] != "" {
			details = strings.Split(cells[7], lineBreak)
		}
		taken = append(taken, placed{lineNumber(cells[0]), itemLines(cells[2], cents, cells[5], cells[6], details)})
	}
	return putIn(taken, plain.Lines(dining)), nil
}

const (
	shortFile        = "menu_short.txt"
	descriptionsFile = "descriptions.md"
)

var footnote = regexp.MustCompile(` \*([0-9]+)\b`)

// toFootnotes moves the descriptions to a numbered list, equal ones under one
// number.
func toFootnotes(files vfs.Files) (vfs.Files, error) {
	all, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	numbers := map[string]int{}
	var list strings.Builder
	for i := range all {
		e := &all[i]
		if e.kind != itemEntry {
			continue
		}
		if footnote.MatchString(e.dish.words) {
			return nil, fmt.Errorf("%s has a footnote already", e.dish.words)
		}
		_, description := divide(e.dish.words)
		if description == "" {
			continue
		}
		at := slices.IndexFunc(e.lines, func(line string) bool { return strings.Contains(line, description) })
		if at < 0 {
			return nil, fmt.Errorf("%s: a description with blanks that are not single", e.dish.words)
		}
		number := numbers[description]
		if number == 0 {
			number = len(numbers) + 1
			numbers[description] = number
			fmt.Fprintf(&list, "%d. %s\n", number, description)
		}
		e.withLine(at, strings.Replace(e.lines[at], description, "*"+strconv.Itoa(number), 1))
	}
	return vfs.Files{shortFile: printed(all), descriptionsFile: list.String()}, nil
}

// fromFootnotes writes the descriptions out.
func fromFootnotes(files vfs.Files) (vfs.Files, error) {
	all, err := readNamed(files, shortFile)
	if err != nil {
		return nil, err
	}
	list, err := plain.File(files, descriptionsFile)
	if err != nil {
		return nil, err
	}
	texts := map[string]string{}
	for _, line := range plain.Lines(list) {
		if number, text, ok := strings.Cut(line, ". "); ok {
			texts[pytext.Strip(number)] = pytext.Strip(text)
		}
	}
	for i := range all {
		e := &all[i]
		if e.kind != itemEntry {
			continue
		}
		for at, line := range e.lines {
			e.withLine(at, footnote.ReplaceAllStringFunc(line, func(mark string) string {
				if text, known := texts[mark[len(" *"):]]; known {
					return " " + text
				}
				return mark
			}))
		}
	}
	return asDocument(all), nil
}
