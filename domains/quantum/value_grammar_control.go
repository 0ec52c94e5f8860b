package quantum

import "strings"

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
