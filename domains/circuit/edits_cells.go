package circuit

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	sortedFile = "sorted_ports.cir"
	portsFile  = "ports.json"
)

// ports are the words of a .subckt statement that name its ports.
func (s *statement) ports() []word {
	words := s.words()
	var ports []word
	for i, a := range assignments(s.text, words) {
		if i > 1 && !a.given && !strings.EqualFold(a.name.of(s.text), "params:") {
			ports = append(ports, a.name)
		}
	}
	return ports
}

// nodes are the words of an element that name its nets.
func (s *statement) nodes() []word {
	if s.kind != elementLine || s.word[0] == 'k' {
		return nil
	}
	words := s.words()
	return words[1 : 1+s.nodeCount(words)]
}

// instanceOf is the subcircuit that an instance is of, empty if it is none.
func (s *statement) instanceOf() string {
	if s.kind != elementLine || s.word[0] != 'x' {
		return ""
	}
	words := s.words()
	return strings.ToLower(words[1+s.nodeCount(words)].of(s.text))
}

func textsOf(text string, words []word) []string {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = w.of(text)
	}
	return texts
}

// sortPorts puts the ports of every subcircuit in alphabetical order, and the
// nodes of its instances with them.
func sortPorts(files vfs.Files) (vfs.Files, error) {
	f, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	was, sorted := map[string][]string{}, map[string][]string{}
	for i := range f.statements {
		s := &f.statements[i]
		if s.kind != commandLine || s.word != ".subckt" {
			continue
		}
		name := s.subcircuitName()
		if was[name] != nil {
			return nil, fmt.Errorf("subcircuit %s is defined twice", name)
		}
		was[name] = textsOf(s.text, s.ports())
		sorted[name] = slices.Clone(was[name])
		slices.SortFunc(sorted[name], func(a, b string) int { return strings.Compare(strings.ToLower(a), strings.ToLower(b)) })
	}
	if len(was) == 0 {
		return nil, errNoCell
	}
	if err := f.permutePorts(was, sorted); err != nil {
		return nil, err
	}
	ports, err := json.MarshalIndent(was, "", "  ")
	if err != nil {
		return nil, err
	}
	return vfs.Files{sortedFile: f.print(), portsFile: string(ports) + "\n"}, nil
}

func restorePorts(files vfs.Files) (vfs.Files, error) {
	f, err := readNamed(files, sortedFile)
	if err != nil {
		return nil, err
	}
	var noted map[string][]string
	if err := plain.JSON(files, portsFile, &noted); err != nil {
		return nil, err
	}
	was := map[string][]string{}
	for name, ports := range noted {
		was[strings.ToLower(name)] = ports
	}
	now := map[string][]string{}
	for i := range f.statements {
		if s := &f.statements[i]; s.kind == commandLine && s.word == ".subckt" {
			now[s.subcircuitName()] = textsOf(s.text, s.ports())
		}
	}
	if err := f.permutePorts(now, was); err != nil {
		return nil, err
	}
	return asDocument(f.statements), nil
}

// permutePorts brings the ports of subcircuits from one order to another, and the
// nodes of instances with them.
func (f *netFile) permutePorts(from, to map[string][]string) error {
	places := map[string][]int{}
	for name, ports := range to {
		at := map[string]int{}
		for n, port := range from[name] {
			at[strings.ToLower(port)] = n
		}
		if len(at) != len(ports) || len(from[name]) != len(ports) {
			return fmt.Errorf("the ports of subcircuit %s do not agree", name)
		}
		for _, port := range ports {
			n, ok := at[strings.ToLower(port)]
			if !ok {
				return fmt.Errorf("subcircuit %s has no port %s", name, port)
			}
			places[name] = append(places[name], n)
		}
	}
	for i := range f.statements {
		s := &f.statements[i]
		var slots []word
		var name string
		if s.kind == commandLine && s.word == ".subckt" {
			name, slots = s.subcircuitName(), s.ports()
		} else if name = s.instanceOf(); name != "" {
			slots = s.nodes()
		}
		order, known := places[name]
		if !known {
			continue
		}
		if len(slots) != len(order) {
			return fmt.Errorf("%s has %d nodes for the %d ports of %s", s.word, len(slots), len(order), name)
		}
		changes := make([]splice, len(slots))
		for k, at := range order {
			changes[k] = splice{slots[k], slots[at].of(s.text)}
		}
		s.splice(changes)
	}
	return nil
}

