// Package circuit is the published reading and score of the domain circuit.
//
//   - cov = F1 of subcircuit names
//   - ports = mean over shared subcircuits: equal lists (or both empty) 1, one empty 0, else R of the ports joined by
//     spaces; NO shared subcircuit gives 0, so a netlist without subcircuits scores at most 0.9 against itself
//   - elems = mean over reference subcircuits (none: 1; absent in the candidate: 0). Elements by name, later wins. Both
//     empty 1, one empty 0, no shared name 0. Else 0.4*F1(names) + 0.6*mean over shared of (0.2*[prefix equal] +
//     0.3*R(value) + 0.5*N)
//   - inst (X): both empty 1, one empty 0, no shared name 0; else 0.4*F1(names) + 0.6*mean(0.4*[value equal] + 0.6*N)
//   - src (V, I): same frame with 0.5*R(value) + 0.5*N
//   - N = 1 for equal node lists, else F1 of the node SETS
//   - params: same frame with R(value text, trimmed, lower-cased)
//   - ctrl: both empty 1, one empty 0, else R after lower-casing and collapsing white space
//   - dir: both empty 1, one empty 0; on sets of lower-cased, space-collapsed lines 0.6*F1 + 0.4*shared/reference
//
// raw = 0.10 cov + 0.10 ports + 0.30 elems + 0.20 inst + 0.10 src + 0.10 params + 0.05 ctrl + 0.05 dir
//
// Multiplier, product of: 0.3 if the reference has subcircuits and the candidate none; 0.4 likewise for X instances;
// 0.7 likewise for sources. score = raw * multiplier, rounded to 6 decimals.
//
// R, or ratio, is that of package ratio, with the reference first.
package circuit

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/sets"
	"agentd/vfs"
)

// Netlist is a circuit as the published evaluator reads it. All text is in lower case.
type Netlist struct {
	subcircuits []subcircuit
	instances   []component
	sources     []component
	params      []parameter
	control     string
	directives  []string
	elements    int // lines, wherever they stand
	// problem says why nothing could be read, if that is so.
	problem string
}

type subcircuit struct {
	name     string
	ports    []string
	elements []component
}

type component struct {
	name  string // its first letter is the kind of device
	nodes []string
	value string
}

type parameter struct{ name, value string }

// Parse reads every file for itself. One that the published reader gives up on
// contributes nothing; one on which it crashes is an error.
func Parse(files vfs.Files) (Netlist, error) {
	var whole Netlist
	read := false
	var controls []string
	for _, name := range files.Names() {
		n, err := parseFile(files[name])
		if errors.Is(err, domains.ErrCrash) {
			return Netlist{}, fmt.Errorf("%s: %w", name, err)
		}
		if err != nil {
			whole.problem = fmt.Sprintf("%s: %v", name, err)
			continue
		}
		read = true
		whole.subcircuits = append(whole.subcircuits, n.subcircuits...)
		whole.instances = append(whole.instances, n.instances...)
		whole.sources = append(whole.sources, n.sources...)
		whole.params = append(whole.params, n.params...)
		whole.directives = append(whole.directives, n.directives...)
		whole.elements += n.elements
		if n.control != "" {
			controls = append(controls, n.control)
		}
	}
	if read {
		whole.problem = ""
	}
	whole.control = strings.Join(controls, "\n")
	whole.subcircuits = sets.LastByName(whole.subcircuits, (*subcircuit).called)
	whole.params = sets.LastByName(whole.params, func(p *parameter) string { return p.name })
	return whole, nil
}

// block is the lines of the top level or of a subcircuit, without its nested subcircuits.
type block struct {
	name     string // as it is spelled
	ports    []string
	elements []entry
	commands []entry
}

// entry is a logical line. It may be continued after its comment.
type entry struct{ parts []string }

func (e *entry) text() string { return strings.Join(e.parts, "") }

var (
	errNotClosed = errors.New("a missing .end, .ends or .endc")
	errUnknown   = errors.New("not a line of a netlist")
)

// fileReader divides a file into blocks.
type fileReader struct {
	lineReader
	top      block
	subs     []block
	controls []string
	depth    int // of subcircuits
	last     *entry
	count    int
}

// read reads up to the first command that ends the top level.
func (r *fileReader) read() error {
	for {
		line, err := r.next()
		if err != nil {
			return err
		}
		start := strings.TrimLeft(line, " \t")
		if start == "" {
			return fmt.Errorf("%w: %.60q", errUnknown, line)
		}
		switch c := start[0]; {
		case c == '+':
			if r.last != nil {
				r.last.parts = append(r.last.parts, line)
			}
		case strings.IndexByte("#;*\n", c) >= 0:
			r.last = nil
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z':
			r.count++
			r.last = nil
			if b := r.block(); b != nil {
				b.elements = append(b.elements, entry{[]string{line}})
				r.last = &b.elements[len(b.elements)-1]
			}
		case c == '.':
			if done, err := r.command(start); done || err != nil {
				return err
			}
		default:
			return fmt.Errorf("%w: %.60q", errUnknown, start)
		}
	}
}

