package genealogy

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// Files of the individuals by generation.
const (
	generationsFile = "generations.ged"
	individualsFile = "individuals.csv"
	generationTag   = "_GEN"
)

// sortByGeneration counts generations from the oldest ancestors and sorts
// individuals by them.
func sortByGeneration(files vfs.Files) (vfs.Files, error) {
	records, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	generations := generationsOf(records)
	individuals := ofTag(records, "INDI")
	order := [][]string{{"position", "id"}}
	for n, r := range individuals {
		order = append(order, []string{strconv.Itoa(n + 1), r.pointer})
		r.lines = append(r.lines, &line{level: 1, tag: generationTag, value: strconv.Itoa(generations[r.pointer])})
	}
	slices.SortStableFunc(individuals, func(a, b *line) int {
		return cmp.Compare(generations[a.pointer], generations[b.pointer])
	})
	replaceIndividuals(records, individuals)
	return vfs.Files{generationsFile: print(records), individualsFile: plain.WriteCSV(order)}, nil
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

// dropGenerations takes the individuals in the order listed; those that are not
// listed come last.
func dropGenerations(files vfs.Files) (vfs.Files, error) {
	records, err := readNamed(files, generationsFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, individualsFile, "position", "id")
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(rows, plain.ByNumber)
	places := map[string][]int{} // of a pointer, those not taken yet
	for n, row := range rows {
		places[row[1]] = append(places[row[1]], n)
	}
	individuals := ofTag(records, "INDI")
	placeOf := map[*line]int{}
	for _, r := range individuals {
		r.deleteTag(generationTag)
		placeOf[r] = len(rows)
		if free := places[r.pointer]; len(free) > 0 {
			placeOf[r], places[r.pointer] = free[0], free[1:]
		}
	}
	slices.SortStableFunc(individuals, func(a, b *line) int { return cmp.Compare(placeOf[a], placeOf[b]) })
	replaceIndividuals(records, individuals)
	return asDocument(records), nil
}

// Files of the pointers in order of birth.
const (
	renumberedFile = "renumbered.ged"
	mapFile        = "pointer_map.csv"
)

// renumberByBirth gives individuals new pointers by year of birth; those
// without one come last.
func renumberByBirth(files vfs.Files) (vfs.Files, error) {
	records, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	individuals := ofTag(records, "INDI")
	slices.SortStableFunc(individuals, func(a, b *line) int {
		const unknown = 1 << 20
		return cmp.Compare(cmp.Or(birthYear(a), unknown), cmp.Or(birthYear(b), unknown))
	})
	table := [][]string{{"new", "old"}}
	renamed := map[string]string{}
	for _, r := range individuals {
		if r.pointer == "" || renamed[r.pointer] != "" {
			continue
		}
		pointer := "@P" + strconv.Itoa(len(table)) + "@"
		renamed[r.pointer] = pointer
		table = append(table, []string{pointer, r.pointer})
	}
	renamePointers(records, renamed)
	return vfs.Files{renumberedFile: print(records), mapFile: plain.WriteCSV(table)}, nil
}

func renumberByMap(files vfs.Files) (vfs.Files, error) {
	records, err := readNamed(files, renumberedFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, mapFile, "new", "old")
	if err != nil {
		return nil, err
	}
	renamed := map[string]string{}
	for _, row := range rows {
		renamed[row[0]] = row[1]
	}
	renamePointers(records, renamed)
	return asDocument(records), nil
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

// Files of the ages at death.
const (
	agedFile = "with_ages.ged"
	agesFile = "ages.csv"
)

// addAges computes the age at death where both days are known and no age is
// given.
func addAges(files vfs.Files) (vfs.Files, error) {
	records, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	table := [][]string{{"id", "age"}}
	for _, r := range ofTag(records, "INDI") {
		born, bornKnown := readDay(r.below("BIRT", "DATE"))
		died, diedKnown := readDay(r.below("DEAT", "DATE"))
		if !bornKnown || !diedKnown || died.before(born) || r.first("DEAT").first("AGE") != nil {
			continue
		}
		age := ageAt(born, died)
		death := r.first("DEAT")
		death.lines = append(death.lines, &line{level: 2, tag: "AGE", value: age})
		table = append(table, []string{r.pointer, age})
	}
	return vfs.Files{agedFile: print(records), agesFile: plain.WriteCSV(table)}, nil
}

func dropAges(files vfs.Files) (vfs.Files, error) {
	records, err := readNamed(files, agedFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, agesFile, "id")
	if err != nil {
		return nil, err
	}
	listed := map[string]bool{}
	for _, row := range rows {
		listed[row[0]] = true
	}
	for _, r := range ofTag(records, "INDI") {
		if death := r.first("DEAT"); death != nil && listed[r.pointer] {
			death.deleteTag("AGE")
		}
	}
	return asDocument(records), nil
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
