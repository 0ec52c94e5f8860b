package makefile

import (
	"slices"
	"strings"

	"agentd/domains"
	"agentd/vfs"
)

// evidence counts the rules and variables of a makefile. Much other text has lines
// with a colon, which can be read as rules, and with an equals sign, which can be
// read as variables. So there must be a line of a recipe, which begins with a tab,
// or a special target, and few lines that are neither, since Make stops at the
// first. A makefile that only sets variables has nothing else in it.
func evidence(files vfs.Files, elements []domains.Element) int {
	const foreignMost = 0.1 // of the rules and variables
	rules := domains.OfKinds(counted, patternElement)(files, elements)
	variables := domains.OfKinds(variableElement)(files, elements)
	foreign := domains.OfKinds(lineElement)(files, elements)
	isMake := hasRecipe(files) || domains.OfKinds(specialElement)(files, elements) > 0
	switch {
	case foreign == 0 && (isMake || rules == 0):
		return rules + variables
	case isMake && float64(foreign) <= foreignMost*float64(rules+variables):
		return rules + variables
	}
	return 0
}

func hasRecipe(files vfs.Files) bool {
	return slices.ContainsFunc(files.Names(), func(name string) bool {
		return strings.Contains(files[name], "\n\t")
	})
}
