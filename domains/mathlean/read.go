package mathlean

import (
	"strings"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/sets"
)

// command is a part of a file that Lean reads as one: an import, a scope's
// beginning or end, a declaration, a module doc, or lines that are none.
type command struct {
	keyword string // empty of what is no command
	// The tokens from first to last, last left out. Those from at are after the
	// doc comment, attributes and modifiers, with the keyword.
	first, at, last int
}

type keywordKind uint8

const (
	strong   keywordKind = iota + 1 // begins a command in any column
	weak                            // begins one at the margin
	modifier                        // stands before a keyword
	inner                           // goes on with a declaration, also at the margin
)

// keywords are the words that commands begin with, and those that never begin one.
var keywords = kindsOf(map[keywordKind]string{
	strong: "theorem lemma def abbrev instance example structure class inductive axiom opaque namespace section end " +
		"variable universe import open set_option",
	weak: "module prelude attribute notation notation3 infix infixl infixr prefix postfix macro macro_rules syntax elab " +
		"elab_rules declare_syntax_cat initialize add_decl_doc suppress_compilation mutual export include omit alias " +
		"assert_not_exists run_cmd library_note irreducible_def proof_wanted simproc unseal seal run_meta universes " +
		"initialize_simps_projections coinductive compile_inductive",
	modifier: "private protected noncomputable partial unsafe nonrec public meta local scoped",
	inner:    "where deriving termination_by decreasing_by by with then else fun from do extends at using",
})

func kindsOf(words map[keywordKind]string) map[string]keywordKind {
	kinds := map[string]keywordKind{}
	for kind, list := range words {
		for _, w := range strings.Fields(list) {
			kinds[w] = kind
		}
	}
	return kinds
}

// declares are the keywords of declarations.
var declares = sets.Words("theorem lemma def abbrev instance example structure class inductive axiom opaque irreducible_def " +
	"coinductive proof_wanted alias")

func (c *command) isDeclaration() bool { return declares[c.keyword] }

// commands divides a file into its commands. Comments before the first and between two of them belong to none.
func (f *file) commands() []command {
	var all []command
	r := commandReader{file: f}
	for n := 0; n < len(f.tokens); {
		if f.tokens[n].kind == comment {
			n++
			continue
		}
		c := r.command(n)
		all = plain.Append(all, c)
		n = max(c.last, n+1)
	}
	return all
}

type commandReader struct {
	*file
	depth int // of brackets, within the command
}

// command reads the command that token n begins, with what is said for it alone, such as `open Nat in`.
func (r *commandReader) command(n int) command {
	for c := (command{first: n}); ; {
		end := r.keyword(&c, n)
		if end < len(r.tokens) && c.isOnlyForNext(r, end) {
			n = end
			continue
		}
		c.last = r.withoutComments(c.at+1, end)
		return c
	}
}

// keyword reads a command's keyword from token n on and returns where the command ends.
func (r *commandReader) keyword(c *command, n int) int {
	c.keyword, c.at, r.depth = "", r.afterHead(n), 0
	if c.at >= len(r.tokens) {
		return c.at
	}
	switch t := r.tokens[c.at]; {
	case t.kind == docText || t.kind == moduleDoc && c.at > n:
		return c.at // a doc comment without anything it could be about
	case t.kind == moduleDoc:
		return c.at + 1
	case c.at > n || keywords[r.of(t)] == strong || keywords[r.of(t)] == weak || r.of(t)[0] == '#':
		c.keyword = r.of(t)
	}
	r.depth = max(0, r.turn(r.tokens[c.at]))
	end := c.at + 1
	for ; end < len(r.tokens) && !r.begins(end, c); end++ {
		r.depth = max(0, r.depth+r.turn(r.tokens[end]))
	}
	return end
}

// isOnlyForNext reports whether the command up to that token ends in `in`, and so belongs to the next.
func (c *command) isOnlyForNext(r *commandReader, end int) bool {
	if !forNext[c.keyword] {
		return false
	}
	for end--; end > c.at && r.tokens[end].kind == comment; end-- {
	}
	return r.at(end) == "in"
}

// forNext are the keywords of commands that may be said for the next one alone.
var forNext = sets.Words("open set_option variable omit include attribute universe")

// withoutComments returns the end of a command, not before from, without the
// comments at the margin that stand after it.
func (r *commandReader) withoutComments(from, end int) int {
	for end > from && r.tokens[end-1].kind == comment && r.tokens[end-1].begins && r.column(r.tokens[end-1]) == 0 {
		end--
	}
	return end
}

// afterHead returns the token after the doc comment, attributes and modifiers that begin at token n.
func (r *commandReader) afterHead(n int) int {
	first := n
	for n < len(r.tokens) {
		switch t := r.tokens[n]; {
		case t.kind == docText && n == first:
			n++
		case t.kind == comment && n > first:
			n++
		case r.of(t) == "@[":
			n = r.afterAttributes(n)
		case t.kind == word && keywords[r.of(t)] == modifier:
			n++
		default:
			return n
		}
	}
	return n
}

