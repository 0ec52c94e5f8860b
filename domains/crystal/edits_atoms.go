package crystal

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// relabel numbers the atoms of each element, in all loops that name them.
func relabel(p struct{ Document, To, Table string }) exact.Steps {
	change := func(d *document) (vfs.Files, error) {
		l := d.sites()
		labels, err := l.labels(siteTags[0])
		if err != nil {
			return nil, err
		}
		rows := [][]string{{"new", "old"}}
		next := map[string]int{}
		newLabels, isNew := map[string]string{}, map[string]bool{}
		for k, label := range labels {
			symbol := l.element(k)
			next[symbol]++
			name := symbol + strconv.Itoa(next[symbol])
			rows = append(rows, []string{name, label})
			newLabels[label], isNew[name] = name, true
		}
		return vfs.Files{p.Table: plain.WriteCSV(rows)}, d.replace(isLabel, func(label string) (string, error) {
			name, known := newLabels[label]
			if !known && isNew[label] {
				return "", fmt.Errorf("%s is no atom site, but is the new label of one", label)
			}
			return cmp.Or(name, label), nil
		})
	}
	restore := func(d *document, files vfs.Files) error {
		old, err := exact.ReadRegister(files, p.Table, "new", "old")
		if err != nil {
			return err
		}
		return d.replace(isLabel, func(label string) (string, error) { return cmp.Or(old[label], label), nil })
	}
	return rewrite(p.Document, p.To, change, restore)
}

// element is the chemical symbol of a site, without a charge.
func (l *loop) element(k int) string {
	text := l.rows[k].values[l.column(siteTags[0])].text()
	if column := l.column(siteTags[1]); column >= 0 && known(l.rows[k].values[column].text()) != "" {
		text = l.rows[k].values[column].text()
	}
	return text[:len(text)-len(strings.TrimLeftFunc(text, func(r rune) bool { return r|0x20 >= 'a' && r|0x20 <= 'z' }))]
}

// sortSites orders the sites and their displacements by element, heavy ones first, and by label.
func sortSites(p struct{ Document, To, Table string }) exact.Steps {
	change := func(d *document) (vfs.Files, error) {
		sites := d.sites()
		numbers := map[string]int{}
		for k, label := range sites.texts(sites.column(siteTags[0])) {
			z := atomicNumber(sites.element(k))
			if z == 0 {
				return nil, fmt.Errorf("atom site %s is of no known element", label)
			}
			numbers[label] = z
		}
		table := [][]string{{"loop", "position", "label"}}
		for _, of := range sortedLoops {
			loop := d.find(of.tag)
			if loop == nil {
				continue
			}
			labels, err := loop.labels(of.tag)
			if err != nil {
				return nil, err
			}
			for k, label := range labels {
				table = append(table, []string{of.name, strconv.Itoa(k + 1), label})
			}
			loop.sortBy(of.tag, func(a, b string) int {
				return cmp.Or(-cmp.Compare(numbers[a], numbers[b]), compareLabels(a, b))
			})
		}
		return vfs.Files{p.Table: plain.WriteCSV(table)}, nil
	}
	restore := func(d *document, files vfs.Files) error {
		rows, err := plain.Table(files, p.Table, "position", "loop", "label")
		slices.SortStableFunc(rows, plain.ByNumber)
		for _, of := range sortedLoops {
			position := map[string]int{}
			for _, r := range rows {
				if r[1] == of.name {
					position[r[2]] = len(position) + 1
				}
			}
			if loop := d.find(of.tag); loop != nil {
				loop.sortBy(of.tag, func(a, b string) int { return cmp.Compare(position[a], position[b]) })
			}
		}
		return err
	}
	return rewrite(p.Document, p.To, change, restore)
}

// sortedLoops have names in the table of the former order.
var sortedLoops = []struct{ name, tag string }{{"sites", siteTags[0]}, {"aniso", anisoTags[0]}}

// sortBy sorts the rows of a loop by the labels in a column.
func (l *loop) sortBy(tag string, compare func(a, b string) int) {
	column := l.column(tag)
	slices.SortStableFunc(l.rows, func(a, b row) int { return compare(a.values[column].text(), b.values[column].text()) })
}

// compareLabels orders labels by the first number in them, then as text.
func compareLabels(a, b string) int {
	return cmp.Or(cmp.Compare(labelNumber(a), labelNumber(b)), cmp.Compare(a, b))
}

// labelNumber is the first number in a label, 0 if there is none.
func labelNumber(label string) int {
	rest := label[max(strings.IndexAny(label, "0123456789"), 0):]
	n, _ := strconv.Atoi(rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))])
	return n
}

// symbols are the elements in the order of their atomic numbers.
var symbols = strings.Fields(`
	H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y Zr Nb Mo
	Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au Hg Tl
	Pb Bi Po At Rn Fr Ra Ac Th Pa U Np Pu Am Cm Bk Cf`)

// atomicNumber of a chemical symbol, 0 if it is none.
func atomicNumber(symbol string) int {
	if symbol == "D" {
		return 1
	}
	return 1 + slices.Index(symbols, symbol)
}
