package quantum

// isClassicalType reports whether a word begins a type of classical values.
func isClassicalType(word string) bool {
	switch word {
	case "bit", "int", "uint", "float", "angle", "bool", "duration", "stretch", "complex", "array":
		return true
	}
	return false
}

// designator reads an expression in square brackets.
func (g *grammar) designator() printed {
	g.want("[")
	e := g.anyExpression()
	g.want("]")
	return e
}

// sized adds a designator, if there is one. positive asks for a size that is not
// plainly 0 or less.
func (g *grammar) sized(word string, positive bool) printed {
	if !g.is("[") {
		return printed{text: word}
	}
	size := g.designator()
	g.allow(!positive || !size.unary && !size.zero)
	return printed{text: word + "[" + size.text + "]", depth: size.depth + callDepth}
}

// scalarType reads a type other than an array.
func (g *grammar) scalarType() printed {
	word := g.takeKind(lexName)
	switch word {
	case "bit", "float":
		return g.sized(word, false)
	case "int", "uint", "angle":
		return g.sized(word, true)
	case "bool", "duration", "stretch":
		return printed{text: word}
	case "complex":
		if !g.accept("[") {
			return printed{text: word}
		}
		g.allow(g.is("float"))
		of := g.scalarType()
		g.want("]")
		return printed{text: word + "[" + of.text + "]", depth: of.depth + callDepth}
	}
	g.fail()
	return printed{}
}

// anyType reads a type.
func (g *grammar) anyType() printed {
	if !g.accept("array") {
		return g.scalarType()
	}
	g.want("[")
	g.allow(!g.is("stretch"))
	of := g.scalarType()
	g.want(",")
	list := g.list("]", func() printed {
		size := g.anyExpression()
		g.allow(!size.unary)
		return size
	})
	g.allow(list.count > 0)
	g.want("]")
	return printed{text: "array[" + of.text + ", " + list.text + "]", depth: max(of.depth, list.depth) + callDepth}
}

// arrayReference reads the type of an array that is a parameter, after readonly or
// mutable.
func (g *grammar) arrayReference() printed {
	g.want("array")
	g.want("[")
	of := g.scalarType()
	g.want(",")
	var sizes printed
	if g.accept("#dim") {
		g.want("=")
		sizes = g.anyExpression()
		sizes.text = "#dim=" + sizes.text
	} else {
		list := g.list("]", g.anyExpression)
		g.allow(list.count > 0)
		sizes = list.printed
	}
	g.want("]")
	return printed{text: "array[" + of.text + ", " + sizes.text + "]", depth: max(of.depth, sizes.depth) + callDepth}
}

// gateOperand reads a qubit or some of a register.
func (g *grammar) gateOperand() printed {
	if g.token().kind == lexHardware {
		return printed{text: g.takeKind(lexHardware)}
	}
	return g.indexed()
}

// gateOperands reads a list of operands up to the end of the statement.
func (g *grammar) gateOperands() printedList { return g.list(";", g.gateOperand) }

// indexed reads an identifier with its indices.
func (g *grammar) indexed() printed {
	p := printed{text: g.name()}
	for g.is("[") {
		index := g.indices()
		p.text += index.text
		p.depth = max(p.depth, index.depth+indexDepth)
	}
	return p
}

// measured reads `measure q`.
func (g *grammar) measured() printed {
	g.want("measure")
	g.allow(g.context().of != "gate")
	of := g.gateOperand()
	return printed{text: "measure " + of.text, depth: of.depth + operandDepth}
}

// initial reads what a declaration gives as value.
func (g *grammar) initial() printed {
	var p printed
	switch {
	case g.is("{"):
		p = g.arrayLiteral()
	case g.is("measure"):
		p = g.measured()
	default:
		p = g.anyExpression()
	}
	p.text = fixed(p.text)
	return p
}
