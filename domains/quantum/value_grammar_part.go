package quantum

import "slices"

// partsOfRules are the parts that rules name, each with what reads and prints it.
func partsOfRules() map[string]func(*grammar) int {
	return map[string]func(*grammar) int{
		"name": (*grammar).printName, "scalar": (*grammar).scalar, "type": (*grammar).anyType, "bits": (*grammar).bits,
		"expression": (*grammar).expressionDepth, "value": (*grammar).value, "concatenation": (*grammar).concatenation,
		"initial": (*grammar).initial, "returned": (*grammar).returned, "returns": (*grammar).returns,
		"range": (*grammar).rangeOfLoop, "cases": (*grammar).cases, "calibration": (*grammar).calibration,
		"operand": (*grammar).gateOperand, "operands": (*grammar).gateOperands, "indexed": (*grammar).indexed,
		"assigned": (*grammar).assigned, "modifiers": (*grammar).modifiers, "gate call": (*grammar).gateCall,
		"measurement": (*grammar).measurement, "parameters": (*grammar).parameters,
		"constant":   func(g *grammar) int { return g.unit(g.value) },
		"designator": func(g *grammar) int { return g.designator(false) },
		"positive":   func(g *grammar) int { return g.designator(true) },
		"width":      func(g *grammar) int { return g.width(false) },
		"size":       func(g *grammar) int { return g.width(true) },
		"loop":       func(g *grammar) int { return g.body(inLoop) + scopeDepth },
		"box":        func(g *grammar) int { return g.block(inBox) + scopeDepth },
		"gate":       func(g *grammar) int { return g.definition("gate") },
		"def":        func(g *grammar) int { return g.definition("def") },
		"types":      func(g *grammar) int { return g.list(")", func() int { return g.unit(g.externParameter) }) },
		"arguments":  func(g *grammar) int { return g.list(")", g.argument) },
		"qubits":     func(g *grammar) int { return g.some("{", g.printName) },
		"path":       func(g *grammar) int { return g.pass(lexString) },
		"raw":        func(g *grammar) int { return g.pass(lexRaw) },
	}
}

// pass reads and prints a token of a kind.
func (g *grammar) pass(kind lexKind) int {
	g.print(g.takeKind(kind))
	return 0
}

func (g *grammar) initial() int {
	if !g.is("=") {
		return 0
	}
	return g.deepest(" = <value>")
}

func (g *grammar) returned() int {
	if g.is(";") {
		return 0
	}
	g.allow(!g.is("{"))
	g.print(" ")
	return g.value()
}

func (g *grammar) returns() int {
	if !g.accept("->") {
		return 0
	}
	return g.unit(g.scalar)
}

func (g *grammar) parameters() int {
	if g.accept("(") {
		g.list(")", g.printName)
		g.want(")")
	}
	return 0
}

func (g *grammar) gateOperands() int {
	if g.is(";") {
		return 0
	}
	g.print(" ")
	return g.list(";", g.gateOperand)
}

func (g *grammar) deepest(says string) int {
	depth, _ := g.match(says)
	return depth
}

func (g *grammar) printName() int {
	g.print(g.name())
	return 0
}

// isClassicalType reports whether a word begins a type of classical values.
func isClassicalType(word string) bool { return word == "array" || scalars[word] != "" }

// scalars are the types other than arrays.
var scalars = map[string]string{
	"bit": "bit<designator>", "float": "float<designator>", "int": "int<positive>", "uint": "uint<positive>",
	"angle": "angle<positive>", "bool": "bool", "duration": "duration", "stretch": "stretch", "complex": "complex",
}

func (g *grammar) scalar() int {
	word := g.token().text
	g.allow(scalars[word] != "")
	depth := g.deepest(scalars[word])
	if word == "complex" && g.is("[") {
		g.literal("[")
		g.allow(g.is("float"))
		depth = g.deepest("<scalar>]") + callDepth
	}
	return depth
}

func (g *grammar) anyType() int {
	if !g.is("array") {
		return g.scalar()
	}
	g.literal("array[")
	g.allow(!g.is("stretch"))
	depth := g.deepest("<scalar>, ")
	sizes := g.some("]", func() int {
		size := g.anyExpression()
		g.allow(!size.unary)
		return size.depth
	})
	g.literal("]")
	return max(depth, sizes) + callDepth
}

