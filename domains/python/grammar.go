package python

import "slices"

// keywords are the reserved words that are no values.
var keywords = map[string]bool{
	"and": true, "as": true, "assert": true, "async": true, "await": true, "break": true, "class": true,
	"continue": true, "def": true, "del": true, "elif": true, "else": true, "except": true, "finally": true,
	"for": true, "from": true, "global": true, "if": true, "import": true, "in": true, "is": true,
	"lambda": true, "nonlocal": true, "not": true, "or": true, "pass": true, "raise": true, "return": true,
	"try": true, "while": true, "with": true, "yield": true,
}

// values are the reserved words that are.
var values = map[string]bool{"None": true, "True": true, "False": true}

var (
	// compound are the words with which a header begins, which ends in a colon.
	compound = []string{"if", "elif", "else", "for", "while", "with", "try", "except", "finally", "def", "class", "async"}
	// alwaysFirst are words that stand nowhere but at the beginning of a
	// statement.
	alwaysFirst = []string{
		"def", "class", "import", "return", "while", "try", "assert", "raise", "del", "pass", "global", "nonlocal", "break",
		"continue", "except", "finally", "with", "elif",
	}
	// soft are words that begin a statement where a value follows, and are names
	// elsewhere.
	soft = []string{"match", "case", "type"}
)

// plausible reports whether the tokens of a line can be Python: no two values
// stand side by side, and a header has its colon. That is enough to know prose.
func plausible(source string, tokens []token) bool {
	if len(tokens) == 0 {
		return true
	}
	first := tokens[0].in(source)
	if slices.Contains(compound, first) && headerEnd(source, tokens) < 0 {
		return false
	}
	for i := 1; i < len(tokens); i++ {
		before, t := tokens[i-1], tokens[i]
		if before.kind == stringToken && t.kind == stringToken || i == 1 && slices.Contains(soft, first) {
			continue
		}
		if endsValue(source, before) && beginsValue(source, t) {
			return false
		}
	}
	return true
}

func beginsValue(source string, t token) bool {
	switch t.kind {
	case numberToken, stringToken:
		return true
	case nameToken:
		return !keywords[t.in(source)]
	}
	return false
}

func endsValue(source string, t token) bool {
	if t.kind == operatorToken {
		c := source[t.start]
		return c == ')' || c == ']' || c == '}'
	}
	return beginsValue(source, t)
}

// headerEnd is the place after the colon with which a header ends; -1 if the
// tokens are none.
func headerEnd(source string, tokens []token) int {
	first := tokens[0].in(source)
	isSoft := slices.Contains(soft[:2], first)
	if isSoft && (len(tokens) < 3 || tokens[len(tokens)-1].in(source) != ":" || !startsSubject(source, tokens[1])) {
		return -1
	}
	if !isSoft && !slices.Contains(compound, first) {
		return -1
	}
	depth, lambdas := 0, 0
	for i, t := range tokens {
		if t.kind == nameToken && depth == 0 && t.in(source) == "lambda" {
			lambdas++
		}
		if t.kind != operatorToken {
			continue
		}
		switch c := source[t.start]; {
		case opens(c):
			depth++
		case closes(c):
			depth--
		case depth == 0 && t.in(source) == ":":
			if lambdas == 0 {
				return i + 1
			}
			lambdas--
		}
	}
	return -1
}

// startsSubject reports whether a token after match or case makes it a
// statement.
func startsSubject(source string, t token) bool {
	c := source[t.start]
	return beginsValue(source, t) || opens(c) || c == '-' || c == '*'
}

func opens(c byte) bool  { return c == '(' || c == '[' || c == '{' }
func closes(c byte) bool { return c == ')' || c == ']' || c == '}' }

// simple divides the tokens of a line at its semicolons, up to mostLines times.
func simple(source string, tokens []token) [][]token {
	var all [][]token
	start, depth := 0, 0
	for i, t := range tokens {
		if t.kind != operatorToken {
			continue
		}
		switch c := source[t.start]; {
		case opens(c):
			depth++
		case closes(c):
			depth--
		case c == ';' && depth == 0 && len(all) < mostLines:
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
