package quantum

// form is what kind of statement one is.
type form uint8

const (
	foreign form = iota // no statement
	version
	include
	constantForm
	registerForm
	externForm
	gateForm
	subroutineForm
	variable
	alias
	operation // a gate, call, assignment, measurement or the like
	control   // if, while and for
	branch    // else
	block     // box, switch, case, cal or braces alone
	directive
)

// defines reports whether the statement defines a gate or subroutine.
func (f form) defines() bool { return f == gateForm || f == subroutineForm }

// part is a part of a statement: the tokens from one to another.
type part struct {
	name     string
	from, to int32
}

// parts reads the parts of statements, one statement at a time.
type parts struct {
	*source
	list  []part
	at    int32
	until int32
}

// formOf reads the parts of a statement. ok is false if it has no form that is
// known.
func (p *parts) formOf(s *source, from, to int32) (f form, ok bool) {
	p.source, p.list, p.at, p.until = s, p.list[:0], from, to
	if from == to {
		return foreign, false
	}
	if s.tokens[from].kind == directiveToken {
		p.add("text", from, to)
		return directive, true
	}
	if s.tokens[from].kind != wordToken {
		return foreign, false
	}
	f, ok = p.byWord()
	if !ok {
		return foreign, false
	}
	return f, true
}

func (p *parts) add(name string, from, to int32) { p.list = append(p.list, part{name, from, to}) }

func (p *parts) done() bool { return p.at >= p.until }

// take takes a token if it is the one.
func (p *parts) take(text string) bool {
	if p.done() || p.of(p.at) != text {
		return false
	}
	p.at++
	return true
}

// name takes a word as a part.
func (p *parts) name() bool {
	if p.done() || p.tokens[p.at].kind != wordToken {
		return false
	}
	p.add("name", p.at, p.at+1)
	p.at++
	return true
}

func (p *parts) byWord() (form, bool) {
	word := p.of(p.at)
	switch word {
	case "OPENQASM", "include":
		p.add("name", p.at+1, p.until)
		if word == "include" {
			return include, p.until-p.at == 2 && p.tokens[p.at+1].kind == quotedToken
		}
		return version, p.until-p.at == 2 && p.tokens[p.at+1].kind == numberToken
	case "const":
		p.at++
		return constantForm, p.typed("type") && p.name() && p.take("=") && p.expression("value", p.until)
	case "qubit":
		p.at++
		return registerForm, p.size() && p.name() && p.done()
	case "qreg":
		p.at++
		return registerForm, p.name() && p.size() && p.done()
	case "creg":
		p.at++
		return variable, p.name() && p.size() && p.initial()
	case "extern":
		p.at++
		return externForm, p.name() && p.brackets("parameter", false) && p.returns()
	case "def", "defcal":
		p.at++
		return subroutineForm, p.name() && p.brackets("argument", true) && p.returns()
	case "gate":
		p.at++
		return gateForm, p.name() && p.angles("parameter") && p.operands(p.until)
	case "let":
		p.at++
		return alias, p.name() && p.take("=") && p.expression("value", p.until)
	case "if", "while", "for", "else", "switch", "case", "default", "box", "cal":
		return p.head(word)
	case "return", "break", "continue", "end", "nop", "reset", "barrier", "delay", "measure":
		return operation, p.keyword(word)
	case "input", "output":
		p.add("direction", p.at, p.at+1)
		p.at++
		return variable, p.typed("type") && p.name() && p.initial()
	}
	if isType(word) && !p.isOf(p.at+1, "(") {
		return variable, p.typed("type") && p.name() && p.initial()
	}
	return operation, p.assignment() || p.gateOrCall()
}

func (p *parts) isOf(at int32, text string) bool { return at < p.until && p.of(at) == text }

// isType reports whether types begin with the word.
func isType(word string) bool {
	switch word {
	case "bit", "int", "uint", "float", "angle", "bool", "duration", "stretch", "complex", "array", "qubit", "creg", "qreg":
		return true
	}
	return false
}

// typed takes a type: a word with what it has in square brackets.
func (p *parts) typed(name string) bool {
	from := p.at
	if p.isOf(p.at, "readonly") || p.isOf(p.at, "mutable") {
		p.at++
	}
	if p.done() || !isType(p.of(p.at)) {
		return false
	}
	p.at++
	if p.isOf(p.at, "[") && !p.after("[", "]") {
		return false
	}
	p.add(name, from, p.at)
	return true
}

