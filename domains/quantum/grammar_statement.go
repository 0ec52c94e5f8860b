package quantum

import "strings"

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

func (g *grammar) constant() stated {
	g.want("const")
	kind := g.scalarType()
	name := g.name()
	g.want("=")
	value := g.unit(g.initial)
	s := g.simple("const "+kind.text+" "+name+" = "+fixed(value.text), max(kind.depth, value.depth)+operandDepth)
	s.declared.constants = []constant{{name, strings.TrimSpace(value.text)}}
	return s
}

func (g *grammar) variable() stated {
	g.allow(g.context().of != "gate")
	g.allow(!g.is("array") || g.global())
	kind := g.anyType()
	text := kind.text + " " + g.name()
	depth := kind.depth
	if g.accept("=") {
		value := g.initial()
		text += " = " + value.text
		depth = max(depth, value.depth)
	}
	return g.simple(text, depth+operandDepth)
}

// register reads a declaration of qubits, or of bits in the old style.
func (g *grammar) register() stated {
	word := g.takeKind(lexName)
	g.allow(word == "creg" || g.global())
	var name string
	var size printed
	sized := false
	read := func() {
		if sized = g.is("["); sized {
			size = g.unit(g.designator)
			g.allow(word == "qubit" || !size.unary && !size.zero)
		}
	}
	if word == "qubit" {
		read()
		name = g.name()
	} else {
		name = g.name()
		read()
	}
	kind := "qubit"
	if word == "creg" {
		kind = "bit"
	}
	if sized {
		kind += "[" + fixed(size.text) + "]"
	} else {
		size.text = "1"
	}
	s := g.simple(kind+" "+name, size.depth)
	if word != "creg" {
		s.declared.registers = []register{{name, size.text}}
	}
	return s
}

// returnType reads `-> type`, if it is there.
func (g *grammar) returnType() printed {
	if !g.accept("->") {
		return printed{}
	}
	return g.unit(g.scalarType)
}

func (g *grammar) extern() stated {
	g.want("extern")
	g.allow(g.global())
	name := g.name()
	params := g.brackets(func() printed { return g.unit(g.externParameter) })
	returns := g.returnType()
	text := "extern " + name + "(" + params.text + ")"
	if returns.text != "" {
		text += " -> " + returns.text
	}
	s := g.simple(text, max(params.depth, returns.depth))
	s.declared.externs = []extern{{name: name, params: params.text, returns: returns.text}}
	return s
}

func (g *grammar) externParameter() printed {
	if access := g.token().text; g.accept("readonly") || g.accept("mutable") {
		of := g.arrayReference()
		of.text = access + " " + of.text
		return of
	}
	if g.accept("creg") {
		return g.sized("bit", false)
	}
	return g.scalarType()
}

func (g *grammar) names(end string) []string {
	var names []string
	g.list(end, func() printed {
		names = append(names, g.name())
		return printed{}
	})
	return names
}

func (g *grammar) gate() stated {
	g.want("gate")
	g.allow(g.global())
	name := g.name()
	text := "gate " + name
	if g.accept("(") {
		if params := g.names(")"); len(params) > 0 {
			text += "(" + strings.Join(params, ", ") + ")"
		}
		g.want(")")
	}
	qubits := g.names("{")
	g.allow(len(qubits) > 0)
	content, _, depth := g.definition("gate")
	return stated{
		text: text + " " + strings.Join(qubits, ", ") + " " + braces(content), depth: depth,
		declared: program{gates: []gate{{name: name, qubits: "['" + strings.Join(qubits, "', '") + "']", body: content}}},
	}
}

// braces is the body of a definition as it is printed in a block.
func braces(content string) string {
	if content == "" {
		return "{\n}"
	}
	return "{\n  " + strings.ReplaceAll(content, "\n", "\n  ") + "\n}"
}

func (g *grammar) subroutine() stated {
	g.want("def")
	g.allow(g.global())
	s := subroutine{name: g.name()}
	params := g.brackets(g.parameter)
	s.args = params.text
	returns := g.returnType()
	s.returns = returns.text
	content, operations, depth := g.definition("def")
	s.body, s.operations = content, operations
	return stated{
		text: "def " + s.name + "(" + s.args + ") " + braces(content), depth: max(depth, params.depth),
		declared: program{subroutines: []subroutine{s}},
	}
}

