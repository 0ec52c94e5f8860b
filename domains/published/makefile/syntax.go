package makefile

import (
	"slices"
	"strings"
)

// logicalLines divides a text at the line ends that no backslash quotes. The others stay in the lines.
func logicalLines(text string) []string {
	if text == "" {
		return nil
	}
	text = strings.TrimSuffix(text, "\n")
	lines := make([]string, 0, 1+strings.Count(text, "\n"))
	start, at := 0, 0
	for line := range strings.SplitSeq(text, "\n") {
		if at += len(line) + 1; !isContinued(line) {
			lines = append(lines, text[start:at-1])
			start = at
		}
	}
	if start < at {
		lines = append(lines, text[start:])
	}
	return lines
}

// isContinued reports whether a line ends in an odd number of backslashes.
func isContinued(line string) bool {
	bare := strings.TrimRight(line, `\`)
	return (len(line)-len(bare))%2 == 1
}

// joined replaces each quoted line end, with the blanks around it, by a blank. Of the backslashes before it half stay.
func joined(line string) string {
	if !strings.Contains(line, "\\\n") {
		return line
	}
	var b strings.Builder
	for {
		before, after, more := strings.Cut(line, "\n")
		if !more {
			b.WriteString(line)
			return b.String()
		}
		bare := strings.TrimRight(before, `\`)
		count := len(before) - len(bare)
		if count == 1 {
			bare = strings.TrimRight(bare, " \t")
		}
		b.WriteString(bare + strings.Repeat(`\`, count/2) + " ")
		line = strings.TrimLeft(after, " \t")
	}
}

// Cut divides a text at the first of the stop characters that is neither quoted by a backslash nor, if it should be,
// inside of a reference. In what is before it the quoting backslashes are gone; stop is 0 if there is none.
func Cut(text, stops string, outside bool) (before string, stop byte, after string) {
	set := stops
	if outside {
		set += "$"
	}
	at := strings.IndexAny(text, set)
	if at < 0 {
		return text, 0, ""
	}
	var b strings.Builder
	from := 0
	for at < len(text) {
		next := strings.IndexAny(text[at:], set)
		if next < 0 {
			break
		}
		at += next
		if outside && text[at] == '$' {
			at = referenceEnd(text, at)
			continue
		}
		bare := strings.TrimRight(text[from:at], `\`)
		count := at - from - len(bare)
		b.WriteString(bare + strings.Repeat(`\`, count/2))
		if count%2 == 0 {
			return b.String(), text[at], text[at+1:]
		}
		from = at
		at++
	}
	return b.String() + text[from:], 0, ""
}

// referenceEnd returns the place after the reference that begins with the
// dollar sign at a place; of one that does not end, the end of the text.
func referenceEnd(text string, at int) int {
	if at+1 >= len(text) {
		return len(text)
	}
	open := text[at+1]
	if open != '(' && open != '{' {
		return at + 2
	}
	if end := closing(text, at+1); end >= 0 {
		return end + 1
	}
	return len(text)
}

// closing returns the place of the bracket that closes the one at a place, -1 if
// there is none. Only brackets of that kind count.
func closing(text string, at int) int {
	open, closer := text[at], byte(')')
	if open == '{' {
		closer = '}'
	}
	depth := 0
	for i := at; i < len(text); i++ {
		switch text[i] {
		case open:
			depth++
		case closer:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// uncommented takes the comment off a line.
func uncommented(line string) string {
	before, _, _ := Cut(line, "#", true)
	return before
}

func trimBlanks(s string) string { return strings.Trim(s, " \t") }

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// firstWord divides a line after its first word and the blanks that follow it.
func firstWord(line string) (word, rest string) {
	line = strings.TrimLeft(line, " \t")
	at := strings.IndexAny(line, " \t")
	if at < 0 {
		return line, ""
	}
	return line[:at], strings.TrimLeft(line[at:], " \t")
}

// isNoReference reports whether a word is anything but a single reference.
func isNoReference(word string) bool { return word[0] != '$' || referenceEnd(word, 0) != len(word) }

// Words are the words of a text; blanks inside of references divide nothing.
func Words(text string) []string {
	var all []string
	for at := 0; at < len(text); {
		start := at
		for at < len(text) && !isBlank(text[at]) && text[at] != '\n' {
			if text[at] == '$' {
				at = referenceEnd(text, at)
			} else {
				at++
			}
		}
		if at > start {
			all = append(all, text[start:at])
		}
		at++
	}
	return all
}

// assignment is the head of a variable's definition.
type assignment struct {
	Modifiers []string // override, export, private, in their order
	Directive string   // define, undefine or none
	Name      string   // not expanded
	Operator  string   // of define it may be missing
	Value     string   // without blanks before it
}

// readAssignment reads a line without its comment; ofTarget, it is what follows
// a target's colon. It reports false if the line is none.
func readAssignment(line string, ofTarget bool) (assignment, bool) {
	var a assignment
	line = strings.TrimLeft(line, " \t")
	for line != "" {
		if name, operator, value, ok := readDefinition(line); ok {
			a.Name, a.Operator, a.Value = name, operator, value
			return a, true
		}
		word, rest := firstWord(line)
		switch {
		case word == "export", word == "override", word == "private":
			a.Modifiers = append(a.Modifiers, word)
		case !ofTarget && (word == "define" || word == "undefine"):
			a.Directive, a.Name = word, trimBlanks(rest)
			if name, operator, _, ok := readDefinition(rest); ok && word == "define" {
				a.Name, a.Operator = name, operator
			}
			return a, true
		default:
			return a, false
		}
		line = rest
	}
	return a, false
}

// readDefinition reads "name operator value".
func readDefinition(line string) (name, operator, value string, ok bool) {
	end := -1 // of the name, once a blank follows it
	for at := 0; at < len(line); at++ {
		c := line[at]
		if operator := operatorAt(line[at:]); operator != "" {
			if end < 0 {
				end = at
			}
			return line[:end], operator, strings.TrimLeft(line[at+len(operator):], " \t"), true
		}
		switch {
		case isBlank(c):
			if end < 0 {
				end = at
			}
		case end >= 0, c == '#', c == ':', c == '$' && at+1 == len(line):
			return "", "", "", false
		case c == '$':
			at = referenceEnd(line, at) - 1
		}
	}
	return "", "", "", false
}

func operatorAt(line string) string {
	if strings.IndexByte("=:+?!", line[0]) < 0 {
		return ""
	}
	for _, operator := range []string{"=", ":=", "::=", "+=", "?=", "!="} {
		if strings.HasPrefix(line, operator) {
			return operator
		}
	}
	return ""
}

// Normal is a text with its references in one form: "$(name)", and "$x" where the name is a single character.
func Normal(text string) string {
	if !strings.ContainsAny(text, "$") {
		return text
	}
	type open struct {
		bracket byte // 0 of one that is no reference's
		start   int  // of what is inside, in out
	}
	out := make([]byte, 0, len(text))
	var stack []open
	for at := 0; at < len(text); at++ {
		c := text[at]
		switch {
		case c == '$' && at+1 < len(text):
			at++
			if next := text[at]; next == '(' || next == '{' {
				out = append(out, "$("...)
				stack = append(stack, open{next, len(out)})
			} else {
				out = append(out, '$', next)
			}
			continue
		case len(stack) > 0 && (c == '(' || c == '{'):
			stack = append(stack, open{})
		case len(stack) > 0 && (c == ')' || c == '}'):
			last := stack[len(stack)-1]
			if stack = stack[:len(stack)-1]; last.bracket == 0 {
				break
			}
			if inside := out[last.start:]; len(inside) == 1 {
				out = append(out[:last.start-1], inside[0])
				continue
			}
			c = ')'
		}
		out = append(out, c)
	}
	if len(stack) > 0 {
		return text
	}
	return string(out)
}

// condition is what must hold for the lines below a conditional, and its opposite.
type condition struct{ holds, fails string }

func conditionOf(word, rest string) condition {
	left, right, ok := sides(rest)
	c := condition{Normal(left) + " = " + Normal(right), Normal(left) + " ≠ " + Normal(right)}
	switch {
	case word == "ifdef" || word == "ifndef":
		c = condition{Normal(rest) + " is defined", Normal(rest) + " is not defined"}
	case !ok:
		c = condition{word + " " + rest, "not " + word + " " + rest}
	}
	if word == "ifndef" || word == "ifneq" {
		c = condition{c.fails, c.holds}
	}
	return c
}

// branches are the conditionals that are open.
type branches struct {
	open []openBranch
	// inForce is the list of what must hold, which statements share.
	inForce []string
}

type openBranch struct {
	last     condition
	holding  int // how much of what is in force was so before it
	seenElse bool
}

// mostBranches is how many conditionals are told apart that stand inside of each other.
const mostBranches = 64

// mostInForce is how many conditions are named that hold at the same time.
const mostInForce = 128

// line takes a conditional's line; false means that it does not belong there.
func (b *branches) line(word, rest string) bool {
	n := len(b.open)
	switch {
	case isConditional(word):
		c := conditionOf(word, rest)
		b.open = append(b.open, openBranch{last: c, holding: len(b.inForce)})
		b.hold(c.holds)
		return true
	case n == 0:
		return false
	case word == "endif":
		b.inForce = b.inForce[:b.open[n-1].holding:b.open[n-1].holding]
		b.open = b.open[:n-1]
		return true
	case b.open[n-1].seenElse:
		return false
	}
	last := &b.open[n-1]
	if k := len(b.inForce); n <= mostBranches && k > 0 {
		b.inForce = slices.Clone(b.inForce)
		b.inForce[k-1] = last.last.fails
	}
	next, condition := firstWord(rest)
	if !isConditional(next) {
		last.seenElse = true
		return true
	}
	last.last = conditionOf(next, condition)
	b.hold(last.last.holds)
	return true
}

func (b *branches) hold(text string) {
	if len(b.open) <= mostBranches && len(b.inForce) < mostInForce {
		b.inForce = append(b.inForce[:len(b.inForce):len(b.inForce)], text)
	}
}
