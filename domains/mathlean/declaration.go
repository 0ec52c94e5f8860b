package mathlean

// parts are the token numbers at which the parts of a declaration begin; each
// ends where the next begins.
type parts struct {
	name      int // equal to binders if there is none
	binders   int
	statement int // its colon
	body      int // its `:=`, `where`, `deriving` or first `|`
	end       int
}

// partsOf finds the parts of a declaration.
func (f *file) partsOf(c *command) parts {
	p := parts{name: c.at + 1, end: c.last}
	at := f.afterPriority(p.name, c.last)
	p.binders = p.name
	if at < c.last && f.tokens[at].kind == word && !isInner(f.at(at)) {
		p.name, p.binders = at, at+1
	}
	p.statement, p.body = c.last, c.last
	depth := 0
	for n := p.binders; n < c.last; n++ {
		t := f.tokens[n]
		depth = max(0, depth+f.turn(t))
		if depth > 0 || f.turn(t) < 0 {
			continue
		}
		switch text := f.of(t); {
		case text == ":" && p.statement == c.last:
			p.statement = n
		case text == ":=" || text == "where" || text == "deriving" || f.beginsAlternative(n):
			p.body = n
			p.statement = min(p.statement, n)
			return p
		}
	}
	return p
}

// beginsAlternative reports whether token n is the bar of a first alternative,
// and not that of an absolute value after an operator.
func (f *file) beginsAlternative(n int) bool {
	before := f.tokens[n-1]
	return f.tokens[n].begins && f.at(n) == "|" && (before.kind != symbol || f.turn(before) < 0)
}

func isInner(text string) bool { return keywords[text] == inner }

// afterPriority returns the token after `(priority := n)` if that stands at
// token n.
func (f *file) afterPriority(n, end int) int {
	if f.at(n) != "(" || f.at(n+1) != "priority" {
		return n
	}
	for ; n < end; n++ {
		if f.at(n) == ")" {
			return n + 1
		}
	}
	return end
}

// name is what a declaration is called, empty if it has no name.
func (f *file) name(p parts) string {
	if p.name == p.binders {
		return ""
	}
	return f.at(p.name)
}

// groups calls do with the ranges of tokens from first to last that a pair of
// brackets holds together, and with the single tokens between them.
func (f *file) groups(first, last int, do func(first, last int)) {
	for n := first; n < last; {
		end := n + 1
		if f.turn(f.tokens[n]) > 0 {
			end = f.afterGroup(n, last)
		}
		do(n, end)
		n = end
	}
}

// afterGroup returns the token after the bracket that closes the one at n, or
// last.
func (f *file) afterGroup(n, last int) int {
	depth := 0
	for ; n < last; n++ {
		turn := f.turn(f.tokens[n])
		if depth += turn; turn < 0 && depth <= 0 {
			return n + 1
		}
	}
	return last
}
