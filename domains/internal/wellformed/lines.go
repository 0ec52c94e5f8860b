package wellformed

import (
	"strings"

	"agentd/internal/lazyregexp"
)

// Lines checks that each line that is not blank has a form.
func Lines(pattern, what string) Check {
	known := lazyregexp.New(pattern)
	return func(_, text string) []Slip {
		var all []Slip
		for n, line := range lines(text) {
			if strings.TrimSpace(line) != "" && !known.MatchString(line) {
				all = append(all, Slip{Line: n, What: what, Text: strings.TrimSpace(line)})
			}
		}
		return all
	}
}

// Not checks that no line has a form.
func Not(pattern, what string) Check {
	wrong := lazyregexp.New(pattern)
	return func(_, text string) []Slip {
		var all []Slip
		for n, line := range lines(text) {
			if wrong.MatchString(line) {
				all = append(all, Slip{Line: n, What: what, Text: strings.TrimSpace(line)})
			}
		}
		return all
	}
}

// Begins checks the first line that is not blank, Ends the last.
func Begins(pattern, what string) Check {
	known := lazyregexp.New(pattern)
	return func(_, text string) []Slip {
		for n, line := range lines(text) {
			if strings.TrimSpace(line) == "" {
				continue
			}
			if known.MatchString(line) {
				return nil
			}
			return []Slip{{Line: n, What: what}}
		}
		return nil
	}
}

// Ends checks the last line that is not blank, see Begins.
func Ends(pattern, what string) Check {
	known := lazyregexp.New(pattern)
	return func(_, text string) []Slip {
		text = strings.TrimRight(text, " \t\n")
		if known.MatchString(text[strings.LastIndexByte(text, '\n')+1:]) {
			return nil
		}
		return []Slip{{Line: lineOf(text, len(text)), What: what}}
	}
}

// Once checks that no two lines have the same first group of a form, in any letter case.
func Once(pattern, what string) Check {
	known := lazyregexp.New(pattern)
	return func(_, text string) []Slip {
		var all []Slip
		seen := map[string]bool{}
		for n, line := range lines(text) {
			if m := known.FindStringSubmatch(line); m != nil {
				if name := strings.ToLower(m[1]); seen[name] {
					all = append(all, Slip{Line: n, What: what, Text: m[1]})
				} else {
					seen[name] = true
				}
			}
		}
		return all
	}
}

// Blocks checks that what begins is ended, in the order of brackets. begin and end are forms of lines, each with one group,
// the name of the block, which must agree; skip, if not empty, is the form of lines that are not looked at.
func Blocks(begin, end, skip string) Check {
	begins, ends := lazyregexp.New(begin), lazyregexp.New(end)
	var skipped *lazyregexp.Regexp
	if skip != "" {
		skipped = lazyregexp.New(skip)
	}
	type block struct {
		name string
		line int
	}
	return func(_, text string) []Slip {
		var open []block
		for n, line := range lines(text) {
			if skipped != nil && skipped.MatchString(line) {
				continue
			}
			if m := begins.FindStringSubmatch(line); m != nil {
				open = append(open, block{strings.ToLower(m[1]), n})
			} else if m := ends.FindStringSubmatch(line); m != nil {
				switch name := strings.ToLower(m[1]); {
				case len(open) == 0:
					return []Slip{{Line: n, What: strings.TrimSpace(line) + " ends nothing", Stops: true}}
				case name != "" && open[len(open)-1].name != name:
					last := open[len(open)-1]
					return []Slip{{Line: last.line, What: last.name + " is not ended", Stops: true}}
				}
				open = open[:len(open)-1]
			}
		}
		if len(open) == 0 {
			return nil
		}
		last := open[len(open)-1]
		return []Slip{{Line: last.line, What: last.name + " is not ended", Stops: true}}
	}
}
