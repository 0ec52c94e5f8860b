package makefile

import (
	"slices"
	"strings"

	"agentd/domains/internal/pytext"
)

// skippedStarts begin lines that the line reader passes over.
var skippedStarts = strings.Fields(`
	ifdef ifndef ifeq ifneq else endif include -include export unexport override define endef vpath .SUFFIXES .DEFAULT`)

// skippedVariables are those that the line reader does not keep.
var skippedVariables = strings.Fields("MAKEFILE_LIST MAKEFLAGS CURDIR SHELL MAKE MAKELEVEL MAKEOVERRIDES SUFFIXES")

// What lines with an assignment and with a rule are to the line reader.
var (
	plainAssignment = pytext.Pattern(`(?s)^([A-Za-z_][A-Za-z0-9_]*)\s*[:?+]?=(.*)`)
	plainRule       = pytext.Pattern(`(?s)^([A-Za-z0-9_.%-]+)\s*:(.*)`)
)

// parseLines is the published evaluator's reading of what Make refuses: line by
// line, of any text.
func parseLines(text string) document {
	d := newDocument()
	d.usedFallback = true
	lines := strings.Split(text, "\n")
	for at := 0; at < len(lines); {
		line := lines[at]
		at++
		stripped := pytext.Strip(line)
		if stripped == "" || stripped[0] == '#' || line[0] == ' ' || line[0] == '\t' {
			continue
		}
		if names, ok := strings.CutPrefix(stripped, ".PHONY:"); ok {
			for _, name := range pytext.Fields(names) {
				if name[0] != '#' {
					d.phony[name] = true
				}
			}
			continue
		}
		if slices.ContainsFunc(skippedStarts, func(s string) bool { return strings.HasPrefix(stripped, s) }) {
			continue
		}
		if m := plainAssignment.FindStringSubmatch(stripped); m != nil {
			if !slices.Contains(skippedVariables, m[1]) {
				d.variables[m[1]] = pytext.Strip(m[2])
			}
			continue
		}
		m := plainRule.FindStringSubmatch(stripped)
		if m == nil || strings.HasPrefix(m[2], "=") {
			continue
		}
		name, rest := m[1], m[2]
		var recipe []string
		recipe, at = plainRecipe(lines, at)
		if strings.Contains(name, "%") {
			d.patterns[name] = true
			continue
		}
		// Of "## what it does" the first mark stays, as a prerequisite.
		if mark := strings.LastIndexByte(rest, '#'); mark >= 0 {
			rest = rest[:mark]
		}
		d.targets[name] = target{pytext.Fields(rest), recipe}
	}
	return d
}

// plainRecipe takes the lines of a recipe and returns where the next line is.
func plainRecipe(lines []string, at int) (recipe []string, next int) {
	for ; at < len(lines); at++ {
		line := lines[at]
		rest, indented := strings.CutPrefix(line, "\t")
		if !indented {
			if rest, indented = strings.CutPrefix(line, "    "); indented {
				rest = strings.TrimLeft(rest, " ")
			}
		}
		switch {
		case indented:
			recipe = append(recipe, rest)
		case pytext.Strip(line) != "" || len(recipe) > 0:
			return recipe, at
		}
	}
	return recipe, at
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
