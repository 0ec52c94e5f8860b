package python

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/wellformed"
)

// What changes nothing about a program: its own variables go by other names throughout, its code stands in a function
// that is called once, or all of its comments were taken out, which is named and costs nothing. A candidate is led to the reference in this before the
// two are compared.

// aligned returns both sides as they are to be compared.
func aligned(reference, candidate *program) (ref, got *program) {
	ref, got = reference, candidate
	got.unwrap(ref)
	got.rename(ref)
	got.renameScopes(ref)
	if len(got.comments) == 0 && len(ref.comments) > 0 {
		bare := *ref
		ref, bare.commentsGone = &bare, true
	}
	return ref, got
}

// mostWrappers is how many functions are looked through.
const mostWrappers = 8

// unwrap puts the code of a function that the reference does not have in the place of its only call, where the call
// stands outside of any definition and gives and takes nothing.
func (p *program) unwrap(reference *program) {
	known := reference.defined()
	for range mostWrappers {
		at := slices.IndexFunc(p.definitions, func(d definition) bool { return !known[d.name] && d.isWrapper() })
		if at < 0 {
			return
		}
		name := p.definitions[at].name
		known[name] = true // it is tried once
		if call := p.onlyCall(name); call >= 0 && !p.answers(name) {
			p.inline(name, call, reference)
			p.definitions = slices.Delete(slices.Clone(p.definitions), at, at+1)
		}
	}
}

func (d *definition) isWrapper() bool {
	const tokens = 5 // def name ( ) :
	return len(d.decorators) == 0 && len(d.header) == tokens && d.header[0].text == "def" && !strings.Contains(d.name, ".")
}

// onlyCall is the statement outside of definitions that is nothing but a call
// of the function; -1 if there is none or the name stands elsewhere too.
func (p *program) onlyCall(name string) int {
	call := -1
	for i := range p.statements {
		s := &p.statements[i]
		for k, t := range s.tokens {
			if t.kind != nameToken || t.text != name {
				continue
			}
			if call >= 0 || k > 0 || len(s.tokens) != 3 || s.tokens[1].text != "(" || s.scope != "" || s.depth > 1 {
				return -1
			}
			call = i
		}
	}
	if call >= 0 && p.statements[call].depth == 1 && !p.isGuarded(call) {
		return -1
	}
	return call
}

// guard is the header that keeps code from running where it is imported.
const guard = `if __name__ == "__main__":`

// isGuarded reports whether a statement is alone below a guard.
func (p *program) isGuarded(at int) bool {
	if at == 0 || at+1 < len(p.statements) && p.statements[at+1].depth > 0 && p.statements[at+1].scope == "" {
		return false
	}
	before := &p.statements[at-1]
	return before.depth == 0 && before.scope == "" && written(before.tokens, nil) == guard
}

// answers reports whether a function returns something to its caller.
func (p *program) answers(name string) bool {
	return slices.ContainsFunc(p.statements, func(s statement) bool {
		return s.scope == name && slices.ContainsFunc(s.tokens, func(t token) bool {
			word := t.text
			return word == "return" || word == "yield" || word == "await"
		})
	})
}

// inline moves the code of a function to its call, outside of it. A guard that
// the reference does not have goes with the call.
func (p *program) inline(name string, call int, reference *program) {
	isGuard := func(s statement) bool { return s.depth == 0 && written(s.tokens, nil) == guard }
	depth, from := p.statements[call].depth, call
	if depth == 1 && !slices.ContainsFunc(reference.statements, isGuard) {
		depth, from = 0, call-1
	}
	inside := func(scope string) bool { return scope == name || strings.HasPrefix(scope, name+".") }
	outside := func(scope string) string { return strings.TrimPrefix(strings.TrimPrefix(scope, name), ".") }
	var before, body, after []int // statements by their numbers so far
	for i := range p.statements {
		switch {
		case inside(p.statements[i].scope):
			body = append(body, i)
		case i < from:
			before = append(before, i)
		case i > call:
			after = append(after, i)
		}
	}
	numbers := slices.Repeat([]int{len(before)}, len(p.statements)+1)
	numbers[len(p.statements)] = len(before) + len(body) + len(after)
	moved := make([]statement, numbers[len(p.statements)])
	for k, i := range slices.Concat(before, body, after) {
		numbers[i] = k
		s := p.statements[i]
		if inside(s.scope) {
			if s.scope = outside(s.scope); s.scope == "" {
				s.depth, s.first = s.depth+depth, false
			}
		}
		moved[k] = s
	}
	p.statements = moved
	for i := range p.comments {
		c := &p.comments[i]
		c.next = numbers[c.next]
		if inside(c.scope) {
			c.scope = outside(c.scope)
		}
	}
	for i := range p.definitions {
		if d := &p.definitions[i]; d.name != name && inside(d.name) {
			d.name = outside(d.name)
		}
	}
}

