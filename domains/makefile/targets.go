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

// part is a makefile of a document.
type part struct {
	name       string
	statements []statement
}

// gather reads the makefiles among files of any name: those that are named so,
// and those that have a rule with a recipe.
func gather(files vfs.Files) []part {
	var parts []part
	for _, name := range files.Names() {
		if isMakefile(name) || strings.Contains(files[name], "\n\t") {
			p := part{name, read(files[name])}
			if isMakefile(name) || p.hasRecipe() {
				parts = append(parts, p)
			}
		}
	}
	return parts
}

func (p *part) hasRecipe() bool {
	return slices.ContainsFunc(p.statements, func(s statement) bool { return s.kind == recipeLine })
}

// roots are the makefiles that no other includes, each with what it includes in its place.
func roots(parts []part) [][]*statement {
	included := map[string]bool{}
	for i := range parts {
		for k := range parts[i].statements {
			if s := &parts[i].statements[k]; s.kind == includeLine {
				found, _ := resolve(s, parts[i].name, parts)
				for _, p := range found {
					included[p.name] = true
				}
			}
		}
	}
	var all [][]*statement
	for i := range parts {
		if p := &parts[i]; !included[p.name] || len(included) == len(parts) {
			all = append(all, p.whole(parts, map[string]bool{}, nil))
		}
	}
	return all
}

// whole appends the statements of a makefile and of what it includes. A file is taken once.
func (p *part) whole(parts []part, taken map[string]bool, all []*statement) []*statement {
	taken[p.name] = true
	for k := range p.statements {
		s := &p.statements[k]
		if s.kind != includeLine {
			all = plain.Append(all, s)
			continue
		}
		found, others := resolve(s, p.name, parts)
		for _, next := range found {
			if !taken[next.name] {
				all = next.whole(parts, taken, all)
			}
		}
		if len(others) > 0 || len(found) == 0 {
			rest := *s
			rest.rest = strings.Join(others, " ")
			all = plain.Append(all, &rest)
		}
	}
	return all
}

// resolve returns the makefiles that a line includes, and the names of which there is none.
func resolve(s *statement, from string, parts []part) (found []*part, others []string) {
	for _, word := range words(s.rest) {
		name := path.Clean(word)
		at := len(found)
		for i := range parts {
			matched, _ := path.Match(name, parts[i].name)
			if (matched || path.Join(path.Dir(from), name) == parts[i].name) && parts[i].name != from {
				found = append(found, &parts[i])
			}
		}
		if at == len(found) {
			others = append(others, normal(word))
		}
	}
	return found, others
}

// placed is a statement with the conditions that it stands under. The lines of a recipe are with their rule.
type placed struct {
	*statement
	conditions []string
	recipe     []placed
	sees       []domains.Field            // how often what is expanded at once was assigned to so far
	targetSees map[string][]domains.Field // the same of the targets' names
	short      string                     // stands for the text, once needed
}

// place puts statements in their context and leaves out blank lines, comments
// and conditionals. A conditional's line where none belongs is foreign.
func place(root []*statement) []placed {
	var all []placed
	var b branches
	rule := -1 // the last one
	for _, s := range root {
		switch s.kind {
		case blankLine, commentLine:
			continue
		case conditionalLine:
			if b.line(s.word, s.rest) {
				continue
			}
		case recipeLine:
			all[rule].recipe = plain.Append(all[rule].recipe, placed{statement: s, conditions: b.inForce})
			continue
		case foreignLine:
			if rule >= 0 && isBlank(s.text[0]) {
				all[rule].recipe = plain.Append(all[rule].recipe, placed{statement: s, conditions: b.inForce})
				continue
			}
		case ruleLine:
			rule = len(all)
		default:
			rule = -1
		}
		all = plain.Append(all, placed{statement: s, conditions: b.inForce})
	}
	return all
}

// group is an explicit target: all rules for it that stand under the same
// conditions. Each double-colon rule is one of its own.
type group struct {
	name  string
	rules []*placed
}

// specialTargets mean something else than a file to make.
var specialTargets = strings.Fields(`
	.PHONY .SUFFIXES .DEFAULT .PRECIOUS .INTERMEDIATE .SECONDARY .SECONDEXPANSION .DELETE_ON_ERROR .IGNORE
	.LOW_RESOLUTION_TIME .SILENT .EXPORT_ALL_VARIABLES .NOTPARALLEL .ONESHELL .POSIX`)

