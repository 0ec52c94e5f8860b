package makefile

import (
	"slices"
	"strconv"
	"strings"
)

// commandCount is how many commands a rule's recipe has; a continued one counts once.
func commandCount(part string) string {
	count := 0
	for _, s := range read(part) {
		if s.kind == recipeLine || s.rule.hasRecipe {
			count++
		}
	}
	return strconv.Itoa(count)
}

// prerequisites are those of a rule as written, order-only ones last.
func prerequisites(part string) string { return strings.Join(prerequisitesOf(part), " ") }

// prerequisiteCount is how many prerequisites a rule names.
func prerequisiteCount(part string) string { return strconv.Itoa(len(prerequisitesOf(part))) }

func prerequisitesOf(part string) []string {
	var normal, orderOnly []string
	for _, s := range read(part) {
		if s.kind == ruleLine && !slices.Contains(specialTargets, s.rule.targets[0]) {
			normal, orderOnly = append(normal, s.rule.prerequisites...), append(orderOnly, s.rule.orderOnly...)
		}
	}
	return append(normal, orderOnly...)
}

// usedVariables are the names of the variables that a part refers to, in order and each once.
func usedVariables(part string) string {
	var names []string
	for _, found := range referred.FindAllStringSubmatch(part, -1) {
		names = append(names, found[1])
	}
	slices.Sort(names)
	return strings.Join(slices.Compact(names), ", ")
}
