package latex

import "strings"

// pair finds the partners of brackets, of math and of environments. A bracket
// without one stays text.
func (s *source) pair() {
	p := pairer{source: s, math: none}
	p.environmentsOpen = map[string]int{}
	for i := range s.tokens {
		switch t := &s.tokens[i]; t.kind {
		case openToken, optionToken:
			p.open = append(p.open, i)
		case closeToken:
			p.close(i, openToken)
		case optionEndToken:
			if n := len(p.open); n > 0 && s.tokens[p.open[n-1]].kind == optionToken {
				p.close(i, optionToken)
			}
		case mathToken:
			p.toggle(i)
		case paragraphToken:
			p.math = none
		case commandToken:
			p.environment(i)
		}
	}
}

type pairer struct {
	*source
	open         []int // groups and options
	math         int   // the math that is open
	environments []int // their \begin
	// environmentsOpen is the number of those that are open by name, so that
	// a stray \end does not close what is not its own.
	environmentsOpen map[string]int
}

func (p *pairer) join(i, j int) { p.tokens[i].partner, p.tokens[j].partner = int32(j), int32(i) }

// close pairs a closing bracket with the last open one of its kind.
func (p *pairer) close(i int, kind tokenKind) {
	for n := len(p.open) - 1; n >= 0; n-- {
		if p.tokens[p.open[n]].kind == kind {
			p.join(p.open[n], i)
			p.open = p.open[:n]
			return
		}
	}
	if kind == openToken {
		p.open = p.open[:0] // options do not reach out of a group
	}
}

func (p *pairer) toggle(i int) {
	mark := p.of(i)
	if mark == `\(` || mark == `\[` || p.math == none {
		if mark != `\)` && mark != `\]` {
			p.math = i
		}
		return
	}
	if closing[p.of(p.math)] == mark {
		p.join(p.math, i)
		p.math = none
	}
}

// closing is the mark that ends the math that another one begins.
var closing = map[string]string{"$": "$", "$$": "$$", `\(`: `\)`, `\[`: `\]`}

func (p *pairer) environment(i int) {
	begin := p.is(i, "begin")
	if !begin && !p.is(i, "end") {
		return
	}
	name := p.environmentName(i)
	if begin {
		p.environments = append(p.environments, i)
		p.environmentsOpen[name]++
		return
	}
	if p.environmentsOpen[name] == 0 {
		return
	}
	for n := len(p.environments) - 1; ; n-- {
		other := p.environmentName(p.environments[n])
		p.environmentsOpen[other]--
		if other == name {
			p.join(p.environments[n], i)
			p.environments = p.environments[:n]
			return
		}
	}
}

// environmentName is the name after a \begin or \end, without blanks; empty if
// there is none.
func (s *source) environmentName(i int) string {
	const longest = 64
	if i++; i < len(s.tokens) && s.tokens[i].kind == blankToken {
		i++
	}
	if i >= len(s.tokens) || s.tokens[i].kind != openToken {
		return ""
	}
	rest := s.text[s.tokens[i].end:]
	name, _, found := strings.Cut(rest[:min(len(rest), longest)], "}")
	if !found {
		return ""
	}
	return strings.TrimSpace(name)
}

// group returns the range inside of a group that begins at a token, and the
// token after it.
func (s *source) group(i int) (lo, hi, next int, ok bool) {
	return s.bracketed(i, openToken)
}

// option is group for square brackets.
func (s *source) option(i int) (lo, hi, next int, ok bool) {
	return s.bracketed(i, optionToken)
}

func (s *source) bracketed(i int, kind tokenKind) (lo, hi, next int, ok bool) {
	if i >= len(s.tokens) || s.tokens[i].kind != kind || s.tokens[i].partner == none {
		return 0, 0, i, false
	}
	end := int(s.tokens[i].partner)
	return i + 1, end, end + 1, true
}

// skip is the first token from i on that is neither a blank nor a comment.
func (s *source) skip(i int) int {
	for i < len(s.tokens) && (s.tokens[i].kind == blankToken || s.tokens[i].kind == commentToken) {
		i++
	}
	return i
}
