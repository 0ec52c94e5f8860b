package exact

import (
	"strings"
	"unicode"
)

// FileName names a file after the words of a text, such as old_mill.txt for "Old: Mill".
// For a text without words it is others.
func FileName(text, extension, others string) string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if len(words) == 0 {
		return others
	}
	return strings.Join(words, "_") + extension
}
