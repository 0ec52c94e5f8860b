package quantum

import (
	"slices"
	"strings"

	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// Statement is a statement, or the head of one with a block.
type Statement struct {
	Form     Form
	From, To int32 // the tokens of the statement or head
	End      int32 // the token after all of it
	Parent   int32 // the statement whose block it stands in, -1 at top level
	last     int32 // the statement after all of its block
	Open     bool  // the block is not closed
	Nested   string
}

// File is a program's text in statements.
type File struct {
	Source
	Statements []Statement
	// owners are, of each comment, the statement at top level it stands at, -1 if none.
	Owners []int32
}

// ReadFile reads a text as a compiler would, and goes on after what it would refuse.
func ReadFile(name, text string) *File {
	f := &File{Source: Lex(name, clean(text))}
	r := reader{File: f}
	for r.at < int32(len(f.Tokens)) {
		r.next()
	}
	for len(r.open) > 0 {
		r.abandon()
	}
	f.ownComments()
	return f
}

// clean is a text with line feeds alone, and without code fences.
func clean(text string) string {
	if strings.HasSuffix(text, "\n") && !strings.ContainsAny(text, "\r`\ufeff") {
		return text
	}
	return plain.Text(plain.Lines(text))
}

// ReadFiles reads files in the order of their names.
func ReadFiles(files vfs.Files) []*File {
	return lists.Map(files.Names(), func(name string) *File { return ReadFile(name, files[name]) })
}

// reader divides tokens into statements.
type reader struct {
	*File
	at   int32
	open []openBlock
	read Parts
}

type openBlock struct {
	statement int32
	single    bool // a block of one statement, without braces
}

func (r *reader) parent() int32 {
	if len(r.open) == 0 {
		return -1
	}
	return r.open[len(r.open)-1].statement
}

// pop closes the innermost block.
func (r *reader) pop() {
	s := &r.Statements[r.parent()]
	s.End, s.last = r.at, int32(len(r.Statements))
	r.open = r.open[:len(r.open)-1]
}

// abandon closes the innermost block though its brace is missing.
func (r *reader) abandon() {
	innermost := r.open[len(r.open)-1]
	r.Statements[innermost.statement].Open = !innermost.single
	r.pop()
}

// completed closes the blocks of one statement that end here.
func (r *reader) completed() {
	for len(r.open) > 0 && r.open[len(r.open)-1].single {
		r.pop()
	}
}

func (r *reader) next() {
	switch {
	case r.Is(r.at, ";"):
		r.at++
		return
	case r.Is(r.at, "}"):
		r.closeBrace()
		return
	case isDefinition(r.Of(r.at)):
		for len(r.open) > 0 { // definitions stand at top level, so a brace was lost
			r.abandon()
		}
	}
	from := r.at
	to := r.headEnd()
	s := Statement{From: from, To: to, Parent: r.parent(), Nested: r.nesting()}
	s.Form = r.read.FormOf(&r.Source, from, to)
	r.at = to
	switch {
	case r.Is(to, "{"):
		if s.Form == Foreign && from == to {
			s.Form = Block
		}
		r.at++
		r.begin(s, false)
	case s.Form == control || s.Form == branch:
		r.begin(s, true)
	default:
		if r.Is(to, ";") {
			r.at++
		}
		s.End, s.last = r.at, int32(len(r.Statements))+1
		r.Statements = plain.Append(r.Statements, s)
		r.completed()
	}
}

func (r *reader) begin(s Statement, single bool) {
	r.open = append(r.open, openBlock{int32(len(r.Statements)), single})
	r.Statements = plain.Append(r.Statements, s)
}

func (r *reader) closeBrace() {
	r.completed() // their statements are missing
	r.at++
	if len(r.open) == 0 {
		n := int32(len(r.Statements))
		r.Statements = plain.Append(r.Statements, Statement{
			Form: Foreign, From: r.at - 1, To: r.at, End: r.at, Parent: -1, last: n + 1,
		})
		return
	}
	r.pop()
	r.completed()
}

// nesting names the blocks around a statement within a definition.
func (r *reader) nesting() string {
	const named = 6
	n := r.parent()
	if n < 0 || r.Statements[n].Form.Defines() {
		return ""
	}
	outer := &r.Statements[n]
	if len(r.open) > named {
		return outer.Nested
	}
	word := r.Word(outer)
	if outer.Nested == "" {
		return word
	}
	return outer.Nested + "/" + word
}

// Word is the first word of a statement.
func (f *File) Word(s *Statement) string {
	if s.From == s.To {
		return "block"
	}
	return f.Of(s.From)
}

// isDefinition reports whether a word begins a statement that stands only at top
// level.
func isDefinition(word string) bool {
	return slices.Contains([]string{"def", "gate", "extern", "OPENQASM", "include", "defcal", "defcalgrammar"}, word)
}

// headEnd is the token after the statement or head that begins in hand.
func (r *reader) headEnd() int32 {
	first := r.at
	switch {
	case r.Tokens[first].Kind == directiveToken:
		return first + 1
	case r.Is(first, "else") && !r.Is(first+1, "if"), r.Is(first, "default"):
		return first + 1
	case r.Is(first, "if"), r.Is(first, "while"), r.Is(first, "else"):
		return r.afterBracket(first)
	}
	loop := r.Is(first, "for")
	depth, in := 0, false
	for at := first; at < int32(len(r.Tokens)); at++ {
		if r.Tokens[at].Kind == directiveToken || at > first && depth == 0 && r.breaks(first, at) {
			return at
		}
		switch r.Of(at) {
		case ";":
			return at
		case "(", "[":
			depth++
		case ")", "]":
			depth = max(depth-1, 0)
		case "{":
			if !r.opensList(at) {
				return at
			}
			depth++
		case "}":
			if depth == 0 {
				return at
			}
			depth--
		case "in":
			in = loop
			continue
		}
		if in && depth == 0 && r.EndsOperand(at) && (r.Is(at+1, "{") || r.IsWord(at+1)) {
			return at + 1
		}
	}
	return int32(len(r.Tokens))
}

// afterBracket is the token after the first bracket on the line, which a
// condition stands in.
func (r *reader) afterBracket(first int32) int32 {
	depth := 0
	for at := first; at < int32(len(r.Tokens)); at++ {
		switch r.Of(at) {
		case "(":
			depth++
		case ")":
			if depth--; depth <= 0 {
				return at + 1
			}
		case ";", "{", "}":
			return at
		}
	}
	return int32(len(r.Tokens))
}

// opensList reports whether a brace opens a list of values.
func (r *reader) opensList(at int32) bool {
	return at > 0 && slices.Contains([]string{"=", "in", ",", "(", "{", "["}, r.Of(at-1))
}

// EndsOperand reports whether an operand may end with the token.
func (s *Source) EndsOperand(at int32) bool {
	switch s.Tokens[at].Kind {
	case MarkToken:
		text := s.Of(at)
		return text == ")" || text == "]" || text == "}"
	case directiveToken:
		return false
	}
	return true
}

// longestChecked is the number of tokens up to which it is tried whether a line
// goes on with the next.
const longestChecked = 64

// breaks reports whether a statement ends before a token though a semicolon is
// missing: the token begins a line, and what is on it does not continue the
// statement.
func (r *reader) breaks(first, at int32) bool {
	if r.Tokens[at].Line == r.Tokens[at-1].Line || r.Tokens[at].Kind != WordToken || !r.EndsOperand(at-1) {
		return false
	}
	if isDefinition(r.Of(at)) || at-first > longestChecked {
		return true
	}
	end := at + 1
	for end < int32(len(r.Tokens)) && end-first <= longestChecked && !r.Is(end, ";") && !r.Is(end, "{") && !r.Is(end, "}") {
		if r.Tokens[end].Line > r.Tokens[end-1].Line && r.IsWord(end) && r.EndsOperand(end-1) {
			break
		}
		end++
	}
	return r.read.FormOf(&r.Source, first, end) == Foreign
}

// ownComments finds what each comment stands at: the statement at top level that
// it is within, after on the same line, or directly above, with comments between or not.
func (f *File) ownComments() {
	var top []int32 // the statements at top level that may be above the comment, and the one below
	f.Top(func(n int32, _ *Statement) { top = plain.Append(top, n) })
	f.Owners = make([]int32, len(f.Comments))
	for i := len(f.Comments) - 1; i >= 0; i-- {
		c := &f.Comments[i]
		for len(top) > 0 && f.Statements[top[len(top)-1]].From > c.next {
			top = top[:len(top)-1]
		}
		f.Owners[i] = -1
		above := len(top) - 1
		below := above >= 0 && f.Statements[top[above]].From == c.next
		if below {
			above--
		}
		if above >= 0 {
			end := f.Statements[top[above]].End
			if c.next < end || c.next == end && f.Tokens[c.next-1].Line == c.line {
				f.Owners[i] = top[above]
				continue
			}
		}
		if !below {
			continue
		}
		line, owner := f.Tokens[c.next].Line, top[above+1]
		if i+1 < len(f.Comments) && f.Comments[i+1].next == c.next {
			line, owner = f.Comments[i+1].line, f.Owners[i+1]
		}
		if c.lastLine+1 >= line {
			f.Owners[i] = owner
		}
	}
}

// countOperations is the number of operations at top level, those with a block being one.
func countOperations(files vfs.Files) int {
	n := 0
	for _, f := range ReadFiles(files) {
		f.Top(func(_ int32, s *Statement) {
			if s.Form >= Operation && s.Form <= Block {
				n++
			}
		})
	}
	return n
}

func assigns(mark string) bool {
	return slices.Contains([]string{"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "~=", "<<=", ">>=", "**="}, mark)
}

func (p *Parts) assignment() bool {
	from := p.at
	if !p.operand("target", p.Until) || p.done() || !assigns(p.Of(p.at)) {
		p.List, p.at = p.List[:0], from
		return false
	}
	if p.Of(p.at) != "=" {
		p.add("operator", p.at, p.at+1)
	}
	p.at++
	return p.expression("value", p.Until)
}

// gateOrCall reads a gate with its modifiers, angles and qubits, or the call of a subroutine.
func (p *Parts) gateOrCall() bool {
	for p.modifier() {
	}
	if p.done() || !p.IsWord(p.at) {
		return false
	}
	name := p.at
	p.add("gate", name, name+1)
	p.at++
	if !p.angles("angle") {
		return false
	}
	if p.done() {
		p.List[len(p.List)-1-p.Count("angle")].Name = "call"
		for i := range p.List {
			if p.List[i].Name == "angle" {
				p.List[i].Name = "argument"
			}
		}
		return p.at-name > 1
	}
	return p.item("qubits")
}

// modifier takes one of `ctrl @`, `negctrl(2) @`, `inv @` and `pow(1/2) @`.
func (p *Parts) modifier() bool {
	from := p.at
	if p.done() || !isModifier(p.Of(p.at)) {
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