// parameter reads a parameter as name:type. Quantum ones have no type.
func (g *grammar) parameter() printed {
	word := g.token().text
	of := g.unit(func() printed {
		switch {
		case g.accept("readonly"), g.accept("mutable"):
			return g.arrayReference()
		case g.accept("creg"):
			return printed{text: "bit"}
		case g.accept("qubit"):
			size := g.sized("", false)
			return printed{depth: size.depth}
		case g.accept("qreg"):
			return printed{}
		}
		return g.scalarType()
	})
	name := g.name()
	if word == "qreg" && g.is("[") {
		g.designator()
	}
	return printed{text: name + ":" + of.text, depth: of.depth}
}

func (g *grammar) alias() stated {
	g.want("let")
	text := "let " + g.name() + " ="
	g.want("=")
	depth := 0
	var first printed
	for n := 0; !g.failed; n++ {
		e := g.anyExpression()
		if n == 0 {
			first = e
			text += " " + e.text
		} else {
			g.operands(first, e)
			text += " ++ " + e.text
		}
		depth = max(depth+operandDepth, e.depth)
		if !g.accept("++") {
			break
		}
	}
	return g.simple(text, depth)
}

// calibration reads a block whose text is kept as it stands.
func (g *grammar) calibration() stated {
	var text string
	if word := g.takeKind(lexName); word == "cal" {
		text = "cal "
	} else {
		text = g.calibrationHead()
	}
	g.want("{")
	text += "{" + g.takeKind(lexRaw) + "}"
	g.want("}")
	return stated{text: fixed(text)}
}

func (g *grammar) calibrationHead() string {
	target := g.token().text
	if !g.accept("measure") && !g.accept("reset") && !g.accept("delay") {
		target = g.name()
	}
	var args printedList
	if g.is("(") {
		args = g.brackets(g.calibrationArgument)
	}
	operands := g.list("{", func() printed {
		if g.token().kind == lexHardware {
			return printed{text: g.takeKind(lexHardware)}
		}
		return printed{text: g.name()}
	})
	g.allow(operands.count > 0)
	text := "defcal " + target + "(" + args.text + ") " + operands.text + " "
	if returns := g.returnType(); returns.text != "" {
		text += "-> " + returns.text + " "
	}
	return text
}

// calibrationArgument reads an expression, or a parameter with its type.
func (g *grammar) calibrationArgument() printed {
	word := g.token().text
	switch {
	case g.token().kind != lexName || !isReserved(word) || isClassicalType(word) && !g.declares():
		return g.anyExpression()
	case g.accept("readonly"), g.accept("mutable"):
		of := g.arrayReference()
		return printed{text: of.text + " " + g.name()}
	case g.accept("qubit"):
		return printed{text: g.sized("qubit", false).text + " " + g.name()}
	case g.accept("qreg"), g.accept("creg"):
		name := g.name()
		kind := map[string]string{"qreg": "qubit", "creg": "bit"}[word]
		return printed{text: g.sized(kind, false).text + " " + name}
	}
	return printed{text: g.scalarType().text + " " + g.name()}
}

// modifier reads what stands before an @ of a gate call.
func (g *grammar) modifier() printed {
	word := g.takeKind(lexName)
	p := printed{text: word + " @ "}
	if word == "pow" || word != "inv" && g.is("(") {
		g.want("(")
		e := g.anyExpression()
		g.want(")")
		p = printed{text: word + "(" + e.text + ") @ ", depth: e.depth + callDepth}
	}
	g.want("@")
	return p
}

func (g *grammar) gateCall() stated {
	var p printed
	for g.is("inv") || g.is("pow") || g.is("ctrl") || g.is("negctrl") {
		m := g.modifier()
		p.text += m.text
		p.depth = max(p.depth, m.depth)
	}
	phase := g.accept("gphase")
	name := "gphase"
	if !phase {
		name = g.name()
	}
	p.text += name
	var args printedList
	if g.is("(") {
		args = g.arguments()
		if args.count > 0 {
			p.text += "(" + args.text + ")"
		}
	}
	g.allow(!phase || args.count == 1)
	if g.is("[") {
		g.designator() // a duration, which is not printed
	}
	g.allow(phase || !g.is(";"))
	s := g.withOperands(p.text, max(p.depth, args.depth+callDepth))
	if !phase {
		s.operations = []string{name}
	}
	return s
}