// elected gives the candidate's names those of the reference, where each is the other's most
// frequent partner, in at least half of its places. Both sides list the names in each text, which
// is the same on both where they stand in the same places.
func elected(reference, candidate iter.Seq2[string, []string]) map[string]string {
	places := map[string]int{}           // of a name in the reference
	waiting := map[string][][]string{}   // the names in texts of the reference
	votes := map[string]map[string]int{} // how often each name of the candidate stands in a name's place
	for text, names := range reference {
		for _, name := range names {
			places[name]++
		}
		waiting[text] = append(waiting[text], names)
	}
	for text, names := range candidate {
		if len(waiting[text]) == 0 {
			continue
		}
		for i, name := range waiting[text][0] {
			if votes[name] == nil {
				votes[name] = map[string]int{}
			}
			votes[name][names[i]]++
		}
		waiting[text] = waiting[text][1:]
	}
	best := map[string]string{} // by the candidate's name
	for _, ref := range slices.Sorted(maps.Keys(votes)) {
		got := slices.MaxFunc(slices.Sorted(maps.Keys(votes[ref])), func(a, b string) int { return cmp.Compare(votes[ref][a], votes[ref][b]) })
		if 2*votes[ref][got] < places[ref] {
			continue
		}
		if other, taken := best[got]; !taken || votes[other][got] < votes[ref][got] {
			best[got] = ref
		}
	}
	return best
}

// mostTokens is how large a program may be for its variables to be followed.
const mostTokens = 1 << 17

func (p *program) size() int {
	n := 0
	for tokens := range p.code() {
		n += len(tokens)
	}
	return n
}

// rename gives variables of the candidate the names that they have in the
// reference, where they stand in the same places.
func (p *program) rename(reference *program) {
	if p.size() > mostTokens || reference.size() > mostTokens {
		return
	}
	old, renamed := lacking(reference.variables(), p.names()), lacking(p.variables(), reference.names())
	if len(old) == 0 || len(renamed) == 0 {
		return
	}
	p.spelling = elected(reference.shapes(old), p.shapes(renamed))
}

// lacking takes the names out of some that others have too.
func lacking(names, others map[string]bool) map[string]bool {
	maps.DeleteFunc(names, func(name string, _ bool) bool { return others[name] })
	return names
}

// shapes are the statements in which one of the names stands: their code without
// them, and those that they have, in order.
func (p *program) shapes(wanted map[string]bool) iter.Seq2[string, []string] {
	blank := map[string]string{}
	for name := range wanted {
		blank[name] = "\x00"
	}
	return func(yield func(shape string, names []string) bool) {
		for tokens := range p.code() {
			var names []string
			eachName(tokens, func(t token) {
				if wanted[t.text] {
					names = append(names, t.text)
				}
			})
			if len(names) > 0 && !yield(written(tokens, blank), names) {
				return
			}
		}
	}
}

// renameScopes has what belongs to a definition of another name belong to that of the reference, so that a renamed
// function costs its name and its calls, and not all that it does.
func (p *program) renameScopes(reference *program) {
	old, renamed := lacking(reference.defined(), p.defined()), lacking(p.defined(), reference.defined())
	if len(old) == 0 || len(renamed) == 0 {
		return
	}
	owned := func(in *program, scopes map[string]bool) iter.Seq2[string, []string] {
		return func(yield func(text string, scope []string) bool) {
			for i := range in.statements {
				s := &in.statements[i]
				if scopes[s.scope] && !yield(written(s.tokens, in.spelling), []string{s.scope}) {
					return
				}
			}
		}
	}
	names := elected(owned(reference, old), owned(p, renamed))
	for i := range p.statements {
		s := &p.statements[i]
		s.scope = cmp.Or(names[s.scope], s.scope)
	}
	for i := range p.comments {
		c := &p.comments[i]
		c.scope = cmp.Or(names[c.scope], c.scope)
	}
}

var code = wellformed.Code{Line: []string{"#"}, Quotes: `"'`, Long: []string{`"""`, "'''"}, Escape: true, EscapeIn: true, Brackets: "(){}[]"}

// bodies finds the head of a block without a line that is indented below it.
func bodies(_, text string) []domains.Slip {
	source := plainSource(text)
	lines, _ := scan(source)
	lines = slices.DeleteFunc(lines, func(l line) bool { return len(l.tokens) == 0 })
	var all []domains.Slip
	for i := range lines {
		l := &lines[i]
		if l.broken || l.tokens[len(l.tokens)-1].text != ":" || headerEnd(l.tokens) != len(l.tokens) {
			continue
		}
		if i+1 == len(lines) || lines[i+1].indent <= l.indent {
			head := strings.TrimSpace(source[l.tokens[0].start:l.tokens[len(l.tokens)-1].end()])
			all = append(all, domains.Slip{Line: 1 + strings.Count(source[:l.tokens[0].start], "\n"), What: "a block has no line", Text: head})
		}
	}
	return all
}

// wellFormed checks brackets and texts, code fences outside of these, that what begins a block ends in a colon, and that a block has a line.
var wellFormed = wellformed.All(
	code.Check,
	code.Bare(wellformed.Fence),
	code.Apart("({[", true, "and", "or", "not", "in", "is", "if", "else", "for", "lambda", "await", "async", "yield", "from", "as"),
	bodies,
	code.Outer(wellformed.Not(`^\s*(?:(?:async\s+)?def\s+\w+\s*\([^()]*\)(?:\s*->\s*[\w.\[\], ]+)?|class\s+\w+(?:\s*\([^()]*\))?|else|try|finally|(?:if|elif|while|for|with|except)\s[^:#({\[\\"']*)\s*(?:#.*)?$`, "a colon is missing")),
)
