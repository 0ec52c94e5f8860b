package graphviz

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The grammar is that of pydot 4.0.1. Its alternatives are tried in order, and white
// space and comments may stand between any two tokens.

// parsedBody is what stands between two braces.
type parsedBody struct {
	name      string // raw, of a subgraph
	nodes     []parsedNode
	edges     []parsedEdge
	subgraphs []*parsedBody
	settings  rawAttributes // key=value statements
}

type parsedNode struct {
	name       string
	attributes rawAttributes
}

type parsedEdge struct {
	from, to   string
	attributes rawAttributes
}

// rawAttributes are attributes as written, each key where it first stood.
type rawAttributes []rawAttribute

type rawAttribute struct{ key, value string }

// noValue is the value of a key that stands alone: a lone quote, which no value is.
const noValue = `"`

func (r *rawAttributes) set(key, value string) {
	for i := range *r {
		if (*r)[i].key == key {
			(*r)[i].value = value
			return
		}
	}
	*r = append(*r, rawAttribute{key, value})
}

// parsedGraph is a graph as pydot reads it.
type parsedGraph struct {
	directed bool
	body     *parsedBody
}

var (
	errSyntax = errors.New("not a graph that pydot reads")
	errKey    = errors.New("a key on which pydot fails")
	errDeep   = errors.New("subgraphs are nested too deeply")
)

// deepest is how deep braces may be nested.
const deepest = 100

// grammar is a parser at work on a text. Its methods take a place in the text and
// return the place after what they found; 0 means that it was not found.
type grammar struct {
	text   string
	groups int          // ends of edges that are groups, so far
	depth  int          // of braces
	fatal  error        // which no alternative mends
	broken map[int]bool // places after braces whose body is not readable
}

// parseGraph reads the first graph of a text. groups is how many ends of edges are
// groups in what was read before. What is wrong after the graph does not matter,
// unless it makes pydot fail.
func parseGraph(text string, groups int) (parsedGraph, int, error) {
	g := &grammar{text: text, groups: groups}
	first, at := g.graph(0)
	for next := at; next > 0; {
		_, next = g.graph(next)
	}
	switch {
	case g.fatal != nil:
		return parsedGraph{}, g.groups, g.fatal
	case at == 0:
		return parsedGraph{}, g.groups, errSyntax
	}
	return first, g.groups, nil
}

// skip passes over comments and white space.
func (g *grammar) skip(at int) int {
	for {
		for at < len(g.text) && isBlank(g.text[at]) {
			at++
		}
		rest := g.text[at:]
		end := 0
		switch {
		case strings.HasPrefix(rest, "//") || strings.HasPrefix(rest, "#"):
			if end = strings.IndexByte(rest, '\n'); end < 0 {
				end = len(rest)
			}
		case strings.HasPrefix(rest, "/*"):
			if end = strings.Index(rest[2:], "*/"); end < 0 {
				return at
			}
			end += 4
		default:
			return at
		}
		at += end
	}
}

func isBlank(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// literal reads a word in any letter case, regardless of what follows it.
func (g *grammar) literal(at int, word string) int {
	at = g.skip(at)
	if end := at + len(word); end <= len(g.text) && g.text[at]|0x20 == word[0]|0x20 && strings.EqualFold(g.text[at:end], word) {
		return end
	}
	return 0
}

// optional is the place after a literal if it is there.
func (g *grammar) optional(at int, word string) int {
	if end := g.literal(at, word); end > 0 {
		return end
	}
	return at
}

func isIdentifier(c byte) bool {
	return c == '_' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// isIdentifierRune reports whether a word may have the character.
func isIdentifierRune(r rune) bool {
	if r < utf8.RuneSelf {
		return isIdentifier(byte(r))
	}
	return r <= 0xffff && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(otherDigits, r))
}

// otherDigits are the characters that Python calls digits though they are no decimal
// ones: raised, lowered, in circles and the like.
var otherDigits = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0xb2, Hi: 0xb3, Stride: 1}, {Lo: 0xb9, Hi: 0xb9, Stride: 1}, {Lo: 0x1369, Hi: 0x1371, Stride: 1},
		{Lo: 0x19da, Hi: 0x19da, Stride: 1}, {Lo: 0x2070, Hi: 0x2070, Stride: 1}, {Lo: 0x2074, Hi: 0x2079, Stride: 1},
		{Lo: 0x2080, Hi: 0x2089, Stride: 1}, {Lo: 0x2460, Hi: 0x2468, Stride: 1}, {Lo: 0x2474, Hi: 0x247c, Stride: 1},
		{Lo: 0x2488, Hi: 0x2490, Stride: 1}, {Lo: 0x24ea, Hi: 0x24ea, Stride: 1}, {Lo: 0x24f5, Hi: 0x24fd, Stride: 1},
		{Lo: 0x24ff, Hi: 0x24ff, Stride: 1}, {Lo: 0x2776, Hi: 0x277e, Stride: 1}, {Lo: 0x2780, Hi: 0x2788, Stride: 1},
		{Lo: 0x278a, Hi: 0x2792, Stride: 1},
	},
	LatinOffset: 2,
}