// isExplicit reports whether a rule makes a target by name.
func isExplicit(name string, h *ruleHead) bool {
	switch {
	case h.pattern == "" && hasPercent(name):
		return false
	case name[0] != '.':
		return true
	}
	return !slices.Contains(specialTargets, name) &&
		!slices.Contains(defaultSuffixes, name) && !slices.Contains(suffixRules, name)
}

// hasPercent reports whether a percent sign stands outside of references.
func hasPercent(name string) bool {
	_, stop, _ := cut(name, "%", true)
	return stop != 0
}

// groups are the explicit targets of a makefile in the order of their first rules.
func groups(all []placed) []group {
	var list []group
	places := map[string]int{}
	for i := range all {
		p := &all[i]
		if p.kind != ruleLine {
			continue
		}
		context := "\x00" + strings.Join(p.conditions, "\x00")
		if strings.HasSuffix(p.rule.colon, "::") {
			context += "\x00" + strconv.Itoa(i)
		}
		for _, name := range p.rule.targets {
			if !isExplicit(name, &p.rule) {
				continue
			}
			key := normal(name) + context
			at, known := places[key]
			if !known {
				at = len(list)
				places[key] = at
				list = plain.Append(list, group{name: normal(name)})
			}
			if rules := list[at].rules; len(rules) == 0 || rules[len(rules)-1] != p {
				list[at].rules = append(rules, p)
			}
		}
	}
	return list
}

// countTargets is the number of explicit targets of a document.
func countTargets(files vfs.Files) int {
	n := 0
	for _, root := range roots(gather(files)) {
		n += len(groups(place(root)))
	}
	return n
}

// without leaves out explicit targets with their recipes, their variables and their places in .PHONY.
func without(files vfs.Files, leave func() bool) vfs.Files {
	parts := gather(files)
	gone, left, removed := map[*statement]map[string]bool{}, map[string]bool{}, map[string]bool{}
	recipes := map[*statement][]placed{}
	for _, root := range roots(parts) {
		for _, g := range groups(place(root)) {
			if !leave() {
				left[g.name] = true
				continue
			}
			removed[g.name] = true
			for _, r := range g.rules {
				if gone[r.statement] == nil {
					gone[r.statement] = map[string]bool{}
				}
				gone[r.statement][g.name] = true
				recipes[r.statement] = r.recipe
			}
		}
	}
	wholly := func(name string) bool { return removed[name] && !left[name] }
	dropped := map[*statement]bool{}
	for i := range parts {
		for k := range parts[i].statements {
			s := &parts[i].statements[k]
			switch {
			case gone[s] != nil:
				s.leaveTargets(func(name string) bool { return gone[s][name] })
			case s.kind == variableLine && s.rule.targets != nil:
				s.leaveTargets(wholly)
			case s.kind == ruleLine && slices.Equal(s.rule.targets, []string{".PHONY"}):
				s.leavePrerequisites(wholly)
			}
			if s.text == "" && (s.kind == ruleLine || s.kind == variableLine) {
				dropped[s] = true
				for _, line := range recipes[s] {
					dropped[line.statement] = true
				}
			}
		}
	}
	out := files.Clone()
	for _, p := range parts {
		var kept []statement
		for k := range p.statements {
			if !dropped[&p.statements[k]] {
				kept = append(kept, p.statements[k])
			}
		}
		out[p.name] = printed(kept)
	}
	return out
}

// staying are the names that are not left out, and whether some are.
func staying(names []string, leave func(name string) bool) (kept []string, some bool) {
	kept = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return leave(normal(name)) })
	return kept, len(kept) < len(names)
}

// leaveTargets takes targets out of a line. Without any it is empty.
func (s *statement) leaveTargets(leave func(name string) bool) {
	kept, some := staying(s.rule.targets, leave)
	if !some {
		return
	}
	s.rule.targets = kept
	_, _, after := cut(s.text, ":", true)
	head := strings.Join(kept, " ")
	if strings.HasPrefix(s.rule.colon, "&") {
		head += " &"
	}
	if s.text = head + ":" + after; len(kept) == 0 {
		s.text = ""
	}
}

// leavePrerequisites takes prerequisites out of a rule without a recipe.
func (s *statement) leavePrerequisites(leave func(name string) bool) {
	kept, some := staying(s.rule.prerequisites, leave)
	if !some {
		return
	}
	s.rule.prerequisites = kept
	s.text = strings.TrimRight(strings.Join(s.rule.targets, " ")+": "+strings.Join(kept, " ")+" "+s.comment, " ")
	if len(kept) == 0 {
		s.text = ""
	}
}
