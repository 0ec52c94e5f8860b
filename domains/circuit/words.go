package circuit

import (
	"iter"
	"slices"
	"strings"

	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
)

// word is a part of a statement, an equals sign or what stands between blanks:
// expressions in braces and quotes, and what is in parentheses, are in one.
type word struct {
	text  string
	start int // in the statement
}

// lexer finds the words and comments of a statement.
type lexer struct {
	text string
	at   int
	end  int // of the line in hand
	// open makes parentheses and commas blanks, as in PULSE(0 1.8 2n).
	open    bool
	words   []word
	remarks []word
}

// words finds the words of a statement. Those of sources and models are without parentheses and commas.
func (s *statement) words() []word {
	words, _ := s.parts()
	return words
}

// parts finds the words and the comments.
func (s *statement) parts() (words, remarks []word) {
	if s.lexed {
		return s.code, s.remarks
	}
	start := strings.TrimLeft(s.text, " \t")
	model := len(start) >= len(".model") && strings.EqualFold(start[:len(".model")], ".model")
	l := lexer{text: s.text, open: model || start != "" && strings.IndexByte("vViI", start[0]) >= 0}
	l.words = make([]word, 0, 4+len(s.text)/8)
	l.run()
	s.lexed, s.code, s.remarks = true, l.words, l.remarks
	return s.code, s.remarks
}

func (l *lexer) run() {
	fresh := true // at the beginning of a line
	l.findEnd()
	for l.at < len(l.text) {
		c := l.text[l.at]
		switch {
		case c == '\n':
			fresh = true
			l.at++
			l.findEnd()
		case strings.IndexByte(" \t\r\f\v", c) >= 0 || l.open && strings.IndexByte("(),", c) >= 0:
			l.at++
		case fresh && l.at > 0 && c == '+':
			fresh = false
			l.at++
		case fresh && l.at > 0 && kindOfLine(l.line()) == commentLine, l.commentStarts():
			l.remarks = append(l.remarks, word{l.line(), l.at})
			l.at = l.end
		default:
			fresh = false
			l.words = append(l.words, l.word())
		}
	}
}

// findEnd finds the end of the line in hand.
func (l *lexer) findEnd() {
	l.end = len(l.text)
	if n := strings.IndexByte(l.text[l.at:], '\n'); n >= 0 {
		l.end = l.at + n
	}
}

// line is the rest of the line.
func (l *lexer) line() string { return l.text[l.at:l.end] }

// commentStarts reports whether a comment begins here: a semicolon, or after a
// blank two slashes or a dollar sign that stands alone.
func (l *lexer) commentStarts() bool {
	rest := l.text[l.at:]
	if rest[0] == ';' {
		return true
	}
	if l.at == 0 || strings.IndexByte(" \t", l.text[l.at-1]) < 0 {
		return false
	}
	return strings.HasPrefix(rest, "//") || rest[0] == '$' && (len(rest) == 1 || strings.IndexByte(" \t\n", rest[1]) >= 0)
}

// word reads a word at the place in hand.
func (l *lexer) word() word {
	start := l.at
	if l.text[l.at] == '=' {
		l.at++
	} else {
		l.toWordEnd()
	}
	return word{l.text[start:l.at], start}
}

func (l *lexer) toWordEnd() {
	depth := 0 // of parentheses
	for ; l.at < len(l.text); l.at++ {
		switch c := l.text[l.at]; {
		case c == '\n' || c == ';' || l.open && strings.IndexByte("(),", c) >= 0:
			return
		case c == '{' || c == '\'' || c == '"':
			l.at += groupLength(l.line()) - 1
		case c == '(':
			depth++
		case c == ')':
			depth = max(depth-1, 0)
		case depth == 0 && (c == '=' || strings.IndexByte(" \t\r\f\v", c) >= 0):
			return
		}
	}
}

// groupLength is the length of a text up to the brace or quote that closes its first, or all of it if none does.
func groupLength(text string) int {
	if text[0] != '{' {
		if n := strings.IndexByte(text[1:], text[0]); n >= 0 {
			return n + 2
		}
		return len(text)
	}
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(text)
}

// assignment is a name with a value, or a word without one.
type assignment struct {
	name, value word
	given       bool // the value
}

// assignments yields names with the words after equals signs, and their numbers from 0.
func assignments(words []word) iter.Seq2[int, assignment] {
	return func(yield func(int, assignment) bool) {
		n := 0
		for i := 0; i < len(words); i++ {
			a := assignment{name: words[i]}
			if i+2 < len(words) && words[i+1].text == "=" && words[i].text != "=" {
				a.value, a.given = words[i+2], true
				i += 2
			}
			if !yield(n, a) {
				return
			}
			n++
		}
	}
}

// positional counts the words before the first equals sign, without the name in front of it.
func positional(words []word) int {
	for i, w := range words {
		if w.text == "=" {
			return max(i-1, 0)
		}
	}
	return len(words)
}

type kind uint8

