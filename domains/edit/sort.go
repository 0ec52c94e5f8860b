package edit

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// sortKey is an attribute by which parts are sorted, and how.
type sortKey struct {
	name       string
	order      func(x, y string) int // nil if it depends on the attribute
	descending bool
}

// orders are those that a key may name, as in "start as time".
var orders = map[string]func(x, y string) int{"text": cmp.Compare[string], "number": compareNumbers, "time": compareMoments}

// readKey reads a key: an attribute, "as" with an order, and "descending", of which the last two may be missing.
func readKey(text string) sortKey {
	name, descending := strings.CutSuffix(text, " descending")
	k := sortKey{name: name, descending: descending}
	if at := strings.LastIndex(name, " as "); at >= 0 {
		if order, ok := orders[name[at+len(" as "):]]; ok {
			k.name, k.order = name[:at], order
		}
	}
	return k
}

// sorted returns the positions of parts in the order of keys. Parts without a value come last, and
// equal ones keep their order.
func (f *Format) sorted(parts []string, keys []string) ([]int, error) {
	order := make([]int, len(parts))
	for i := range order {
		order[i] = i
	}
	for _, text := range slices.Backward(keys) { // each sort keeps what those after it made
		k := readKey(text)
		a, err := f.attribute(k.name)
		if err != nil {
			return nil, err
		}
		if k.order == nil {
			k.order = orders["text"]
			if a.Number {
				k.order = compareNumbers
			}
		}
		values := make([]string, len(parts))
		for i, part := range parts {
			values[i] = a.value(part)
		}
		slices.SortStableFunc(order, func(i, j int) int { return k.compare(values[i], values[j]) })
	}
	return order, nil
}

func (k *sortKey) compare(x, y string) int {
	switch {
	case x == "" || y == "":
		return cmp.Compare(len(y), len(x)) // what is missing comes last, and is equal to its like
	case k.descending:
		return k.order(y, x)
	}
	return k.order(x, y)
}

// sort puts the parts in the order of attributes, and lists the position that each had.
func (s *step) sort() (vfs.Files, error) {
	order, err := s.format.sorted(s.Parts, s.verb.SortBy)
	if err != nil {
		return nil, err
	}
	table := [][]string{{"line", "position"}}
	var parts []string
	for n, at := range order {
		parts = append(parts, s.Parts[at])
		table = append(table, []string{strconv.Itoa(n + 1), strconv.Itoa(at + 1)})
	}
	s.Parts = parts
	return s.document.with(vfs.Files{s.name: s.Text(), s.verb.Table: plain.WriteCSV(table)}), nil
}

// unsort puts the parts where the table says. Parts that it does not place come last.
func (p *Program) unsort(files vfs.Files) (vfs.Files, error) {
	rows, err := p.table(files, "line", "position")
	if err != nil {
		return nil, err
	}
	d, err := p.read(files)
	if err != nil {
		return nil, err
	}
	type placed struct {
		position int
		part     string
	}
	order := make([]placed, len(d.Parts))
	for i, part := range d.Parts {
		order[i] = placed{len(d.Parts) + i, part}
		if i < len(rows) {
			if position, err := strconv.Atoi(rows[i][1]); err == nil {
				order[i].position = position - 1
			}
		}
	}
	slices.SortStableFunc(order, func(x, y placed) int { return x.position - y.position })
	for i := range order {
		d.Parts[i] = order[i].part
	}
	return d.with(vfs.Files{d.name: d.Text()}), nil
}

// reverse puts the last part first.
func (s *step) reverse() (vfs.Files, error) {
	slices.Reverse(s.Parts)
	return s.document.with(vfs.Files{s.name: s.Text()}), nil
}

// reverseAgain is reverse on what it made.
func (p *Program) reverseAgain(files vfs.Files) (vfs.Files, error) {
	s, err := p.on(files)
	if err != nil {
		return nil, err
	}
	return s.reverse()
}