// run is the place after the characters that a class accepts.
func (g *grammar) run(at int, class func(rune) bool) int {
	if n := strings.IndexFunc(g.text[at:], func(r rune) bool { return !class(r) }); n >= 0 {
		return at + n
	}
	return len(g.text)
}

// identifier reads an identifier: strings with plus signs between, a word, or HTML.
func (g *grammar) identifier(at int) (text string, end int) {
	at = g.skip(at)
	if text, end = g.quoted(at); end > 0 {
		return g.joined(text, end)
	}
	if end = g.run(at, isIdentifierRune); end > at {
		return g.text[at:end], end
	}
	return g.html(at)
}

// quoted reads a string with its quotes. A backslash takes the character after it
// along, and vanishes with a line end.
func (g *grammar) quoted(at int) (text string, end int) {
	length := quotedEnd(g.text[at:], '"')
	if length == 0 {
		return "", 0
	}
	text = g.text[at : at+length]
	if strings.Contains(text, `\`) {
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\\\r\n", ""), "\\\n", "")
	}
	return text, at + length
}

// joined adds the strings that plus signs join to a first one.
func (g *grammar) joined(first string, at int) (text string, end int) {
	text = first
	for {
		plus := g.literal(at, "+")
		if plus == 0 {
			return text, at
		}
		more, after := g.quoted(g.skip(plus))
		if after == 0 {
			return text, at
		}
		text = text[:len(text)-1] + more[1:]
		at = after
	}
}

// quotedEnd is the length of the string that a text begins with, 0 if there is
// none. A backslash takes the character after it along.
func quotedEnd(text string, quote byte) int {
	if text == "" || text[0] != quote {
		return 0
	}
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case quote:
			return i + 1
		}
	}
	return 0
}

// html reads text in angle brackets.
func (g *grammar) html(at int) (text string, end int) {
	length := htmlLength(g.text[at:])
	if length == 0 {
		return "", 0
	}
	return g.text[at : at+length], at + length
}

// htmlLength is the length of the text in angle brackets that a text begins with, up to the one that
// closes the first; 0 if there is none.
func htmlLength(text string) int {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '<':
			depth++
		case '>':
			depth--
		}
		switch {
		case i == 0 && depth != 1:
			return 0
		case depth == 0:
			return i + 1
		}
	}
	return 0
}

// value reads a number, which ends where its characters do, or otherwise an identifier.
func (g *grammar) value(at int) (text string, end int) {
	start := g.skip(at)
	digits := start
	if digits < len(g.text) && g.text[digits] == '-' {
		digits++
	}
	end = g.run(digits, func(r rune) bool { return r == '.' || r >= '0' && r <= '9' })
	if end > digits {
		return g.text[start:end], end
	}
	return g.identifier(at)
}

// lists reads attribute lists, of which the later keys win.
func (g *grammar) lists(at int) (merged rawAttributes, end int) {
	for {
		start := g.literal(at, "[")
		if start == 0 {
			return merged, end
		}
		list, after := g.list(start)
		if after = g.literal(after, "]"); after == 0 {
			return merged, end
		}
		for _, a := range list {
			merged.set(a.key, a.value)
		}
		at, end = after, after
	}
}

func (g *grammar) list(at int) (list rawAttributes, end int) {
	for {
		key, after := g.identifier(at)
		if after == 0 {
			return list, at
		}
		at = after
		value := noValue
		if equals := g.literal(at, "="); equals > 0 {
			if text, after := g.value(equals); after > 0 {
				value, at = text, after
			}
		}
		list.set(key, value)
		at = g.optional(at, ",")
	}
}