// afterAttributes returns the token after the list of attributes that token n
// opens. One that is not closed ends where a declaration begins.
func (r *commandReader) afterAttributes(n int) int {
	depth := 0
	for ; n < len(r.tokens); n++ {
		switch t := r.tokens[n]; {
		case t.kind == symbol && (r.of(t) == "@[" || r.of(t) == "["):
			depth++
		case t.kind == symbol && r.of(t) == "]":
			if depth--; depth == 0 {
				return n + 1
			}
		case t.begins && t.kind == word && keywords[r.of(t)] == strong:
			return n
		}
	}
	return n
}

// turn is 1 for a token that opens brackets, -1 for one that closes them, otherwise 0.
func (f *file) turn(t token) int {
	if t.kind != symbol {
		return 0
	}
	return bracket(f.of(t))
}

// bracket is the turn of a symbol.
func bracket(sign string) int {
	switch sign {
	case "(", "[", "{", "⟨", "⦃", "@[", "⟪":
		return 1
	case ")", "]", "}", "⟩", "⦄", "⟫":
		return -1
	}
	return 0
}

// begins reports whether token n begins a command, after the one in hand.
func (r *commandReader) begins(n int, c *command) bool {
	t := r.tokens[n]
	if !t.begins || t.kind == comment {
		return false
	}
	margin := r.column(t) == 0
	if t.kind == moduleDoc {
		return true
	}
	if t.kind == docText || r.of(t) == "@[" || t.kind == word && keywords[r.of(t)] == modifier {
		return margin || r.headOfDeclaration(n)
	}
	if t.kind != word {
		return margin && (t.kind == number || t.kind == quoted) && r.isForeign(n)
	}
	switch keywords[r.of(t)] {
	case strong:
		return margin || !r.isLocal(n)
	case weak:
		return margin
	case inner:
		return margin && c.keyword == "" && r.isForeign(n)
	}
	return margin && (r.of(t)[0] == '#' || r.isForeign(n))
}

// headOfDeclaration reports whether doc comments, attributes and modifiers
// stand before the keyword of a declaration. It looks a few tokens ahead.
func (r *commandReader) headOfDeclaration(n int) bool {
	const far = 48
	ahead := commandReader{file: &file{text: r.text, tokens: r.tokens[:min(len(r.tokens), n+far)]}}
	after := ahead.afterHead(n)
	return after < len(ahead.tokens) && declares[ahead.at(after)]
}

// isLocal reports whether an indented `open` or `set_option` is part of a proof, with `in` at the end of its line.
func (r *commandReader) isLocal(n int) bool {
	if r.at(n) != "open" && r.at(n) != "set_option" {
		return false
	}
	line := r.text[r.tokens[n].start:]
	line = strings.TrimSpace(line[:lineLength(line)])
	return strings.HasSuffix(line, " in") || strings.Contains(line, " in ")
}

// isForeign reports whether a line at the margin that begins with no keyword cannot go on with the command above it.
func (r *commandReader) isForeign(n int) bool {
	before := r.tokens[n-1]
	if strings.Count(r.text[before.end:r.tokens[n].start], "\n") > 1 {
		return true
	}
	return r.depth == 0 && !blockOpeners[r.of(before)] && before.kind != symbol
}

// blockOpeners are the tokens at the end of a line below which a block of its own stands.
var blockOpeners = sets.Words("by := => ↦ where do then else with from calc · try repeat : ,")

// parts are the token numbers at which the parts of a declaration begin; each ends where the next begins.
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

// afterPriority returns the token after `(priority := n)` if that stands at token n.
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

// afterGroup returns the token after the bracket that closes the one at n, or last.
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

// without leaves out declarations that are counted, with their doc comments and the blank lines below them.
func without(_, text string, leave func() bool) string {
	f := lex(text)
	var left strings.Builder
	kept := 0
	for _, c := range f.commands() {
		if !c.isDeclaration() || kindOf(&c, f.partsOf(&c), &f) != counted || !leave() {
			continue
		}
		left.WriteString(f.text[kept:f.tokens[c.first].start])
		kept = afterBlankLines(f.text, int(f.tokens[c.last-1].end))
	}
	left.WriteString(f.text[kept:])
	return left.String()
}

// afterBlankLines goes to the beginning of the next line that is not blank.
func afterBlankLines(text string, at int) int {
	for rest := text[at:]; rest != ""; rest = text[at:] {
		n := lineLength(rest)
		if strings.TrimSpace(rest[:n]) != "" {
			return at
		}
		at = min(at+n+1, len(text))
	}
	return at
}
