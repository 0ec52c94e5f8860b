package geotrack

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

func (r *xmlReader) readStartTag() {
	r.at++
	n := r.newNode()
	n.name = r.rest()[:nameLength(r.rest())]
	r.at += len(n.name)
	r.readAttributes(n)
	closed := false
	switch rest := r.rest(); {
	case strings.HasPrefix(rest, "/>"):
		closed = true
		r.at += len("/>")
	case strings.HasPrefix(rest, ">"):
		r.at++
	default:
		r.fault("> is missing behind <" + n.name)
	}
	parent := r.current()
	parent.children = append(parent.children, n)
	if len(r.open) == 1 {
		if r.root != nil {
			r.fault("a second root element")
		}
		r.root = n
	}
	if len(r.open) > deepest {
		r.fault("elements too deep")
		return
	}
	r.open = append(r.open, level{node: n})
	r.bind(n)
	if closed {
		r.close()
	}
}

// readAttributes reads up to the end of a tag, to what cannot stand in one, or
// to the end of the text.
func (r *xmlReader) readAttributes(n *node) {
	for {
		before := r.at
		r.skipBlanks()
		rest := r.rest()
		if rest == "" || rest[0] == '>' || rest[0] == '<' || strings.HasPrefix(rest, "/>") {
			return
		}
		name := rest[:nameLength(rest)]
		if name == "" {
			r.fault("no attribute where <" + n.name + " should have one")
			r.at++
			continue
		}
		if before == r.at {
			r.fault("no blank before an attribute of <" + n.name)
		}
		r.at += len(name)
		n.attrs = append(n.attrs, attribute{name, r.readValue(name)})
	}
}

// readValue reads an equals sign and a value in quotes.
func (r *xmlReader) readValue(name string) string {
	r.skipBlanks()
	if !strings.HasPrefix(r.rest(), "=") {
		r.fault("attribute " + name + " without a value")
		return ""
	}
	r.at++
	r.skipBlanks()
	rest := r.rest()
	if rest == "" || rest[0] != '"' && rest[0] != '\'' {
		r.fault("attribute " + name + " without quotes")
		return r.take(strings.IndexAny(rest, " \t\r\n<>"))
	}
	r.at++
	end := strings.IndexAny(r.rest(), rest[:1]+"<")
	if end < 0 || r.rest()[end] == '<' {
		r.fault("attribute " + name + " without its closing quote")
		return r.take(strings.IndexAny(r.rest(), "<>"))
	}
	value := r.take(end)
	r.at++
	return r.resolved(blanks.Replace(value))
}

// blanks turns line ends and tabs in an attribute into blanks, as XML does.
var blanks = strings.NewReplacer("\r\n", " ", "\n", " ", "\t", " ", "\r", " ")

// take returns the next bytes, all that are left if length is negative.
func (r *xmlReader) take(length int) string {
	taken := r.rest()
	if length >= 0 {
		taken = taken[:length]
	}
	r.at += len(taken)
	return taken
}

// bind resolves the prefixes of an element that was just opened.
func (r *xmlReader) bind(n *node) {
	for _, a := range n.attrs {
		name, ok := strings.CutPrefix(a.name, "xmlns")
		if !ok || name != "" && name[0] != ':' {
			continue
		}
		name = strings.TrimPrefix(name, ":")
		if name == "xmlns" || name != "" && a.value == "" {
			r.fault("a namespace declaration that XML does not allow")
		}
		space, bound := r.spaces[name]
		last := &r.open[len(r.open)-1]
		last.outer = append(last.outer, binding{name, space, bound})
		r.spaces[name] = a.value
	}
	space, bound := r.spaces[prefix(n.name)]
	n.space, n.unbound = space, !bound
	if !bound {
		r.breaks("prefix " + prefix(n.name) + " is not declared")
	}
	if !isQualified(n.name) {
		r.fault("a name that is none: " + n.name)
	}
	r.checkAttributes(n)
}

func isQualified(name string) bool {
	before, after, prefixed := strings.Cut(name, ":")
	return before != "" && (!prefixed || nameLength(after) > 0 && !strings.Contains(after, ":"))
}

// checkAttributes looks for attributes that stand twice, also under two
// prefixes of one namespace, and for undeclared prefixes.
func (r *xmlReader) checkAttributes(n *node) {
	if len(n.attrs) < 2 && (len(n.attrs) == 0 || !strings.Contains(n.attrs[0].name, ":")) {
		return
	}
	type expanded struct{ space, name string }
	seen := make([]expanded, 0, 8)
	var many map[expanded]bool
	for _, a := range n.attrs {
		e := expanded{name: a.name}
		if p := prefix(a.name); p != "" && p != "xmlns" {
			space, bound := r.spaces[p]
			if !bound {
				r.breaks("prefix " + p + " is not declared")
			}
			e = expanded{space, local(a.name)}
		}
		twice := many[e]
		for _, other := range seen {
			twice = twice || other == e
		}
		if twice {
			r.fault("attribute " + a.name + " stands twice in <" + n.name)
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
}

// nameLength is the length of the XML name at the start of a text.
func nameLength(text string) int {
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
