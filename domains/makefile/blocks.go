package makefile

import (
	"slices"
	"strings"

	"agentd/domains/internal/plain"
)

// block is a rule that stands outside of conditionals, with its recipe, the
// comments, special targets and variables directly above it and the blank lines
// below it; or what stands between two of those.
type block struct {
	statements []statement
	rule       int // the rule's place among the statements, -1 if there is none
}

// blocks divides a makefile.
func blocks(all []statement) []block {
	var list []block
	start, above, depth := 0, 0, 0 // above is where what belongs to the next rule begins
	for at := 0; at < len(all); at++ {
		s := &all[at]
		if s.kind == conditionalLine {
			depth += conditionalDepth[s.word]
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
			if depth += conditionalDepth[s.word]; depth < 0 || depth == 0 && s.word == "else" {
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

// firstLines are the lines on which the blocks of rules begin, from 1.
func firstLines(list []block) []int {
	var all []int
	line := 1
	for _, b := range list {
		if b.rule >= 0 {
			all = append(all, line)
		}
		line += lineCount(b.statements)
	}
	return all
}

func lineCount(all []statement) (lines int) {
	for i := range all {
		lines += all[i].lines()
	}
	return lines
}

// restored puts the blocks of rules where they began, by rows of line and name;
// of one name, the first row belongs to the first block. The other lines fill
// the places that are left, in their order.
func restored(rules []block, others []statement, rows [][]string) []statement {
	places := plain.NotesBy(rows, func(row []string) string { return normal(strings.TrimSpace(row[1])) })
	type placed struct {
		line       int
		statements []statement
	}
	listed := make([]placed, len(rules))
	for i, b := range rules {
		line, _ := places.TakeNumber(b.name())
		listed[i] = placed{line, b.statements}
	}
	between := make([][]statement, len(others))
	for i := range others {
		between[i] = others[i : i+1]
	}
	placeOf := func(p placed) (int, []statement) { return p.line, p.statements }
	all := slices.Concat(plain.PutIn(listed, between, placeOf, lineCount)...)
	return all[:withoutBlanks(all)]
}

// lines is how many lines a statement has.
func (s *statement) lines() int { return 1 + strings.Count(s.text, "\n") }