const (
	numberedFile = "numbered.cir"
	netsFile     = "nets.csv"
)

// probe is a voltage in an expression, of one net or between two.
var probe = regexp.MustCompile(`(?i)\bv\(\s*[^\s(),]+\s*(?:,\s*[^\s(),]+\s*)?\)`)

// renameNets renames the nets of the subcircuits' insides; rename says how, and is
// called for each terminal in order.
func (f *netFile) renameNets(rename func(cell, net string, terminal bool) string) {
	for i := range f.statements {
		s := &f.statements[i]
		if s.scope == "" || s.kind != elementLine && s.kind != commandLine || s.word == ".ends" || s.word == ".subckt" {
			continue
		}
		nodes := len(s.nodes())
		var changes []splice
		for n, w := range s.words()[1:] {
			text := w.of(s.text)
			if n < nodes {
				changes = append(changes, splice{w, rename(s.scope, text, true)})
				continue
			}
			changes = append(changes, splice{w, probe.ReplaceAllStringFunc(text, func(found string) string {
				names := strings.Split(found[2:len(found)-1], ",")
				for k, name := range names {
					names[k] = rename(s.scope, strings.TrimSpace(name), false)
				}
				return found[:2] + strings.Join(names, ",") + ")"
			})})
		}
		s.splice(changes)
	}
}

// numberNets numbers the internal nets of every subcircuit in the order in which
// they are first used.
func numberNets(files vfs.Files) (vfs.Files, error) {
	f, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	type netOf struct{ cell, net string }
	outside := map[netOf]bool{}
	for i := range f.statements {
		s := &f.statements[i]
		if s.kind != commandLine {
			continue
		}
		switch s.word {
		case ".subckt":
			cell := within(s.scope, s.subcircuitName(), 1)
			for _, port := range s.ports() {
				outside[netOf{cell, strings.ToLower(port.of(s.text))}] = true
			}
		case ".global":
			for _, w := range s.words()[1:] {
				outside[netOf{"", strings.ToLower(w.of(s.text))}] = true
			}
		}
	}
	isOutside := func(cell, net string) bool {
		return net == "0" || net == "gnd" || outside[netOf{cell, net}] || outside[netOf{"", net}]
	}
	type numbered struct {
		cell, label, net string
		pins             int
	}
	var all []*numbered
	known, counts := map[netOf]*numbered{}, map[string]int{}
	f.renameNets(func(cell, net string, terminal bool) string {
		lower := strings.ToLower(net)
		if isOutside(cell, lower) {
			return net
		}
		key := netOf{cell, lower}
		n := known[key]
		if n == nil {
			counts[cell]++
			n = &numbered{cell: cell, label: "n" + decimal(counts[cell]), net: net}
			if isOutside(cell, n.label) && err == nil {
				err = fmt.Errorf("%s is a port of %s already", n.label, cell)
			}
			known[key] = n
			all = append(all, n)
		}
		if terminal {
			n.pins++
		}
		return n.label
	})
	if err != nil {
		return nil, err
	}
	table := [][]string{{"cell", "number", "net", "pins"}}
	for _, n := range all {
		table = append(table, []string{n.cell, n.label, n.net, decimal(n.pins)})
	}
	return vfs.Files{numberedFile: f.print(), netsFile: plain.WriteCSV(table)}, nil
}

func nameNets(files vfs.Files) (vfs.Files, error) {
	f, err := readNamed(files, numberedFile)
	if err != nil {
		return nil, err
	}
	table, err := plain.Table(files, netsFile, "cell", "number", "net")
	if err != nil {
		return nil, err
	}
	names := map[[2]string]string{}
	for _, row := range table {
		names[[2]string{strings.ToLower(row[0]), strings.ToLower(row[1])}] = row[2]
	}
	f.renameNets(func(cell, net string, _ bool) string {
		if name, ok := names[[2]string{cell, strings.ToLower(net)}]; ok {
			return name
		}
		return net
	})
	return asDocument(f.statements), nil
}