// arrayReference reads the type of an array that is a parameter, after readonly or
// mutable.
func (g *grammar) arrayReference() int {
	depth := g.deepest("array[<scalar>, ")
	if g.accept("#dim") {
		g.print("#dim")
		depth = max(depth, g.deepest("=<expression>"))
	} else {
		depth = max(depth, g.some("]", g.expressionDepth))
	}
	g.literal("]")
	return depth + callDepth
}

func (g *grammar) expressionDepth() int { return g.anyExpression().depth }

// designator reads an expression in square brackets, if there is one. positive asks
// for a size that is not plainly 0 or less.
func (g *grammar) designator(positive bool) int {
	if !g.is("[") {
		return 0
	}
	g.literal("[")
	size := g.anyExpression()
	g.allow(!positive || !size.unary && !size.zero)
	g.literal("]")
	return size.depth + callDepth
}

// width reads the size of a register, which is 1 if it is not there.
func (g *grammar) width(positive bool) (depth int) {
	if !g.accept("[") {
		g.print("1")
		return 0
	}
	depth = g.unit(func() int {
		size := g.anyExpression()
		g.allow(!positive || !size.unary && !size.zero)
		return size.depth
	})
	g.want("]")
	return depth
}

// bits reads bits in the old style, and prints them as they are declared now.
func (g *grammar) bits() (depth int) {
	g.want("creg")
	name := g.name()
	g.print("bit")
	if g.is("[") {
		g.print("[")
		depth = g.width(true)
		g.print("]")
	}
	g.print(" ", name)
	return depth
}

func (g *grammar) externParameter() int {
	switch word := g.token().text; {
	case g.accept("readonly"), g.accept("mutable"):
		g.print(word, " ")
		return g.arrayReference()
	case g.accept("creg"):
		g.print("bit")
		return g.designator(false)
	}
	return g.scalar()
}

// argument reads an argument of a subroutine as name:type. Quantum ones have no type.
func (g *grammar) argument() int {
	word, start := g.token().text, len(g.out)
	depth := g.unit(func() int {
		switch {
		case g.accept("readonly"), g.accept("mutable"):
			return g.arrayReference()
		case g.accept("creg"):
			g.print("bit")
			return 0
		case g.accept("qubit"):
			depth := g.designator(false)
			g.cut(start)
			return depth
		case g.accept("qreg"):
			return 0
		}
		return g.scalar()
	})
	kind := g.cut(start)
	g.print(g.name(), ":", kind)
	if word == "qreg" {
		g.unseen()
	}
	return depth
}

// unseen reads a designator, if there is one, that is not printed.
func (g *grammar) unseen() {
	start := len(g.out)
	g.designator(false)
	g.cut(start)
}

func (g *grammar) concatenation() (depth int) {
	var first operand
	for n := 0; !g.failed; n++ {
		e := g.anyExpression()
		if n == 0 {
			first = e
		} else {
			g.operands(first, e)
		}
		depth = max(depth+operandDepth, e.depth)
		if !g.is("++") {
			break
		}
		g.at++
		g.print(" ++ ")
	}
	return depth
}

// calibration reads a block whose text is kept as it stands.
func (g *grammar) calibration() int {
	start := len(g.out)
	if g.is("cal") {
		g.literal("cal ")
	} else {
		g.literal("defcal ")
		if target := g.token().text; g.accept("measure") || g.accept("reset") || g.accept("delay") {
			g.print(target)
		} else {
			g.printName()
		}
		g.print("(")
		if g.accept("(") {
			g.list(")", g.calibrationArgument)
			g.want(")")
		}
		g.print(") ")
		g.some("{", func() int {
			if g.token().kind == lexHardware {
				return g.gateOperand()
			}
			return g.printName()
		})
		g.print(" ")
		if g.is("->") {
			g.print("-> ")
			g.returns()
			g.print(" ")
		}
	}
	g.match("{<raw>}")
	g.fix(start)
	return 0
}

