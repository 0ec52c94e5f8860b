package geotrack

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// deepest is the depth from which elements are no longer opened; libxml2, on
// which the published reading rests, gives up there.
const deepest = 256

// xmlDocument is what readXML makes of a text.
type xmlDocument struct {
	top *node // without name; its children are what stands outermost
	// broken says in which way the text is no well-formed XML, empty if it is.
	broken string
	// faults are the places where it is not, as far as the nodes do not show
	// them; each is listed once.
	faults []string
}

// readXML reads any text as XML. It goes on behind what is not well-formed,
// taking from it what it can.
func readXML(text string) xmlDocument { return readWhile(text, func(*xmlReader) bool { return true }) }

// readStrictly reads a text as XML up to where it is not well-formed.
func readStrictly(text string) xmlDocument {
	return readWhile(text, func(r *xmlReader) bool { return r.broken == "" })
}

func readWhile(text string, goOn func(*xmlReader) bool) xmlDocument {
	r := xmlReader{text: text, spaces: map[string]string{
		"xml": "http://www.w3.org/XML/1998/namespace", "": "",
	}}
	r.top = &node{}
	r.open = []level{{node: r.top}}
	r.checkCharacters()
	r.at = r.readDeclaration()
	for r.at < len(r.text) && goOn(&r) {
		r.readNext()
	}
	if len(r.open) > 1 {
		r.fault("<" + r.current().name + "> is not closed")
	}
	for len(r.open) > 1 {
		r.close()
	}
	if r.root == nil {
		r.breaks("no element")
	}
	trimBlank(r.top)
	return r.xmlDocument
}

type xmlReader struct {
	xmlDocument
	text     string
	at       int
	open     []level
	root     *node
	spaces   map[string]string // the namespaces in scope, by prefix
	entities map[string]string

	entityUses int
	spare      []node
}

// newNode hands out nodes of a few that are made at a time.
func (r *xmlReader) newNode() *node {
	if len(r.spare) == 0 {
		const batch = 32
		r.spare = make([]node, batch)
	}
	n := &r.spare[0]
	r.spare = r.spare[1:]
	return n
}

// level is an open element.
type level struct {
	*node
	outer []binding // what its declarations hide
}

type binding struct {
	prefix, space string
	bound         bool
}

func (r *xmlReader) current() *node { return r.open[len(r.open)-1].node }

func (r *xmlReader) rest() string { return r.text[r.at:] }

// breaks notes why the text is not well-formed.
func (r *xmlReader) breaks(why string) {
	if r.broken == "" {
		r.broken = why
	}
}

// fault notes the same, of something that the nodes do not show.
func (r *xmlReader) fault(why string) {
	r.breaks(why)
	const most = 100
	if len(r.faults) < most && !slices.Contains(r.faults, why) {
		r.faults = append(r.faults, why)
	}
}

func (r *xmlReader) checkCharacters() {
	for i := 0; i < len(r.text); {
		c := r.text[i]
		if c >= ' ' && c < utf8.RuneSelf || c == '\n' || c == '\t' || c == '\r' {
			i++
			continue
		}
		char, size := utf8.DecodeRuneInString(r.text[i:])
		if char == utf8.RuneError && size == 1 || !isCharacter(char) {
			r.fault("a character that XML does not allow")
			return
		}
		i += size
	}
}

func isCharacter(c rune) bool {
	return c == '\t' || c == '\n' || c == '\r' || c >= ' ' && c <= 0xd7ff || c >= 0xe000 && c <= 0xfffd || c >= 0x10000 && c <= 0x10ffff
}

// readNext reads what stands at the place: markup, or text up to the next.
func (r *xmlReader) readNext() {
	rest := r.rest()
	switch {
	case !isMarkup(rest):
		r.readText()
	case strings.HasPrefix(rest, "<!--"):
		r.readComment()
	case strings.HasPrefix(rest, "<![CDATA["):
		r.readCDATA()
	case strings.HasPrefix(rest, "<?"):
		r.readInstruction()
	case strings.HasPrefix(rest, "<!DOCTYPE"):
		r.readDoctype()
	case strings.HasPrefix(rest, "</"):
		r.readEndTag()
	default:
		r.readStartTag()
	}
}

