// Package xml reads XML of any state into a tree, of which each node says where it stands in the text.
//
// Read takes in every text: it goes on after what is not well-formed, taking from it what it can, and lists the faults.
// ReadStrictly stops at the first fault and is as strict as a parser on which published evaluators rest. Both keep
// comments, processing instructions and the document type; white space that only lays the document out is left out. The
// tree is at most Deepest elements deep, so that it can be walked by recursion. Visit and VisitStrictly make no tree,
// but hand out each tag and text as it is written.
package xml

import (
	"slices"
	"strings"
	"unicode/utf8"

	"agentd/domains/internal/plain"
)

// Deepest is the depth from which elements are no longer kept.
const Deepest = 256

// Parser is a parser of XML, by whose rules a text is well-formed or not.
type Parser uint8

const (
	// LibXML2 is the parser below lxml.
	LibXML2 Parser = iota
	// Expat is the parser below Python's own modules, given a decoded text: the encoding that a declaration names means
	// nothing, nor does its version, and elements may be nested as deep as one likes.
	Expat
)

// Document is what is read of a text.
type Document struct {
	Top *Node // without name; its children are what stands outermost
	// Broken says in which way the text is no well-formed XML, empty if it is.
	Broken string
	Line   int // of the first such place
	// Faults are the places where it is not, as far as the nodes do not show them; each is listed once.
	Faults []string
	Text   string // that was read
}

// Without is the text without some nodes, and without the lines on which nothing else stands. Of two nodes of which one
// stands in the other, the outer one counts.
func (d *Document) Without(nodes []*Node) string {
	return plain.Splice(d.Text, nodes, func(n *Node) (int, int, string) {
		from, to := plain.WholeLines(d.Text, int(n.From), int(n.To))
		return from, to, ""
	})
}

// Root returns the first outermost element; nil if there is none.
func (d *Document) Root() *Node {
	for _, n := range d.Top.Children {
		if n.Kind == Element {
			return n
		}
	}
	return nil
}

// Read reads any text as XML. It goes on after what is not well-formed, taking from it what it can.
func Read(text string) Document {
	return newReader(text, LibXML2).readWhile(always)
}

// ReadSpaced is Read, but keeps the white space that lays the document out.
func ReadSpaced(text string) Document {
	r := newReader(text, LibXML2)
	r.spaced = true
	return r.readWhile(always)
}

// ReadStrictly reads a text as XML up to where it is not well-formed by a parser's rules.
func ReadStrictly(text string, by Parser) Document {
	return newReader(text, by).readWhile(isWhole)
}

func isWhole(r *reader) bool { return r.Broken == "" }
func always(*reader) bool    { return true }

// Names that XML keeps for itself.
const (
	xmlSpace   = "http://www.w3.org/XML/1998/namespace"
	xmlnsSpace = "http://www.w3.org/2000/xmlns/"
)

func newReader(text string, by Parser) *reader {
	r := &reader{text: text, parser: by, spaces: map[string]string{"xml": xmlSpace, "": ""}}
	r.Text = text
	r.Top = &Node{To: int32(len(text))}
	r.open = []level{{Node: r.Top}}
	return r
}

func (r *reader) readWhile(goOn func(*reader) bool) Document {
	r.checkCharacters()
	r.at = r.readDeclaration()
	for r.at < len(r.text) && goOn(r) {
		r.readNext()
	}
	if len(r.open) > 1 {
		r.fault("<" + r.current().Name + "> is not closed")
	}
	for len(r.open) > 1 {
		r.close(r.at)
	}
	if r.root == nil {
		r.breaks("no element")
	}
	r.trimBlank(r.Top)
	return r.Document
}

type reader struct {
	Document
	parser   Parser
	visitor  Visitor // nil if a tree is made
	spaced   bool    // white space between elements is kept
	text     string
	at       int
	start    int // of what is read
	open     []level
	root     *Node
	spaces   map[string]string // the namespaces in scope, by prefix
	entities map[string]string

	entityUses int
	spare      []Node
}

// newNode hands out nodes of a few that are made at a time.
func (r *reader) newNode() *Node {
	if len(r.spare) == 0 {
		const batch = 32
		r.spare = make([]Node, batch)
	}
	n := &r.spare[0]
	r.spare = r.spare[1:]
	return n
}

// level is an open element.
type level struct {
	*Node
	outer []binding // what its declarations hide
}

type binding struct {
	prefix, space string
	bound         bool
}

func (r *reader) current() *Node { return r.open[len(r.open)-1].Node }

func (r *reader) rest() string { return r.text[r.at:] }

// breaks notes why the text is not well-formed.
func (r *reader) breaks(why string) {
	if r.Broken == "" {
		r.Broken = why
		r.Line = 1 + strings.Count(r.text[:r.at], "\n")
	}
}

// fault notes the same, of something that the nodes do not show.
func (r *reader) fault(why string) {
	r.breaks(why)
	const most = 100
	if len(r.Faults) < most && !slices.Contains(r.Faults, why) {
		r.Faults = append(r.Faults, why)
	}
}

func (r *reader) checkCharacters() {
	for i := 0; i < len(r.text); {
		c := r.text[i]
		if c >= ' ' && c < utf8.RuneSelf || c == '\n' || c == '\t' || c == '\r' {
			i++
			continue
		}
		char, size := utf8.DecodeRuneInString(r.text[i:])
		if char == utf8.RuneError && size == 1 || !IsCharacter(char) {
			r.at = i
			r.fault("a character that XML does not allow")
			return
		}
		i += size
	}
}

