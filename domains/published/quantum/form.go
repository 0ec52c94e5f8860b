package quantum

import (
	"strings"

	"agentd/domains/internal/lists"
)

// Top calls do for the statements at top level.
func (f *File) Top(do func(n int32, s *Statement)) {
	for n := int32(0); n < int32(len(f.Statements)); n = f.Statements[n].last {
		do(n, &f.Statements[n])
	}
}

// Form is what kind of statement one is.
type Form uint8

// The forms of statements.
const (
	Foreign Form = iota // no statement
	Version
	Include
	ConstantForm
	RegisterForm
	ExternForm
	GateForm
	SubroutineForm
	Variable
	Alias
	Operation // a gate, call, assignment, measurement or the like
	control   // if, while and for
	branch    // else
	Block     // box, switch, case, cal or braces alone
	directive
)

// Defines reports whether the statement defines a gate or subroutine.
func (f Form) Defines() bool { return f == GateForm || f == SubroutineForm }

// Part is a part of a statement: the tokens from one to another.
type Part struct {
	Name     string
	From, To int32
}

// Parts reads the parts of statements, one statement at a time.
type Parts struct {
	*Source
	List  []Part
	at    int32
	Until int32
}

// FormOf reads the parts of a statement, and which form it has.
func (p *Parts) FormOf(s *Source, from, to int32) Form {
	p.Source, p.List, p.at, p.Until = s, p.List[:0], from, to
	if from == to {
		return Foreign
	}
	if s.Tokens[from].Kind == directiveToken {
		p.add("text", from, to)
		return directive
	}
	if s.Tokens[from].Kind != WordToken {
		return Foreign
	}
	word := p.Of(from)
	r, ok := forms[word]
	switch {
	case ok:
		if p.at++; r.word != "" {
			p.add(r.word, from, p.at)
		}
		ok = p.match(r.says)
	case IsType(word) && !p.isOf(from+1, "("):
		r.form, ok = Variable, p.match("type name ? = value")
	default:
		r.form, ok = Operation, p.assignment() || p.gateOrCall()
	}
	if !ok {
		return Foreign
	}
	return r.form
}

// formRule says how statements of a form go on after their first word: with words,
// marks and parts. After a question mark a statement may end.
type formRule struct {
	form Form
	says string
	word string // as which part the first word counts, empty for none
}

var forms = map[string]formRule{
	"OPENQASM": {form: Version, says: "number"},
	"include":  {form: Include, says: "quoted"},
	"const":    {form: ConstantForm, says: "type name = value"},
	"qubit":    {form: RegisterForm, says: "size name"},
	"qreg":     {form: RegisterForm, says: "name size"},
	"creg":     {form: Variable, says: "name size ? = value"},
	"extern":   {form: ExternForm, says: "name parameters ? -> returns"},
	"def":      {form: SubroutineForm, says: "name arguments ? -> returns"},
	"defcal":   {form: SubroutineForm, says: "name arguments ? -> returns"},
	"gate":     {form: GateForm, says: "name angles qubits"},
	"let":      {form: Alias, says: "name = value"},
	"input":    {form: Variable, says: "type name ? = value", word: "direction"},
	"output":   {form: Variable, says: "type name ? = value", word: "direction"},
	"if":       {form: control, says: "condition", word: "statement"},
	"while":    {form: control, says: "condition", word: "statement"},
	"for":      {form: control, says: "typed name in range", word: "statement"},
	"else":     {form: branch, says: "? if condition", word: "statement"},
	"switch":   {form: Block, says: "condition", word: "statement"},
	"case":     {form: Block, says: "values", word: "statement"},
	"default":  {form: Block, word: "statement"},
	"box":      {form: Block, says: "size", word: "statement"},
	"cal":      {form: Block, word: "statement"},
	"return":   {form: Operation, says: "? value", word: "operation"},
	"break":    {form: Operation, word: "operation"},
	"continue": {form: Operation, word: "operation"},
	"end":      {form: Operation, word: "operation"},
	"nop":      {form: Operation, word: "operation"},
	"reset":    {form: Operation, says: "qubit", word: "operation"},
	"barrier":  {form: Operation, says: "? qubits", word: "operation"},
	"delay":    {form: Operation, says: "duration ? qubits", word: "operation"},
	"measure":  {form: Operation, says: "measured ? -> target"},
}

