package makefile

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// block is a rule that stands outside of conditionals, with its recipe, the
// comments, special targets and variables directly above it and the blank lines
// below it; or what stands between two of those.
type block struct {
	statements []statement
	rule       int // the rule's place among the statements, -1 if there is none
}

var errNoRule = errors.New("no makefile with a rule")

// readDocument reads the makefiles that a forward step is given, as one.
func readDocument(files vfs.Files) ([]statement, error) {
	var all []statement
	for _, name := range files.Names() {
		if isMakefile(name) {
			all = append(all, read(files[name])...)
		}
	}
	if !slices.ContainsFunc(all, func(s statement) bool { return s.kind == ruleLine }) {
		return nil, errNoRule
	}
	return all, nil
}

// readNamed reads the file that a backward step needs.
func readNamed(files vfs.Files, name string) ([]statement, error) {
	text, err := plain.File(files, name)
	return read(text), err
}

// blocks divides a makefile.
func blocks(all []statement) []block {
	var list []block
	start, above, depth := 0, 0, 0 // above is where what belongs to the next rule begins
	for at := 0; at < len(all); at++ {
		s := &all[at]
		if s.kind == conditionalLine {
			depth += conditionalDepth(s)
		}
		switch {
		case depth == 0 && s.kind == ruleLine && !s.isSpecial():
			if above > start {
				list = append(list, block{all[start:above], -1})
			}
			end := ruleEnd(all, at)
			list = append(list, block{all[above:end], at - above})
			start, above, at = end, end, end-1
		case depth > 0 || !s.belongsBelow():
			above = at + 1
		}
	}
	if start < len(all) {
		list = append(list, block{all[start:], -1})
	}
	return list
}

func conditionalDepth(s *statement) int {
	switch s.word {
	case "endif":
		return -1
	case "else":
		return 0
	}
	return 1
}

func (s *statement) isSpecial() bool {
	return s.kind == ruleLine && slices.Contains(specialTargets, s.rule.targets[0])
}

// belongsBelow reports whether a line belongs to the rule directly below it.
func (s *statement) belongsBelow() bool {
	return s.kind == commentLine || s.isSpecial() || s.kind == variableLine && s.rule.targets != nil
}

// ruleEnd is the place after a rule's recipe and the blank lines that follow.
// Conditionals that hold recipe lines are part of it.
func ruleEnd(all []statement, rule int) int {
	end, depth, lines := rule+1, 0, false
	for at := rule + 1; at < len(all); at++ {
		switch s := &all[at]; s.kind {
		case recipeLine:
			lines = true
		case conditionalLine:
			if depth += conditionalDepth(s); depth < 0 || depth == 0 && s.word == "else" {
				return withBlanks(all, end)
			}
			if depth == 1 && s.word != "else" {
				lines = false
			}
		case blankLine, commentLine:
			continue
		default:
			return withBlanks(all, end)
		}
		if depth == 0 && lines {
			end = at + 1
		}
	}
	return withBlanks(all, end)
}

func withBlanks(all []statement, end int) int {
	for end < len(all) && all[end].kind == blankLine {
		end++
	}
	return end
}

// name is what a block's rule makes first, "" of a block without a rule.
func (b *block) name() string {
	if b.rule < 0 {
		return ""
	}
	return normal(b.statements[b.rule].rule.targets[0])
}

// asDocument is what every backward step leaves.
func asDocument(text string) vfs.Files { return vfs.Files{mainFile: text} }

// apart divides blocks into those of rules and the statements of the others.
func apart(list []block) (rules []block, others []statement) {
	for _, b := range list {
		if b.rule >= 0 {
			rules = append(rules, b)
		} else {
			others = append(others, b.statements...)
		}
	}
	return rules, others
}

// restored puts the blocks of rules where they began, by rows of line and name;
// of one name, the first row belongs to the first block. The other lines fill
// the places that are left, in their order.
func restored(rules []block, others []statement, rows [][]string) vfs.Files {
	places := map[string][]int{}
	for _, row := range rows {
		line, _ := strconv.Atoi(strings.TrimSpace(row[0]))
		name := normal(strings.TrimSpace(row[1]))
		places[name] = append(places[name], line)
	}
	type placedBlock struct {
		block
		line int
	}
	listed := make([]placedBlock, len(rules))
	for i, b := range rules {
		listed[i] = placedBlock{b, math.MaxInt}
		if own := places[b.name()]; len(own) > 0 {
			listed[i].line, places[b.name()] = own[0], own[1:]
		}
	}
	slices.SortStableFunc(listed, func(a, b placedBlock) int { return cmp.Compare(a.line, b.line) })
	var all []statement
	line := 1
	for len(listed) > 0 || len(others) > 0 {
		next := others[:min(1, len(others))]
		if len(listed) > 0 && (listed[0].line <= line || len(others) == 0) {
			next, listed = listed[0].statements, listed[1:]
		} else {
			others = others[1:]
		}
		all = append(all, next...)
		for i := range next {
			line += next[i].lines()
		}
	}
	return asDocument(printed(all[:max(1, withoutBlanks(all))]))
}

// lines is how many lines a statement has.
func (s *statement) lines() int { return 1 + strings.Count(s.text, "\n") }
