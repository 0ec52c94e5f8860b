package audiosyn

import (
	"path"
	"slices"
	"strings"
)

// withoutIncluded leaves out the statements that take in a file of the document: that says no more
// than that the document is divided there.
func withoutIncluded(read []source) {
	names := map[string]bool{}
	for i := range read {
		names[path.Base(read[i].name)] = true
	}
	for i := range read {
		read[i].lines = slices.DeleteFunc(read[i].lines, func(l line) bool {
			name, isInclude := strings.CutPrefix(strings.TrimSpace(l.text), "#include")
			return isInclude && names[path.Base(strings.Trim(name, " \t\""))]
		})
	}
}
