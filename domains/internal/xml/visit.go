package xml

// Visitor is told of tags and of the text between them, in the order of the
// document. An end tag need not have a start tag, nor a start tag an end tag.
type Visitor interface {
	// Start is called at a start tag. The element has its name and its
	// attributes; its namespace is not yet known.
	Start(n *Node)
	// End is called at an end tag, and at once where a start tag is one, too.
	End(name string)
	// Text is called with characters, white space included; more may follow.
	Text(text string)
}

// Visit reads any text as Read does, but resolves HTML's named characters, too, and
// makes no text of what a malformed end tag has beside its name. The document it
// returns has no nodes.
func Visit(text string, v Visitor) Document {
	return visitWhile(text, LibXML2, v, always)
}

// VisitStrictly reads a text as ReadStrictly does. The document it returns has
// no nodes.
func VisitStrictly(text string, by Parser, v Visitor) Document {
	return visitWhile(text, by, v, isWhole)
}

func visitWhile(text string, by Parser, v Visitor, goOn func(*reader) bool) Document {
	r := newReader(text, by)
	r.visitor = v
	return r.readWhile(goOn)
}
