package spreadsheet

import (
	"slices"

	"agentd/domains/internal/pycsv"
)

// delimiters separate cells, the usual one first. Where the comma marks decimals, tables have semicolons.
const delimiters = ",;\t|"

// records reads the records of a text, and says what separates their cells: of what divides most of them alike, what
// makes the most columns, names of columns first; a comma if nothing does. Lines of blanks and code fences are left out.
func records(text string) (best [][]string, delimiter byte) {
	columns := 0
	for _, c := range []byte(delimiters) {
		all, _ := pycsv.Split(text, c) // without carriage returns there is no error
		all = slices.DeleteFunc(all, isFiller)
		if wide := width(all); best == nil || wide > 1 && wide > columns && len(all[0]) == wide {
			best, delimiter, columns = all, c, wide
		}
	}
	return best, delimiter
}

// width is how many cells more than half of the records have; 0 if they have no such number in common.
func width(records [][]string) int {
	counts := map[int]int{}
	for _, record := range records {
		n := len(record)
		if counts[n]++; 2*counts[n] > len(records) {
			return n
		}
	}
	return 0
}
