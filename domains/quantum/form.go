package quantum

import (
	"slices"
	"strings"

	"agentd/domains/internal/lists"
)

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

// formOf reads the parts of a statement, and which form it has.
func (p *parts) formOf(s *source, from, to int32) form {
	p.source, p.list, p.at, p.until = s, p.list[:0], from, to
	if from == to {
		return foreign
	}
	if s.tokens[from].kind == directiveToken {
		p.add("text", from, to)
		return directive
	}
	if s.tokens[from].kind != wordToken {
		return foreign
	}
	word := p.of(from)
	r, ok := forms[word]
	switch {
	case ok:
		if p.at++; r.word != "" {
			p.add(r.word, from, p.at)
		}
		ok = p.match(r.says)
	case isType(word) && !p.isOf(from+1, "("):
		r.form, ok = variable, p.match("type name ? = value")
	default:
		r.form, ok = operation, p.assignment() || p.gateOrCall()
	}
	if !ok {
		return foreign
	}
	return r.form
}

// formRule says how statements of a form go on after their first word: with words,
// marks and parts. After a question mark a statement may end.
type formRule struct {
	form form
	says string
	word string // as which part the first word counts, empty for none
}

var forms = map[string]formRule{
	"OPENQASM": {form: version, says: "number"},
	"include":  {form: include, says: "quoted"},
	"const":    {form: constantForm, says: "type name = value"},
	"qubit":    {form: registerForm, says: "size name"},
	"qreg":     {form: registerForm, says: "name size"},
	"creg":     {form: variable, says: "name size ? = value"},
	"extern":   {form: externForm, says: "name parameters ? -> returns"},
	"def":      {form: subroutineForm, says: "name arguments ? -> returns"},
	"defcal":   {form: subroutineForm, says: "name arguments ? -> returns"},
	"gate":     {form: gateForm, says: "name angles qubits"},
	"let":      {form: alias, says: "name = value"},
	"input":    {form: variable, says: "type name ? = value", word: "direction"},
	"output":   {form: variable, says: "type name ? = value", word: "direction"},
	"if":       {form: control, says: "condition", word: "statement"},
	"while":    {form: control, says: "condition", word: "statement"},
	"for":      {form: control, says: "typed name in range", word: "statement"},
	"else":     {form: branch, says: "? if condition", word: "statement"},
	"switch":   {form: block, says: "condition", word: "statement"},
	"case":     {form: block, says: "values", word: "statement"},
	"default":  {form: block, word: "statement"},
	"box":      {form: block, says: "size", word: "statement"},
	"cal":      {form: block, word: "statement"},
	"return":   {form: operation, says: "? value", word: "operation"},
	"break":    {form: operation, word: "operation"},
	"continue": {form: operation, word: "operation"},
	"end":      {form: operation, word: "operation"},
	"nop":      {form: operation, word: "operation"},
	"reset":    {form: operation, says: "qubit", word: "operation"},
	"barrier":  {form: operation, says: "? qubits", word: "operation"},
	"delay":    {form: operation, says: "duration ? qubits", word: "operation"},
	"measure":  {form: operation, says: "measured ? -> target"},
}

// match reads the rest of a statement.
func (p *parts) match(says string) bool {
	for item := range strings.FieldsSeq(says) {
		if item == "?" && p.done() {
			return true
		}
		if item != "?" && !p.item(item) {
			return false
		}
	}
	return p.done()
}

func (p *parts) item(item string) bool {
	switch item {
	case "number", "quoted":
		p.add("name", p.at, p.until)
		kind := numberToken
		if item == "quoted" {
			kind = quotedToken
		}
		p.at++
		return p.at == p.until && p.tokens[p.at-1].kind == kind
	case "type", "returns":
		return p.typed(item)
	case "typed": // of a loop's variable, which may have no type
		return p.typed("type") || p.isWord(p.at)
	case "name":
		return p.name()
	case "size":
		return p.size()
	case "duration":
		return p.isOf(p.at, "[") && p.size()
	case "value", "range":
		return p.expression(item, p.until)
	case "values":
		return p.items(p.until, func(to int32) bool { return p.expression("value", to) })
	case "condition":
		return p.condition()
	case "parameters":
		return p.isOf(p.at, "(") && p.brackets(func(int32) bool { return p.typedItem("parameter", false) })
	case "arguments":
		return p.isOf(p.at, "(") && p.brackets(func(int32) bool { return p.typedItem("argument", true) })
	case "angles":
		return p.angles("parameter")
	case "qubits":
		return p.at < p.until && p.items(p.until, func(to int32) bool { return p.operand("qubit", to) })
	case "qubit", "target":
		return p.operand(item, p.until)
	case "measured": // with its word
		ok := p.operand("value", p.until)
		if ok {
			p.list[0].from--
		}
		return ok
	case "if":
		if !p.take("if") {
			return false
		}
		p.list[0].to++ // else if
		return true
	}
	return p.take(item)
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

func (p *parts) isOf(at int32, text string) bool { return at < p.until && p.of(at) == text }

// isType reports whether types begin with the word.
func isType(word string) bool {
	return isClassicalType(word) || word == "qubit" || word == "creg" || word == "qreg"
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

// expression takes what stands up to a token. Two operands side by side are none, save after measure.
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

// brackets takes a list in parentheses.
func (p *parts) brackets(item func(to int32) bool) bool {
	from := p.at + 1
	if !p.after("(", ")") {
		return false
	}
	end := p.at
	p.at = from
	ok := p.items(end-1, item)
	p.at = end
	return ok
}

// typedItem takes a type, with a name or without, as a part.
func (p *parts) typedItem(name string, named bool) bool {
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
}

// angles takes expressions in parentheses, if there are any.
func (p *parts) angles(name string) bool {
	return !p.isOf(p.at, "(") || p.brackets(func(to int32) bool { return p.expression(name, to) })
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

// condition takes an expression in parentheses.
func (p *parts) condition() bool {
	if !p.take("(") {
		return false
	}
	end := p.until - 1
	ok := end > p.at && p.of(end) == ")" && p.expression("condition", end)
	p.at = p.until
	return ok
}

func assigns(mark string) bool {
	return slices.Contains([]string{"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "~=", "<<=", ">>=", "**="}, mark)
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

// gateOrCall reads a gate with its modifiers, angles and qubits, or the call of a subroutine.
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
	return p.item("qubits")
}

// modifier takes one of `ctrl @`, `negctrl(2) @`, `inv @` and `pow(1/2) @`.
func (p *parts) modifier() bool {
	from := p.at
	if p.done() || !isModifier(p.of(p.at)) {
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
	return lists.Count(p.list, func(of *part) bool { return of.name == name })
}