// IsCharacter reports whether XML allows a character.
func IsCharacter(c rune) bool {
	return c == '\t' || c == '\n' || c == '\r' || c >= ' ' && c <= 0xd7ff || c >= 0xe000 && c <= 0xfffd || c >= 0x10000 && c <= 0x10ffff
}

// readNext reads what stands at the place: markup, or text up to the next.
func (r *reader) readNext() {
	rest := r.rest()
	r.start = r.at
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
	return NameLength(text[1:min(len(text), 1+utf8.UTFMax)]) > 0
}

// readText reads up to the next markup.
func (r *reader) readText() {
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
	if siblings := r.current().Children; !r.spaced && len(siblings) > 0 && siblings[len(siblings)-1].Kind != Text && isBlank(text) {
		return // it only lays the document out
	}
	r.append(Node{Kind: Text, Text: r.resolved(text)})
}

func isBlank(text string) bool { return strings.TrimLeft(text, " \n\t\r") == "" }

// isSpace reports whether a byte is white space of XML.
func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// append takes in a node that is no element.
func (r *reader) append(n Node) {
	if r.visitor != nil {
		switch n.Kind {
		case Text:
			r.visitor.Text(n.Text)
		case Comment:
			if v, ok := r.visitor.(CommentVisitor); ok {
				v.Comment(n.Text)
			}
		}
		return
	}
	parent, kept := r.current(), r.newNode()
	*kept = n
	kept.From, kept.To = int32(r.start), int32(r.at)
	parent.Children = plain.Append(parent.Children, kept)
}

// until takes the text up to an end mark, and the mark. Without the mark it takes all.
func (r *reader) until(skip int, mark string) string {
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

func (r *reader) readComment() {
	text := r.until(len("<!--"), "-->")
	if strings.Contains(text, "--") || strings.HasSuffix(text, "-") {
		r.fault("-- in a comment")
	}
	r.append(Node{Kind: Comment, Text: text})
}

func (r *reader) readCDATA() {
	text := r.until(len("<![CDATA["), "]]>")
	if len(r.open) == 1 {
		r.breaks("text outside of the root element")
	}
	r.append(Node{Kind: Text, Text: text, CDATA: true})
}

func (r *reader) readInstruction() {
	text := r.until(len("<?"), "?>")
	switch target := text[:NameLength(text)]; {
	case target == "xml":
		r.fault("an XML declaration inside of the document")
		return
	case target == "" || strings.EqualFold(target, "xml"):
		r.fault("a processing instruction without a name")
	}
	r.append(Node{Kind: Instruction, Text: text})
}

func (r *reader) readEndTag() {
	r.at += len("</")
	name := r.rest()[:NameLength(r.rest())]
	r.at += len(name)
	r.skipBlanks()
	if !strings.HasPrefix(r.rest(), ">") {
		r.fault("> is missing after </" + name)
	}
	if r.visitor != nil {
		r.take(strings.IndexAny(r.rest(), "<>"))
		r.visitor.End(name)
	}
	if strings.HasPrefix(r.rest(), ">") {
		r.at++
	}
	for depth := len(r.open) - 1; depth > 0; depth-- {
		if r.open[depth].Name != name {
			continue
		}
		if depth < len(r.open)-1 {
			r.fault("<" + r.current().Name + "> is not closed")
		}
		for len(r.open) > depth+1 {
			r.close(r.start)
		}
		r.close(r.at)
		return
	}
	r.fault("</" + name + "> closes nothing")
}

// close ends the innermost element at a place.
func (r *reader) close(at int) {
	last := r.open[len(r.open)-1]
	last.To = int32(at)
	r.open = r.open[:len(r.open)-1]
	for _, b := range slices.Backward(last.outer) {
		if b.bound {
			r.spaces[b.prefix] = b.space
		} else {
			delete(r.spaces, b.prefix)
		}
	}
	r.trimBlank(last.Node)
}

// trimBlank takes blank text out of an element that has other children than text, where it only lays the document out.
func (r *reader) trimBlank(n *Node) {
	if r.spaced || !slices.ContainsFunc(n.Children, func(c *Node) bool { return c.Kind != Text }) {
		return
	}
	n.Children = slices.DeleteFunc(n.Children, func(c *Node) bool {
		return c.Kind == Text && isBlank(c.Text)
	})
}

func (r *reader) skipBlanks() {
	for r.at < len(r.text) && isSpace(r.text[r.at]) {
		r.at++
	}
}

// Visitor is told of tags and of the text between them, in the order of the
// document. An end tag need not have a start tag, nor a start tag an end tag.
type Visitor interface {
	// Start is called at a start tag. The element has its name and its attributes; its namespace is not yet known.
	Start(n *Node)
	// End is called at an end tag, and at once where a start tag is one, too.
	End(name string)
	// Text is called with characters, white space included; more may follow.
	Text(text string)
}

// CommentVisitor is a Visitor that is told of comments, too.
type CommentVisitor interface {
	Visitor
	Comment(text string)
}

// Visit reads any text as Read does, but resolves HTML's named characters, too, and makes no text of what a malformed
// end tag has beside its name. The document it returns has no nodes.
func Visit(text string, v Visitor) Document {
	return visitWhile(text, LibXML2, v, always)
}

// VisitStrictly reads a text as ReadStrictly does. The document it returns has no nodes.
func VisitStrictly(text string, by Parser, v Visitor) Document {
	return visitWhile(text, by, v, isWhole)
}

func visitWhile(text string, by Parser, v Visitor, goOn func(*reader) bool) Document {
	r := newReader(text, by)
	r.visitor = v
	return r.readWhile(goOn)
}
