package graphviz

import (
	"errors"
	"slices"
	"strings"
)

// The grammar is that of pydot 1.4.2 on pyparsing 3.0.9, with its accidents: an
// expression that is optional passes over white space even where it is not
// found, and what is neither printable nor a blank makes an identifier.

// parsedBody is what stands between two braces.
type parsedBody struct {
	name       string // raw, of a subgraph
	nodes      []parsedNode
	edges      []parsedEdge
	subgraphs  []*parsedBody
	attributes attributes // key=value statements
}

type parsedNode struct {
	name       string
	attributes attributes
}

type parsedEdge struct {
	from, to   string
	attributes attributes
}

// attributes are values, raw, by keys. A key without value has noValue.
type attributes map[string]string

// noValue stands for the value of a key without one: a lone quote, which no value is.
const noValue = `"`

// parsedGraph is a graph as pydot reads it.
type parsedGraph struct {
	directed bool
	body     *parsedBody
}

var (
	errSyntax = errors.New("not a graph that pydot reads")
	errDeep   = errors.New("subgraphs are nested too deeply")
)

// deepest is how deep braces and angle brackets may be nested.
const deepest = 100

// grammar is a parser at work on a text. Its methods take a place in the text
// and return the place behind what they found. The zero place behind means that
// it was not found.
type grammar struct {
	text   string
	groups int          // ends of edges that are groups, so far
	depth  int          // of braces
	fatal  error        // which no alternative mends
	broken map[int]bool // places behind braces whose body is not readable
	last   identified   // which the alternatives of a statement ask for in turn
}

// identified is an identifier, of one token, and where it stands.
type identified struct {
	tokens     []string
	start, end int
}

// parseGraph reads the first graph of a text. What is wrong behind it does not
// matter, unless it makes pydot fail.
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

// comments passes over comments and the white space before each.
func (g *grammar) comments(at int) int {
	for {
		rest := g.text[g.blanks(at):]
		if rest == "" || rest[0] != '/' && rest[0] != '#' {
			return at
		}
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
		at = len(g.text) - len(rest) + end
	}
}

func (g *grammar) blanks(at int) int {
	for at < len(g.text) && isBlank(g.text[at]) {
		at++
	}
	return at
}

