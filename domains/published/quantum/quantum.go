// Package quantum is the published reading and score of the domain quantum.
//
// F1(R,G) of name sets: 1 if both empty, 0 if one is; 2pr/(p+r), 0 when nothing is shared. sim(a,b): 1 if equal, 0 if
// one is empty, else the difflib ratio on characters, reference first, autojunk on (bodies often pass 200 characters).
//
// Each of constants, registers, externs, gates: both empty 1; one empty 0; no shared name 0; otherwise 0.4·F1(names) +
// 0.6·mean over shared names of a detail (last of equal names wins):
//
//   - constants: sim of trimmed values; registers: sim of size texts
//   - externs: 0.6·sim(parameters joined by , ) + 0.4·sim(return types, absent = "")
//   - gates: 0.7·sim(body) + 0.3·sim(qubit lists in Python list notation, ['a', 'b']); parameters are not compared
//
// Subroutines: both empty 1; only the reference empty 0.5; only the candidate empty 0; else the mean over reference
// subroutines (missing 0) of 0.25·signature + 0.50·sim(body) + 0.25·ops, where signature = 0.6·sim(arguments as
// name:type joined by , ; 1 when the lists are equal) + 0.4·sim(return types), and ops = 1 if both op lists are empty,
// 0 if one is, else sim of the op names joined by blanks. If the candidate has extra names, multiply by 1 −
// min(extra/reference count, 0.2).
//
// raw = 0.10·constants + 0.10·registers + 0.10·externs + 0.05·gates + 0.65·subroutines. Multiply by 0.2 if the
// reference has subroutines and the candidate none, by 0.6 likewise for constants, by 0.7 for registers. Rounded to 6
// decimals.
//
// Exception: if a file of the candidate fell back and the candidate has no subroutine, constant, register or extern
// (gates do not count), then score = 0.5·sim of the raw texts, each with every line trimmed, lines starting with //
// removed, the whole trimmed. A fallback on the reference side changes nothing by itself; a candidate that parses never
// gets here.
//
// One side by grammar, one by fallback (a single slip anywhere in a file): gate definitions exist on one side only, so
// that part is 0 (costs 0.05), or 1 if the program has none; bodies are canonical on one side and raw, comments cut, on
// the other; qubit arguments have no type on one side; sized constants are missing on the other; registers gain
// signature parameters; the op list of the fallback has the gates inside if branches, and variables of those names, but
// no other gates.
package quantum

import (
	"slices"
	"strings"
	"sync"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
	"agentd/internal/lazyregexp"
	"agentd/vfs"
)

// Program is what the published evaluator finds in a program: by the grammar in
// each file that follows it, by patterns in each other.
type Program struct {
	constants   []declaration // a value
	registers   []declaration // a size
	externs     []declaration // parameters, joined, and what it returns
	gates       []declaration // a body, and qubits as Python prints the list
	subroutines []subroutine
	raw         string
	// flat is the number of operations at top level that the grammar reads.
	flat int
	// fellBack says that a file does not follow the grammar.
	fellBack bool
	// operations is the number of operations at top level, by the format's rules.
	operations func() int
}

// declaration is what a program gives a name, with one or two texts.
type declaration struct{ name, text, more string }

type subroutine struct {
	name       string
	args       string // each as name:type, joined
	returns    string
	body       string
	operations []string // names of gates, reset and measure
}

// Parse reads every file for itself. Of constants and subroutines of one name the
// last stands in the place of the first.
func Parse(files vfs.Files) (Program, error) {
	var p Program
	for _, name := range files.Names() {
		p.raw += "\n" + files[name]
		file, err := ParseGrammar(files[name])
		if err != nil {
			p.fellBack = true
			file = findParts(withoutComments(files[name]))
		}
		p.constants = append(p.constants, file.constants...)
		p.registers = append(p.registers, file.registers...)
		p.externs = append(p.externs, file.externs...)
		p.gates = append(p.gates, file.gates...)
		p.subroutines = append(p.subroutines, file.subroutines...)
		p.flat += file.flat
	}
	p.constants = sets.LastByName(p.constants, declaredName)
	p.subroutines = sets.LastByName(p.subroutines, subroutineName)
	p.operations = sync.OnceValue(func() int { return countOperations(files) })
	return p, nil
}

func declaredName(d *declaration) string  { return d.name }
func subroutineName(s *subroutine) string { return s.name }

