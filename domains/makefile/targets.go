package makefile

import (
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

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

// groups are the explicit targets of a makefile in the order of their first
// rules.
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

// without leaves out explicit targets with their recipes, their variables and
// their places in .PHONY.
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
