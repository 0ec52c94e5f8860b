package graphviz

import (
	"strings"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/wellformed"
	published "agentd/domains/published/graphviz"
	"agentd/internal/lazyregexp"
)

// document is a file as Graphviz reads it, and what it would not read.
type document struct {
	graphs  []*graph
	outside []string // lines before, between and after the graphs
	closing []string // comments after the last graph
}

// span is from where to where something stands in the whole text, in bytes.
type span struct{ from, to int }

type graph struct {
	above    []string // comments
	strict   bool
	directed bool
	name     word
	body     *body
	unclosed bool // the text ends before its last brace
}

func (g *graph) kind() string {
	kind := "graph"
	if g.directed {
		kind = "digraph"
	}
	if g.strict {
		kind = "strict " + kind
	}
	return kind
}

// word is an identifier as it is written.
type word struct{ raw string }

func (w word) isSet() bool { return w.raw != "" }

func (w word) isQuoted() bool { return strings.HasPrefix(w.raw, `"`) }

// text is what the word means. Text in angle brackets keeps them.
func (w word) text() string {
	if !w.isQuoted() {
		return w.raw
	}
	inner := w.raw[1:]
	inner = strings.TrimSuffix(inner, `"`)
	if !strings.Contains(inner, `\`) {
		return inner
	}
	return unescaped.Replace(inner)
}

// A backslash takes itself along, so that the quote in \\" is none that is escaped.
var unescaped = strings.NewReplacer(`\\`, `\\`, `\"`, `"`, "\\\n", "")

// quotedWord is the word for a text.
func quotedWord(text string) word {
	return word{`"` + strings.ReplaceAll(text, `"`, `\"`) + `"`}
}

// whole is a text with line feeds, without a byte order mark and code fences.
func whole(text string) string { return plain.Text(plain.Lines(text)) }

// read takes in any text, and the slips that models make in attribute lists.
func read(text string) document {
	r := reader{text: whole(text)}
	var d document
	for r.at < len(r.text) {
		r.skip()
		if g := r.graph(); g != nil {
			d.graphs = append(d.graphs, g)
			continue
		}
		if line := strings.TrimSpace(r.line()); line != "" {
			d.outside = plain.Append(d.outside, line)
		}
	}
	d.closing = r.taken()
	return d
}

type reader struct {
	text     string
	at       int
	comments []string // that no statement has yet
	depth    int      // of braces
	unquoted bool     // no quote in the rest of the text closes a string
	unclosed int      // angle brackets that were not closed
}

// skip passes over white space, and takes in comments.
func (r *reader) skip() {
	for r.at < len(r.text) {
		switch c := r.text[r.at]; {
		case c == '\n' || c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
			r.at++
		case r.isComment():
			r.comments = plain.Append(r.comments, strings.TrimSpace(r.comment()))
		default:
			return
		}
	}
}

func (r *reader) isComment() bool {
	rest := r.text[r.at:]
	return rest[0] == '#' || rest[0] == '/' && len(rest) > 1 && (rest[1] == '/' || rest[1] == '*')
}

func (r *reader) comment() string {
	rest := r.text[r.at:]
	if strings.HasPrefix(rest, "/*") {
		if end := strings.Index(rest[2:], "*/"); end >= 0 {
			r.at += end + 4
			return rest[:end+4]
		}
	}
	return r.line()
}

// line takes the rest of the line.
func (r *reader) line() string {
	line, _, _ := strings.Cut(r.text[r.at:], "\n")
	r.at = min(r.at+len(line)+1, len(r.text))
	return line
}

// taken hands out the comments that no statement has yet.
func (r *reader) taken() []string {
	comments := r.comments
	r.comments = nil
	return comments
}

// sees reports whether a mark is next. Only if it is are the white space and comments in front of it passed over.
func (r *reader) sees(mark string) bool {
	if r.at < len(r.text) && r.text[r.at] > ' ' && !r.isComment() {
		return strings.HasPrefix(r.text[r.at:], mark)
	}
	at, comments := r.at, len(r.comments)
	r.skip()
	if strings.HasPrefix(r.text[r.at:], mark) {
		return true
	}
	r.at, r.comments = at, r.comments[:comments]
	return false
}

// mark passes over a mark if it is next.
func (r *reader) mark(mark string) bool {
	if !r.sees(mark) {
		return false
	}
	r.at += len(mark)
	return true
}

// peek is the next byte after white space and comments, 0 at the end.
func (r *reader) peek() byte {
	r.skip()
	if r.at == len(r.text) {
		return 0
	}
	return r.text[r.at]
}

// graph reads a graph if one is next, and else stays where it is.
func (r *reader) graph() *graph {
	if c := r.peek(); !isBare(c) {
		return nil
	}
	start, comments := r.at, len(r.comments)
	g := &graph{}
	w := r.word()
	if strings.EqualFold(w.raw, "strict") {
		g.strict = true
		w = r.word()
	}
	g.directed = strings.EqualFold(w.raw, "digraph")
	if g.directed || strings.EqualFold(w.raw, "graph") {
		if r.peek() != '{' {
			g.name = r.word()
		}
		if r.mark("{") {
			g.above = r.taken()
			g.body, g.unclosed = r.body()
			return g
		}
		if strings.HasPrefix(g.name.raw, "<") {
			r.unclosed++ // not to be read over and over
		}
	}
	r.at, r.comments = start, r.comments[:comments]
	return nil
}

// isBare holds for what words without quotes are made of.
func isBare(c byte) bool { return published.IsIdentifier(c) || c >= 0x80 }

// word reads an identifier, none if another thing is next.
func (r *reader) word() word {
	switch c := r.peek(); {
	case c == '"':
		return r.quoted()
	case c == '<':
		return r.html()
	case c == '-' && r.at+1 < len(r.text) && (r.text[r.at+1] == '.' || r.text[r.at+1] >= '0' && r.text[r.at+1] <= '9'):
		return r.bare(1)
	case isBare(c):
		return r.bare(0)
	}
	return word{}
}

func (r *reader) bare(length int) word {
	start := r.at
	for r.at += length; r.at < len(r.text) && isBare(r.text[r.at]); r.at++ {
	}
	return word{r.text[start:r.at]}
}

// quoted reads a string, and those that are added to it with a plus sign.
func (r *reader) quoted() word {
	length := r.quotedLength()
	if length == 0 {
		return word{}
	}
	w := r.text[r.at : r.at+length]
	r.at += length
	if strings.HasPrefix(w, `"#`) && !strings.HasSuffix(w, `"`) {
		return word{strings.TrimSuffix(w, "'") + `"`}
	}
	if strings.HasSuffix(w, "'") {
		return word{w[:len(w)-1] + `"`}
	}
	parts := []string{w}
	for {
		after, comments := r.at, len(r.comments)
		if r.mark("+") && r.sees(`"`) {
			if length := r.quotedLength(); length > 0 {
				parts[len(parts)-1] = strings.TrimSuffix(parts[len(parts)-1], `"`)
				parts = append(parts, r.text[r.at+1:r.at+length])
				r.at += length
				continue
			}
		}
		r.at, r.comments = after, r.comments[:comments]
		return word{strings.Join(parts, "")}
	}
}