// withoutComments cuts line comments, with the whole line where they begin it. Block comments stay.
func withoutComments(text string) string {
	var kept []string
	for line := range strings.SplitSeq(text, "\n") {
		code, _, commented := strings.Cut(line, "//")
		if !commented || pytext.Strip(code) != "" {
			kept = append(kept, code)
		}
	}
	return strings.Join(kept, "\n")
}

// The patterns of the published reader.
var (
	constantPattern   = pytext.Pattern(`const\s+\w+\s+(\w+)\s*=\s*([^;]+);`)
	sizedPattern      = pytext.Pattern(`qubit\[([^\]]+)\]\s+(\w+)`)
	registerPattern   = pytext.Pattern(`qubit\s+(\w+)\s*;`)
	externPattern     = pytext.Pattern(`extern\s+(\w+)\s*\(([^)]*)\)(?:\s*->\s*([^;]+))?\s*;`)
	subroutinePattern = pytext.Pattern(`def\s+(\w+)\s*\(([^)]*)\)(?:\s*->\s*([\w\[\]\s]+?))?\s*\{`)
	argumentPattern   = pytext.Pattern(`(\w+(?:\[\w*\])?)\s+(\w+)`)
)

// groups are what the groups of a pattern match, for each match in a text, without outer blanks.
func groups(of *lazyregexp.Regexp, text string) [][]string {
	all := of.FindAllStringSubmatch(text, -1)
	for _, match := range all {
		for i := range match {
			match[i] = pytext.Strip(match[i])
		}
	}
	return all
}

// findParts finds what the patterns of the published reader match.
func findParts(text string) (p Program) {
	for _, m := range groups(constantPattern, text) {
		p.constants = append(p.constants, declaration{name: m[1], text: m[2]})
	}
	for _, m := range groups(sizedPattern, text) {
		p.registers = append(p.registers, declaration{name: m[2], text: m[1]})
	}
	for _, m := range groups(registerPattern, text) {
		p.registers = append(p.registers, declaration{name: m[1], text: "1"})
	}
	for _, m := range groups(externPattern, text) {
		p.externs = append(p.externs, declaration{m[1], strings.Join(pytext.Parts(m[2], ","), ", "), m[3]})
	}
	bodies := newBodies(text)
	ends := subroutinePattern.FindAllStringIndex(text, -1)
	for n, m := range groups(subroutinePattern, text) {
		args := lists.Map(groups(argumentPattern, m[2]), func(arg []string) string { return arg[2] + ":" + arg[1] })
		body := bodies.after(ends[n][1])
		p.subroutines = append(p.subroutines, subroutine{m[1], strings.Join(args, ", "), m[3], body, gateOps(body)})
	}
	return p
}

// gateWords are what the published reader takes for gate operations.
var gateWords = strings.Fields("h cx cz x y z s t rx ry rz reset measure cnot swap")

func gateOps(body string) (ops []string) {
	for word := range strings.FieldsFuncSeq(body, func(r rune) bool { return !pytext.IsWord(r) }) {
		if slices.Contains(gateWords, word) {
			ops = append(ops, word)
		}
	}
	return ops
}

// deepestBrace is how deep in braces a subroutine's body is read. Subroutines lie in
// each other where closing braces were lost.
const deepestBrace = 32

// bodies finds what stands between braces.
type bodies struct {
	text  string
	open  []int // after opening braces
	close []int // where each ends, 0 if it is too deep
}

func newBodies(text string) bodies {
	b := bodies{text: text}
	var stack []int // of places in open
	for at := 0; ; at++ {
		n := strings.IndexAny(text[at:], "{}")
		if n < 0 {
			break
		}
		at += n
		switch {
		case text[at] == '{':
			stack = append(stack, len(b.open))
			b.open, b.close = append(b.open, at+1), append(b.close, 0)
		case len(stack) > 0:
			last := len(stack) - 1
			if last < deepestBrace {
				b.close[stack[last]] = at
			}
			stack = stack[:last]
		}
	}
	for _, i := range stack[:min(len(stack), deepestBrace)] {
		b.close[i] = max(b.open[i], len(text)-1)
	}
	return b
}

// after is the body after an opening brace.
func (b *bodies) after(at int) string {
	i, _ := slices.BinarySearch(b.open, at)
	if b.close[i] == 0 {
		return ""
	}
	return pytext.Strip(b.text[at:b.close[i]])
}

