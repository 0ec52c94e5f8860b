package python

import (
	"iter"
	"slices"
	"strings"

	"agentd/domains/internal/sets"
)

// keywords are the reserved words that are no values.
var keywords = sets.Words(`
	and as assert async await break class continue def del elif else except finally for from global if import in is
	lambda nonlocal not or pass raise return try while with yield`)

// values are the reserved words that are.
var values = map[string]bool{"None": true, "True": true, "False": true}

var (
	// compound are the words with which a header begins, which ends in a colon.
	compound = []string{"if", "elif", "else", "for", "while", "with", "try", "except", "finally", "def", "class", "async"}
	// alwaysFirst are words that stand nowhere but at the beginning of a
	// statement.
	alwaysFirst = strings.Fields(`
	def class import return while try assert raise del pass global nonlocal break continue except finally with elif`)
	// soft are words that begin a statement where a value follows, and are names
	// elsewhere.
	soft = []string{"match", "case", "type"}
)

// plausible reports whether the tokens of a line can be Python: no two values
// stand side by side, and a header has its colon. That is enough to know prose.
func plausible(tokens []token) bool {
	if len(tokens) == 0 {
		return true
	}
	first := tokens[0].text
	if slices.Contains(compound, first) && headerEnd(tokens) < 0 {
		return false
	}
	for i := 1; i < len(tokens); i++ {
		before, t := tokens[i-1], tokens[i]
		if before.kind == stringToken && t.kind == stringToken || i == 1 && slices.Contains(soft, first) {
			continue
		}
		if endsValue(before) && beginsValue(t) {
			return false
		}
	}
	return true
}

func beginsValue(t token) bool {
	switch t.kind {
	case numberToken, stringToken:
		return true
	case nameToken:
		return !keywords[t.text]
	}
	return false
}

func endsValue(t token) bool {
	return t.closes() || beginsValue(t)
}

// headerEnd is the place after the colon with which a header ends; -1 if the
// tokens are none.
func headerEnd(tokens []token) int {
	first := tokens[0].text
	isSoft := slices.Contains(soft[:2], first)
	if isSoft && (len(tokens) < 3 || tokens[len(tokens)-1].text != ":" || !startsSubject(tokens[1])) {
		return -1
	}
	if !isSoft && !slices.Contains(compound, first) {
		return -1
	}
	lambdas := 0
	for i, t := range outside(tokens) {
		switch {
		case t.text == "lambda":
			lambdas++
		case t.text == ":" && lambdas == 0:
			return i + 1
		case t.text == ":":
			lambdas--
		}
	}
	return -1
}

// startsSubject reports whether a token after match or case makes it a
// statement.
func startsSubject(t token) bool {
	c := t.text[0]
	return beginsValue(t) || opens(c) || c == '-' || c == '*'
}

// outside are the tokens that stand in no brackets, the brackets left out. One that closes nothing
// is among them.
func outside(tokens []token) iter.Seq2[int, token] {
	return func(yield func(int, token) bool) {
		depth := 0
		for i, t := range tokens {
			switch {
			case t.opens():
				depth++
			case t.closes() && depth > 0:
				depth--
			case depth == 0 && !yield(i, t):
				return
			}
		}
	}
}

func opens(c byte) bool  { return c == '(' || c == '[' || c == '{' }
func closes(c byte) bool { return c == ')' || c == ']' || c == '}' }

// simple divides the tokens of a line at its semicolons, up to mostLines times.
func simple(tokens []token) [][]token {
	var all [][]token
	start := 0
	for i, t := range outside(tokens) {
		if t.text == ";" && len(all) < mostLines {
			if i > start {
				all = append(all, tokens[start:i])
			}
			start = i + 1
		}
	}
	if start < len(tokens) {
		all = append(all, tokens[start:])
	}
	return all
}
