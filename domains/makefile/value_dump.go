package makefile

import (
	"slices"
	"strings"
)

// isRead reports whether the published program reads entries of that name.
func isRead(name string) bool {
	for i := range len(name) {
		c := name[i]
		if !isLetter(c) && (i == 0 || c != '.' && c != '-' && !isDigit(c)) {
			return false
		}
	}
	return name != ""
}

// document is what the published program reads in what Make would print.
func (m *maker) document() document {
	d := newDocument()
	m.readVariables(&d)
	m.readStems(&d)
	m.readFiles(&d)
	if m.git {
		words := strings.Fields("not a git repository (or any of the parent directories): .git")
		d.targets["fatal"] = target{prerequisites: words}
	}
	return d
}

// emptyValue is what the published program reads for the value of an empty
// variable: the line below it.
const emptyValue = "# environment"

func (m *maker) readVariables(d *document) {
	for _, name := range m.names {
		v := m.variables[name]
		if v == nil || v.origin != fromFile || strings.Contains(v.value, "\n") ||
			!isRead(name) || strings.ContainsAny(name, ".-") ||
			slices.Contains([]string{"MAKEFILE_LIST", "MAKEFLAGS", "CURDIR"}, name) {
			continue
		}
		value := v.value
		if !v.recursive {
			value = strings.ReplaceAll(value, "$", "$$")
		}
		if value = trimBlanks(value); value == "" {
			value = emptyValue
		}
		d.variables[name] = value
	}
}

func (m *maker) readStems(d *document) {
	v := m.variables["MAKEFLAGS"]
	if v == nil || v.origin < fromFile || !slices.ContainsFunc(strings.Fields(v.value), isNoBuiltins) {
		stems := builtInStems
		if m.noSuffixes {
			stems = bareStems
		}
		for _, stem := range stems {
			d.patterns[stem] = true
		}
	}
	d.patterns[readAsAStem] = true
	for _, rule := range m.patterns {
		d.patterns[strings.Join(rule.targets, " ")] = true
	}
}

func isNoBuiltins(flag string) bool {
	letters, short := strings.CutPrefix(flag, "-")
	return flag == "--no-builtin-rules" || short && !strings.HasPrefix(letters, "-") && strings.ContainsAny(letters, "rR")
}

// readFiles goes through the table. After an entry that is read without a
// recipe, the next entry is passed over.
func (m *maker) readFiles(d *document) {
	skip := false
	for _, f := range m.table.slots {
		if f == nil {
			continue
		}
		for _, v := range f.variables {
			if !skip && isRead(f.name) {
				d.targets[f.name] = target{prerequisites: strings.Fields(v.text)}
				skip = true
			} else {
				skip = false
			}
		}
		if skip || !isRead(f.name) {
			skip = false
			continue
		}
		t := target{prerequisites: f.prerequisites, recipe: f.printedRecipe()}
		if f.doubleColon {
			t.prerequisites = append([]string{":"}, t.prerequisites...)
		}
		d.targets[f.name] = t
		if f.phony {
			d.phony[f.name] = true
		}
		skip = len(t.recipe) == 0
	}
}

// printedRecipe are the lines that the published program reads: up to one that
// does not begin with a tab.
func (f *file) printedRecipe() []string {
	if f.foreignPrefix {
		return nil
	}
	for i, line := range f.recipe {
		if i > 0 && isContinued(f.recipe[i-1]) && !strings.HasPrefix(line, "\t") {
			return f.recipe[:i]
		}
	}
	return f.recipe
}
