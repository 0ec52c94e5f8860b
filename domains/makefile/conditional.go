package makefile

import "strings"

// conditional is an open ifeq or the like.
type conditional struct {
	state    branch
	within   bool // a branch that is not taken
	seenElse bool
}

type branch uint8

const (
	taken  branch = iota
	notYet        // no branch was taken so far
	done          // one was
)

func (s *scan) ignoring() bool {
	open := len(s.conditionals)
	return open > 0 && (s.conditionals[open-1].within || s.conditionals[open-1].state != taken)
}

// conditional carries out a line if it is one of a conditional.
func (s *scan) conditional(line string) bool {
	word, rest := firstWord(line)
	open := len(s.conditionals)
	switch word {
	case "ifdef", "ifndef", "ifeq", "ifneq":
		state, within := notYet, s.ignoring()
		if !within {
			holds, ok := s.holds(word, rest)
			if !ok {
				s.fail("invalid syntax in conditional")
			}
			if holds {
				state = taken
			}
		}
		s.conditionals = append(s.conditionals, conditional{state: state, within: within})
	case "endif":
		if open == 0 {
			s.fail("extraneous 'endif'")
			return true
		}
		s.conditionals = s.conditionals[:open-1]
	case "else":
		if open == 0 || s.conditionals[open-1].seenElse {
			s.fail("extraneous 'else'")
			return true
		}
		s.otherwise(&s.conditionals[open-1], rest)
	default:
		return false
	}
	return true
}

// otherwise carries out an else, which may have a condition of its own.
func (s *scan) otherwise(c *conditional, rest string) {
	switch c.state {
	case taken:
		c.state = done
	case notYet:
		c.state = taken
	}
	if rest == "" {
		c.seenElse = true
		return
	}
	word, condition := firstWord(rest)
	if s.ignoring() || !isConditional(word) {
		return
	}
	holds, ok := s.holds(word, condition)
	if !holds || !ok {
		c.state = notYet
	}
}

// conditionalDepth is how much deeper in conditionals the lines after a first word are.
var conditionalDepth = map[string]int{"ifdef": 1, "ifndef": 1, "ifeq": 1, "ifneq": 1, "endif": -1}

func isConditional(word string) bool { return conditionalDepth[word] > 0 }

// holds evaluates a condition; ok is false if it is malformed.
func (s *scan) holds(word, condition string) (holds, ok bool) {
	if word == "ifdef" || word == "ifndef" {
		names := strings.Fields(s.expand(condition))
		if len(names) > 1 {
			return false, false
		}
		v := s.variables[strings.Join(names, "")]
		return (v != nil && v.value != "") == (word == "ifdef"), true
	}
	left, right, ok := sides(condition)
	return ok && (s.expand(left) == s.expand(right)) == (word == "ifeq"), ok
}

// sides divides "(a,b)", or two texts in quotes.
func sides(condition string) (left, right string, ok bool) {
	if inside, is := strings.CutPrefix(condition, "("); is {
		left, rest, divided := cutOutside(inside, ',')
		right, _, closed := cutOutside(strings.TrimLeft(rest, " \t"), ')')
		return strings.TrimRight(left, " \t"), right, divided && closed
	}
	left, rest, ok := quoted(condition)
	if ok {
		right, _, ok = quoted(strings.TrimLeft(rest, " \t"))
	}
	return left, right, ok
}

// cutOutside divides a text at the first such character that no parentheses enclose.
func cutOutside(text string, c byte) (before, after string, found bool) {
	depth := 0
	for at := range len(text) {
		switch {
		case text[at] == c && depth <= 0:
			return text[:at], text[at+1:], true
		case text[at] == '(':
			depth++
		case text[at] == ')':
			depth--
		}
	}
	return text, "", false
}

func quoted(text string) (inside, rest string, ok bool) {
	if text == "" || text[0] != '"' && text[0] != '\'' {
		return "", "", false
	}
	inside, rest, ok = strings.Cut(text[1:], text[:1])
	return inside, rest, ok
}
