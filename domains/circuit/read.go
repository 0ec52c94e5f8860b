package circuit

import (
	"slices"
	"strings"

	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
)

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

// statement is a line of a netlist with the lines that continue it, and with the
// comments between them.
type statement struct {
	kind  kind
	text  string // as written, without the last line end
	word  string // of a command its name, of an element its own, in lower case
	scope string // the subcircuits it stands in, from the outermost, with slashes
	// What parts found, once it has looked.
	lexed         bool
	code, remarks []word
}

// netFile is a file as a simulator reads it. Printing its statements gives the
// file.
type netFile struct {
	name       string
	statements []statement
	// unclosed are the statements that open a subcircuit or control block which
	// the file does not close.
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