// calibrationArgument reads an expression, or a parameter with its type.
func (g *grammar) calibrationArgument() int {
	word := g.token().text
	switch {
	case g.token().kind != lexName || !isReserved(word) || isClassicalType(word) && !g.declares():
		g.anyExpression()
	case g.accept("readonly"), g.accept("mutable"):
		g.arrayReference()
		g.match(" <name>")
	case word == "qubit":
		g.match("qubit<designator> <name>")
	case g.accept("qreg"), g.accept("creg"):
		name := g.name()
		g.print(map[string]string{"qreg": "qubit", "creg": "bit"}[word])
		g.designator(false)
		g.print(" ", name)
	default:
		g.match("<scalar> <name>")
	}
	return 0
}

func isModifier(word string) bool {
	return slices.Contains([]string{"inv", "pow", "ctrl", "negctrl"}, word)
}

// modifiers reads what stands before each @ of a gate call.
func (g *grammar) modifiers() (depth int) {
	for !g.failed && isModifier(g.token().text) {
		word := g.takeKind(lexName)
		g.print(word)
		if word == "pow" || word != "inv" && g.is("(") {
			depth = max(depth, g.deepest("(<expression>)")+callDepth)
		}
		g.print(" ")
		g.literal("@ ")
	}
	return depth
}

func (g *grammar) gateCall() (depth int) {
	phase := g.accept("gphase")
	name := "gphase"
	if !phase {
		name = g.name()
		g.operations = append(g.operations, name)
	}
	g.print(name)
	count := 0
	if g.accept("(") {
		start := len(g.out)
		g.print("(")
		count, depth = g.counted(")", g.expressionDepth)
		g.print(")")
		if count == 0 {
			g.cut(start)
		}
		g.want(")")
	}
	g.allow(!phase || count == 1)
	g.unseen() // a duration
	g.allow(phase || !g.is(";"))
	return depth + callDepth
}

// gateOperand reads a qubit or some of a register.
func (g *grammar) gateOperand() int {
	if g.token().kind == lexHardware {
		return g.pass(lexHardware)
	}
	return g.indexed()
}

// indexed reads an identifier with its indices.
func (g *grammar) indexed() (depth int) {
	g.printName()
	for g.is("[") {
		depth = max(depth, g.indices()+indexDepth)
	}
	return depth
}

func (g *grammar) assigned() int {
	mark := g.takeKind(lexMark)
	if g.is("measure") {
		g.operations = append(g.operations, "measure")
		g.print("= ")
		return g.measured()
	}
	g.print(mark, " ")
	return g.anyExpression().depth
}

// measured reads `measure q`.
func (g *grammar) measured() int {
	g.allow(g.stands(outsideGates))
	return g.deepest("measure <operand>") + operandDepth
}

// measurement reads `measure q`, or `measure q -> c`, which is `c = measure q`.
func (g *grammar) measurement() int {
	start := len(g.out)
	depth := g.measured()
	if g.accept("->") {
		text := g.cut(start)
		g.indexed()
		g.print(" = ", text)
	}
	return depth
}

// value reads what a declaration gives as value.
func (g *grammar) value() (depth int) {
	start := len(g.out)
	switch {
	case g.is("{"):
		depth = g.arrayLiteral()
	case g.is("measure"):
		depth = g.measured()
	default:
		depth = g.anyExpression().depth
	}
	g.fix(start)
	return depth
}

// arrayLiteral reads `{a, {b, c}}`.
func (g *grammar) arrayLiteral() int {
	defer g.nested()()
	g.literal("{")
	depth := g.list("}", func() int {
		if g.is("{") {
			return g.arrayLiteral()
		}
		return g.anyExpression().depth
	})
	g.literal("}")
	return depth + operandDepth
}

// rangeOfLoop reads what a loop goes through.
func (g *grammar) rangeOfLoop() int {
	switch {
	case g.is("{"):
		return g.set()
	case g.is("["):
		g.literal("[")
		depth, isRange := g.rangeOrExpression()
		g.allow(isRange)
		g.literal("]")
		return depth
	}
	return g.anyExpression().depth
}

func (g *grammar) cases() (depth int) {
	g.print("\n")
	for defaulted := false; !g.failed && !g.is("}"); {
		g.allow(!defaulted)
		start := len(g.out)
		if defaulted = g.is("default"); defaulted {
			g.literal("default ")
		} else {
			g.literal("case ")
			g.some("{", g.expressionDepth)
			g.print(" ")
		}
		depth = max(depth, g.block(inBlock)+scopeDepth)
		g.indent(start)
	}
	return depth
}