// after goes after the bracket that opens in hand.
func (p *parts) after(open, shut string) bool {
	depth := 0
	for ; !p.done(); p.at++ {
		switch p.of(p.at) {
		case open:
			depth++
		case shut:
			if depth--; depth == 0 {
				p.at++
				return true
			}
		}
	}
	return false
}

// size takes the size of a register, if it has one.
func (p *parts) size() bool {
	if !p.isOf(p.at, "[") {
		return true
	}
	from := p.at + 1
	if !p.after("[", "]") {
		return false
	}
	p.add("size", from, p.at-1)
	return true
}

// initial takes the first value of a variable, if it has one.
func (p *parts) initial() bool {
	return p.done() || p.take("=") && p.expression("value", p.until)
}

// expression takes what stands up to a token. Two operands side by side are none,
// save after measure.
func (p *parts) expression(name string, to int32) bool {
	if p.at >= to {
		return false
	}
	depth := 0
	for at := p.at; at < to; at++ {
		t := &p.tokens[at]
		switch text := p.of(at); {
		case t.kind == directiveToken:
			return false
		case t.kind != markToken:
			if at > p.at && p.endsOperand(at-1) && !p.is(at-1, "measure") {
				return false
			}
		case text == "(" || text == "[" || text == "{":
			depth++
		case text == ")" || text == "]" || text == "}":
			depth--
		case text == "=" || text == "@" || text == ";":
			return false
		}
		if depth < 0 {
			return false
		}
	}
	if depth != 0 || !p.endsOperand(to-1) || p.is(to-1, "measure") {
		return false
	}
	p.add(name, p.at, to)
	p.at = to
	return true
}

// items takes what stands between commas, to a token.
func (p *parts) items(to int32, item func(to int32) bool) bool {
	for p.at < to {
		end := p.comma(to)
		if !item(end) || p.at != end {
			return false
		}
		if p.at < to {
			p.at++
			if p.at == to {
				return false
			}
		}
	}
	return true
}

// comma is the next comma outside of brackets, at most to.
func (p *parts) comma(to int32) int32 {
	depth := 0
	for at := p.at; at < to; at++ {
		switch p.of(at) {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		case ",":
			if depth == 0 {
				return at
			}
		}
	}
	return to
}

// brackets takes a list of types in parentheses, with names or without.
func (p *parts) brackets(name string, named bool) bool {
	from := p.at + 1
	if !p.isOf(p.at, "(") || !p.after("(", ")") {
		return false
	}
	end := p.at
	p.at = from
	ok := p.items(end-1, func(to int32) bool {
		start := p.at
		if !p.typed(name) || named && (p.done() || !p.isWord(p.at)) {
			return false
		}
		if named {
			p.at++
		}
		if p.isOf(p.at, "[") && !p.after("[", "]") { // creg c[2]
			return false
		}
		p.list[len(p.list)-1] = part{name, start, p.at}
		return true
	})
	p.at = end
	return ok
}

func (p *parts) returns() bool {
	if p.done() {
		return true
	}
	return p.take("->") && p.typed("returns") && p.done()
}

// angles takes expressions in parentheses, if there are any.
func (p *parts) angles(name string) bool {
	if !p.isOf(p.at, "(") {
		return true
	}
	from := p.at + 1
	if !p.after("(", ")") {
		return false
	}
	end := p.at
	p.at = from
	ok := p.items(end-1, func(to int32) bool { return p.expression(name, to) })
	p.at = end
	return ok
}

// operands takes qubits: a word each, with indexes.
func (p *parts) operands(to int32) bool {
	return p.at < to && p.items(to, func(to int32) bool { return p.operand("qubit", to) })
}

func (p *parts) operand(name string, to int32) bool {
	from := p.at
	if p.at >= to || p.tokens[p.at].kind != wordToken || p.of(p.at) == "measure" {
		return false
	}
	p.at++
	for p.isOf(p.at, "[") {
		if !p.after("[", "]") {
			return false
		}
	}
	p.add(name, from, p.at)
	return p.at <= to
}
