package crystal

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	relabelledFile = "relabelled.cif"
	labelsFile     = "labels.csv"
)

// relabel numbers the atoms of each element, in all loops that name them.
func relabel(files vfs.Files) (vfs.Files, error) {
	d, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	l := d.sites().loop
	labels := l.texts(l.column(siteTags[0]))
	if _, err := distinct(labels); err != nil {
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
	err = d.replaceLabels(func(label string) (string, error) {
		name, known := newLabels[label]
		if !known && isNew[label] {
			return "", fmt.Errorf("%s is no atom site, but is the new label of one", label)
		}
		return cmp.Or(name, label), nil
	})
	return vfs.Files{relabelledFile: d.print(), labelsFile: plain.WriteCSV(rows)}, err
}

// element is the chemical symbol of a site, without a charge.
func (l *loop) element(k int) string {
	text := l.rows[k].values[l.column(siteTags[0])].text()
	if column := l.column(siteTags[1]); column >= 0 && known(l.rows[k].values[column].text()) != "" {
		text = l.rows[k].values[column].text()
	}
	end := 0
	for end < len(text) && (text[end] >= 'A' && text[end] <= 'Z' || text[end] >= 'a' && text[end] <= 'z') {
		end++
	}
	return text[:end]
}

// replaceLabels replaces the labels of atoms in all loops.
func (d document) replaceLabels(by func(label string) (string, error)) error {
	for i := range d.parts {
		p := &d.parts[i]
		if p.kind != loopPart {
			continue
		}
		for _, column := range p.loop.labelColumns() {
			for k, label := range p.loop.texts(column) {
				name, err := by(label)
				if err != nil {
					return err
				}
				if name != label {
					p.loop.rows[k].set(column, written(name))
				}
			}
		}
		p.changed()
	}
	return nil
}

func restoreLabels(files vfs.Files) (vfs.Files, error) {
	d, err := readNamed(files, relabelledFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, labelsFile, "new", "old")
	if err != nil {
		return nil, err
	}
	oldLabels := map[string]string{}
	for _, r := range rows {
		oldLabels[r[0]] = r[1]
	}
	err = d.replaceLabels(func(label string) (string, error) { return cmp.Or(oldLabels[label], label), nil })
	return vfs.Files{structureFile: d.print()}, err
}

const (
	sortedFile    = "by_element.cif"
	siteOrderFile = "site_order.csv"
)

// sortSites orders the sites and their displacements by element, heavy ones
// first, and by label.
func sortSites(files vfs.Files) (vfs.Files, error) {
	d, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	sites := d.sites().loop
	numbers := map[string]int{}
	for k, label := range sites.texts(sites.column(siteTags[0])) {
		z := atomicNumber(sites.element(k))
		if z == 0 {
			return nil, fmt.Errorf("atom site %s is of no known element", label)
		}
		numbers[label] = z
	}
	order := [][]string{{"loop", "position", "label"}}
	for _, tag := range []string{siteTags[0], anisoTags[0]} {
		p := d.find(tag)
		if p == nil {
			continue
		}
		labels := p.loop.texts(p.loop.column(tag))
		if _, err := distinct(labels); err != nil {
			return nil, err
		}
		for k, label := range labels {
			order = append(order, []string{loopNames[tag], strconv.Itoa(k + 1), label})
		}
		at := places(len(labels))
		slices.SortStableFunc(at, func(i, j int) int {
			return cmp.Or(-cmp.Compare(numbers[labels[i]], numbers[labels[j]]), compareLabels(labels[i], labels[j]))
		})
		p.order(at)
	}
	return vfs.Files{sortedFile: d.print(), siteOrderFile: plain.WriteCSV(order)}, nil
}

// loopNames are what the table of the former order calls the loops.
var loopNames = map[string]string{siteTags[0]: "sites", anisoTags[0]: "aniso"}

// compareLabels orders labels by the first number in them, then as text.
func compareLabels(a, b string) int {
	return cmp.Or(cmp.Compare(labelNumber(a), labelNumber(b)), cmp.Compare(a, b))
}

// labelNumber is the first number in a label, 0 if there is none.
func labelNumber(label string) int {
	rest := strings.TrimLeftFunc(label, func(r rune) bool { return r < '0' || r > '9' })
	end := 0
	for end < len(rest) && rest[end] >= '0' && rest[end] <= '9' {
		end++
	}
	n, _ := strconv.Atoi(rest[:end])
	return n
}

func unsortSites(files vfs.Files) (vfs.Files, error) {
	d, err := readNamed(files, sortedFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, siteOrderFile, "position", "loop", "label")
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(rows, plain.ByNumber)
	for tag, name := range loopNames {
		p := d.find(tag)
		if p == nil {
			continue
		}
		position := map[string]int{}
		for _, r := range rows {
			if r[1] == name {
				position[r[2]] = len(position) + 1
			}
		}
		labels := p.loop.texts(p.loop.column(tag))
		at := places(len(labels))
		slices.SortStableFunc(at, func(i, j int) int { return cmp.Compare(position[labels[i]], position[labels[j]]) })
		p.order(at)
	}
	return vfs.Files{structureFile: d.print()}, nil
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
