package quantum

// statement reads a statement after its annotations.
func (g *grammar) statement(annotated bool) stated {
	t := g.token()
	if t.kind != lexName {
		return g.expressionStatement()
	}
	switch t.text {
	case "const":
		return g.constant()
	case "qubit", "qreg", "creg":
		return g.register()
	case "extern":
		return g.extern()
	case "gate":
		return g.gate()
	case "def":
		return g.subroutine()
	case "include", "defcalgrammar":
		g.at++
		name := g.takeKind(lexString)
		g.want(";")
		g.allow(g.global())
		return stated{text: t.text + ` "` + name[min(1, len(name)):max(1, len(name)-1)] + `";`}
	case "input", "output":
		g.at++
		g.allow(g.global())
		kind := g.anyType()
		return g.simple(t.text+" "+kind.text+" "+g.name(), kind.depth)
	case "let":
		return g.alias()
	case "cal", "defcal":
		return g.calibration()
	case "inv", "pow", "ctrl", "negctrl", "gphase":
		return g.gateCall()
	}
	return g.flow(t.text, annotated)
}

// flow reads the statements that are no declarations.
func (g *grammar) flow(word string, annotated bool) stated {
	switch word {
	case "if":
		return g.branch(annotated)
	case "for", "while", "box":
		return g.loop(word)
	case "switch":
		return g.choice()
	case "break", "continue":
		g.at++
		g.allow(g.context().loops > 0)
		return g.simple(word, 0)
	case "end":
		g.at++
		return g.simple(word, 0)
	case "return":
		return g.returns()
	case "measure":
		return g.measurement()
	case "reset":
		g.at++
		g.allow(g.context().of != "gate")
		s := g.simple("reset "+g.gateOperand().text, 0)
		s.operations = []string{"reset"}
		return s
	case "barrier":
		g.at++
		return g.withOperands("barrier", 0)
	case "delay":
		g.at++
		duration := g.designator()
		return g.withOperands("delay["+duration.text+"]", duration.depth)
	}
	switch {
	case isClassicalType(word) && g.declares():
		return g.variable()
	case isReserved(word):
		return g.expressionStatement()
	case g.callsGate():
		return g.gateCall()
	case g.assigns():
		return g.assignment()
	}
	return g.expressionStatement()
}

// simple ends a statement.
func (g *grammar) simple(text string, depth int) stated {
	g.want(";")
	return stated{text: text + ";", depth: depth}
}

// withOperands ends a statement with operands, if there are any.
func (g *grammar) withOperands(text string, depth int) stated {
	operands := g.gateOperands()
	if operands.count > 0 {
		text += " " + operands.text
	}
	return g.simple(text, max(depth, operands.depth))
}

func (g *grammar) expressionStatement() stated {
	e := g.anyExpression()
	return g.simple(e.text, e.depth)
}

// after is the place after brackets that may open at a place, 0 if they do not
// close.
func (g *grammar) after(at int, bracket string) int {
	t := &g.tokens[at]
	if t.kind != lexMark || t.text != bracket {
		return at
	}
	if t.partner == 0 {
		return 0
	}
	return int(t.partner) + 1
}

// declares reports whether a type in hand begins a declaration and no cast.
func (g *grammar) declares() bool {
	at := g.after(g.at+1, "[")
	return g.tokens[at].kind == lexName
}

// callsGate reports whether the identifier in hand is that of a gate with operands.
func (g *grammar) callsGate() bool {
	at := g.after(g.after(g.at+1, "("), "[")
	t := &g.tokens[at]
	return at > g.at && (t.kind == lexHardware || t.kind == lexName && !isReserved(t.text))
}

// assigns reports whether the identifier in hand is assigned to.
func (g *grammar) assigns() bool {
	at := g.at + 1
	for g.tokens[at].kind == lexMark && g.tokens[at].text == "[" {
		if at = g.after(at, "["); at == 0 {
			return false
		}
	}
	return g.tokens[at].kind == lexMark && isAssignment(g.tokens[at].text)
}

func isAssignment(mark string) bool {
	switch mark {
	case "=", "+=", "-=", "*=", "/=", "&=", "|=", "~=", "^=", "%=", "<<=", ">>=", "**=":
		return true
	}
	return false
}
