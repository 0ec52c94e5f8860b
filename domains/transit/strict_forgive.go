package transit

import (
	"cmp"
	"slices"
	"strconv"

	"agentd/domains"
)

// numbering is a column that only says the order of rows: the numbers must
// rise, and which they are means nothing.
type numbering struct {
	table, of, number string
	what              []string // the fields by which a numbered row is found again
}

var numberings = [...]numbering{
	{stopTimesFile, "trip_id", "stop_sequence", []string{"stop_id"}},
	{shapesFile, "shape_id", "shape_pt_sequence", []string{"shape_pt_lat", "shape_pt_lon"}},
}

// forgiveNumbers gives the rows of the candidate's trips and shapes the numbers
// of the reference where their order is the same.
func forgiveNumbers(reference, candidate []domains.Element) (ref, got []domains.Element) {
	changed := false
	for _, n := range numberings {
		order, refRows := n.rows(reference)
		_, gotRows := n.rows(candidate)
		for _, name := range order {
			for at, number := range renumbered(refRows[name], gotRows[name]) {
				if !changed {
					candidate, changed = slices.Clone(candidate), true
				}
				fields := slices.Clone(candidate[at].Fields)
				k := slices.IndexFunc(fields, func(f domains.Field) bool { return f.Name == n.number })
				fields[k].Value = number
				candidate[at].Fields = fields
			}
		}
	}
	return reference, candidate
}

// numbered is a row with its number.
type numbered struct {
	at     int // among the elements
	number int
	digits string
	what   string
}

// rows returns the rows of each trip or shape in the order of their numbers. One
// with a number twice or without a number has no rows here.
func (n numbering) rows(elements []domains.Element) (names []string, rows map[string][]numbered) {
	rows = map[string][]numbered{}
	unordered := map[string]bool{}
	for at := range elements {
		e := &elements[at]
		if e.Kind != "row" || e.Value(tableField) != n.table {
			continue
		}
		name := e.Value(n.of)
		digits := e.Value(n.number)
		number, err := strconv.Atoi(digits)
		if err != nil {
			unordered[name] = true
		}
		if _, known := rows[name]; !known {
			names = append(names, name)
		}
		what := ""
		for _, field := range n.what {
			what += e.Value(field) + " "
		}
		rows[name] = append(rows[name], numbered{at, number, digits, what})
	}
	for _, name := range names {
		of := rows[name]
		slices.SortStableFunc(of, func(a, b numbered) int { return cmp.Compare(a.number, b.number) })
		for k := range of[1:] {
			unordered[name] = unordered[name] || of[k].number == of[k+1].number
		}
		if unordered[name] {
			rows[name] = nil
		}
	}
	return names, rows
}

// renumbered returns which rows of the candidate get which number of the
// reference: none if the numbers are the same or the order is not.
func renumbered(ref, got []numbered) map[int]string {
	places := make(map[string][]int, len(ref)) // in ref, of each content
	for k := range ref {
		places[ref[k].what] = append(places[ref[k].what], k)
	}
	numbers := map[int]string{}
	last := -1
	for _, g := range got {
		of := places[g.what]
		if len(of) == 0 {
			continue
		}
		if of[0] < last {
			return nil
		}
		last, places[g.what] = of[0], of[1:]
		if r := ref[of[0]]; r.number != g.number {
			numbers[g.at] = r.digits
		}
	}
	return numbers
}
