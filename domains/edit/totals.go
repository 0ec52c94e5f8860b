package edit

import (
	"errors"
	"slices"
	"strconv"

	"github.com/shopspring/decimal"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// Totals is a summary of a document: a row for each value of an attribute, in order, with the
// number of its parts and the sums of others.
type Totals struct {
	By string          `json:"by" yaml:"by"`
	Of Several[string] `json:"of,omitempty" yaml:"of,omitempty"` // attributes that are numbers
	To string          `json:"to" yaml:"to"`                     // a CSV file
}

func (t *Totals) check() error {
	if t != nil && (t.By == "" || t.To == "") {
		return errors.New("totals: by and to must be set")
	}
	return nil
}

// names are the attributes that a summary is about.
func (t *Totals) names() []string {
	if t == nil {
		return nil
	}
	return append([]string{t.By}, t.Of...)
}

// totals is the summary of the document; no file if the verb has none. Parts without a value have
// an empty one; a sum counts all numbers of an attribute in a part, and has the most decimals.
func (s *step) totals() (vfs.Files, error) {
	t := s.verb.Totals
	if t == nil {
		return nil, nil
	}
	var all []*Attribute
	for _, name := range t.names() {
		a, err := s.format.attribute(name)
		if err != nil {
			return nil, err
		}
		all = append(all, a)
	}
	by, of := all[0], all[1:]
	counts, sums := make(map[string]int), make(map[string][]decimal.Decimal)
	var values []string
	for _, part := range s.Parts {
		value := by.value(part)
		if counts[value] == 0 {
			values, sums[value] = append(values, value), make([]decimal.Decimal, len(of))
		}
		counts[value]++
		for i, a := range of {
			for _, text := range a.values(part) {
				if n, ok := ReadNumber(text); ok {
					sums[value][i] = sums[value][i].Add(n.Value)
				}
			}
		}
	}
	order := positions(len(values))
	slices.SortStableFunc(order, by.order()(values))
	table := [][]string{append([]string{by.Name, "count"}, t.Of...)}
	for _, at := range order {
		value := values[at]
		row := []string{value, strconv.Itoa(counts[value])}
		for _, sum := range sums[value] {
			row = append(row, sum.StringFixed(max(-sum.Exponent(), 0)))
		}
		table = append(table, row)
	}
	return vfs.Files{t.To: plain.WriteCSV(table)}, nil
}
