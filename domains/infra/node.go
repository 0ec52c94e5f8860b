package infra

// nodeKind is what an expression is made of.
type nodeKind uint8

const (
	numberNode  nodeKind = iota
	wordNode             // a name; text is the name
	literalNode          // true, false or null
	quotedNode           // a quoted template; kids are its parts
	escapedNode          // \"text\", as it stands inside a template
	heredocNode          // text is its source, from << to the closing marker
	tupleNode
	objectNode // kids are keys and values by turns
	callNode   // text is the function
	parensNode
	unaryNode       // text is the operator
	binaryNode      // text is the operator
	conditionalNode // condition, then, else
	indexNode       // of kids[0], in brackets
	dotIndexNode    // of kids[0], after a point
	attributeNode   // of kids[0]
	splatNode       // of kids[0]; text is .* or [*]
	// The text of for expressions is their variables, as in "k, v".
	forTupleNode  // kids are collection, value and, if there is one, condition
	forObjectNode // kids are collection, key, value and, if there is one, condition

	// Parts of templates.
	chunkNode         // text as written
	interpolationNode // ${…}
	directiveNode     // %{…}; text is what stands before its expression, as in "for k, v in"
)

// node is an expression or a part of one.
type node struct {
	kind       nodeKind
	text       string
	kids       []*node
	start, end int // of its source
	// expanded is true of a call whose last argument, or a for expression whose
	// value, has dots after it.
	expanded bool
	// trimBefore and trimAfter are true of a part of a template that takes the
	// blanks before or after it away.
	trimBefore, trimAfter bool
}

// each calls do with a node and all below it, parents first.
func (n *node) each(do func(*node)) {
	do(n)
	for _, kid := range n.kids {
		kid.each(do)
	}
}
