package xml

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/domains/internal/plain"
)

// WithoutQuotes ends the fault of an attribute whose value stands without quotes.
const WithoutQuotes = " without quotes"

func (r *reader) readStartTag() {
	r.at++
	n := r.newNode()
	n.From = int32(r.start)
	n.Name = r.rest()[:NameLength(r.rest())]
	r.at += len(n.Name)
	r.readAttributes(n)
	closed := false
	switch rest := r.rest(); {
	case strings.HasPrefix(rest, "/>"):
		closed = true
		r.at += len("/>")
	case strings.HasPrefix(rest, ">"):
		r.at++
	default:
		r.fault("> is missing after <" + n.Name)
	}
	if len(r.open) == 1 {
		if r.root != nil {
			r.fault("a second root element")
		}
		r.root = n
	}
	isDeep := len(r.open) > Deepest
	if r.visitor != nil {
		r.visitor.Start(n)
		if closed {
			r.visitor.End(n.Name)
		}
	} else if !isDeep || r.parser != Expat {
		parent := r.current()
		parent.Children = plain.Append(parent.Children, n)
	}
	if isDeep && r.parser != Expat {
		r.fault("elements too deep")
		n.To = int32(r.at)
		return
	}
	r.open = append(r.open, level{Node: n})
	r.bind(n)
	if closed {
		r.close(r.at)
	}
}

// readAttributes reads up to the end of a tag, to what cannot stand in one, or to the end of the text.
func (r *reader) readAttributes(n *Node) {
	for {
		before := r.at
		r.skipBlanks()
		rest := r.rest()
		if rest == "" || rest[0] == '>' || rest[0] == '<' || strings.HasPrefix(rest, "/>") {
			return
		}
		name := rest[:NameLength(rest)]
		if name == "" {
			r.fault("no attribute where <" + n.Name + " should have one")
			r.at++
			continue
		}
		if before == r.at {
			r.fault("no blank before an attribute of <" + n.Name)
		}
		r.at += len(name)
		n.Attrs = append(n.Attrs, Attr{name, r.readValue(name)})
	}
}

// readValue reads an equals sign and a value in quotes.
func (r *reader) readValue(name string) string {
	r.skipBlanks()
	if !strings.HasPrefix(r.rest(), "=") {
		r.fault("attribute " + name + " without a value")
		return ""
	}
	r.at++
	r.skipBlanks()
	rest := r.rest()
	if rest == "" || rest[0] != '"' && rest[0] != '\'' {
		r.fault("attribute " + name + WithoutQuotes)
		return r.take(strings.IndexAny(rest, " \t\r\n<>"))
	}
	r.at++
	quote, end := rest[0], r.at
	for end < len(r.text) && r.text[end] != quote && r.text[end] != '<' {
		end++
	}
	if end == len(r.text) || r.text[end] == '<' {
		r.fault("attribute " + name + " without its closing quote")
		return r.take(strings.IndexAny(r.rest(), "<>"))
	}
	value := r.take(end - r.at)
	r.at++
	if strings.ContainsAny(value, "\n\t\r") {
		value = blanks.Replace(value)
	}
	return r.resolved(value)
}

// blanks turns line ends and tabs in an attribute into blanks, as XML does.
var blanks = strings.NewReplacer("\r\n", " ", "\n", " ", "\t", " ", "\r", " ")

// take returns the next bytes, all that are left if length is negative.
func (r *reader) take(length int) string {
	taken := r.rest()
	if length >= 0 {
		taken = taken[:length]
	}
	r.at += len(taken)
	return taken
}

// bind resolves the prefixes of an element that was just opened.
func (r *reader) bind(n *Node) {
	for _, a := range n.Attrs {
		name, ok := strings.CutPrefix(a.Name, "xmlns")
		if !ok || name != "" && name[0] != ':' {
			continue
		}
		name = strings.TrimPrefix(name, ":")
		if name == "xmlns" || name != "" && a.Value == "" || r.parser == Expat && ((name == "xml") != (a.Value == xmlSpace) || a.Value == xmlnsSpace) {
			r.fault("a namespace declaration that XML does not allow")
		}
		space, bound := r.spaces[name]
		last := &r.open[len(r.open)-1]
		last.outer = append(last.outer, binding{name, space, bound})
		r.spaces[name] = a.Value
	}
	space, bound := r.spaces[Prefix(n.Name)]
	n.Space, n.Unbound = space, !bound
	if !bound {
		r.breaks("prefix " + Prefix(n.Name) + " is not declared")
	}
	if !isQualified(n.Name) {
		r.fault("a name that is none: " + n.Name)
	}
	r.checkAttributes(n)
}

