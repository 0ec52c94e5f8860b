package sets

import "strings"

// Words is the set of the words of a text, for tables of names.
func Words(text string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(text) {
		set[word] = true
	}
	return set
}
