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
	order      order // nil if it depends on the attribute
	descending bool
}

// order compares values of a list by their positions. It reads each once.
type order func(values []string) func(i, j int) int

// orders are those that a key may name, as in "start as time".
var orders = map[string]order{"text": byText, "number": byNumber, "time": byMoment}

func byText(values []string) func(i, j int) int {
	return func(i, j int) int { return cmp.Compare(values[i], values[j]) }
}

// byNumber orders numbers by size, whatever their units, and other texts after them.
func byNumber(values []string) func(i, j int) int {
	return firstRead(values, ReadNumber, func(x, y Number) int { return x.Value.Cmp(y.Value) })
}

// byMoment orders dates and times, and other texts after them.
func byMoment(values []string) func(i, j int) int {
	return firstRead(values, func(text string) (int64, bool) { moment, _, ok := readMoment(text); return moment, ok }, cmp.Compare[int64])
}

// firstRead orders what can be read before other texts.
func firstRead[T any](values []string, read func(text string) (T, bool), compare func(x, y T) int) func(i, j int) int {
	known, ok := make([]T, len(values)), make([]bool, len(values))
	for i, value := range values {
		known[i], ok[i] = read(value)
	}
	return func(i, j int) int {
		switch {
		case ok[i] && ok[j]:
			return compare(known[i], known[j])
		case ok[i]:
			return -1
		case ok[j]:
			return 1
		}
		return cmp.Compare(values[i], values[j])
	}
}

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
	order := positions(len(parts))
	for _, text := range slices.Backward(keys) { // each sort keeps what those after it made
		k := readKey(text)
		a, err := f.attribute(k.name)
		if err != nil {
			return nil, err
		}
		if k.order == nil {
			k.order = a.order()
		}
		values := make([]string, len(parts))
		for i, part := range parts {
			values[i] = a.value(part)
		}
		slices.SortStableFunc(order, k.compare(values))
	}
	return order, nil
}

// positions are those of so many, in order.
func positions(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// order is that of an attribute's values.
func (a *Attribute) order() order {
	if a.IsNumber() {
		return byNumber
	}
	return byText
}

// compare orders values by their positions.
func (k *sortKey) compare(values []string) func(i, j int) int {
	compare := k.order(values)
	return func(i, j int) int {
		switch x, y := values[i], values[j]; {
		case x == "" || y == "":
			return cmp.Compare(len(y), len(x)) // what is missing comes last, and is equal to its like
		case k.descending:
			return compare(j, i)
		}
		return compare(i, j)
	}
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
