package quantum

import "slices"

// partsOfRules are the parts that rules name, each with what reads and prints it.
func partsOfRules() map[string]func(*grammar) {
	return map[string]func(*grammar){
		"name": (*grammar).printName, "scalar": (*grammar).scalar, "type": (*grammar).anyType, "bits": (*grammar).bits,
		"expression": (*grammar).printExpression, "value": (*grammar).value, "concatenation": (*grammar).concatenation,
		"initial": (*grammar).initial, "returned": (*grammar).returned, "returns": (*grammar).returns,
		"range": (*grammar).rangeOfLoop, "cases": (*grammar).cases, "calibration": (*grammar).calibration,
		"operand": (*grammar).gateOperand, "operands": (*grammar).gateOperands, "indexed": (*grammar).indexed,
		"assigned": (*grammar).assigned, "modifiers": (*grammar).modifiers, "gate call": (*grammar).gateCall,
		"measurement": (*grammar).measurement, "parameters": (*grammar).parameters,
		"constant":   func(g *grammar) { g.unit(g.value) },
		"designator": func(g *grammar) { g.designator(false) },
		"positive":   func(g *grammar) { g.designator(true) },
		"width":      func(g *grammar) { g.width(false) },
		"size":       func(g *grammar) { g.width(true) },
		"loop":       func(g *grammar) { g.body(inLoop) },
		"box":        func(g *grammar) { g.block(inBox) },
		"gate":       func(g *grammar) { g.definition("gate") },
		"def":        func(g *grammar) { g.definition("def") },
		"types":      func(g *grammar) { g.list(")", func() { g.unit(g.externParameter) }) },
		"arguments":  func(g *grammar) { g.list(")", g.argument) },
		"qubits":     func(g *grammar) { g.some("{", g.printName) },
		"path":       func(g *grammar) { g.pass(lexString) },
		"raw":        func(g *grammar) { g.pass(lexRaw) },
	}
}

// pass reads and prints a token of a kind.
func (g *grammar) pass(kind lexKind) { g.print(g.takeKind(kind)) }

func (g *grammar) initial() {
	if g.is("=") {
		g.match(" = <value>")
	}
}

func (g *grammar) returned() {
	if !g.is(";") {
		g.allow(!g.is("{"))
		g.print(" ")
		g.value()
	}
}

func (g *grammar) returns() {
	if g.accept("->") {
		g.unit(g.scalar)
	}
}

func (g *grammar) parameters() {
	if g.accept("(") {
		g.list(")", g.printName)
		g.want(")")
	}
}

func (g *grammar) gateOperands() {
	if !g.is(";") {
		g.print(" ")
		g.list(";", g.gateOperand)
	}
}

func (g *grammar) printName() { g.print(g.name()) }

// isClassicalType reports whether a word begins a type of classical values.
func isClassicalType(word string) bool { return word == "array" || scalars[word] != "" }

// scalars are the types other than arrays.
var scalars = map[string]string{
	"bit": "bit<designator>", "float": "float<designator>", "int": "int<positive>", "uint": "uint<positive>",
	"angle": "angle<positive>", "bool": "bool", "duration": "duration", "stretch": "stretch", "complex": "complex",
}

func (g *grammar) scalar() {
	word := g.token().text
	g.allow(scalars[word] != "")
	g.match(scalars[word])
	if word == "complex" && g.is("[") {
		g.literal("[")
		g.allow(g.is("float"))
		g.match("<scalar>]")
	}
}

func (g *grammar) anyType() {
	if !g.is("array") {
		g.scalar()
		return
	}
	g.literal("array[")
	g.allow(!g.is("stretch"))
	g.match("<scalar>, ")
	g.some("]", func() { g.allow(!g.anyExpression().unary) })
	g.literal("]")
}

// arrayReference reads the type of an array that is a parameter, after readonly or mutable.
func (g *grammar) arrayReference() {
	g.match("array[<scalar>, ")
	if g.accept("#dim") {
		g.print("#dim")
		g.match("=<expression>")
	} else {
		g.some("]", g.printExpression)
	}
	g.literal("]")
}

// size reads an expression. positive asks for one that is not plainly 0 or less.
func (g *grammar) size(positive bool) {
	size := g.anyExpression()
	g.allow(!positive || !size.unary && !size.zero)
}

// designator reads a size in square brackets, if there is one.
func (g *grammar) designator(positive bool) {
	if g.is("[") {
		g.literal("[")
		g.size(positive)
		g.literal("]")
	}
}

// width reads the size of a register, which is 1 if it is not there.
func (g *grammar) width(positive bool) {
	if !g.accept("[") {
		g.print("1")
		return
	}
	g.unit(func() { g.size(positive) })
	g.want("]")
}

// bits reads bits in the old style, and prints them as they are declared now.
func (g *grammar) bits() {
	g.want("creg")
	name := g.name()
	g.print("bit")
	if g.is("[") {
		g.print("[")
		g.width(true)
		g.print("]")
	}
	g.print(" ", name)
}