func isQualified(name string) bool {
	before, after, prefixed := strings.Cut(name, ":")
	return before != "" && (!prefixed || NameLength(after) > 0 && !strings.Contains(after, ":"))
}

// checkAttributes looks for attributes that stand twice, also under two
// prefixes of one namespace, and for undeclared prefixes.
func (r *reader) checkAttributes(n *Node) {
	if len(n.Attrs) < 2 && (len(n.Attrs) == 0 || !strings.Contains(n.Attrs[0].Name, ":")) {
		return
	}
	type expanded struct{ space, name string }
	seen := make([]expanded, 0, 8)
	var many map[expanded]bool
	var known earlier
	var kept []Attr // nil while all are
	for i, a := range n.Attrs {
		if r.parser == Expat && !isQualified(a.Name) {
			r.breaks("a name that is none: " + a.Name)
		}
		e := expanded{name: a.Name}
		if p := Prefix(a.Name); p != "" && p != "xmlns" {
			space, bound := r.spaces[p]
			if !bound {
				r.breaks("prefix " + p + " is not declared")
			}
			e = expanded{space, Local(a.Name)}
		}
		twice := many[e]
		for _, other := range seen {
			twice = twice || other == e
		}
		if twice {
			why := "attribute " + a.Name + " stands twice in <" + n.Name
			if !known.has(n.Attrs[:i], a) || a.Value == "" {
				r.fault(why)
			} else { // it says the same once more
				r.breaks(why)
				if kept == nil {
					kept = slices.Clone(n.Attrs[:i])
				}
				continue
			}
		}
		if kept != nil {
			kept = append(kept, a)
		}
		if twice {
			continue
		}
		if len(seen) < cap(seen) {
			seen = append(seen, e)
			continue
		}
		if many == nil {
			many = map[expanded]bool{}
		}
		many[e] = true
	}
	if kept != nil {
		n.Attrs = kept
	}
}

// earlier are the attributes of a tag before a place that only moves on.
type earlier struct {
	all map[Attr]bool
	to  int
}

func (e *earlier) has(before []Attr, a Attr) bool {
	if e.all == nil {
		e.all = map[Attr]bool{}
	}
	for _, other := range before[e.to:] {
		e.all[other] = true
	}
	e.to = len(before)
	return e.all[a]
}

// NameLength is the length of the XML name at the start of a text.
func NameLength(text string) int {
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			letter := c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c == ':'
			if !letter && (i == 0 || c != '-' && c != '.' && (c < '0' || c > '9')) {
				return i
			}
			i++
			continue
		}
		char, size := utf8.DecodeRuneInString(text[i:])
		if !unicode.Is(nameStarts, char) && (i == 0 || !unicode.Is(nameExtras, char)) {
			return i
		}
		i += size
	}
	return len(text)
}

// nameStarts are the characters beyond ASCII that may begin a name, nameExtras
// those that may only go on with one (XML 1.0, fifth edition, section 2.3).
var (
	nameStarts = &unicode.RangeTable{
		R16: []unicode.Range16{
			{Lo: 0xc0, Hi: 0xd6, Stride: 1}, {Lo: 0xd8, Hi: 0xf6, Stride: 1}, {Lo: 0xf8, Hi: 0x2ff, Stride: 1},
			{Lo: 0x370, Hi: 0x37d, Stride: 1}, {Lo: 0x37f, Hi: 0x1fff, Stride: 1}, {Lo: 0x200c, Hi: 0x200d, Stride: 1},
			{Lo: 0x2070, Hi: 0x218f, Stride: 1}, {Lo: 0x2c00, Hi: 0x2fef, Stride: 1}, {Lo: 0x3001, Hi: 0xd7ff, Stride: 1},
			{Lo: 0xf900, Hi: 0xfdcf, Stride: 1}, {Lo: 0xfdf0, Hi: 0xfffd, Stride: 1},
		},
		R32: []unicode.Range32{{Lo: 0x10000, Hi: 0xeffff, Stride: 1}},
	}
	nameExtras = &unicode.RangeTable{
		R16: []unicode.Range16{
			{Lo: 0xb7, Hi: 0xb7, Stride: 1}, {Lo: 0x300, Hi: 0x36f, Stride: 1}, {Lo: 0x203f, Hi: 0x2040, Stride: 1},
		},
	}
)