// quotedLength is the length of the string that is next. That of a colour may lack its last quote.
func (r *reader) quotedLength() int {
	rest := r.text[r.at:]
	if strings.HasPrefix(rest, `"#`) {
		end := 2 + hexDigits(rest[2:])
		if end >= 5 && end <= 10 && (end == len(rest) || strings.IndexByte("];,} \t\n", rest[end]) >= 0) {
			return end
		}
	}
	if r.unquoted {
		return 0
	}
	length := published.QuotedEnd(rest, '"')
	if length == 0 || strings.Contains(rest[:length], "\n") {
		if single := singleEnd(rest, "'"); single > 0 {
			return single
		}
	}
	r.unquoted = length == 0
	return length
}

// singleQuoted reads a value in single quotes, of which the last may be a double one; none if no quote ends it.
func (r *reader) singleQuoted() word {
	length := singleEnd(r.text[r.at:], `'"`)
	if length == 0 {
		return word{}
	}
	inner := r.text[r.at+1 : r.at+length-1]
	r.at += length
	inner = escapedApostrophe.ReplaceAllString(inner, "${1}'")
	return quotedWord(escapedQuote.Replace(inner))
}

// A single quote that is escaped is an apostrophe after a letter and in front of one, and otherwise stands for a
// double one.
var (
	escapedApostrophe = lazyregexp.New(`(\pL)\\'\b`)
	escapedQuote      = strings.NewReplacer(`\'`, `"`, `\"`, `"`)
)

