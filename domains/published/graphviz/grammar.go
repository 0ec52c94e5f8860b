package graphviz

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/internal/lazyregexp"
)

// Settings are values by name.
type Settings map[string]string

// Overridden are default settings, with those that take their place.
func Overridden(defaults, own Settings) Settings {
	if len(defaults) == 0 {
		return own
	}
	if len(own) == 0 {
		return defaults
	}
	all := make(Settings, len(defaults)+len(own))
	maps.Copy(all, defaults)
	maps.Copy(all, own)
	return all
}

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
type rawAttributes = ordered[string]

// noValue is the value of a key that stands alone: a lone quote, which no value is.
const noValue = `"`

// Deepest is how deep braces may be nested.
const Deepest = 100

// grammar is a parser at work on a text. Its methods pass over what they find. Where they find
// nothing they say so, and have passed over white space and comments, or more if they say that.
type grammar struct {
	text   string
	at     int
	groups int          // ends of edges that are groups, so far
	depth  int          // of braces
	fatal  bool         // something is there that no alternative mends
	broken map[int]bool // places after braces whose body is not readable
}

// parse reads the first graph of a text; nil if pydot does not read it. What is wrong after the
// graph does not matter, unless it makes pydot fail.
func (g *grammar) parse(text string) (graph *parsedBody, directed bool) {
	*g = grammar{text: text, groups: g.groups, broken: map[int]bool{}}
	graph, directed = g.graph()
	for next := graph; next != nil; {
		next, _ = g.graph()
	}
	if g.fatal {
		return nil, false
	}
	return graph, directed
}

// skip passes over comments and white space.
func (g *grammar) skip() {
	for {
		for g.at < len(g.text) && isBlank(g.text[g.at]) {
			g.at++
		}
		rest := g.text[g.at:]
		end := 0
		switch {
		case strings.HasPrefix(rest, "//") || strings.HasPrefix(rest, "#"):
			line, _, _ := strings.Cut(rest, "\n")
			end = len(line)
		case strings.HasPrefix(rest, "/*"):
			if end = strings.Index(rest[2:], "*/"); end < 0 {
				return
			}
			end += 4
		default:
			return
		}
		g.at += end
	}
}

