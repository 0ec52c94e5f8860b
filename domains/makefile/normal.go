package makefile

import (
	"slices"
	"strconv"
	"strings"
)

// normal is a text with its references in one form: "$(name)", and "$x" where
// the name is a single character.
func normal(text string) string {
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

// condition is what must hold for the lines below a conditional, and its
// opposite.
type condition struct{ holds, fails string }

func conditionOf(word, rest string) condition {
	left, right, ok := sides(rest)
	c := condition{normal(left) + " = " + normal(right), normal(left) + " ≠ " + normal(right)}
	switch {
	case word == "ifdef" || word == "ifndef":
		c = condition{normal(rest) + " is defined", normal(rest) + " is not defined"}
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

// mostBranches is how many conditionals are told apart that stand inside of
// each other.
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

// commandOf is a recipe's line as it is compared: what Make reads before the
// command in one order, without the indentation of lines that continue it.
func commandOf(line string, continues bool) string {
	line = strings.TrimLeft(line, " \t")
	if trimmed := strings.TrimRight(line, " \t"); !strings.HasSuffix(trimmed, `\`) {
		line = trimmed
	}
	if continues {
		return normal(line)
	}
	command := strings.TrimLeft(line, "@-+ \t")
	var marks []string
	for _, mark := range []string{"@", "-", "+"} {
		if strings.Contains(line[:len(line)-len(command)], mark) {
			marks = append(marks, mark)
		}
	}
	return strings.Join(marks, "") + normal(command)
}

// commands are the lines of a recipe's statement.
func commands(text string) []string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = commandOf(line, i > 0)
	}
	return lines
}

// ranks says in which order texts stand, by their places among the sorted ones:
// "2 1 3". Of one text alone there is nothing to say.
func ranks(list []string) string {
	if len(list) < 2 {
		return ""
	}
	sorted := slices.Compact(slices.Sorted(slices.Values(list)))
	places := make([]string, len(list))
	for i, text := range list {
		place, _ := slices.BinarySearch(sorted, text)
		places[i] = strconv.Itoa(place + 1)
	}
	return strings.Join(places, " ")
}

// mostReferences is how many references of a text are looked at.
const mostReferences = 32

// references are the names of the variables that a text refers to.
func references(text string) []string {
	var names []string
	for len(names) < mostReferences {
		_, after, more := strings.Cut(text, "$")
		if !more || after == "" {
			break
		}
		text = after[1:]
		if after[0] != '(' && after[0] != '{' {
			continue
		}
		name := text
		if stop := strings.IndexAny(name, ")}:$ \t,"); stop >= 0 {
			name = name[:stop]
		}
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
