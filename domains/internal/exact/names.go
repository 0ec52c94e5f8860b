package exact

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

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

// FileName names a file after the words of a text, such as old_mill.txt for "Old: Mill".
// For a text without words it is others.
func FileName(text, extension, others string) string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if len(words) == 0 {
		return others
	}
	return strings.Join(words, "_") + extension
}
