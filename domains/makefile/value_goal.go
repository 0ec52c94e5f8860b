package makefile

import (
	"cmp"
	"strings"
)

// mostTried is how many pairs of a name and a pattern rule are looked at.
const mostTried = 1 << 20

// checkGoal walks to what the default goal needs, as if no file existed, and
// fails where Make would not know how to make something. It ends at the first
// target with a recipe, since that would have to be run.
func (m *maker) checkGoal() {
	goal := cmp.Or(trimBlanks(m.value(".DEFAULT_GOAL")), m.goal)
	if goal == "" {
		m.fail("no targets")
	}
	if m.err != nil {
		return
	}
	type step struct {
		file *file
		next int // of its prerequisites
	}
	tried := 0
	path := []step{{file: m.table.enter(goal)}}
	path[0].file.visited = true
	for len(path) > 0 {
		last := &path[len(path)-1]
		f := last.file
		if last.next == 0 && !f.phony && !hasCommand(f.recipe) && tried < mostTried {
			tried += len(m.patterns)
			m.findImplicit(f)
		}
		if last.next < len(f.prerequisites) {
			name := f.prerequisites[last.next]
			last.next++
			if name == "|" {
				continue
			}
			if next := m.table.enter(name); !next.visited {
				next.visited = true
				path = append(path, step{file: next})
			}
			continue
		}
		if hasCommand(f.recipe) {
			return
		}
		if !f.isTarget && !f.phony {
			m.fail("no rule to make target %q", f.name)
			return
		}
		path = path[:len(path)-1]
	}
}

// findImplicit gives a file the prerequisites and recipe of the first pattern
// rule of which all prerequisites are mentioned.
func (m *maker) findImplicit(f *file) {
	for _, rule := range m.patterns {
		if !hasCommand(rule.recipe) {
			continue
		}
		for _, pattern := range rule.targets {
			stem, ok := stemOf(pattern, f.name)
			if !ok || stem == "" {
				continue
			}
			if made, ok := m.mentioned(rule.prerequisites, stem); ok {
				f.prerequisites = append(f.prerequisites, made...)
				f.recipe = rule.recipe
				return
			}
		}
	}
}

func (m *maker) mentioned(prerequisites []string, stem string) (made []string, ok bool) {
	for _, p := range prerequisites {
		name := strings.Replace(p, "%", stem, 1)
		if !m.table.has(name) {
			return nil, false
		}
		made = append(made, name)
	}
	return made, true
}
