package makefile

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"agentd/domains"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
	"agentd/internal/lazyregexp"
	"agentd/vfs"
)

// Stats counts the parts of a document.
func Stats(d Document) domains.Stats {
	lines, prerequisites := 0, 0
	for _, t := range d.targets {
		lines += len(t.recipe)
		prerequisites += len(t.prerequisites)
	}
	return domains.StatsOf(d.explicit(), "Targets", len(d.targets), "Variables", len(d.variables),
		"Dependencies", 0, // as the published program has it
		"Prerequisites", prerequisites, "Recipe Lines", lines)
}

// Score is the published score (sheet, "Score").
func Score(reference, candidate Document, noted *notes.Notes) domains.Reading {
	var prerequisite, recipe sets.Mean
	common := shared(reference.targets, candidate.targets)
	for _, name := range common {
		ref, got := reference.targets[name], candidate.targets[name]
		prerequisite.Add(sets.Jaccard(ref.prerequisites, got.prerequisites))
		recipe.Add(ratio.Share(normalRecipe(ref.recipe), normalRecipe(got.recipe), noted))
	}
	prerequisites, recipes := prerequisite.Or(0), recipe.Or(0)
	gate := 1.0
	if len(reference.targets) > 0 {
		gate = float64(len(common)) / float64(len(reference.targets))
		gate *= gate
	}
	targets := sets.Jaccard(Names(reference.targets), Names(candidate.targets))
	variables := variableScore(reference.variables, candidate.variables, noted)
	phony := sets.Jaccard(Names(reference.phony), Names(candidate.phony))
	stems := sets.Jaccard(Names(reference.patterns), Names(candidate.patterns))
	value := 0.25*targets + 0.25*gate*prerequisites + 0.30*gate*recipes + 0.15*variables + 0.05*phony
	if len(reference.patterns) > 0 || len(candidate.patterns) > 0 {
		value = 0.9*value + 0.1*stems
	}
	if candidate.usedFallback {
		value *= 0.95
	}
	return domains.Reading{
		RS: value,
		Components: map[string]float64{
			"targets": targets, "prerequisites": prerequisites, "recipes": recipes,
			"variables": variables, "phony": phony, "patterns": stems,
		},
	}
}

// Names are those of a set, in order.
func Names[V any](of map[string]V) []string { return slices.Sorted(maps.Keys(of)) }

// shared are the names that two sets have in common, in order.
func shared[V any](reference, candidate map[string]V) []string {
	return slices.DeleteFunc(Names(reference), func(name string) bool {
		_, inBoth := candidate[name]
		return !inBoth
	})
}

// normalRecipe is a recipe as it is compared.
func normalRecipe(lines []string) string {
	var kept []string
	for _, line := range lines {
		line = pytext.Collapse(line)
		if line = pytext.Lower(strings.TrimLeft(line, "@-")); pytext.Strip(line) != "" {
			kept = append(kept, pytext.Strip(line))
		}
	}
	return strings.Join(kept, "\n")
}

func variableScore(reference, candidate map[string]string, noted *notes.Notes) float64 {
	if len(reference) == 0 && len(candidate) == 0 {
		return 1
	}
	common := shared(reference, candidate)
	if len(common) == 0 {
		return 0
	}
	values := 0.0
	for _, name := range common {
		values += ratio.Share(pytext.Lower(pytext.Strip(reference[name])), pytext.Lower(pytext.Strip(candidate[name])), noted)
	}
	return 0.4*sets.Jaccard(Names(reference), Names(candidate)) + 0.6*values/float64(len(common))
}

// Others counts the parts by which a document without a counted element is scored.
func Others(d Document) int { return len(d.variables) }

// Document is what the published evaluator reads.
type Document struct {
	targets   map[string]target
	variables map[string]string
	phony     map[string]bool
	patterns  map[string]bool // stems
	// usedFallback is set where Make would refuse a file.
	usedFallback bool
	explicit     func() int // targets by the rules of the format
}

type target struct {
	prerequisites []string
	recipe        []string
}

// FilePatterns are those of the names of the files that belong to a document.
var FilePatterns = []string{"*.[mM][kK]", "*[mM][aA][kK][eE][fF][iI][lL][eE]*"}

func isMakefile(name string) bool {
	return slices.ContainsFunc(FilePatterns, func(p string) bool { return vfs.Matches(p, name) })
}

func newDocument() Document {
	return Document{
		targets: map[string]target{}, variables: map[string]string{},
		phony: map[string]bool{}, patterns: map[string]bool{},
	}
}

// Parse reads a document as the published evaluator does: each file alone, what
// Make would print of it, or line by line where Make would refuse it.
func Parse(files vfs.Files) (Document, error) {
	d := newDocument()
	for _, name := range files.Names() {
		if !isMakefile(name) {
			continue
		}
		next, err := parseFile(files[name])
		if err != nil {
			return Document{}, fmt.Errorf("reading %s: %w", name, err)
		}
		maps.Copy(d.targets, next.targets)
		maps.Copy(d.variables, next.variables)
		maps.Copy(d.phony, next.phony)
		maps.Copy(d.patterns, next.patterns)
		d.usedFallback = d.usedFallback || next.usedFallback
	}
	d.explicit = sync.OnceValue(func() int { return countTargets(files) })
	return d, nil
}

func parseFile(text string) (Document, error) {
	m := newMaker(len(text))
	m.read(strings.TrimPrefix(strings.ReplaceAll(text, "\r\n", "\n"), "\ufeff"))
	m.checkGoal()
	if m.err == nil {
		return m.document(), nil
	}
	d := parseLines(text)
	if len(d.targets) == 0 && len(d.variables) == 0 {
		return Document{}, fmt.Errorf("neither targets nor variables: %w", m.err)
	}
	return d, nil
}

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

// parseLines is the published evaluator's reading of what Make refuses: line by line, of any text.
func parseLines(text string) Document {
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

// isRead is how entries are named that the published program reads.
var isRead = lazyregexp.New(`^[a-zA-Z_][a-zA-Z0-9_.-]*$`)

// document is what the published program reads in what Make would print.
func (m *maker) document() Document {
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

// emptyValue is what the published program reads for the value of an empty variable: the line below it.
const emptyValue = "# environment"

func (m *maker) readVariables(d *Document) {
	for _, name := range m.names {
		v := m.variables[name]
		if v == nil || v.origin != fromFile || strings.Contains(v.value, "\n") ||
			!isRead.MatchString(name) || strings.ContainsAny(name, ".-") ||
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

func (m *maker) readStems(d *Document) {
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

// readFiles goes through the table. After an entry that is read without a recipe, the next entry is passed over.
func (m *maker) readFiles(d *Document) {
	skip := false
	for _, f := range m.table.slots {
		if f == nil {
			continue
		}
		for _, v := range f.variables {
			if !skip && isRead.MatchString(f.name) {
				d.targets[f.name] = target{prerequisites: strings.Fields(v.text)}
				skip = true
			} else {
				skip = false
			}
		}
		if skip || !isRead.MatchString(f.name) {
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

// printedRecipe are the lines that the published program reads: up to one that does not begin with a tab.
func (f *file) printedRecipe() []string {
	for i, line := range f.recipe {
		if i > 0 && isContinued(f.recipe[i-1]) && !strings.HasPrefix(line, "\t") {
			return f.recipe[:i]
		}
	}
	return f.recipe
}
