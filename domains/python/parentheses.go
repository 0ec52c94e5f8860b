package python

import "agentd/domains/internal/sets"

// beforeExpression are the words and signs after which a whole expression stands.
var beforeExpression = sets.Words("if elif while return assert del in for with raise from except = += -= *= /= //= %= **= @= &= |= ^= >>= <<= -> , ( [ { :")

// pair is a pair of parentheses that calls nothing.
type pair struct {
	open, close int
	commas      int  // between its parts
	lastComma   int  // the place of the last one
	keeps       bool // it holds a generator, yield or a named value, which need parentheses in most places
	as          bool // it holds the names of a with statement
}

// withoutIdleParentheses leaves out the parentheses around whole expressions, as formatters set and drop them: those of a
// condition, of a value that is assigned or returned, of an argument. No parenthesis of a part of an expression is judged.
func withoutIdleParentheses(tokens []token) []token {
	var drop []bool
	for _, p := range pairs(tokens) {
		if !idle(tokens, p) {
			continue
		}
		if drop == nil {
			drop = make([]bool, len(tokens))
		}
		drop[p.open], drop[p.close] = true, true
		if p.commas > 1 && p.lastComma == p.close-1 {
			drop[p.lastComma] = true
		}
	}
	if drop == nil {
		return tokens
	}
	kept := make([]token, 0, len(tokens))
	for i, t := range tokens {
		if !drop[i] {
			kept = append(kept, t)
		}
	}
	return withoutIdleParentheses(kept)
}

// pairs are the parentheses that stand where an expression begins.
func pairs(tokens []token) []pair {
	var all []pair
	open := make([]pair, 0, 8)
	for i, t := range tokens {
		switch {
		case t.opens():
			call := t.text != "(" || i > 0 && endsValue(tokens[i-1])
			open = append(open, pair{open: i, keeps: call})
		case len(open) == 0:
		case t.closes():
			p := open[len(open)-1]
			open = open[:len(open)-1]
			if p.close = i; !p.keeps && i > p.open+1 {
				all = append(all, p)
			}
		case t.text == ",":
			p := &open[len(open)-1]
			p.commas, p.lastComma = p.commas+1, i
		case t.text == "for" || t.text == "yield" || t.text == ":=" || t.text == "async":
			open[len(open)-1].keeps = true
		case t.text == "as":
			open[len(open)-1].as = true
		}
	}
	return all
}

// idle reports whether a pair holds the whole of an expression that needs no parentheses.
func idle(tokens []token, p pair) bool {
	first, last := p.open == 0, p.close == len(tokens)-1
	before, after := "", ""
	if !first {
		before = tokens[p.open-1].text
	}
	if !last {
		after = tokens[p.close+1].text
	}
	ends := last || after == ":" && before != "," || after == "," || after == "=" || after == "in" && before == "for" ||
		tokens[p.close+1].closes()
	switch {
	case !ends, !first && !beforeExpression[before], first && after == ":":
		return false
	case p.as:
		return before == "with" && after == ":"
	case before == "in":
		return tokens[0].text == "for" && after == ":" && p.close == len(tokens)-2
	case p.commas == 0:
		return before != "for" || after == "in"
	}
	switch before { // the parentheses of a tuple
	case "return":
		return last
	case "=":
		return last && !isParameter(tokens, p.open)
	case "":
		return after == "="
	case "for":
		return after == "in"
	case "del":
		return last
	}
	return false
}

// isParameter reports whether a place is within brackets.
func isParameter(tokens []token, at int) bool {
	depth := 0
	for _, t := range tokens[:at] {
		switch {
		case t.opens():
			depth++
		case t.closes():
			depth--
		}
	}
	return depth > 0
}