const (
	blankLine kind = iota
	commentLine
	titleLine   // the first line of a file, without a star
	elementLine // a device, source or instance
	commandLine // with a full stop before it
	controlLine // between .control and .endc
	otherLine   // no part of a netlist
)

// statement is a line of a netlist with the lines that continue it, and with the comments between them.
type statement struct {
	kind  kind
	text  string // as written, without the last line end
	word  string // of a command its name, of an element its own, in lower case
	scope string // the subcircuits it stands in, from the outermost, with slashes
	// What parts found, once it has looked.
	lexed         bool
	code, remarks []word
}

// netFile is a file as a simulator reads it. Printing its statements gives the file.
type netFile struct {
	name       string
	statements []statement
	// unclosed are the statements that open a subcircuit or control block which the file does not close.
	unclosed map[int]bool
}

func readFile(name, text string) netFile {
	f := netFile{name: name, unclosed: map[int]bool{}}
	f.statements = divided(plain.Lines(text))
	var open []int // the .subckt statements of the scope in hand
	control := -1  // the .control statement of the block in hand
	scope := ""
	whole := slices.ContainsFunc(f.statements, isEnd)
	ended, begun := false, false
	for i := range f.statements {
		s := &f.statements[i]
		s.scope = scope
		if s.kind == blankLine || s.kind == commentLine {
			begun = begun || s.kind == commentLine
			continue
		}
		s.classify()
		first := !begun
		begun = true
		switch {
		case ended:
			s.kind = otherLine
		case control >= 0 && s.word == ".endc":
			control = -1
		case control >= 0:
			s.kind = controlLine
		case first && (s.kind == otherLine || s.kind == elementLine && whole):
			s.kind = titleLine
		case s.word == ".control":
			control = i
		case s.word == ".subckt":
			open = append(open, i)
			scope = within(scope, s.subcircuitName(), len(open))
		case s.word == ".ends" && len(open) > 0:
			scope = f.statements[open[len(open)-1]].scope
			open = open[:len(open)-1]
		case s.word == ".ends":
			s.kind = otherLine
		case s.word == ".end":
			ended = true
		}
	}
	if control >= 0 {
		open = append(open, control)
	}
	for _, i := range open {
		f.unclosed[i] = true
	}
	return f
}

// isEnd reports whether a statement ends a netlist. Its first line is a title,
// regardless of its look; that of a library may be an element.
func isEnd(s statement) bool { return strings.EqualFold(strings.TrimSpace(s.text), ".end") }

// deepest is how deep the names of nested subcircuits are told apart.
const deepest = 16

func within(scope, name string, depth int) string {
	switch {
	case scope == "":
		return name
	case depth > deepest:
		return scope
	}
	return scope + "/" + name
}

// divided joins lines with those that continue them.
func divided(lines []string) []statement {
	statements := make([]statement, 0, len(lines))
	starts := make([]int, 0, len(lines)) // the first line of each statement
	for n, line := range lines {
		k := kindOfLine(line)
		if k == otherLine && strings.TrimLeft(line, " \t")[0] == '+' {
			at := len(statements) - 1
			for at >= 0 && statements[at].kind <= commentLine {
				at--
			}
			if at >= 0 {
				statements, starts = statements[:at+1], starts[:at+1]
				continue
			}
		}
		statements = append(statements, statement{kind: k})
		starts = append(starts, n)
	}
	for i := range statements {
		end := len(lines)
		if i+1 < len(starts) {
			end = starts[i+1]
		}
		statements[i].text = strings.Join(lines[starts[i]:end], "\n")
	}
	return statements
}

// kindOfLine tells blank lines and comments from the rest.
func kindOfLine(line string) kind {
	switch rest := strings.TrimLeft(line, " \t"); {
	case strings.TrimRight(rest, " \t\r\f\v") == "":
		return blankLine
	case strings.IndexByte("*#;$", rest[0]) >= 0 || strings.HasPrefix(rest, "//"):
		return commentLine
	}
	return otherLine
}

// classify finds out whether a statement is a command or an element.
func (s *statement) classify() {
	start := strings.TrimLeft(s.text, " \t")
	c := start[0] | 0x20
	switch {
	case start[0] == '.':
		s.kind = commandLine
		s.word = strings.ToLower(start[:strings.IndexAny(start+" ", " \t\n")])
		if s.word == "." {
			s.kind = otherLine
		}
	case 'a' <= c && c <= 'z':
		words := s.words()
		if len(words) > 0 && isElement(words) {
			s.kind = elementLine
			s.word = strings.ToLower(words[0].text)
		}
	}
}

// subcircuitName is the name that a .subckt statement gives, in lower case.
func (s *statement) subcircuitName() string {
	const most = 200 // of a name, in bytes
	if words := s.words(); len(words) > 1 {
		name := words[1].text
		return strings.ToLower(name[:min(len(name), most)])
	}
	return ""
}

func (f *netFile) print() string {
	return plain.Text(lists.Each(f.statements, func(s *statement) string { return s.text }))
}