func (g *grammar) externParameter() {
	switch word := g.token().text; {
	case g.accept("readonly"), g.accept("mutable"):
		g.print(word, " ")
		g.arrayReference()
	case g.accept("creg"):
		g.print("bit")
		g.designator(false)
	default:
		g.scalar()
	}
}

// argument reads an argument of a subroutine as name:type. Quantum ones have no type.
func (g *grammar) argument() {
	word, start := g.token().text, len(g.out)
	g.unit(func() {
		switch {
		case g.accept("readonly"), g.accept("mutable"):
			g.arrayReference()
		case g.accept("creg"):
			g.print("bit")
		case g.accept("qubit"):
			g.designator(false)
			g.cut(start)
		case !g.accept("qreg"):
			g.scalar()
		}
	})
	kind := g.cut(start)
	g.print(g.name(), ":", kind)
	if word == "qreg" {
		g.unseen()
	}
}

// unseen reads a designator, if there is one, that is not printed.
func (g *grammar) unseen() {
	start := len(g.out)
	g.designator(false)
	g.cut(start)
}

func (g *grammar) concatenation() {
	var first operand
	for n := 0; !g.failed; n++ {
		e := g.anyExpression()
		if n == 0 {
			first = e
		} else {
			g.operands(first, e)
		}
		if !g.is("++") {
			break
		}
		g.at++
		g.print(" ++ ")
	}
}

// calibration reads a block whose text is kept as it stands, and so is what stands before it.
func (g *grammar) calibration() {
	start := len(g.out)
	for !g.is("{") && g.token().kind != lexEnd {
		g.print(g.token().text, " ")
		g.at++
	}
	g.match("{<raw>}")
	g.fix(start)
}

func isModifier(word string) bool {
	return slices.Contains([]string{"inv", "pow", "ctrl", "negctrl"}, word)
}

// modifiers reads what stands before each @ of a gate call.
func (g *grammar) modifiers() {
	for !g.failed && isModifier(g.token().text) {
		word := g.takeKind(lexName)
		g.print(word)
		if word == "pow" || word != "inv" && g.is("(") {
			g.match("(<expression>)")
		}
		g.print(" ")
		g.literal("@ ")
	}
}

func (g *grammar) gateCall() {
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
		count = g.list(")", g.printExpression)
		g.print(")")
		if count == 0 {
			g.cut(start)
		}
		g.want(")")
	}
	g.allow(!phase || count == 1)
	g.unseen() // a duration
	g.allow(phase || !g.is(";"))
}

// gateOperand reads a qubit or some of a register.
func (g *grammar) gateOperand() {
	if g.token().kind == lexHardware {
		g.pass(lexHardware)
	} else {
		g.indexed()
	}
}

// indexed reads an identifier with its indices.
func (g *grammar) indexed() {
	g.printName()
	for g.is("[") {
		g.indices()
	}
}

func (g *grammar) assigned() {
	mark := g.takeKind(lexMark)
	if g.is("measure") {
		g.operations = append(g.operations, "measure")
		g.print("= ")
		g.measured()
		return
	}
	g.print(mark, " ")
	g.anyExpression()
}

// measured reads `measure q`.
func (g *grammar) measured() {
	g.allow(g.stands(outsideGates))
	g.match("measure <operand>")
}

// measurement reads `measure q`, or `measure q -> c`, which is `c = measure q`.
func (g *grammar) measurement() {
	start := len(g.out)
	g.measured()
	if g.accept("->") {
		text := g.cut(start)
		g.indexed()
		g.print(" = ", text)
	}
}

// value reads what a declaration gives as value.
func (g *grammar) value() {
	start := len(g.out)
	switch {
	case g.is("{"):
		g.arrayLiteral()
	case g.is("measure"):
		g.measured()
	default:
		g.anyExpression()
	}
	g.fix(start)
}

// arrayLiteral reads `{a, {b, c}}`.
func (g *grammar) arrayLiteral() {
	defer g.nested()()
	g.literal("{")
	g.list("}", func() {
		if g.is("{") {
			g.arrayLiteral()
		} else {
			g.anyExpression()
		}
	})
	g.literal("}")
}

// rangeOfLoop reads what a loop goes through.
func (g *grammar) rangeOfLoop() {
	switch {
	case g.is("{"):
		g.set()
	case g.is("["):
		g.literal("[")
		g.allow(g.rangeOrExpression())
		g.literal("]")
	default:
		g.anyExpression()
	}
}

func (g *grammar) cases() {
	g.print("\n")
	for defaulted := false; !g.failed && !g.is("}"); {
		g.allow(!defaulted)
		start := len(g.out)
		if defaulted = g.is("default"); defaulted {
			g.literal("default ")
		} else {
			g.literal("case ")
			g.some("{", g.printExpression)
			g.print(" ")
		}
		g.block(inBlock)
		g.indent(start)
	}
}
