package makefile

import (
	"slices"
	"strings"

	"agentd/domains/internal/plain"
)

// file is a name that a makefile mentions.
type file struct {
	name          string
	isTarget      bool
	doubleColon   bool
	phony         bool
	prerequisites []string // "|" among them
	recipe        []string
	foreignPrefix bool
	variables     []targetVariable
	hash          uint32
	visited       bool
}

// targetVariable is a target-specific variable as Make prints it.
type targetVariable struct{ name, text string }

// patternRule is one of the makefile's.
type patternRule struct {
	targets       []string
	prerequisites []string
	recipe        []string
}

func hasCommand(recipe []string) bool {
	return slices.ContainsFunc(recipe, func(line string) bool { return strings.Trim(line, " \t@+-") != "" })
}

// nameCost is what a name in a list takes from the budget.
const nameCost = 8

// endRule records the rule that was read, if there is one.
func (s *scan) endRule() {
	r := s.rule
	s.rule = nil
	if r == nil || s.err != nil {
		return
	}
	if strings.Contains(r.targets[0], "%") {
		p := patternRule{r.targets, fileNames(strings.Replace(r.prerequisites, "|", " ", 1)), r.recipe}
		s.patterns = plain.Append(s.patterns, p)
		return
	}
	prerequisites := fileNames(strings.ReplaceAll(r.prerequisites, "|", " | "))
	if r.pattern == "" {
		s.table.enterAll(prerequisites)
	}
	for _, name := range r.targets {
		s.record(name, r, prerequisites)
	}
}

func (s *scan) record(name string, r *rule, prerequisites []string) {
	if r.pattern != "" {
		if stem, ok := stemOf(r.pattern, name); ok {
			replaced := make([]string, len(prerequisites))
			for i, p := range prerequisites {
				replaced[i] = strings.Replace(p, "%", stem, 1)
				if !s.spend(len(replaced[i])) {
					return
				}
			}
			prerequisites = replaced
		}
		s.table.enterAll(prerequisites)
	}
	f := s.table.enter(name)
	if f.isTarget && f.doubleColon != r.doubleColon {
		s.fail("target file %q has both : and :: entries", name)
		return
	}
	f.isTarget = true
	if f.prerequisites == nil {
		f.prerequisites = slices.Clip(prerequisites)
	} else if s.spend(nameCost * len(prerequisites)) {
		f.prerequisites = append(f.prerequisites, prerequisites...)
	}
	s.targets++
	f.doubleColon = r.doubleColon
	if r.hasRecipe && (hasCommand(r.recipe) || f.recipe == nil) {
		f.recipe, f.foreignPrefix = r.recipe, r.foreignPrefix
	}
	switch name {
	case ".PHONY":
		for _, p := range prerequisites {
			s.table.enter(p).phony = true
		}
	case ".SUFFIXES":
		s.noSuffixes = s.noSuffixes || len(prerequisites) == 0
	}
}

// targetVariable records "target: name = value".
func (s *scan) targetVariable(names []string, a assignment) {
	name, value, operator := trimBlanks(s.expand(a.name)), a.value, "="
	switch a.operator {
	case ":=", "::=":
		operator, value = ":=", strings.ReplaceAll(s.expand(value), "$", "$$")
	case "!=":
		value = ""
	case "+=":
		operator = "+="
	case "?=":
		if s.variables[name] != nil {
			return
		}
	}
	for _, target := range names {
		if strings.Contains(target, "%") || !s.spend(len(value)) {
			continue
		}
		f := s.table.enter(target)
		v := targetVariable{name, name + " " + operator + " " + value}
		at := slices.IndexFunc(f.variables, func(old targetVariable) bool { return old.name == name })
		if at < 0 {
			f.variables = append(f.variables, v)
		} else {
			f.variables[at] = v
		}
		if !s.spend(len(f.variables)) {
			return
		}
	}
}
