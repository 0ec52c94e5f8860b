package foodmenu

import (
	"errors"
	"fmt"
	"iter"
	"slices"

	"agentd/domains"
	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
)

// menus says how menus, which are lists of entries, are taken apart and put together.
var menus = exact.Format[[]entry, entry]{
	Patterns: []string{"*.txt"},
	Read:     read,
	Print:    printed,
	Parts:    func(all *[]entry) *[]entry { return all },
	Empty:    errors.New("no .txt file with a priced item"),
	Counts:   func(e *entry) bool { return isItem(*e) },
}

func edits() []domains.Edit {
	return []domains.Edit{
		domains.Taking("raise_prices", raisePrices),
		domains.Taking("split_by_section", splitBySection),
		domains.Taking("allergen_table", allergenTable),
		domains.Taking("code_items", codeItems),
		domains.Taking("json", inJSON),
		domains.Taking("fill_cards", fillCards),
		domains.Taking("group_by_tags", groupByTags),
		domains.Taking("list_marked", listMarked),
		domains.Taking("number_descriptions", numberDescriptions),
	}
}

func isItem(e entry) bool { return e.kind == itemEntry }

// spot is where an item stands. All numbers count from 1.
type spot struct {
	item, line int    // in the menu
	section    string // empty above the first
	number     int    // of the section, 0 above the first
	place      int    // in the section
}

// items are the items of a menu, to be changed.
func items(all []entry) iter.Seq2[spot, *entry] {
	return func(yield func(spot, *entry) bool) {
		at := spot{line: 1}
		for i := range all {
			e, size := &all[i], len(all[i].lines)
			switch e.kind {
			case sectionEntry:
				at.number, at.place, at.section = at.number+1, 0, e.name
			case itemEntry:
				at.item, at.place = at.item+1, at.place+1
				if !yield(at, e) {
					return
				}
			}
			at.line += size
		}
	}
}

// tags say which items belong to a class: those with one of some codes or marks, or all where
// none are given, but none with a mark that is excluded.
type tags struct {
	Codes   []string `json:",omitempty"`
	Marks   []string `json:",omitempty"`
	Without []string `json:",omitempty"`
}

func (t tags) fit(d *dish) bool {
	has := func(among []string) func(string) bool {
		return func(tag string) bool { return slices.Contains(among, tag) }
	}
	return !slices.ContainsFunc(t.Without, has(d.marks)) && (len(t.Codes)+len(t.Marks) == 0 ||
		slices.ContainsFunc(t.Codes, has(d.codes)) || slices.ContainsFunc(t.Marks, has(d.marks)))
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
	tags := 0
	eachTag(line[max(end, 0):], func(bool, string) { tags++ })
	switch {
	case at < 0:
		return fmt.Errorf("%s: name and price in dollars and cents are not on one line", e.dish.words)
	case pytext.Strip(line[:at]) != e.dish.words:
		return fmt.Errorf("%s: the line does not begin with the name alone", e.dish.words)
	case tags != len(e.dish.codes)+len(e.dish.marks):
		return fmt.Errorf("%s: the tags do not stand after the price", e.dish.words)
	}
	return nil
}

// placed are lines with the number of the first of them in the menu, 0 if nothing
// says it.
type placed struct {
	line  int
	lines []string
}

// putIn puts lines back among the others of a menu.
func putIn(taken []placed, rest string) []entry {
	var others []placed
	for _, line := range plain.Lines(rest) {
		others = append(others, placed{lines: []string{line}})
	}
	itself := func(p placed) (int, placed) { return p.line, p }
	var all []string
	for _, p := range plain.PutIn(taken, others, itself, func(p placed) int { return len(p.lines) }) {
		all = append(all, p.lines...)
	}
	return read(plain.Text(all))
}
