package exact

import (
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// DivideSorted is Divide with the parts of each file in an order. files has the file of each part,
// compare compares the parts of two numbers, from 0. A table says which place in which file each
// part got.
func (f *Format[D, P]) DivideSorted(d D, main, table string, files []string, compare func(a, b int) int) vfs.Files {
	parts := *f.Parts(&d)
	order := lists.Order(len(parts), compare)
	*f.Parts(&d) = lists.Map(order, func(at int) P { return parts[at] })
	rows, places := make([][]string, len(parts)), map[string]int{}
	made := f.Divide(d, main, func(*P) string {
		at := order[0]
		order = order[1:]
		places[files[at]]++
		rows[at] = []string{strconv.Itoa(at + 1), files[at], strconv.Itoa(places[files[at]])}
		return files[at]
	})
	made[table] = plain.WriteCSV(slices.Insert(rows, 0, []string{"position", "file", "place"}))
	return made
}

// MergeSorted puts parts together that DivideSorted has handed out. Those that the table does not
// place come last.
func (f *Format[D, P]) MergeSorted(files vfs.Files, main, table string) (none D, err error) {
	rows, err := plain.Table(files, table, "position", "file", "place")
	if err != nil {
		return none, err
	}
	slices.SortStableFunc(rows, plain.ByNumber)
	positions := make(map[Place]int, len(rows))
	for n, row := range rows {
		positions[Place{strings.TrimSpace(row[1]), plain.LineNumber(row[2])}] = n
	}
	return f.Merge(files, main, positions)
}