// match reads the rest of a statement.
func (p *Parts) match(says string) bool {
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

func (p *Parts) item(item string) bool {
	switch item {
	case "number", "quoted":
		p.add("name", p.at, p.Until)
		kind := NumberToken
		if item == "quoted" {
			kind = QuotedToken
		}
		p.at++
		return p.at == p.Until && p.Tokens[p.at-1].Kind == kind
	case "type", "returns":
		return p.typed(item)
	case "typed": // of a loop's variable, which may have no type
		return p.typed("type") || p.IsWord(p.at)
	case "name":
		return p.name()
	case "size":
		return p.size()
	case "duration":
		return p.isOf(p.at, "[") && p.size()
	case "value", "range":
		return p.expression(item, p.Until)
	case "values":
		return p.items(p.Until, func(to int32) bool { return p.expression("value", to) })
	case "condition":
		return p.condition()
	case "parameters":
		return p.isOf(p.at, "(") && p.brackets(func(int32) bool { return p.typedItem("parameter", false) })
	case "arguments":
		return p.isOf(p.at, "(") && p.brackets(func(int32) bool { return p.typedItem("argument", true) })
	case "angles":
		return p.angles("parameter")
	case "qubits":
		return p.at < p.Until && p.items(p.Until, func(to int32) bool { return p.operand("qubit", to) })
	case "qubit", "target":
		return p.operand(item, p.Until)
	case "measured": // with its word
		ok := p.operand("value", p.Until)
		if ok {
			p.List[0].From--
		}
		return ok
	case "if":
		if !p.take("if") {
			return false
		}
		p.List[0].To++ // else if
		return true
	}
	return p.take(item)
}

func (p *Parts) add(name string, from, to int32) { p.List = append(p.List, Part{name, from, to}) }

func (p *Parts) done() bool { return p.at >= p.Until }

// take takes a token if it is the one.
func (p *Parts) take(text string) bool {
	if p.done() || p.Of(p.at) != text {
		return false
	}
	p.at++
	return true
}

// name takes a word as a part.
func (p *Parts) name() bool {
	if p.done() || p.Tokens[p.at].Kind != WordToken {
		return false
	}
	p.add("name", p.at, p.at+1)
	p.at++
	return true
}

func (p *Parts) isOf(at int32, text string) bool { return at < p.Until && p.Of(at) == text }

// IsType reports whether types begin with the word.
func IsType(word string) bool {
	return isClassicalType(word) || word == "qubit" || word == "creg" || word == "qreg"
}

// typed takes a type: a word with what it has in square brackets.
func (p *Parts) typed(name string) bool {
	from := p.at
	if p.isOf(p.at, "readonly") || p.isOf(p.at, "mutable") {
		p.at++
	}
	if p.done() || !IsType(p.Of(p.at)) {
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
func (p *Parts) after(open, shut string) bool {
	depth := 0
	for ; !p.done(); p.at++ {
		switch p.Of(p.at) {
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
func (p *Parts) size() bool {
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
func (p *Parts) expression(name string, to int32) bool {
	if p.at >= to {
		return false
	}
	depth := 0
	for at := p.at; at < to; at++ {
		t := &p.Tokens[at]
		switch text := p.Of(at); {
		case t.Kind == directiveToken:
			return false
		case t.Kind != MarkToken:
			if at > p.at && p.EndsOperand(at-1) && !p.Is(at-1, "measure") {
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
	if depth != 0 || !p.EndsOperand(to-1) || p.Is(to-1, "measure") {
		return false
	}
	p.add(name, p.at, to)
	p.at = to
	return true
}

// items takes what stands between commas, to a token.
func (p *Parts) items(to int32, item func(to int32) bool) bool {
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
func (p *Parts) comma(to int32) int32 {
	depth := 0
	for at := p.at; at < to; at++ {
		switch p.Of(at) {
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
func (p *Parts) brackets(item func(to int32) bool) bool {
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
func (p *Parts) typedItem(name string, named bool) bool {
	start := p.at
	if !p.typed(name) || named && (p.done() || !p.IsWord(p.at)) {
		return false
	}
	if named {
		p.at++
	}
	if p.isOf(p.at, "[") && !p.after("[", "]") { // creg c[2]
		return false
	}
	p.List[len(p.List)-1] = Part{name, start, p.at}
	return true
}

// angles takes expressions in parentheses, if there are any.
func (p *Parts) angles(name string) bool {
	return !p.isOf(p.at, "(") || p.brackets(func(to int32) bool { return p.expression(name, to) })
}

func (p *Parts) operand(name string, to int32) bool {
	from := p.at
	if p.at >= to || p.Tokens[p.at].Kind != WordToken || p.Of(p.at) == "measure" {
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
func (p *Parts) condition() bool {
	if !p.take("(") {
		return false
	}
	end := p.Until - 1
	ok := end > p.at && p.Of(end) == ")" && p.expression("condition", end)
	p.at = p.Until
	return ok
}

// Count is how many parts have a name.
func (p *Parts) Count(name string) int {
	return lists.Count(p.List, func(of *Part) bool { return of.Name == name })
}
