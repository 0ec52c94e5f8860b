package quantum

import "strings"

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
