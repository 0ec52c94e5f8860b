package exact

import (
	"cmp"
	"slices"
	"strings"

	"agentd/vfs"
)

// Numbered returns the names of files that have a whole number between how they begin and how
// they end, such as part_2.txt, in the order of the numbers.
func Numbered(files vfs.Files, begins, ends string) []string {
	numbers := map[string]string{}
	var names []string
	for _, name := range files.Names() {
		number, begun := strings.CutPrefix(name, begins)
		number, ended := strings.CutSuffix(number, ends)
		if begun && ended && number != "" && strings.Trim(number, "0123456789") == "" {
			numbers[name] = strings.TrimLeft(number, "0")
			names = append(names, name)
		}
	}
	slices.SortStableFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(numbers[a]), len(numbers[b])), strings.Compare(numbers[a], numbers[b]))
	})
	return names
}
