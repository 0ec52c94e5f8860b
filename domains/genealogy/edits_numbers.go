package genealogy

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// sortByGeneration counts generations from the oldest ancestors, notes each individual's in a
// line with a tag of its own, and sorts individuals by them. On the way back those that are not
// listed come last.
func sortByGeneration(p struct{ Document, To, Tag, Table string }) exact.Steps {
	return trees.Rewrite(p.Document, p.To, func(records *[]*line) (vfs.Files, error) {
		generations := generationsOf(*records)
		order := [][]string{{"position", "id"}}
		for _, r := range ofTag(*records, "INDI") {
			order = append(order, []string{strconv.Itoa(len(order)), r.pointer})
			r.lines = append(r.lines, &line{level: 1, tag: p.Tag, value: strconv.Itoa(generations[r.pointer])})
		}
		sortIndividuals(*records, func(a, b *line) int { return cmp.Compare(generations[a.pointer], generations[b.pointer]) })
		return vfs.Files{p.Table: plain.WriteCSV(order)}, nil
	}, func(records *[]*line, files vfs.Files) error {
		rows, err := plain.Table(files, p.Table, "position", "id")
		slices.SortStableFunc(rows, plain.ByNumber)
		for n, row := range rows {
			row[0] = strconv.Itoa(n)
		}
		places := plain.NotesBy(rows, func(row []string) string { return row[1] })
		placeOf := map[*line]int{}
		for _, r := range ofTag(*records, "INDI") {
			r.deleteTag(p.Tag)
			placeOf[r] = len(rows)
			if row := places.Take(r.pointer); row != nil {
				placeOf[r] = plain.LineNumber(row[0])
			}
		}
		sortIndividuals(*records, func(a, b *line) int { return cmp.Compare(placeOf[a], placeOf[b]) })
		return err
	})
}

// sortIndividuals sorts the individuals among their places. All other records keep theirs.
func sortIndividuals(records []*line, compare func(a, b *line) int) {
	sorted := ofTag(records, "INDI")
	slices.SortStableFunc(sorted, compare)
	for n, r := range records {
		if r.tag == "INDI" {
			records[n], sorted = sorted[0], sorted[1:]
		}
	}
}

// generationsOf counts, for every individual's pointer, the longest chain of
// parents. Who is among their own ancestors there is taken for having none.
func generationsOf(records []*line) map[string]int {
	k := kinshipOf(records)
	generations := map[string]int{}
	open := map[string]bool{}
	var count func(pointer string) int
	count = func(pointer string) int {
		if known := generations[pointer]; known > 0 || k.ofPointer[pointer] == nil || open[pointer] {
			return known
		}
		open[pointer] = true
		longest := 0
		for _, parent := range k.parents[pointer] {
			longest = max(longest, count(parent))
		}
		open[pointer] = false
		generations[pointer] = longest + 1
		return longest + 1
	}
	for _, r := range ofTag(records, "INDI") {
		count(r.pointer)
	}
	return generations
}

// numberByBirth gives individuals new pointers by year of birth; those without one come last.
func numberByBirth(p struct{ Document, To, First, Table string }) exact.Steps {
	return trees.Rewrite(p.Document, p.To, func(records *[]*line) (vfs.Files, error) {
		individuals := ofTag(*records, "INDI")
		slices.SortStableFunc(individuals, func(a, b *line) int {
			const unknown = 1 << 20
			return cmp.Compare(cmp.Or(birthYear(a), unknown), cmp.Or(birthYear(b), unknown))
		})
		codes, renamed := exact.Codes{New: pointers(p.First)}, map[string]string{}
		for _, r := range individuals {
			if r.pointer != "" {
				renamed[r.pointer] = codes.Of(r.pointer)
			}
		}
		renamePointers(*records, renamed)
		return vfs.Files{p.Table: codes.CSV("new", "old")}, nil
	}, func(records *[]*line, files vfs.Files) error {
		renamed, err := exact.ReadRegister(files, p.Table, "new", "old")
		renamePointers(*records, renamed)
		return err
	})
}

func renamePointers(records []*line, renamed map[string]string) {
	for _, r := range records {
		r.each(func(l *line) {
			if pointer, ok := renamed[l.pointer]; ok {
				l.pointer = pointer
			}
			if pointer, ok := renamed[l.link()]; ok {
				l.value = pointer
			}
		})
	}
}

// addAges computes the age at death where both days are known and no age is given.
func addAges(p struct{ Document, To, Table string }) exact.Steps {
	return trees.Rewrite(p.Document, p.To, func(records *[]*line) (vfs.Files, error) {
		table := [][]string{{"id", "age"}}
		for _, r := range ofTag(*records, "INDI") {
			born, bornKnown := readDay(r.below("BIRT", "DATE"))
			died, diedKnown := readDay(r.below("DEAT", "DATE"))
			if !bornKnown || !diedKnown || died.before(born) || r.first("DEAT").first("AGE") != nil {
				continue
			}
			age, death := ageAt(born, died), r.first("DEAT")
			death.lines = append(death.lines, &line{level: 2, tag: "AGE", value: age})
			table = append(table, []string{r.pointer, age})
		}
		return vfs.Files{p.Table: plain.WriteCSV(table)}, nil
	}, func(records *[]*line, files vfs.Files) error {
		listed, err := exact.ReadRegister(files, p.Table, "id", "age")
		for _, r := range ofTag(*records, "INDI") {
			if _, ok := listed[r.pointer]; ok && r.first("DEAT") != nil {
				r.first("DEAT").deleteTag("AGE")
			}
		}
		return err
	})
}

// day is a day of the calendar.
type day struct{ year, month, day int }

// readDay reads a date that is a day, without a leading zero, a month in three
// capitals and a year of four digits.
func readDay(date string) (day, bool) {
	words := strings.Split(date, " ")
	if len(words) != 3 || len(words[1]) != 3 || len(words[2]) != 4 {
		return day{}, false
	}
	d := day{month: monthNumber(words[1])}
	var errDay, errYear error
	d.day, errDay = strconv.Atoi(words[0])
	d.year, errYear = strconv.Atoi(words[2])
	ok := errDay == nil && errYear == nil && d.month > 0 && d.day >= 1 && d.day <= 31 && d.year > 0 &&
		strconv.Itoa(d.day) == words[0]
	return d, ok
}

func (d day) before(e day) bool { return d.time().Before(e.time()) }

func (d day) time() time.Time {
	return time.Date(d.year, time.Month(d.month), d.day, 0, 0, 0, 0, time.UTC)
}

// ageAt is the age in completed years, before the first birthday in days.
func ageAt(born, died day) string {
	years := died.year - born.year
	if died.month < born.month || died.month == born.month && died.day < born.day {
		years--
	}
	if years < 1 {
		const hours = 24
		return strconv.Itoa(int(died.time().Sub(born.time()).Hours())/hours) + "d"
	}
	return strconv.Itoa(years) + "y"
}
