package molecule

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	hillFile    = "hill_order.sdf"
	numbersFile = "atom_numbers.json"
	codedFile   = "coded.sdf"
	codesFile   = "field_codes.tsv"
)

// sortAtoms puts the atoms of each record in Hill order: carbon, hydrogen, then
// the others by symbol.
func sortAtoms(files vfs.Files) (vfs.Files, error) {
	entries, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	numbers := [][]int{}
	for _, e := range entries {
		if err := e.columnsInPlace(); err != nil {
			return nil, err
		}
		symbols := e.table().symbols
		order := make([]int, len(e.atoms))
		for i := range order {
			order[i] = i + 1
		}
		slices.SortStableFunc(order, func(a, b int) int { return compareHill(symbols[a-1], symbols[b-1]) })
		if err := e.reorder(order); err != nil {
			return nil, err
		}
		numbers = append(numbers, order)
	}
	list, err := plain.JSONArray(numbers)
	return vfs.Files{hillFile: printAll(entries), numbersFile: list}, err
}

func compareHill(a, b string) int {
	rank := func(symbol string) int {
		switch symbol {
		case "C":
			return 0
		case "H", "D", "T":
			return 1
		}
		return 2
	}
	if order := cmp.Compare(rank(a), rank(b)); order != 0 || rank(a) == 1 {
		return order
	}
	return cmp.Compare(a, b)
}

// reorder puts the atoms in a new order, given by their present numbers, and
// renumbers what refers to them.
func (e *entry) reorder(order []int) error {
	atoms := make([]string, len(order))
	becomes := make([]int, len(e.atoms)+1)
	for at, number := range order {
		atoms[at] = e.atoms[number-1]
		becomes[number] = at + 1
	}
	e.atoms = atoms
	for k, line := range e.bonds {
		from, to := number(part(line, 0, 3)), number(part(line, 3, 6))
		e.bonds[k] = fmt.Sprintf("%3d%3d%s", becomes[from], becomes[to], line[6:])
	}
	for k, line := range e.block {
		if strings.HasPrefix(line, blockEnd) {
			continue
		}
		words := strings.Fields(line)
		if len(words) < 3 || words[0] != "M" || !slices.Contains([]string{"CHG", "ISO", "RAD"}, words[1]) || len(words)%2 == 0 {
			return fmt.Errorf("the record %q has a line that cannot be renumbered: %q", e.title(), line)
		}
		renumbered := fmt.Sprintf("M  %s%3s", words[1], words[2])
		for n := 3; n+1 < len(words); n += 2 {
			atom := number(words[n])
			if atom < 1 || atom >= len(becomes) {
				return fmt.Errorf("the record %q has no atom %s", e.title(), words[n])
			}
			renumbered += fmt.Sprintf("%4d%4s", becomes[atom], words[n+1])
		}
		e.block[k] = renumbered
	}
	return nil
}

func restoreAtoms(files vfs.Files) (vfs.Files, error) {
	entries, err := readNamed(files, hillFile)
	if err != nil {
		return nil, err
	}
	var numbers [][]int
	if err := plain.JSON(files, numbersFile, &numbers); err != nil {
		return nil, err
	}
	for n, e := range entries {
		if n >= len(numbers) || e.columnsInPlace() != nil {
			continue
		}
		order := make([]int, len(numbers[n])) // where each of the former numbers is now
		for at, number := range numbers[n] {
			if number < 1 || number > len(order) || order[number-1] != 0 {
				return nil, fmt.Errorf("%s: list %d is no order of numbers", numbersFile, n+1)
			}
			order[number-1] = at + 1
		}
		if len(order) != len(e.atoms) {
			continue
		}
		if err := e.reorder(order); err != nil {
			return nil, err
		}
	}
	return asDocument(entries), nil
}

// codeFields replaces the names of data fields by codes.
func codeFields(files vfs.Files) (vfs.Files, error) {
	entries, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	codes := map[string]string{}
	table := "code\tname\trecords\n"
	var names []string
	times := map[string]int{}
	for _, e := range entries {
		for i := range e.data {
			name := e.data[i].name()
			if name == "" || strings.Contains(name, "\t") {
				return nil, fmt.Errorf("the record %q has a field without a name", e.title())
			}
			if codes[name] == "" {
				names = append(names, name)
				codes[name] = fmt.Sprintf("F%02d", len(names))
			}
			times[name]++
		}
	}
	for _, name := range names {
		table += fmt.Sprintf("%s\t%s\t%d\n", codes[name], name, times[name])
	}
	renameFields(entries, codes)
	return vfs.Files{codedFile: printAll(entries), codesFile: table}, nil
}

func renameFields(entries []*entry, names map[string]string) {
	for _, e := range entries {
		for i := range e.data {
			name := e.data[i].name()
			if to, has := names[name]; has {
				e.data[i].header = strings.Replace(e.data[i].header, "<"+name+">", "<"+to+">", 1)
			}
		}
	}
}

func nameFields(files vfs.Files) (vfs.Files, error) {
	entries, err := readNamed(files, codedFile)
	if err != nil {
		return nil, err
	}
	text, err := plain.File(files, codesFile)
	if err != nil {
		return nil, err
	}
	names := map[string]string{}
	for _, line := range plain.Lines(text) {
		if cells := strings.Split(line, "\t"); len(cells) >= 2 {
			names[strings.TrimSpace(cells[0])] = strings.TrimSpace(cells[1])
		}
	}
	renameFields(entries, names)
	return asDocument(entries), nil
}
