package makefile

import (
	"path"
	"slices"
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

// roots are the makefiles that no other includes, each with what it includes in
// its place.
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

// whole appends the statements of a makefile and of what it includes. A file is
// taken once.
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

// resolve returns the makefiles that a line includes, and the names of which
// there is none.
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

// placed is a statement with the conditions that it stands under. The lines of
// a recipe are with their rule.
type placed struct {
	*statement
	conditions []string
	recipe     []placed
	sees       []domains.Field            // how often what is expanded at once was assigned to so far
	targetSees map[string][]domains.Field // the same of the targets' names
	short      string              // stands for the text, once needed
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
