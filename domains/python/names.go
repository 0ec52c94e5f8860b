package python

import (
	"iter"
	"slices"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/sets"
)

// names are all names that stand in a program, attributes left out.
func (p *program) names() map[string]bool {
	all := map[string]bool{}
	for tokens := range p.code() {
		eachName(tokens, func(t token) { all[t.text] = true })
	}
	return all
}

// defined are the names of definitions.
func (p *program) defined() map[string]bool {
	all := map[string]bool{}
	for i := range p.definitions {
		all[p.definitions[i].name] = true
	}
	return all
}

// code are the headers of definitions, and the statements.
func (p *program) code() iter.Seq[[]token] {
	return func(yield func([]token) bool) {
		for i := range p.definitions {
			if !yield(p.definitions[i].header) {
				return
			}
		}
		for i := range p.statements {
			if !yield(p.statements[i].tokens) {
				return
			}
		}
	}
}

// variables are the names that a program gives to values and parameters: not those of definitions, of imports, or of
// what stands in the body of a class. Attributes of the same name make that name none of them.
func (p *program) variables() map[string]bool {
	all := map[string]bool{}
	isClass := map[string]bool{}
	for i := range p.definitions {
		d := &p.definitions[i]
		if isClass[d.name] = d.header[0].text == "class"; isClass[d.name] {
			continue
		}
		parameters, _ := d.parts()
		for _, parameter := range parameters {
			if at := slices.IndexFunc(parameter, func(t token) bool { return t.kind == nameToken }); at >= 0 {
				all[parameter[at].text] = true
			}
		}
	}
	for i := range p.statements {
		if s := &p.statements[i]; !isClass[s.scope] {
			s.bound(all)
		}
	}
	for i := range p.statements {
		for k, t := range p.statements[i].tokens {
			if t.kind == nameToken && isAttribute(p.statements[i].tokens, k) {
				delete(all, t.text)
			}
		}
	}
	return all
}

// bound adds the names to which a statement gives values.
func (s *statement) bound(into map[string]bool) {
	first := s.tokens[0].text
	if first == "import" || first == "from" {
		return
	}
	end := 0 // of the targets of an assignment
	for i, t := range outside(s.tokens) {
		if isAssignment(t.text) || t.text == ":" && i == 1 {
			end = i
		}
	}
	for i, t := range s.tokens {
		switch {
		case t.text == ":=" && i > 0:
			s.bind(i-1, into)
		case t.text == "as" && i+1 < len(s.tokens):
			s.bind(i+1, into)
		case t.text == "for":
			for k := i + 1; k < len(s.tokens) && !keywords[s.tokens[k].text]; k++ {
				s.bind(k, into)
			}
		}
	}
	for i := range end {
		s.bind(i, into)
	}
}

// assignments are the operators that give values to what stands before them.
var assignments = strings.Fields("= += -= *= /= //= %= **= @= &= |= ^= >>= <<=")

func isAssignment(operator string) bool {
	return strings.HasSuffix(operator, "=") && slices.Contains(assignments, operator)
}

// bind adds the name at a place, unless it is part of something larger.
func (s *statement) bind(i int, into map[string]bool) {
	name := s.tokens[i].text
	if s.tokens[i].kind != nameToken || keywords[name] || values[name] || isAttribute(s.tokens, i) {
		return
	}
	if i+1 < len(s.tokens) {
		switch s.tokens[i+1].text {
		case "(", "[", ".":
			return
		}
	}
	into[name] = true
}

func isAttribute(tokens []token, i int) bool { return i > 0 && tokens[i-1].text == "." }

// keywords are the reserved words that are no values.
var keywords = sets.Words(`
	and as assert async await break class continue def del elif else except finally for from global if import in is
	lambda nonlocal not or pass raise return try while with yield`)

// values are the reserved words that are.
var values = map[string]bool{"None": true, "True": true, "False": true}

var (
	// compound are the words with which a header begins, which ends in a colon.
	compound = []string{"if", "elif", "else", "for", "while", "with", "try", "except", "finally", "def", "class", "async"}
	// alwaysFirst are words that stand nowhere but at the beginning of a statement.
	alwaysFirst = strings.Fields(`
	def class import return while try assert raise del pass global nonlocal break continue except finally with elif`)
	// soft are words that begin a statement where a value follows, and are names elsewhere.
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

// headerEnd is the place after the colon with which a header ends; -1 if the tokens are none.
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

// startsSubject reports whether a token after match or case makes it a statement.
func startsSubject(t token) bool {
	c := t.text[0]
	return beginsValue(t) || opens(c) || c == '-' || c == '*'
}

// outside are the tokens that stand in no brackets, the brackets left out. One that closes nothing is among them.
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

// split divides tokens at a sign that stands outside of brackets, up to mostLines times.
func split(tokens []token, sign string) (parts [][]token) {
	start := 0
	for i, t := range outside(tokens) {
		if t.text == sign && len(parts) < mostLines {
			if i > start {
				parts = append(parts, tokens[start:i])
			}
			start = i + 1
		}
	}
	if start < len(tokens) {
		parts = append(parts, tokens[start:])
	}
	return parts
}

// eachName calls do with every name in the tokens that is no attribute and no
// keyword, those in the replacement fields of f-strings included.
func eachName(tokens []token, do func(token)) {
	for i, t := range tokens {
		switch t.kind {
		case nameToken:
			if !keywords[t.text] && !isAttribute(tokens, i) {
				do(t)
			}
		case stringToken:
			for _, field := range fields(t) {
				eachName(field, do)
			}
		}
	}
}

// isFormatted reports whether a text is an f-string.
func isFormatted(text string) bool {
	return strings.ContainsAny(text[:max(stringPrefix(text), 0)], "fF")
}

// fields are the tokens of the expressions in an f-string, those in its format specifications included.
func fields(t token) [][]token {
	text := t.text
	if !isFormatted(text) || !strings.Contains(text, "{") {
		return nil
	}
	_, quotes, content := literal(text)
	start := stringPrefix(text) + len(quotes)
	var all [][]token
	for at := 0; at < len(content); at++ {
		if content[at] != '{' {
			continue
		}
		if strings.HasPrefix(content[at:], "{{") {
			at++
			continue
		}
		end := at + 1 + fieldEnd(content[at+1:])
		s := scanner{source: text[:start+end], at: start + at + 1}
		s.line(0)
		for i := range s.tokens {
			s.tokens[i].start += t.start
		}
		all = append(all, s.tokens)
		at = end - 1
	}
	return all
}

// fieldEnd is where the expression of a replacement field ends.
func fieldEnd(s string) int {
	depth := 0
	for i := range len(s) {
		switch c := s[i]; {
		case opens(c):
			depth++
		case closes(c) && depth > 0:
			depth--
		case c == '}', depth == 0 && c == ':':
			return i
		case depth == 0 && c == '!' && !strings.HasPrefix(s[i:], "!="):
			return i
		}
	}
	return len(s)
}

// change replaces a span of a source.
type change struct {
	start, end int
	text       string
}

// rewritten applies changes that do not overlap.
func rewritten(source string, changes []change) string {
	return plain.Splice(source, changes, func(c change) (int, int, string) { return c.start, c.end, c.text })
}

// respelt is a text with the names in its replacement fields in another spelling.
func respelt(t token, renamed map[string]string) string {
	var changes []change
	for _, field := range fields(t) {
		eachName(field, func(name token) {
			if other, ok := renamed[name.text]; ok {
				changes = append(changes, change{int(name.start - t.start), name.end() - int(t.start), other})
			}
		})
	}
	return rewritten(t.text, changes)
}
