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
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
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
	elements []string // lines
	commands []string
}

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
		case strings.IndexByte("+#;*\n", c) >= 0:
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z':
			r.count++
			if b := r.block(); b != nil {
				b.elements = append(b.elements, line)
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
			r.top.commands = append(r.top.commands, line)
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
func listed(lines []string) ([]component, error) {
	all := make([]component, 0, len(lines))
	first := make(map[string]int, len(lines))
	for _, text := range lines {
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

// Stats counts the parts of a document.
func Stats(n Netlist) domains.Stats {
	inside := 0
	for i := range n.subcircuits {
		inside += len(n.subcircuits[i].elements)
	}
	return domains.Stats{Elements: n.elements, Counts: []domains.Count{
		{Name: "Subcircuits", Value: strconv.Itoa(len(n.subcircuits))},
		{Name: "Subckt Elements", Value: strconv.Itoa(inside)},
		{Name: "Top Instances", Value: strconv.Itoa(len(n.instances))},
		{Name: "Sources", Value: strconv.Itoa(len(n.sources))},
		{Name: "Parameters", Value: strconv.Itoa(len(n.params))},
		{Name: "Directives", Value: strconv.Itoa(len(n.directives))},
	}}
}

// Score is the weighted sum of eight parts, less where the candidate has lost all of a kind.
func Score(ref, got Netlist, noted *notes.Notes) domains.Reading {
	ports, elements := compareSubcircuits(ref.subcircuits, got.subcircuits, noted)
	parameterName := func(p *parameter) string { return p.name }
	sameParameter := func(ref, got *parameter) float64 { return ratio.Share(ref.value, got.value, noted) }
	parts := map[string]float64{
		"coverage":   f1(lists.Each(ref.subcircuits, (*subcircuit).called), lists.Each(got.subcircuits, (*subcircuit).called)),
		"ports":      ports,
		"elements":   elements,
		"instances":  sets.Named(ref.instances, got.instances, componentName, sameInstance),
		"sources":    sets.Named(ref.sources, got.sources, componentName, alike(0, 0.5, noted)),
		"parameters": sets.Named(ref.params, got.params, parameterName, sameParameter),
		"control":    ratio.Share(folded(ref.control), folded(got.control), noted),
		"directives": directivesShare(ref.directives, got.directives),
		"multiplier": 1,
	}
	lose := func(had, has int, factor float64) {
		if had > 0 && has == 0 {
			parts["multiplier"] *= factor
		}
	}
	lose(len(ref.subcircuits), len(got.subcircuits), 0.3)
	lose(len(ref.instances), len(got.instances), 0.4)
	lose(len(ref.sources), len(got.sources), 0.7)
	raw := float64(0.10*parts["coverage"]) + float64(0.10*parts["ports"]) + float64(0.30*parts["elements"]) +
		float64(0.20*parts["instances"]) + float64(0.10*parts["sources"]) + float64(0.10*parts["parameters"]) +
		float64(0.05*parts["control"]) + float64(0.05*parts["directives"])
	return domains.Reading{
		RS:         pytext.Round(raw*parts["multiplier"], 6),
		Components: parts,
		Elements:   domains.Elements{Reference: ref.elements, Candidate: got.elements},
		Problem:    got.problem,
	}
}

func componentName(c *component) string { return c.name }

func sameInstance(ref, got *component) float64 {
	return float64(0.4*sets.OneIf(ref.value == got.value)) + float64(0.6*nodesShare(ref.nodes, got.nodes))
}

// alike compares components by their kind, value and nodes. As they have one name, they are of one kind.
func alike(kind, value float64, noted *notes.Notes) func(ref, got *component) float64 {
	return func(ref, got *component) float64 {
		return kind + float64(value*ratio.Share(ref.value, got.value, noted)) + float64(0.5*nodesShare(ref.nodes, got.nodes))
	}
}

func nodesShare(ref, got []string) float64 {
	if slices.Equal(ref, got) {
		return 1
	}
	return f1(ref, got)
}

// compareSubcircuits compares the ports of the subcircuits that both have, and the elements of
// all that the reference has.
func compareSubcircuits(ref, got []subcircuit, noted *notes.Notes) (ports, elements float64) {
	if len(ref) == 0 {
		return 0, 1
	}
	of := make(map[string]*subcircuit, len(got))
	for i := range got {
		of[got[i].name] = &got[i]
	}
	var shared sets.Mean
	for i := range ref {
		if other := of[ref[i].name]; other != nil {
			shared.Add(ratio.Share(joined(ref[i].ports), joined(other.ports), noted))
			elements += sets.Named(ref[i].elements, other.elements, componentName, alike(0.2, 0.3, noted))
		}
	}
	return shared.Or(0), elements / float64(len(ref))
}

func directivesShare(ref, got []string) float64 {
	shared, ofRef, ofGot := sets.Common(lists.Map(ref, folded), lists.Map(got, folded))
	if ofRef == 0 || ofGot == 0 {
		return sets.OneIf(ofRef == ofGot)
	}
	return float64(0.6*sets.F1(shared, ofRef, ofGot)) + float64(0.4*(float64(shared)/float64(ofRef)))
}

func joined(words []string) string { return strings.Join(words, " ") }

// folded is a text in lower case with its white space collapsed.
func folded(text string) string { return pytext.Collapse(pytext.Lower(text)) }

// f1 compares two lists as sets.
func f1(ref, got []string) float64 {
	if len(ref) == 0 && len(got) == 0 {
		return 1
	}
	return sets.F1(sets.Common(ref, got))
}