// block is the one to which lines belong, nil in nested subcircuits.
func (r *fileReader) block() *block {
	switch r.depth {
	case 0:
		return &r.top
	case 1:
		return &r.subs[len(r.subs)-1]
	}
	return nil
}

// command reads a line that begins with a full stop. It is done at the one that closes the top level.
func (r *fileReader) command(line string) (done bool, err error) {
	r.last = nil
	switch word := strings.ToUpper(line[:strings.IndexAny(line+" ", " \t\n")]); {
	case word == ".SUBCKT":
		if r.depth == 0 {
			r.subs = append(r.subs, newBlock(line))
		}
		r.depth++
	case word == ".CONTROL":
		text, err := r.controlText(line)
		if err != nil {
			return false, err
		}
		if r.depth == 0 {
			r.controls = append(r.controls, text)
		}
	case strings.HasPrefix(word, ".END"):
		r.depth--
		return r.depth < 0, nil
	default:
		if r.depth == 0 {
			r.top.commands = append(r.top.commands, entry{[]string{line}})
			r.last = &r.top.commands[len(r.top.commands)-1]
		}
	}
	return false, nil
}

// newBlock reads the name and ports of a subcircuit.
func newBlock(line string) block {
	words := pytext.Fields(line)
	if len(words) < 2 {
		return block{name: "netlist"}
	}
	b := block{name: words[1][:LengthOf(words[1], func(r rune) bool { return r == '.' || pytext.IsWord(r) })]}
	for _, port := range words[2:] {
		if !strings.Contains(port, "=") {
			b.ports = append(b.ports, strings.ToLower(port))
		}
	}
	return b
}

// controlText reads a control block to its end, with both its commands.
func (r *fileReader) controlText(line string) (string, error) {
	lines := []string{pytext.StripRight(line)}
	for {
		line, err := r.next()
		if err != nil {
			return "", err
		}
		lines = append(lines, pytext.StripRight(line))
		if strings.HasPrefix(strings.ToUpper(pytext.Strip(line)), ".ENDC") {
			return strings.Join(lines, "\n"), nil
		}
	}
}

func parseFile(text string) (Netlist, error) {
	r := fileReader{lineReader: lineReader{text: cleaned(text)}}
	if err := r.read(); err != nil {
		return Netlist{}, err
	}
	n := Netlist{
		elements: r.count, control: controlOf(r.controls),
		params: readParameters(r.top.commands), directives: directivesOf(r.text),
	}
	components, err := listed(r.top.elements)
	if err != nil {
		return Netlist{}, err
	}
	for _, c := range components {
		switch c.name[0] {
		case 'x':
			n.instances = append(n.instances, c)
		case 'v', 'i':
			n.sources = append(n.sources, c)
		}
	}
	defined := map[string]bool{}
	for i := range r.subs {
		b := &r.subs[i]
		if defined[b.name] {
			continue
		}
		defined[b.name] = true
		elements, err := listed(b.elements)
		if err != nil {
			return Netlist{}, err
		}
		n.subcircuits = append(n.subcircuits, subcircuit{strings.ToLower(b.name), b.ports, elements})
	}
	return n, nil
}

// listed reads element lines. Of one name the first stands for all; an instance line that does not have its form is
// passed over. At any other such line the published evaluator crashes.
func listed(lines []entry) ([]component, error) {
	all := make([]component, 0, len(lines))
	first := make(map[string]int, len(lines))
	for i := range lines {
		text := lines[i].text()
		c, ok := readElement(text)
		switch {
		case !ok && c.name == "x":
			continue
		case !ok:
			return nil, fmt.Errorf("%w: no line of its element's form: %.60q", domains.ErrCrash, text)
		}
		if n, known := first[c.name]; known {
			c = all[n]
		} else {
			first[c.name] = len(all)
		}
		all = append(all, c)
	}
	return all, nil
}

// controlOf is the text of control blocks without the first and last command.
func controlOf(blocks []string) string {
	text := strings.Join(blocks, "\n")
	if len(text) >= len(".control") && strings.EqualFold(text[:len(".control")], ".control") {
		text = text[len(".control"):]
	}
	if n := len(text) - len(".endc"); n >= 0 && strings.EqualFold(text[n:], ".endc") {
		text = text[:n]
	}
	return pytext.Strip(text)
}

// directiveWords begin the lines that the published evaluator compares.
var directiveWords = []string{
	".tran", ".ac", ".dc", ".ic", ".op", ".option", ".temp", ".save", ".print", ".plot", ".meas", ".noise", ".sens",
	".tf", ".four", ".include", ".lib", ".global",
}

// directivesOf finds them wherever they stand, also after the end.
func directivesOf(text string) []string {
	var all []string
	for line := range strings.SplitSeq(text, "\n") {
		if line = pytext.Strip(line); !strings.HasPrefix(line, ".") {
			continue
		}
		line = strings.ToLower(line)
		if slices.ContainsFunc(directiveWords, func(word string) bool { return strings.HasPrefix(line, word) }) {
			all = append(all, line)
		}
	}
	return all
}

func (s *subcircuit) called() string { return s.name }
