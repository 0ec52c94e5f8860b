package quantum

// head reads the head of a block.
func (p *parts) head(word string) (form, bool) {
	p.add("statement", p.at, p.at+1)
	p.at++
	switch word {
	case "else":
		if p.take("if") {
			p.list[0].to++
			return branch, p.condition()
		}
		return branch, p.done()
	case "if", "while":
		return control, p.condition()
	case "switch":
		return block, p.condition()
	case "for":
		return control, p.loop()
	case "case":
		return block, p.items(p.until, func(to int32) bool { return p.expression("value", to) })
	case "box":
		if p.isOf(p.at, "[") {
			return block, p.size() && p.done()
		}
	}
	return block, p.done()
}

// condition takes an expression in parentheses.
func (p *parts) condition() bool {
	if !p.take("(") {
		return false
	}
	end := p.until - 1
	return end > p.at && p.of(end) == ")" && p.expression("condition", end)
}

func (p *parts) loop() bool {
	if !p.typed("type") && !p.isWord(p.at) {
		return false
	}
	return p.name() && p.take("in") && p.expression("range", p.until)
}

// keyword reads the operations that begin with a word of the language.
func (p *parts) keyword(word string) bool {
	p.add("operation", p.at, p.at+1)
	p.at++
	switch word {
	case "return":
		return p.done() || p.expression("value", p.until)
	case "reset":
		return p.operand("qubit", p.until) && p.done()
	case "barrier":
		return p.done() || p.operands(p.until)
	case "delay":
		return p.isOf(p.at, "[") && p.size() && (p.done() || p.operands(p.until))
	case "measure":
		return p.measure()
	}
	return p.done()
}

// measure reads `measure q` and the older `measure q -> c`, which is the
// assignment `c = measure q`.
func (p *parts) measure() bool {
	word := p.at - 1
	if !p.operand("value", p.until) {
		return false
	}
	p.list = []part{{"value", word, p.at}}
	if p.done() {
		return true
	}
	return p.take("->") && p.operand("target", p.until) && p.done()
}

// assigns reports whether a mark gives a variable a value.
func assigns(mark string) bool {
	switch mark {
	case "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "~=", "<<=", ">>=", "**=":
		return true
	}
	return false
}

func (p *parts) assignment() bool {
	from := p.at
	if !p.operand("target", p.until) || p.done() || !assigns(p.of(p.at)) {
		p.list, p.at = p.list[:0], from
		return false
	}
	if p.of(p.at) != "=" {
		p.add("operator", p.at, p.at+1)
	}
	p.at++
	return p.expression("value", p.until)
}

// gateOrCall reads a gate with its modifiers, angles and qubits, or the call of a
// subroutine.
func (p *parts) gateOrCall() bool {
	for p.modifier() {
	}
	if p.done() || !p.isWord(p.at) {
		return false
	}
	name := p.at
	p.add("gate", name, name+1)
	p.at++
	if !p.angles("angle") {
		return false
	}
	if p.done() {
		p.list[len(p.list)-1-p.count("angle")].name = "call"
		for i := range p.list {
			if p.list[i].name == "angle" {
				p.list[i].name = "argument"
			}
		}
		return p.at-name > 1
	}
	return p.operands(p.until)
}

// modifier takes one of `ctrl @`, `negctrl(2) @`, `inv @` and `pow(1/2) @`.
func (p *parts) modifier() bool {
	from := p.at
	if p.done() {
		return false
	}
	switch p.of(p.at) {
	case "ctrl", "negctrl", "inv", "pow":
	default:
		return false
	}
	p.at++
	if p.isOf(p.at, "(") && !p.after("(", ")") || !p.isOf(p.at, "@") {
		p.at = from
		return false
	}
	p.add("modifier", from, p.at)
	p.at++
	return true
}

func (p *parts) count(name string) int {
	n := 0
	for i := range p.list {
		if p.list[i].name == name {
			n++
		}
	}
	return n
}
