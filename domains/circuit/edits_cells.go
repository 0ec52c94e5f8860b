package circuit

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// ports are the words of a .subckt statement that name its ports.
func (s *statement) ports() []word {
	words := s.words()
	var ports []word
	for i, a := range assignments(words) {
		if i > 1 && !a.given && !strings.EqualFold(a.name.text, "params:") {
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
	return strings.ToLower(words[1+s.nodeCount(words)].text)
}

func textsOf(words []word) []string { return lists.Map(words, func(w word) string { return w.text }) }

// sortPorts puts the ports of every subcircuit in alphabetical order, and the nodes of its
// instances with them.
func sortPorts(p struct{ Document, To, List string }) exact.Steps {
	change := func(f *netFile) (was map[string][]string, err error) {
		was, err = f.portsOf()
		if err != nil {
			return nil, err
		}
		sorted := map[string][]string{}
		for name, ports := range was {
			sorted[name] = slices.SortedFunc(slices.Values(ports), func(a, b string) int {
				return strings.Compare(strings.ToLower(a), strings.ToLower(b))
			})
		}
		return was, f.permutePorts(was, sorted)
	}
	return exact.Keeping(&netlists, p.Document, p.To, p.List, change, func(f *netFile, noted map[string][]string) error {
		was := map[string][]string{}
		for name, ports := range noted {
			was[strings.ToLower(name)] = ports
		}
		now, err := f.portsOf()
		if err != nil {
			return err
		}
		return f.permutePorts(now, was)
	})
}

// portsOf are the ports of the subcircuits, by their names. An error says that there is none,
// or two of a name.
func (f *netFile) portsOf() (map[string][]string, error) {
	ports := map[string][]string{}
	for i := range f.statements {
		s := &f.statements[i]
		if s.kind != commandLine || s.word != ".subckt" {
			continue
		}
		name := s.subcircuitName()
		if ports[name] != nil {
			return nil, fmt.Errorf("subcircuit %s is defined twice", name)
		}
		ports[name] = textsOf(s.ports())
	}
	if len(ports) == 0 {
		return nil, errNoCell
	}
	return ports, nil
}

// permutePorts brings the ports of subcircuits from one order to another, and the
// nodes of instances with them.
func (f *netFile) permutePorts(from, to map[string][]string) error {
	places := map[string][]int{}
	for _, name := range slices.Sorted(maps.Keys(to)) {
		ports, at := to[name], map[string]int{}
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
			changes[k] = splice{slots[k], slots[at].text}
		}
		s.splice(changes)
	}
	return nil
}

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
			text := w.text
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

// netOf is a net of a subcircuit, in lower case; those of the top level have no cell.
type netOf struct{ cell, net string }

// numberNets numbers the internal nets of every subcircuit in the order in which they are
// first used.
func numberNets(p struct{ Document, To, First, Table string }) exact.Steps {
	change := func(f *netFile) (vfs.Files, error) {
		table, err := f.numberNets(exact.Counting(p.First))
		return vfs.Files{p.Table: plain.WriteCSV(table)}, err
	}
	return netlists.Rewrite(p.Document, p.To, change, func(f *netFile, files vfs.Files) error {
		rows, err := plain.Table(files, p.Table, "cell", "number", "net")
		names := map[netOf]string{}
		for _, row := range rows {
			names[netOf{strings.ToLower(row[0]), strings.ToLower(row[1])}] = row[2]
		}
		f.renameNets(func(cell, net string, _ bool) string {
			if name, ok := names[netOf{cell, strings.ToLower(net)}]; ok {
				return name
			}
			return net
		})
		return err
	})
}

// numberNets returns a table of the nets that it renames.
func (f *netFile) numberNets(label func(net string, count int) string) (table [][]string, err error) {
	type numbered struct {
		cell, label, net string
		pins             int
	}
	var all []*numbered
	known, counts, outside := map[netOf]*numbered{}, map[string]int{}, f.outside()
	isOutside := func(cell, net string) bool { return outside[netOf{cell, net}] || outside[netOf{"", net}] }
	f.renameNets(func(cell, net string, terminal bool) string {
		lower := strings.ToLower(net)
		if isOutside(cell, lower) {
			return net
		}
		key := netOf{cell, lower}
		n := known[key]
		if n == nil {
			n = &numbered{cell: cell, label: label(net, counts[cell]), net: net}
			counts[cell]++
			if isOutside(cell, strings.ToLower(n.label)) && err == nil {
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
	table = [][]string{{"cell", "number", "net", "pins"}}
	for _, n := range all {
		table = append(table, []string{n.cell, n.label, n.net, decimal(n.pins)})
	}
	return table, err
}

// outside are the ports of the subcircuits, and the nets that are known everywhere.
func (f *netFile) outside() map[netOf]bool {
	all := map[netOf]bool{{"", "0"}: true, {"", "gnd"}: true}
	for i := range f.statements {
		s := &f.statements[i]
		if s.kind != commandLine {
			continue
		}
		switch s.word {
		case ".subckt":
			cell := within(s.scope, s.subcircuitName(), 1)
			for _, port := range s.ports() {
				all[netOf{cell, strings.ToLower(port.text)}] = true
			}
		case ".global":
			for _, w := range s.words()[1:] {
				all[netOf{"", strings.ToLower(w.text)}] = true
			}
		}
	}
	return all
}