// isMarkup reports whether markup begins a text.
func isMarkup(text string) bool {
	if text[0] != '<' || len(text) < 2 {
		return false
	}
	switch text[1] {
	case '?', '/':
		return true
	case '!':
		return strings.HasPrefix(text, "<!--") || strings.HasPrefix(text, "<![CDATA[") || strings.HasPrefix(text, "<!DOCTYPE")
	}
	return nameLength(text[1:min(len(text), 1+utf8.UTFMax)]) > 0
}

// readText reads up to the next markup.
func (r *xmlReader) readText() {
	start := r.at
	for r.at < len(r.text) && !isMarkup(r.rest()) {
		if r.text[r.at] == '<' {
			r.fault("a bare <")
			r.at++
		}
		if next := strings.IndexByte(r.rest(), '<'); next >= 0 {
			r.at += next
		} else {
			r.at = len(r.text)
		}
	}
	text := r.text[start:r.at]
	if strings.Contains(text, "]]>") {
		r.fault("]]> in text")
	}
	if len(r.open) == 1 && !isBlank(text) {
		r.breaks("text outside of the root element")
	}
	if siblings := r.current().children; len(siblings) > 0 && siblings[len(siblings)-1].kind != textNode && isBlank(text) {
		return // it only lays the document out
	}
	r.append(textNode, r.resolved(text))
}

func isBlank(text string) bool { return strings.Trim(text, " \t\r\n") == "" }

// append takes in a node that is no element.
func (r *xmlReader) append(kind nodeKind, text string) {
	n := r.newNode()
	n.kind, n.text = kind, text
	parent := r.current()
	parent.children = append(parent.children, n)
}

// until takes the text up to an end mark, and the mark. Without the mark it
// takes all.
func (r *xmlReader) until(skip int, mark string) string {
	rest := r.text[min(r.at+skip, len(r.text)):]
	inside, _, closed := strings.Cut(rest, mark)
	r.at = len(r.text) - len(rest) + len(inside)
	if closed {
		r.at += len(mark)
	} else {
		r.fault(mark + " is missing")
	}
	return inside
}

func (r *xmlReader) readComment() {
	text := r.until(len("<!--"), "-->")
	if strings.Contains(text, "--") || strings.HasSuffix(text, "-") {
		r.fault("-- in a comment")
	}
	r.append(commentNode, text)
}

func (r *xmlReader) readCDATA() {
	text := r.until(len("<![CDATA["), "]]>")
	if len(r.open) == 1 {
		r.breaks("text outside of the root element")
	}
	r.append(textNode, text)
}

func (r *xmlReader) readInstruction() {
	text := r.until(len("<?"), "?>")
	switch target := text[:nameLength(text)]; {
	case target == "xml":
		r.fault("an XML declaration inside of the document")
		return
	case target == "" || strings.EqualFold(target, "xml"):
		r.fault("a processing instruction without a name")
	}
	r.append(instructionNode, text)
}

func (r *xmlReader) readEndTag() {
	r.at += len("</")
	name := r.rest()[:nameLength(r.rest())]
	r.at += len(name)
	r.skipBlanks()
	if strings.HasPrefix(r.rest(), ">") {
		r.at++
	} else {
		r.fault("> is missing behind </" + name)
	}
	for depth := len(r.open) - 1; depth > 0; depth-- {
		if r.open[depth].name != name {
			continue
		}
		if depth < len(r.open)-1 {
			r.fault("<" + r.current().name + "> is not closed")
		}
		for len(r.open) > depth {
			r.close()
		}
		return
	}
	r.fault("</" + name + "> closes nothing")
}

func (r *xmlReader) close() {
	last := r.open[len(r.open)-1]
	r.open = r.open[:len(r.open)-1]
	for _, b := range slices.Backward(last.outer) {
		if b.bound {
			r.spaces[b.prefix] = b.space
		} else {
			delete(r.spaces, b.prefix)
		}
	}
	trimBlank(last.node)
}

// trimBlank takes blank text out of an element that has other children than
// text, where it only lays the document out.
func trimBlank(n *node) {
	if !slices.ContainsFunc(n.children, func(c *node) bool { return c.kind != textNode }) {
		return
	}
	n.children = slices.DeleteFunc(n.children, func(c *node) bool {
		return c.kind == textNode && isBlank(c.text)
	})
}

func (r *xmlReader) skipBlanks() {
	for r.at < len(r.text) && strings.IndexByte(" \t\r\n", r.text[r.at]) >= 0 {
		r.at++
	}
}
