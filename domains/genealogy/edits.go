package genealogy

import (
	"errors"
	"slices"
	"strconv"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// document is the file that every backward step leaves.
const document = "kroman_marstal.ged"

func edits() []domains.Edit {
	return []domains.Edit{
		{Name: "male_lines", Forward: splitByLine, Backward: mergeLines},
		{Name: "json_tree", Forward: toJSON, Backward: fromJSON},
		{Name: "generations", Forward: sortByGeneration, Backward: dropGenerations},
		{Name: "iso_dates", Forward: toISODates, Backward: fromISODates},
		{Name: "birth_order", Forward: renumberByBirth, Backward: renumberByMap},
		{Name: "place_register", Forward: codePlaces, Backward: namePlaces},
		{Name: "ages_at_death", Forward: addAges, Backward: dropAges},
		{Name: "privacy_copy", Forward: hideLiving, Backward: showLiving},
		{Name: "note_records", Forward: moveNotes, Backward: inlineNotes},
	}
}

var errNoIndividual = errors.New("no .ged file with an individual")

// readDocument reads the GEDCOM files that a forward step is given, as one.
func readDocument(files vfs.Files) ([]*line, error) {
	files = files.Match([]string{"*.ged"})
	var records []*line
	for _, name := range files.Names() {
		records = append(records, read(files[name])...)
	}
	if len(ofTag(records, "INDI")) == 0 {
		return nil, errNoIndividual
	}
	return records, nil
}

// readNamed reads the GEDCOM file that a backward step needs.
func readNamed(files vfs.Files, name string) ([]*line, error) {
	text, err := plain.File(files, name)
	return read(text), err
}

func asDocument(records []*line) vfs.Files { return vfs.Files{document: print(records)} }

func ofTag(records []*line, tag string) []*line {
	var some []*line
	for _, r := range records {
		if r.tag == tag {
			some = append(some, r)
		}
	}
	return some
}

// inTree are the records of individuals and families.
func inTree(records []*line) []*line {
	return slices.Concat(ofTag(records, "INDI"), ofTag(records, "FAM"))
}

// replaceIndividuals puts individuals in the given order where there are
// individuals now.
func replaceIndividuals(records, individuals []*line) {
	next := 0
	for n, r := range records {
		if r.tag == "INDI" {
			records[n] = individuals[next]
			next++
		}
	}
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
