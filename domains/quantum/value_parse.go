package quantum

import (
	"slices"
	"strings"
	"sync"

	"agentd/domains/internal/pytext"
	"agentd/domains/internal/sets"
	"agentd/vfs"
)

// program is what the published evaluator finds in a program: by the grammar in
// each file that follows it, by patterns in each other.
type program struct {
	constants   []constant
	registers   []register
	externs     []extern
	gates       []gate
	subroutines []subroutine
	raw         string
	// flat is the number of operations at top level that the grammar reads.
	flat int
	// fellBack says that a file does not follow the grammar.
	fellBack bool
	// operations is the number of operations at top level, by the format's rules.
	operations func() int
}

type constant struct{ name, value string }

type register struct{ name, size string }

type extern struct {
	name    string
	params  string // joined
	returns string
}

type gate struct {
	name   string
	qubits string // as Python prints the list
	body   string
}

type subroutine struct {
	name       string
	args       string // each as name:type, joined
	returns    string
	body       string
	operations []string // names of gates, reset and measure
}

// parse reads every file for itself. Of constants and subroutines of one name the
// last stands in the place of the first.
func parse(files vfs.Files) (program, error) {
	var p program
	for _, name := range files.Names() {
		p.raw += "\n" + files[name]
		if file, err := parseGrammar(files[name]); err == nil {
			p.add(&file)
			continue
		}
		p.fellBack = true
		p.find(withoutComments(files[name]))
	}
	p.constants = sets.LastByName(p.constants, constantName)
	p.subroutines = sets.LastByName(p.subroutines, subroutineName)
	p.operations = sync.OnceValue(func() int { return countOperations(files) })
	return p, nil
}

func constantName(c *constant) string     { return c.name }
func registerName(r *register) string     { return r.name }
func externName(e *extern) string         { return e.name }
func gateName(g *gate) string             { return g.name }
func subroutineName(s *subroutine) string { return s.name }

// withoutComments cuts line comments, with the whole line where they begin it.
// Block comments stay.
func withoutComments(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	first := true
	for line := range strings.SplitSeq(text, "\n") {
		at := strings.Index(line, "//")
		if at >= 0 && pytext.Strip(line[:at]) == "" {
			continue
		}
		if !first {
			b.WriteByte('\n')
		}
		first = false
		if at >= 0 {
			line = line[:at]
		}
		b.WriteString(line)
	}
	return b.String()
}

// find adds what the patterns of the published reader match.
func (p *program) find(text string) {
	p.constants = append(p.constants, all("const", text, findConstant)...)
	p.registers = append(p.registers, all("qubit", text, findSizedRegister)...)
	p.registers = append(p.registers, all("qubit", text, findRegister)...)
	p.externs = append(p.externs, all("extern", text, findExtern)...)
	bodies := newBodies(text)
	p.subroutines = append(p.subroutines, all("def", text, func(m *matcher) (subroutine, bool) {
		s, ok := findSubroutine(m)
		if ok {
			s.body = bodies.after(m.at)
			s.operations = gateOps(s.body)
		}
		return s, ok
	})...)
}

// all finds all matches of a pattern that begins with a word, wherever in the text
// that word stands. match is called after the word, and leaves the matcher at the
// end of what it matched.
func all[T any](word, text string, match func(*matcher) (T, bool)) []T {
	var found []T
	m := matcher{text: text}
	for {
		n := strings.Index(m.text[m.at:], word)
		if n < 0 {
			return found
		}
		start := m.at + n + len(word)
		m.at = start
		if item, ok := match(&m); ok {
			found = append(found, item)
		} else {
			m.at = start
		}
	}
}

// `const\s+\w+\s+(\w+)\s*=\s*([^;]+);`
func findConstant(m *matcher) (c constant, ok bool) {
	if !m.spaces() || m.word() == "" || !m.spaces() {
		return c, false
	}
	if c.name = m.word(); c.name == "" {
		return c, false
	}
	m.spaces()
	if !m.is("=") {
		return c, false
	}
	c.value, ok = m.upTo(';')
	return c, ok
}

// `qubit\[([^\]]+)\]\s+(\w+)`
func findSizedRegister(m *matcher) (r register, ok bool) {
	if !m.is("[") {
		return r, false
	}
	if r.size, ok = m.upTo(']'); !ok || !m.spaces() {
		return r, false
	}
	r.name = m.word()
	return r, r.name != ""
}

// `qubit\s+(\w+)\s*;`
func findRegister(m *matcher) (r register, ok bool) {
	if !m.spaces() {
		return r, false
	}
	r = register{name: m.word(), size: "1"}
	m.spaces()
	return r, r.name != "" && m.is(";")
}

// `extern\s+(\w+)\s*\(([^)]*)\)(?:\s*->\s*([^;]+))?\s*;`
func findExtern(m *matcher) (e extern, ok bool) {
	params, ok := m.signature(&e.name)
	if !ok {
		return e, false
	}
	var list []string
	for param := range strings.SplitSeq(params, ",") {
		if param = pytext.Strip(param); param != "" {
			list = append(list, param)
		}
	}
	e.params = strings.Join(list, ", ")
	m.spaces()
	if m.is("->") {
		e.returns, ok = m.upTo(';')
		return e, ok
	}
	return e, m.is(";")
}

// `def\s+(\w+)\s*\(([^)]*)\)(?:\s*->\s*([\w\[\]\s]+?))?\s*\{`
func findSubroutine(m *matcher) (s subroutine, ok bool) {
	params, ok := m.signature(&s.name)
	if !ok {
		return s, false
	}
	m.spaces()
	if m.is("->") {
		start := m.at
		m.skip(func(r rune) bool { return pytext.IsWord(r) || r == '[' || r == ']' || pytext.IsSpace(r) })
		if m.at == start {
			return s, false
		}
		s.returns = pytext.Strip(m.text[start:m.at])
	}
	if !m.is("{") {
		return s, false
	}
	s.args = arguments(params)
	return s, true
}

// arguments are all of `(\w+(?:\[\w*\])?)\s+(\w+)`.
func arguments(params string) string {
	var list []string
	for m := (matcher{text: params}); ; {
		m.skip(func(r rune) bool { return !pytext.IsWord(r) })
		start := m.at
		if m.word() == "" {
			return strings.Join(list, ", ")
		}
		after := m.at
		if m.is("[") {
			m.word()
			if !m.is("]") {
				m.at = after
			}
		}
		kind := m.text[start:m.at]
		if !m.spaces() {
			m.at = after
			continue
		}
		if name := m.word(); name != "" {
			list = append(list, name+":"+kind)
		} else {
			m.at = after
		}
	}
}

// gateWords are what the published reader takes for gate operations.
var gateWords = []string{
	"h", "cx", "cz", "x", "y", "z", "s", "t", "rx", "ry", "rz", "reset", "measure", "cnot", "swap",
}

func gateOps(body string) []string {
	var ops []string
	for m := (matcher{text: body}); ; {
		m.skip(func(r rune) bool { return !pytext.IsWord(r) })
		word := m.word()
		if word == "" {
			return ops
		}
		if slices.Contains(gateWords, word) {
			ops = append(ops, word)
		}
	}
}