func (g *grammar) assignment() stated {
	g.allow(g.context().of != "gate")
	target := g.indexed()
	mark := g.takeKind(lexMark)
	if g.is("measure") {
		value := g.measured()
		s := g.simple(target.text+" = "+value.text, max(target.depth, value.depth))
		s.operations = []string{"measure"}
		return s
	}
	value := g.anyExpression()
	return g.simple(target.text+" "+mark+" "+value.text, max(target.depth, value.depth))
}

func (g *grammar) measurement() stated {
	value := g.measured()
	text := value.text
	if g.accept("->") {
		text = g.indexed().text + " = " + text
	}
	s := g.simple(text, value.depth)
	s.operations = []string{"measure"}
	return s
}

func (g *grammar) returns() stated {
	g.want("return")
	g.allow(g.context().of == "def")
	if g.is(";") {
		return g.simple("return", 0)
	}
	g.allow(!g.is("{"))
	value := g.initial()
	return g.simple("return "+value.text, value.depth)
}

// branch reads an if. Else with nothing but another if becomes else if, unless the
// outer one has annotations.
func (g *grammar) branch(annotated bool) stated {
	g.want("if")
	g.want("(")
	condition := g.anyExpression()
	g.want(")")
	then := g.blockOrStatement(inScope)
	s := stated{
		text: "if (" + condition.text + ") " + then.text, branches: true,
		depth: max(condition.depth, then.depth+scopeDepth),
	}
	if !g.accept("else") {
		return s
	}
	other := g.blockOrStatement(inScope)
	s.depth = max(s.depth, other.depth+scopeDepth)
	switch {
	case len(other.statements) == 0:
	case len(other.statements) == 1 && other.statements[0].branches && !annotated:
		s.text += " else " + other.statements[0].text
	default:
		s.text += " else " + other.text
	}
	return s
}

// loop reads a statement with a block whose operations count.
func (g *grammar) loop(word string) stated {
	g.at++
	var head printed
	var content body
	switch word {
	case "for":
		head = g.forHead()
		content = g.blockOrStatement(inLoop)
	case "while":
		g.want("(")
		head = g.anyExpression()
		g.want(")")
		head.text = " (" + head.text + ")"
		content = g.blockOrStatement(inLoop)
	case "box":
		head = g.sized("", false)
		content = g.block(inScope)
	}
	return stated{
		text: word + head.text + " " + content.text, operations: content.operations(),
		depth: max(head.depth, content.depth+scopeDepth),
	}
}

func (g *grammar) forHead() printed {
	kind := g.scalarType()
	text := " " + kind.text + " " + g.name() + " in "
	g.want("in")
	var of printed
	switch {
	case g.is("{"):
		of = g.set()
	case g.accept("["):
		start := g.at
		of = g.rangeOrExpression()
		of.text = "[" + of.text + "]"
		g.allow(g.hasColon(start))
		g.want("]")
	default:
		of = g.anyExpression()
	}
	return printed{text: text + of.text, depth: max(kind.depth, of.depth)}
}

// hasColon reports whether a range and not an expression was read from a place on.
func (g *grammar) hasColon(from int) bool {
	for at := from; at < g.at; at++ {
		if t := &g.tokens[at]; t.kind == lexMark {
			if t.text == ":" {
				return true
			}
			if t.partner > 0 {
				at = int(t.partner)
			}
		}
	}
	return false
}

func (g *grammar) choice() stated {
	g.want("switch")
	g.want("(")
	of := g.anyExpression()
	g.want(")")
	g.want("{")
	s := stated{text: "switch (" + of.text + ") {\n", depth: of.depth}
	defaulted := false
	for !g.failed && !g.is("}") {
		g.allow(!defaulted)
		head := "default"
		if !g.accept("default") {
			g.want("case")
			values := g.list("{", g.anyExpression)
			g.allow(values.count > 0)
			head = "case " + values.text
		} else {
			defaulted = true
		}
		content := g.block(inBlock)
		s.text += "  " + strings.ReplaceAll(head+" "+content.text, "\n", "\n  ") + "\n"
		s.depth = max(s.depth, content.depth+scopeDepth)
	}
	g.want("}")
	s.text += "}"
	return s
}