// singleEnd is the length of a string that one of some quotes ends on its line, in front of what can follow a value; 0
// if none does.
func singleEnd(text, quotes string) int {
	for i := 1; i < len(text) && text[i] != '\n'; i++ {
		if text[i] == '\\' {
			i++
			continue
		}
		if strings.IndexByte(quotes, text[i]) < 0 {
			continue
		}
		if rest := strings.TrimLeft(text[i+1:], " \t"); rest == "" || strings.IndexByte("];,}\n", rest[0]) >= 0 {
			return i + 1
		}
	}
	return 0
}

// html reads text in angle brackets.
func (r *reader) html() word {
	const enough = 64 // brackets that are not closed; one more is not looked for
	if r.unclosed >= enough {
		return word{}
	}
	length := published.HTMLLength(r.text[r.at:])
	if length == 0 {
		r.unclosed++
	}
	r.at += length
	return word{r.text[r.at-length : r.at]}
}

// value reads what follows an equals sign: a word, or anything else up to a
// mark, such as a colour or an address without quotes.
func (r *reader) value() word {
	r.at += len(r.text[r.at:]) - len(strings.TrimLeft(r.text[r.at:], " \t\n"))
	if rest := r.text[r.at:]; rest != "" && rest[0] != '#' && r.isComment() {
		r.skip()
	}
	if rest := r.text[r.at:]; rest != "" && (rest[0] == '"' || rest[0] == '<') {
		if w := r.word(); w.isSet() {
			return w
		}
	}
	if strings.HasPrefix(r.text[r.at:], "'") {
		if w := r.singleQuoted(); w.isSet() {
			return w
		}
	}
	start, open := r.at, 0
	for ; r.at < len(r.text); r.at++ {
		c := r.text[r.at]
		if strings.IndexByte(",;]}[{\"<= \t\n", c) >= 0 || c == ')' && open == 0 ||
			c == '/' && r.at > start && r.text[r.at-1] != ':' && r.text[r.at-1] != '/' && r.isComment() {
			break
		}
		switch c {
		case '(':
			open++
		case ')':
			open--
		}
	}
	raw := r.text[start:r.at]
	if strings.ContainsFunc(strings.TrimPrefix(raw, "-"), func(c rune) bool { return c < 0x80 && !isBare(byte(c)) }) {
		return quotedWord(raw)
	}
	return word{raw}
}

var code = wellformed.Code{Line: []string{"//"}, AtStart: []string{"#"}, Block: [][2]string{{"/*", "*/"}}, Quotes: "\"", Wrapped: true, Escape: true, Brackets: "{}[]"}

// wellFormed checks brackets, quotes and comments, that a graph begins the file, and that a list has an attribute once.
var wellFormed = wellformed.All(
	code.Check,
	code.Bare(repeatedAttributes),
	wellformed.Ends(`\}\s*(?:(?://|/\*|#).*)?$|^\s*(?://|/\*|#|\*)|\*/\s*$`, "text after the end of the graph"),
	wellformed.Begins(`(?i)^\s*(?:strict|graph|digraph|//|/\*|#|\{)`, "a graph does not begin the file"),
)

// attributeParts are what lists of attributes are made of, in a text without comments and without what texts say: brackets, a name
// with its sign, and a text in quotes.
var attributeParts = lazyregexp.New(`[\[\]<>]|([A-Za-z_]\w*)\s*=\s*|"[x\n]*"`)

// repeatedAttributes finds attributes that a list has twice. Programs take the last and say nothing. Names in a label of HTML are none.
func repeatedAttributes(_, bare string) []wellformed.Slip {
	var all []wellformed.Slip
	var met map[string]bool // the names in the list; nil outside of one
	html, line, counted := 0, 1, 0
	for _, at := range attributeParts.FindAllStringSubmatchIndex(bare, -1) {
		switch part := bare[at[0]:at[1]]; {
		case met == nil && part != "[", part[0] == '"':
		case part == "<":
			html++
		case part == ">":
			html = max(html-1, 0)
		case html > 0:
		case part == "[":
			met = map[string]bool{}
		case part == "]":
			met = nil
		default:
			name := bare[at[2]:at[3]]
			if met[name] {
				line, counted = line+strings.Count(bare[counted:at[0]], "\n"), at[0]
				all = append(all, wellformed.Slip{Line: line, What: "an attribute stands twice in a list", Text: name})
			}
			met[name] = true
		}
	}
	return all
}
