package quantum

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// statement is a statement, or the head of one with a block.
type statement struct {
	form     form
	from, to int32 // the tokens of the statement or head
	end      int32 // the token after all of it
	parent   int32 // the statement whose block it stands in, -1 at top level
	last     int32 // the statement after all of its block
	open     bool  // the block is not closed
	nested   string
}

// file is a program's text in statements.
type file struct {
	source
	statements []statement
	// owners are, of each comment, the statement at top level it stands at, -1 if none.
	owners []int32
}

// readFile reads a text as a compiler would, and goes on after what it would refuse.
func readFile(name, text string) *file {
	f := &file{source: lex(name, clean(text))}
	r := reader{file: f}
	for r.at < int32(len(f.tokens)) {
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

func readFiles(files vfs.Files) []*file {
	return lists.Map(files.Names(), func(name string) *file { return readFile(name, files[name]) })
}

// reader divides tokens into statements.
type reader struct {
	*file
	at   int32
	open []openBlock
	read parts
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
	s := &r.statements[r.parent()]
	s.end, s.last = r.at, int32(len(r.statements))
	r.open = r.open[:len(r.open)-1]
}

// abandon closes the innermost block though its brace is missing.
func (r *reader) abandon() {
	innermost := r.open[len(r.open)-1]
	r.statements[innermost.statement].open = !innermost.single
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
	case r.is(r.at, ";"):
		r.at++
		return
	case r.is(r.at, "}"):
		r.closeBrace()
		return
	case isDefinition(r.of(r.at)):
		for len(r.open) > 0 { // definitions stand at top level, so a brace was lost
			r.abandon()
		}
	}
	from := r.at
	to := r.headEnd()
	s := statement{from: from, to: to, parent: r.parent(), nested: r.nesting()}
	s.form = r.read.formOf(&r.source, from, to)
	r.at = to
	switch {
	case r.is(to, "{"):
		if s.form == foreign && from == to {
			s.form = block
		}
		r.at++
		r.begin(s, false)
	case s.form == control || s.form == branch:
		r.begin(s, true)
	default:
		if r.is(to, ";") {
			r.at++
		}
		s.end, s.last = r.at, int32(len(r.statements))+1
		r.statements = plain.Append(r.statements, s)
		r.completed()
	}
}

func (r *reader) begin(s statement, single bool) {
	r.open = append(r.open, openBlock{int32(len(r.statements)), single})
	r.statements = plain.Append(r.statements, s)
}

func (r *reader) closeBrace() {
	r.completed() // their statements are missing
	r.at++
	if len(r.open) == 0 {
		n := int32(len(r.statements))
		r.statements = plain.Append(r.statements, statement{
			form: foreign, from: r.at - 1, to: r.at, end: r.at, parent: -1, last: n + 1,
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
	if n < 0 || r.statements[n].form.defines() {
		return ""
	}
	outer := &r.statements[n]
	if len(r.open) > named {
		return outer.nested
	}
	word := r.word(outer)
	if outer.nested == "" {
		return word
	}
	return outer.nested + "/" + word
}

// word is the first word of a statement.
func (f *file) word(s *statement) string {
	if s.from == s.to {
		return "block"
	}
	return f.of(s.from)
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
	case r.tokens[first].kind == directiveToken:
		return first + 1
	case r.is(first, "else") && !r.is(first+1, "if"), r.is(first, "default"):
		return first + 1
	case r.is(first, "if"), r.is(first, "while"), r.is(first, "else"):
		return r.afterBracket(first)
	}
	loop := r.is(first, "for")
	depth, in := 0, false
	for at := first; at < int32(len(r.tokens)); at++ {
		if r.tokens[at].kind == directiveToken || at > first && depth == 0 && r.breaks(first, at) {
			return at
		}
		switch r.of(at) {
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
		if in && depth == 0 && r.endsOperand(at) && (r.is(at+1, "{") || r.isWord(at+1)) {
			return at + 1
		}
	}
	return int32(len(r.tokens))
}

// afterBracket is the token after the first bracket on the line, which a
// condition stands in.
func (r *reader) afterBracket(first int32) int32 {
	depth := 0
	for at := first; at < int32(len(r.tokens)); at++ {
		switch r.of(at) {
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
	return int32(len(r.tokens))
}

// opensList reports whether a brace opens a list of values.
func (r *reader) opensList(at int32) bool {
	return at > 0 && slices.Contains([]string{"=", "in", ",", "(", "{", "["}, r.of(at-1))
}

// endsOperand reports whether an operand may end with the token.
func (s *source) endsOperand(at int32) bool {
	switch s.tokens[at].kind {
	case markToken:
		text := s.of(at)
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
	if r.tokens[at].line == r.tokens[at-1].line || r.tokens[at].kind != wordToken || !r.endsOperand(at-1) {
		return false
	}
	if isDefinition(r.of(at)) || at-first > longestChecked {
		return true
	}
	end := at + 1
	for end < int32(len(r.tokens)) && end-first <= longestChecked && !r.is(end, ";") && !r.is(end, "{") && !r.is(end, "}") {
		if r.tokens[end].line > r.tokens[end-1].line && r.isWord(end) && r.endsOperand(end-1) {
			break
		}
		end++
	}
	return r.read.formOf(&r.source, first, end) == foreign
}

// evaluator computes expressions of integers.
type evaluator struct {
	*source
	values map[string]int64 // of constants
	at, to int32
	depth  int
}

var (
	errNotInteger = errors.New("no expression of integers")
	errTooLarge   = errors.New("the value is too large")
)

// value computes an expression.
func (e *evaluator) value(from, to int32) (int64, error) {
	e.at, e.to, e.depth = from, to, 0
	v, err := e.operands(0)
	if err == nil && e.at < e.to {
		err = fmt.Errorf("%w: %s", errNotInteger, e.of(e.at))
	}
	return v, err
}

// levels are how tightly marks bind.
var levels = map[string]int{"+": 1, "-": 1, "*": 2, "/": 2, "%": 2}

// operands computes operands with marks between them that bind more tightly than a level.
func (e *evaluator) operands(level int) (int64, error) {
	left, err := e.factor()
	for err == nil && e.at < e.to && levels[e.of(e.at)] > level {
		mark := e.of(e.at)
		e.at++
		var right int64
		if right, err = e.operands(levels[mark]); err == nil {
			left, err = apply(mark, left, right)
		}
	}
	return left, err
}

// mostNested is how deep brackets and signs may stand in each other.
const mostNested = 64

func (e *evaluator) factor() (int64, error) {
	if e.depth++; e.depth > mostNested {
		return 0, errNotInteger
	}
	defer func() { e.depth-- }()
	if e.at >= e.to {
		return 0, errNotInteger
	}
	text := e.of(e.at)
	e.at++
	switch text {
	case "-":
		v, err := e.factor()
		return -v, err
	case "(":
		v, err := e.operands(0)
		if err == nil && (e.at >= e.to || e.of(e.at) != ")") {
			err = errNotInteger
		}
		e.at++
		return v, err
	}
	if v, ok := e.values[text]; ok {
		return v, nil
	}
	v, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return 0, fmt.Errorf("%w: %s", errNotInteger, text)
	}
	return v, nil
}

// apply computes; a quotient is cut to an integer.
func apply(mark string, a, b int64) (v int64, err error) {
	switch mark {
	case "+":
		v = a + b
	case "-":
		v = a - b
	case "*":
		v = a * b
	default:
		if b == 0 {
			return 0, errNotInteger
		}
		if v = a / b; mark == "%" {
			v = a % b
		}
	}
	if v > math.MaxInt32 || v < math.MinInt32 {
		return 0, errTooLarge
	}
	return v, nil
}

const commentElement = "comment"

// ownComments finds what each comment stands at: the statement at top level that
// it is within, after on the same line, or directly above, with comments between or not.
func (f *file) ownComments() {
	var top []int32 // the statements at top level that may be above the comment, and the one below
	f.top(func(n int32, _ *statement) { top = plain.Append(top, n) })
	f.owners = make([]int32, len(f.comments))
	for i := len(f.comments) - 1; i >= 0; i-- {
		c := &f.comments[i]
		for len(top) > 0 && f.statements[top[len(top)-1]].from > c.next {
			top = top[:len(top)-1]
		}
		f.owners[i] = -1
		above := len(top) - 1
		below := above >= 0 && f.statements[top[above]].from == c.next
		if below {
			above--
		}
		if above >= 0 {
			end := f.statements[top[above]].end
			if c.next < end || c.next == end && f.tokens[c.next-1].line == c.line {
				f.owners[i] = top[above]
				continue
			}
		}
		if !below {
			continue
		}
		line, owner := f.tokens[c.next].line, top[above+1]
		if i+1 < len(f.comments) && f.comments[i+1].next == c.next {
			line, owner = f.comments[i+1].line, f.owners[i+1]
		}
		if c.lastLine+1 >= line {
			f.owners[i] = owner
		}
	}
}

// sayings are the lines of a comment without marks and decoration, those that say
// something.
func (f *file) sayings(c *comment) []string {
	text := f.text[c.start:c.end]
	if strings.HasPrefix(text, "/*") {
		text = strings.TrimSuffix(text, "*/")
	}
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		words := strings.Fields(strings.TrimLeft(line, "/*! \t"))
		if len(words) > 0 && isDecoration(words[0]) {
			words = words[1:]
		}
		if n := len(words) - 1; n >= 0 && isDecoration(words[n]) {
			words = words[:n]
		}
		if len(words) > 0 {
			lines = append(lines, strings.Join(words, " "))
		}
	}
	return lines
}

func isDecoration(word string) bool { return strings.Trim(word, "/*-=#~_") == "" }