// count is the number of subroutines, or of operations where there are none on the reference's side.
func (p *Program) count(reference *Program) int {
	if len(reference.subroutines) > 0 {
		return len(p.subroutines)
	}
	return p.operations()
}

// Stats counts the parts of a document.
func Stats(p Program) domains.Stats {
	operations := p.flat
	for i := range p.subroutines {
		operations += len(p.subroutines[i].operations)
	}
	return domains.StatsOf(p.count(&p), "Constants", len(p.constants), "Qubit Registers", len(p.registers),
		"Extern Decls", len(p.externs), "Gate Defs", len(p.gates), "Subroutines", len(p.subroutines),
		"Total Gate Ops", operations)
}

// Score is the weighted sum of five parts, less where the candidate has lost all of a kind. A candidate that does not
// follow the grammar and in which nothing is found is compared as text.
func Score(ref, got Program, noted *notes.Notes) domains.Reading {
	parts := map[string]float64{}
	reading := domains.Reading{
		Components: parts,
		Elements:   domains.Elements{Reference: ref.count(&ref), Candidate: got.count(&ref)},
	}
	if got.fellBack && len(got.subroutines)+len(got.constants)+len(got.registers)+len(got.externs) == 0 {
		parts["text"] = ratio.Share(plainText(ref.raw), plainText(got.raw), noted)
		reading.RS = pytext.Round(0.5*parts["text"], 6)
		return reading
	}
	declared := func(ref, got []declaration, text, more float64) float64 {
		return sets.Named(ref, got, declaredName, func(a, b *declaration) float64 {
			return float64(text*ratio.Share(a.text, b.text, noted)) + float64(more*ratio.Share(a.more, b.more, noted))
		})
	}
	parts["constants"] = declared(ref.constants, got.constants, 1, 0)
	parts["registers"] = declared(ref.registers, got.registers, 1, 0)
	parts["externs"] = declared(ref.externs, got.externs, 0.6, 0.4)
	parts["gates"] = declared(ref.gates, got.gates, 0.7, 0.3)
	parts["subroutines"] = subroutinesShare(ref.subroutines, got.subroutines, noted)
	parts["multiplier"] = 1
	lose := func(had, has int, factor float64) {
		if had > 0 && has == 0 {
			parts["multiplier"] *= factor
		}
	}
	lose(len(ref.subroutines), len(got.subroutines), 0.2)
	lose(len(ref.constants), len(got.constants), 0.6)
	lose(len(ref.registers), len(got.registers), 0.7)
	raw := float64(0.10*parts["constants"]) + float64(0.10*parts["registers"]) + float64(0.10*parts["externs"]) +
		float64(0.05*parts["gates"]) + float64(0.65*parts["subroutines"])
	reading.RS = pytext.Round(raw*parts["multiplier"], 6)
	return reading
}

func subroutinesShare(ref, got []subroutine, noted *notes.Notes) float64 {
	switch {
	case len(ref) == 0 && len(got) == 0:
		return 1
	case len(ref) == 0:
		return 0.5
	}
	pairs, sum := sets.PairByName(ref, got, subroutineName).Both, 0.0
	for _, pair := range pairs {
		sum += sameSubroutine(pair[0], pair[1], noted)
	}
	share := sum / float64(len(ref))
	if extra := len(got) - len(pairs); extra > 0 {
		share *= 1 - min(float64(extra)/float64(len(ref)), 0.2)
	}
	return share
}

func sameSubroutine(ref, got *subroutine, noted *notes.Notes) float64 {
	args, returns := ratio.Share(ref.args, got.args, noted), ratio.Share(ref.returns, got.returns, noted)
	signature := float64(0.6*args) + float64(0.4*returns)
	operations := ratio.Share(strings.Join(ref.operations, " "), strings.Join(got.operations, " "), noted)
	return float64(0.25*signature) + float64(0.50*ratio.Share(ref.body, got.body, noted)) + float64(0.25*operations)
}

// plainText is a text without outer blanks on its lines and without the lines that are comments.
func plainText(text string) string {
	var kept []string
	for line := range strings.SplitSeq(text, "\n") {
		if line = pytext.Strip(line); !strings.HasPrefix(line, "//") {
			kept = append(kept, line)
		}
	}
	return pytext.Strip(strings.Join(kept, "\n"))
}

// Others counts the parts by which a document without a counted element is scored.
func Others(p Program) int { return len(p.constants) + len(p.registers) + len(p.externs) }
