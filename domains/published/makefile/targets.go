package makefile

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// Part is a makefile of a document.
type Part struct {
	Name       string
	Statements []Statement
}

// Gather reads the makefiles among files of any name: those that are named so,
// and those that have a rule with a recipe.
func Gather(files vfs.Files) []Part {
	var parts []Part
	for _, name := range files.Names() {
		if isMakefile(name) || strings.Contains(files[name], "\n\t") {
			p := Part{name, Read(files[name])}
			if isMakefile(name) || p.hasRecipe() {
				parts = append(parts, p)
			}
		}
	}
	return parts
}

func (p *Part) hasRecipe() bool {
	return slices.ContainsFunc(p.Statements, func(s Statement) bool { return s.Kind == RecipeLine })
}

// Roots are the makefiles that no other includes, each with what it includes in its place.
func Roots(parts []Part) [][]*Statement {
	included := map[string]bool{}
	for i := range parts {
		for k := range parts[i].Statements {
			if s := &parts[i].Statements[k]; s.Kind == IncludeLine {
				found, _ := resolve(s, parts[i].Name, parts)
				for _, p := range found {
					included[p.Name] = true
				}
			}
		}
	}
	var all [][]*Statement
	for i := range parts {
		if p := &parts[i]; !included[p.Name] || len(included) == len(parts) {
			all = append(all, p.whole(parts, map[string]bool{}, nil))
		}
	}
	return all
}

// whole appends the statements of a makefile and of what it includes. A file is taken once.
func (p *Part) whole(parts []Part, taken map[string]bool, all []*Statement) []*Statement {
	taken[p.Name] = true
	for k := range p.Statements {
		s := &p.Statements[k]
		if s.Kind != IncludeLine {
			all = plain.Append(all, s)
			continue
		}
		found, others := resolve(s, p.Name, parts)
		for _, next := range found {
			if !taken[next.Name] {
				all = next.whole(parts, taken, all)
			}
		}
		if len(others) > 0 || len(found) == 0 {
			rest := *s
			rest.Rest = strings.Join(others, " ")
			all = plain.Append(all, &rest)
		}
	}
	return all
}

// resolve returns the makefiles that a line includes, and the names of which there is none.
func resolve(s *Statement, from string, parts []Part) (found []*Part, others []string) {
	for _, word := range Words(s.Rest) {
		name := path.Clean(word)
		at := len(found)
		for i := range parts {
			matched, _ := path.Match(name, parts[i].Name)
			if (matched || path.Join(path.Dir(from), name) == parts[i].Name) && parts[i].Name != from {
				found = append(found, &parts[i])
			}
		}
		if at == len(found) {
			others = append(others, Normal(word))
		}
	}
	return found, others
}

// Placed is a statement with the conditions that it stands under. The lines of a recipe are with their rule.
type Placed struct {
	*Statement
	Conditions []string
	Recipe     []Placed
	Sees       []domains.Field            // how often what is expanded at once was assigned to so far
	TargetSees map[string][]domains.Field // the same of the targets' names
	Short      string                     // stands for the text, once needed
}

// Place puts statements in their context and leaves out blank lines, comments
// and conditionals. A conditional's line where none belongs is foreign.
func Place(root []*Statement) []Placed {
	var all []Placed
	var b branches
	rule := -1 // the last one
	for _, s := range root {
		switch s.Kind {
		case blankLine, commentLine:
			continue
		case conditionalLine:
			if b.line(s.Word, s.Rest) {
				continue
			}
		case RecipeLine:
			all[rule].Recipe = plain.Append(all[rule].Recipe, Placed{Statement: s, Conditions: b.inForce})
			continue
		case ForeignLine:
			if rule >= 0 && isBlank(s.Text[0]) {
				all[rule].Recipe = plain.Append(all[rule].Recipe, Placed{Statement: s, Conditions: b.inForce})
				continue
			}
		case RuleLine:
			rule = len(all)
		default:
			rule = -1
		}
		all = plain.Append(all, Placed{Statement: s, Conditions: b.inForce})
	}
	return all
}

// Group is an explicit target: all rules for it that stand under the same
// conditions. Each double-colon rule is one of its own.
type Group struct {
	Name  string
	Rules []*Placed
}

// SpecialTargets mean something else than a file to make.
var SpecialTargets = strings.Fields(`
	.PHONY .SUFFIXES .DEFAULT .PRECIOUS .INTERMEDIATE .SECONDARY .SECONDEXPANSION .DELETE_ON_ERROR .IGNORE
	.LOW_RESOLUTION_TIME .SILENT .EXPORT_ALL_VARIABLES .NOTPARALLEL .ONESHELL .POSIX`)

// IsExplicit reports whether a rule makes a target by name.
func IsExplicit(name string, h *RuleHead) bool {
	switch {
	case h.Pattern == "" && HasPercent(name):
		return false
	case name[0] != '.':
		return true
	}
	return !slices.Contains(SpecialTargets, name) &&
		!slices.Contains(defaultSuffixes, name) && !slices.Contains(suffixRules, name)
}

// HasPercent reports whether a percent sign stands outside of references.
func HasPercent(name string) bool {
	_, stop, _ := Cut(name, "%", true)
	return stop != 0
}

// Groups are the explicit targets of a makefile in the order of their first rules.
func Groups(all []Placed) []Group {
	var list []Group
	places := map[string]int{}
	for i := range all {
		p := &all[i]
		if p.Kind != RuleLine {
			continue
		}
		context := "\x00" + strings.Join(p.Conditions, "\x00")
		if strings.HasSuffix(p.Rule.Colon, "::") {
			context += "\x00" + strconv.Itoa(i)
		}
		for _, name := range p.Rule.Targets {
			if !IsExplicit(name, &p.Rule) {
				continue
			}
			key := Normal(name) + context
			at, known := places[key]
			if !known {
				at = len(list)
				places[key] = at
				list = plain.Append(list, Group{Name: Normal(name)})
			}
			if rules := list[at].Rules; len(rules) == 0 || rules[len(rules)-1] != p {
				list[at].Rules = append(rules, p)
			}
		}
	}
	return list
}

// countTargets is the number of explicit targets of a document.
func countTargets(files vfs.Files) int {
	n := 0
	for _, root := range Roots(Gather(files)) {
		n += len(Groups(Place(root)))
	}
	return n
}
