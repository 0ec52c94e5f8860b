package foodmenu

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// menuFile is the file that every backward step leaves.
const menuFile = "menu.txt"

func edits() []domains.Edit {
	return []domains.Edit{
		{Name: "price_rise", Forward: raisePrices, Backward: lowerPrices},
		{Name: "course_files", Forward: splitCourses, Backward: mergeCourses},
		{Name: "allergen_matrix", Forward: takeAllergens, Backward: putAllergens},
		{Name: "order_codes", Forward: addCodes, Backward: stripCodes},
		{Name: "till_export", Forward: toTill, Backward: fromTill},
		{Name: "table_cards", Forward: layCards, Backward: joinCards},
		{Name: "diet_groups", Forward: groupByDiet, Backward: ungroup},
		{Name: "bar_list", Forward: toBarList, Backward: fromBarList},
		{Name: "footnotes", Forward: toFootnotes, Backward: fromFootnotes},
	}
}

var errNoItem = errors.New("no .txt file with a priced item")

// readDocument reads the menu that a forward step is given.
func readDocument(files vfs.Files) ([]entry, error) {
	var all []entry
	files = files.Match([]string{"*.txt"})
	for _, name := range files.Names() {
		all = append(all, read(files[name])...)
	}
	if !slices.ContainsFunc(all, isItem) {
		return nil, errNoItem
	}
	return all, nil
}

// readNamed reads a file that a backward step needs.
func readNamed(files vfs.Files, name string) ([]entry, error) {
	text, err := plain.File(files, name)
	if err != nil {
		return nil, err
	}
	return read(text), nil
}

func isItem(e entry) bool { return e.kind == itemEntry }

func asDocument(entries []entry) vfs.Files { return vfs.Files{menuFile: printed(entries)} }

// inSections visits the entries with the number and the name of their section, 0
// and "" above the first.
func inSections(entries []entry, visit func(e *entry, number int, section string)) {
	number, section := 0, ""
	for i := range entries {
		if e := &entries[i]; e.kind == sectionEntry {
			number++
			section = e.name
		}
		visit(&entries[i], number, section)
	}
}

// priced is the place among an item's lines of the one with the price.
func (e *entry) priced() int {
	for i, line := range e.lines {
		if _, ok := findAmount(line); ok {
			return i
		}
	}
	return 0
}

// withLine is the entry with another line in place of one.
func (e *entry) withLine(at int, line string) {
	e.lines = slices.Clone(e.lines)
	e.lines[at] = line
}

// plainly reports how an item is not of the usual form, in which one line has
// name, description, a price in dollars and cents, and then all tags.
func (e *entry) plainly() error {
	line := repaired(e.lines[0])
	at, end := findPrice(line)
	switch {
	case at < 0:
		return fmt.Errorf("%s: name and price in dollars and cents are not on one line", e.dish.words)
	case pytext.Strip(line[:at]) != e.dish.words:
		return fmt.Errorf("%s: the line does not begin with the name alone", e.dish.words)
	case countTags(line[end:]) != len(e.dish.codes)+len(e.dish.marks):
		return fmt.Errorf("%s: the tags do not stand after the price", e.dish.words)
	}
	return nil
}

func countTags(text string) int {
	n := 0
	eachTag(text, func(bool, string) { n++ })
	return n
}

// placed are lines with the number of the first of them in the menu, 0 if nothing
// says it.
type placed struct {
	line  int
	lines []string
}

// takeOut divides a menu into the entries that are taken and the lines of the
// rest.
func takeOut(all []entry, takes func(*entry) bool) (taken []placed, rest []string) {
	line := 1
	for i := range all {
		e := &all[i]
		if takes(e) {
			taken = append(taken, placed{line, e.lines})
		} else {
			rest = append(rest, e.lines...)
		}
		line += len(e.lines)
	}
	return taken, rest
}

// putIn is the reverse of takeOut. What has no line comes last.
func putIn(taken []placed, rest []string) vfs.Files {
	slices.SortStableFunc(taken, func(a, b placed) int { return cmp.Compare(uint(a.line)-1, uint(b.line)-1) })
	var all []string
	for _, p := range taken {
		for len(rest) > 0 && (p.line == 0 || len(all)+1 < p.line) {
			all = append(all, rest[0])
			rest = rest[1:]
		}
		all = append(all, p.lines...)
	}
	return vfs.Files{menuFile: plain.Text(append(all, rest...))}
}

// lineNumber reads a number of a table, 0 if it is none.
func lineNumber(cell string) int {
	n, err := strconv.Atoi(strings.TrimSpace(cell))
	if err != nil {
		return 0
	}
	return max(n, 0)
}