func isBlank(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// skip passes over comments and white space.
func (g *grammar) skip(at int) int { return g.blanks(g.comments(at)) }

func (g *grammar) literal(at int, word string) int {
	at = g.skip(at)
	if end := at + len(word); end <= len(g.text) && g.text[at]|0x20 == word[0]|0x20 && strings.EqualFold(g.text[at:end], word) {
		return end
	}
	return 0
}

// optional is the place behind a literal if it is there.
func (g *grammar) optional(at int, word string) int {
	if end := g.literal(at, word); end > 0 {
		return end
	}
	return g.skip(at)
}

func isIdentifier(c byte) bool {
	return c == '_' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// isOther holds for what is neither printable ASCII, save the comma, nor a
// blank.
func isOther(c byte) bool { return c < ' ' || c >= 0x7f || c == ',' }

// run is the place behind the bytes that a class accepts.
func (g *grammar) run(at int, class func(byte) bool) int {
	for at < len(g.text) && class(g.text[at]) {
		at++
	}
	return at
}

// identifier reads an identifier, which mostly is one token.
func (g *grammar) identifier(at int) (tokens []string, end int) {
	start := g.skip(at)
	if g.last.end > 0 && g.last.start == start {
		return g.last.tokens, g.last.end
	}
	if end = g.run(start, isIdentifier); end == start {
		end = start + quotedEnd(g.text[start:], '"')
	}
	if end > start {
		g.last = identified{[]string{g.text[start:end]}, start, end}
		return g.last.tokens, end
	}
	if html, end := g.html(at, 0); end > 0 {
		return []string{html}, end
	}
	for behind := at; ; behind = end {
		start := g.comments(behind)
		if end = g.run(start, isOther); end == start {
			if len(tokens) == 0 {
				return nil, 0
			}
			return tokens, behind
		}
		tokens = append(tokens, g.text[start:end])
	}
}

// quotedEnd is the length of the string that a text begins with, 0 if there is
// none. A backslash takes the character behind it along.
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

// html reads text in angle brackets, which may not stand behind a blank. White
// space in front of strings in it is lost.
func (g *grammar) html(at, depth int) (string, int) {
	if at = g.comments(at); at == len(g.text) || g.text[at] != '<' {
		return "", 0
	}
	at++
	if depth > deepest {
		g.fatal = errDeep
		return "", 0
	}
	var b strings.Builder
	b.WriteByte('<')
	for {
		if end := htmlString(g.text[g.skip(at):]); end > 0 {
			start := g.skip(at)
			at = start + end
			b.WriteString(g.text[start:at])
			continue
		}
		if nested, end := g.html(at, depth+1); end > 0 {
			b.WriteString(nested)
			at = end
			continue
		}
		if g.fatal != nil {
			return "", 0
		}
		start := g.comments(at)
		end := g.run(start, func(c byte) bool { return c != '<' && c != '>' })
		if end == start {
			break
		}
		b.WriteString(g.text[start:end])
		at = end
	}
	b.WriteByte('>')
	return b.String(), g.literal(at, ">")
}

// htmlString is the length of the string in double or single quotes that a text
// begins with. It does not go over the end of a line.
func htmlString(text string) int {
	if text == "" || text[0] != '"' && text[0] != '\'' {
		return 0
	}
	quote := text[0]
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\n', '\r':
			return 0
		case '\\':
			i++
		case quote:
			if i+1 == len(text) || text[i+1] != quote {
				return i + 1
			}
			i++
		}
	}
	return 0
}

// value reads a number, or else an identifier.
func (g *grammar) value(at int) (tokens []string, end int) {
	start := g.skip(at)
	digits := start
	if digits < len(g.text) && g.text[digits] == '-' {
		digits++
	}
	end = g.run(digits, func(c byte) bool { return c == '.' || c >= '0' && c <= '9' })
	if end > digits {
		return []string{g.text[start:end]}, end
	}
	return g.identifier(at)
}

// assignment reads key=value.
func (g *grammar) assignment(at int) (tokens []string, end int) {
	key, at := g.identifier(at)
	if at == 0 {
		return nil, 0
	}
	if at = g.literal(at, "="); at == 0 {
		return nil, 0
	}
	value, end := g.value(at)
	return slices.Concat(key, []string{"="}, value), end
}

// keyed makes attributes of tokens.
func keyed(tokens []string, into attributes) {
	for i := 0; i < len(tokens); {
		if i+2 < len(tokens) && tokens[i+1] == "=" {
			into[tokens[i]] = tokens[i+2]
			i += 3
			continue
		}
		into[tokens[i]] = noValue
		i++
	}
}

// lists reads one or more attribute lists. Empty ones leave no token.
func (g *grammar) lists(at int) (lists []attributes, end int) {
	for {
		start := g.literal(at, "[")
		if start == 0 {
			return lists, end
		}
		tokens, behind := g.list(start)
		if behind = g.literal(behind, "]"); behind == 0 {
			return lists, end
		}
		if len(tokens) > 0 {
			list := attributes{}
			keyed(tokens, list)
			lists = append(lists, list)
		}
		at, end = behind, behind
	}
}

func (g *grammar) list(at int) (tokens []string, end int) {
	for {
		key, behind := g.identifier(at)
		if behind == 0 {
			return tokens, g.comments(at)
		}
		tokens = append(tokens, key...)
		at = g.skip(behind)
		if equals := g.literal(at, "="); equals > 0 {
			if value, behind := g.value(equals); behind > 0 {
				tokens = append(append(tokens, "="), value...)
				at = behind
			}
		}
		at = g.optional(at, ",")
	}
}