func isBlank(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// literal reads a word in any letter case, regardless of what follows it.
func (g *grammar) literal(word string) bool {
	g.skip()
	end := g.at + len(word)
	found := end <= len(g.text) && g.text[g.at]|0x20 == word[0]|0x20 && strings.EqualFold(g.text[g.at:end], word)
	if found {
		g.at = end
	}
	return found
}

// after reads what follows a mark. It stays in front of a mark that nothing follows.
func (g *grammar) after(mark string, read func() string) string {
	start := g.at
	if g.literal(mark) {
		if text := read(); text != "" {
			return text
		}
	}
	g.at = start
	return ""
}

// take passes over so many bytes.
func (g *grammar) take(length int) string {
	g.at += length
	return g.text[g.at-length : g.at]
}

// IsIdentifier reports whether a plain word may have the character.
func IsIdentifier(c byte) bool {
	return c == '_' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// isIdentifierRune reports whether a word may have the character.
func isIdentifierRune(r rune) bool {
	if r < utf8.RuneSelf {
		return IsIdentifier(byte(r))
	}
	return r <= 0xffff && (unicode.IsLetter(r) || unicode.IsDigit(r) || otherDigits.MatchString(string(r)))
}

// otherDigits are the characters that Python calls digits though they are no decimal
// ones: raised, lowered, in circles and the like.
var otherDigits = lazyregexp.New(`[²³¹፩-፱᧚⁰⁴-⁹₀-₉①-⑨⑴-⑼⒈-⒐⓪⓵-⓽⓿❶-❾➀-➈➊-➒]`)

// run is the place after the characters that a class accepts.
func (g *grammar) run(at int, class func(rune) bool) int {
	return len(g.text) - len(strings.TrimLeftFunc(g.text[at:], class))
}

// identifier reads an identifier: strings with plus signs between, a word, or HTML.
func (g *grammar) identifier() string {
	if text := g.quoted(); text != "" {
		for more := g.after("+", g.quoted); more != ""; more = g.after("+", g.quoted) {
			text = text[:len(text)-1] + more[1:]
		}
		return text
	}
	if end := g.run(g.at, isIdentifierRune); end > g.at {
		return g.take(end - g.at)
	}
	return g.take(HTMLLength(g.text[g.at:]))
}

// quoted reads a string with its quotes. A backslash takes the character after it along, and vanishes with a line end.
func (g *grammar) quoted() string {
	g.skip()
	text := g.take(QuotedEnd(g.text[g.at:], '"'))
	if strings.Contains(text, `\`) {
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\\\r\n", ""), "\\\n", "")
	}
	return text
}

// QuotedEnd is the length of the string that a text begins with, 0 if there is
// none. A backslash takes the character after it along.
func QuotedEnd(text string, quote byte) int {
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

// HTMLLength is the length of the text in angle brackets that a text begins with, up to the one that
// closes the first; 0 if there is none.
func HTMLLength(text string) int {
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
func (g *grammar) value() string {
	g.skip()
	digits := g.at
	if digits < len(g.text) && g.text[digits] == '-' {
		digits++
	}
	end := g.run(digits, func(r rune) bool { return r == '.' || r >= '0' && r <= '9' })
	if end > digits {
		return g.take(end - g.at)
	}
	return g.identifier()
}

// lists reads attribute lists, of which the later keys win.
func (g *grammar) lists() (merged rawAttributes, found bool) {
	for {
		start := g.at
		if !g.literal("[") {
			return merged, found
		}
		list := g.list()
		if !g.literal("]") {
			g.at = start
			return merged, found
		}
		found = true
		merged.take(list)
	}
}

func (g *grammar) list() (list rawAttributes) {
	for key := g.identifier(); key != ""; key = g.identifier() {
		list.set(key, cmp.Or(g.after("=", g.value), noValue))
		g.literal(",")
	}
	return list
}

// graph reads [strict] graph|digraph [name] {…}.
func (g *grammar) graph() (body *parsedBody, directed bool) {
	g.literal("strict")
	directed = g.literal("digraph")
	if !directed && !g.literal("graph") {
		return nil, false
	}
	g.identifier()
	return g.braces(), directed
}

// braces reads a body in braces, and may have passed over some of it in vain. A body that was
// not readable is not tried again, so that the time is linear in spite of the alternatives.
func (g *grammar) braces() *parsedBody {
	if !g.literal("{") || g.fatal || g.broken[g.at] {
		return nil
	}
	if g.depth == Deepest {
		g.fatal = true
		return nil
	}
	g.depth++
	defer func() { g.depth-- }()
	start := g.at
	body := &parsedBody{}
	for g.statement(body) {
		g.literal(";")
	}
	if !g.literal("}") || g.fatal {
		g.broken[start] = true
		return nil
	}
	g.literal(";")
	return body
}

// statement reads a statement into a body.
func (g *grammar) statement(body *parsedBody) bool {
	if g.fatal {
		return false
	}
	start := g.at
	if g.setting(body) {
		return true
	}
	g.at = start
	first := g.point()
	after := g.at
	if first != (point{}) && g.chain(body, first) {
		return true
	}
	if g.at = start; g.defaults() {
		return true
	}
	g.at = after
	switch {
	case first.group != nil:
		body.subgraphs = append(body.subgraphs, first.group)
	case first.name != "":
		g.node(body, first.name)
	default:
		return false
	}
	return true
}

// setting reads key=value, or passes over some of it in vain.
func (g *grammar) setting(body *parsedBody) bool {
	key := g.identifier()
	if key == "" || !g.literal("=") {
		return false
	}
	value := g.value()
	if value != "" {
		body.settings.set(key, value)
	}
	return value != ""
}

// defaults passes over a graph, node or edge statement, which the published
// score does not look at, or over its word in vain.
func (g *grammar) defaults() bool {
	if !slices.ContainsFunc([]string{"graph", "node", "edge"}, g.literal) {
		return false
	}
	list, found := g.lists()
	g.refuse(list, "self", "obj_dict", "name")
	return found
}

// refuse fails, as pydot does, at keys that are names of its parameters.
func (g *grammar) refuse(list rawAttributes, keys ...string) {
	for _, key := range keys {
		_, has := list.values[key]
		g.fatal = g.fatal || has
	}
}

// point is an end of an edge: a node with ports, or a group.
type point struct {
	name  string
	group *parsedBody
}

func (g *grammar) point() point {
	start := g.at
	name := ""
	if g.literal("subgraph") {
		name = g.identifier()
	}
	if body := g.braces(); body != nil {
		body.name = name
		return point{group: body}
	}
	g.at = start
	return point{name: g.nodeID()}
}

// mostPorts is how many identifiers follow that of a node at most.
const mostPorts = 2

// nodeID reads an identifier with ports, which stand after colons.
func (g *grammar) nodeID() string {
	id := g.identifier()
	for n := 0; n < mostPorts && id != ""; n++ {
		port := g.after(":", g.identifier)
		if port == "" {
			break
		}
		id += ":" + port
	}
	return id
}

// chain reads the rest of an edge statement and adds an edge for each pair.
func (g *grammar) chain(body *parsedBody, first point) bool {
	ends := []string{g.end(first)}
	before := g.at
	for g.literal("--") || g.literal("->") {
		next := g.point()
		if next == (point{}) {
			break
		}
		ends = append(ends, g.end(next))
		before = g.at
	}
	if g.at = before; len(ends) == 1 {
		return false
	}
	list, _ := g.lists()
	g.refuse(list, "src", "dst", "obj_dict", "self")
	for i := range ends[1:] {
		body.edges = append(body.edges, parsedEdge{ends[i], ends[i+1], list})
	}
	return true
}

// groupEnd begins the name of an end that is a group: a noncharacter, which no text has.
const groupEnd = "\ufdd0"

// end is the name of an end. That of a group is unlike any other of the document.
func (g *grammar) end(p point) string {
	if p.group != nil {
		g.groups++
		return groupEnd + strconv.Itoa(g.groups)
	}
	return p.name
}

// node reads the rest of a node statement. A port is cut off, unless the name begins with a quote.
func (g *grammar) node(body *parsedBody, name string) {
	list, _ := g.lists()
	g.refuse(list, "name", "obj_dict", "self")
	if at := strings.IndexByte(name, ':'); at > 0 && at+1 < len(name) && name[0] != '"' {
		name = name[:at]
	}
	body.nodes = append(body.nodes, parsedNode{name, list})
	g.literal(";")
}
