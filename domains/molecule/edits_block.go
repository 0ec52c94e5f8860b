package molecule

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// hillOrder puts the atoms of each record in Hill order: carbon, hydrogen, then the others by
// symbol. The list has their former numbers.
func hillOrder(p struct{ Document, To, List string }) exact.Steps {
	change := func(entries *[]entry) (vfs.Files, error) {
		numbers := [][]int{}
		for n := range *entries {
			e := &(*entries)[n]
			if err := e.columnsInPlace(); err != nil {
				return nil, err
			}
			symbols := e.table().symbols
			order := lists.Order(len(e.atoms), func(a, b int) int { return compareHill(symbols[a], symbols[b]) })
			for i := range order {
				order[i]++ // numbers count from 1
			}
			if err := e.reorder(order); err != nil {
				return nil, err
			}
			numbers = append(numbers, order)
		}
		list, err := plain.JSONArray(numbers)
		return vfs.Files{p.List: list}, err
	}
	return libraries.Rewrite(p.Document, p.To, change, func(entries *[]entry, files vfs.Files) error {
		var numbers [][]int
		if err := plain.JSON(files, p.List, &numbers); err != nil {
			return err
		}
		for n := range min(len(numbers), len(*entries)) {
			e := &(*entries)[n]
			if e.columnsInPlace() != nil {
				continue
			}
			order := make([]int, len(numbers[n])) // where each of the former numbers is now
			for at, number := range numbers[n] {
				if number < 1 || number > len(order) || order[number-1] != 0 {
					return fmt.Errorf("%s: list %d is no order of numbers", p.List, n+1)
				}
				order[number-1] = at + 1
			}
			if len(order) != len(e.atoms) {
				continue
			}
			if err := e.reorder(order); err != nil {
				return err
			}
		}
		return nil
	})
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
		if len(words) < 3 || len(words)%2 == 0 ||
			words[0] != "M" || !slices.Contains([]string{"CHG", "ISO", "RAD"}, words[1]) {
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

// codeFields replaces the names of data fields by codes that count up from a first one. The
// table says also how many records have them.
func codeFields(p struct{ Document, To, First, Table string }) exact.Steps {
	change := func(entries *[]entry) (vfs.Files, error) {
		codes := exact.Codes{New: exact.Counting(p.First)}
		times := map[string]int{}
		for _, e := range *entries {
			for i := range e.data {
				name := e.data[i].name()
				if name == "" || strings.Contains(name, "\t") {
					return nil, fmt.Errorf("the record %q has a field without a name", e.title())
				}
				e.data[i].rename(codes.Of(name))
				times[name]++
			}
		}
		table := "code\tname\trecords\n"
		codes.Each(func(code, name string) { table += fmt.Sprintf("%s\t%s\t%d\n", code, name, times[name]) })
		return vfs.Files{p.Table: table}, nil
	}
	return libraries.Rewrite(p.Document, p.To, change, func(entries *[]entry, files vfs.Files) error {
		text, err := plain.File(files, p.Table)
		names := map[string]string{}
		for _, line := range plain.Lines(text) {
			if cells := strings.Split(line, "\t"); len(cells) >= 2 {
				names[strings.TrimSpace(cells[0])] = strings.TrimSpace(cells[1])
			}
		}
		for _, e := range *entries {
			for i := range e.data {
				if name, has := names[e.data[i].name()]; has {
					e.data[i].rename(name)
				}
			}
		}
		return err
	})
}

func (d *datum) rename(to string) {
	d.header = strings.Replace(d.header, "<"+d.name()+">", "<"+to+">", 1)
}
