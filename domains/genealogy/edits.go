package genealogy

import (
	"errors"
	"slices"
	"strconv"

	"agentd/domains"
	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
)

// trees says how family trees, which are lists of records, are taken apart and put together.
var trees = exact.Format[[]*line, *line]{
	Patterns: []string{"*.ged"},
	Read:     read,
	Print:    print,
	Parts:    func(records *[]*line) *[]*line { return records },
	Empty:    errors.New("no .ged file with an individual"),
	Counts:   func(r **line) bool { return (*r).tag == "INDI" },
}

func edits() []domains.Edit {
	return []domains.Edit{
		domains.Taking("split_by_male_line", splitByMaleLine),
		domains.Taking("json", inJSON),
		domains.Taking("sort_by_generation", sortByGeneration),
		domains.Taking("iso_dates", isoDates),
		domains.Taking("number_by_birth", numberByBirth),
		domains.Taking("code_places", codePlaces),
		domains.Taking("add_ages", addAges),
		domains.Taking("hide_living", hideLiving),
		domains.Taking("move_notes", moveNotes),
	}
}

func ofTag(records []*line, tag string) []*line {
	return lists.Found(records, func(r **line) (*line, bool) { return *r, (*r).tag == tag })
}

// inTree are the records of individuals and families.
func inTree(records []*line) []*line {
	return slices.Concat(ofTag(records, "INDI"), ofTag(records, "FAM"))
}

// each calls do with all lines of some records that have a tag and a value.
func each(records []*line, tag string, do func(*line)) {
	for _, r := range records {
		r.each(func(l *line) {
			if l.tag == tag && l.value != "" {
				do(l)
			}
		})
	}
}

// pointers count up from a first one, which is given without its signs.
func pointers(first string) func(value string, codes int) string {
	next := exact.Counting(first)
	return func(value string, codes int) string { return "@" + next(value, codes) + "@" }
}

// kinship tells who are the parents in a tree.
type kinship struct {
	ofPointer map[string]*line    // individuals and families
	parents   map[string][]string // by the child's pointer, of all families that list it
}

func kinshipOf(records []*line) kinship {
	k := kinship{map[string]*line{}, map[string][]string{}}
	for _, r := range inTree(records) {
		k.ofPointer[r.pointer] = r
	}
	for _, r := range ofTag(records, "FAM") {
		m := newMarriage(r)
		for _, child := range m.children {
			for _, parent := range m.spouses {
				k.parents[child.link()] = append(k.parents[child.link()], parent.link())
			}
		}
	}
	return k
}

// birthYear is the first number of four digits in the date of birth, 0 if there
// is none.
func birthYear(r *line) int {
	year, _ := strconv.Atoi(yearIn(normalDate(r.below("BIRT", "DATE"))))
	return year
}

// deleteTag takes out the lines of a tag directly below the line.
func (l *line) deleteTag(tag string) {
	l.lines = slices.DeleteFunc(l.lines, func(below *line) bool { return below.tag == tag })
}

// toLevel moves the line, and all below it, to a level.
func (l *line) toLevel(level int) {
	l.level = level
	for _, below := range l.lines {
		below.toLevel(level + 1)
	}
}
