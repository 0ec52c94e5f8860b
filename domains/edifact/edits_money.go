package edifact

import (
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// addValues adds the amount of each line item that has a quantity and a price, and the total
// of these amounts after UNS.
func addValues(p struct {
	Document, To    string
	Quantity, Price string // qualifiers of QTY and PRI
	Line, Total     string // and of the MOA that are added
}) exact.Steps {
	value := func(l *line) (decimal.Decimal, bool) {
		qty, pri := l.find("QTY", p.Quantity), l.find("PRI", p.Price)
		if qty == nil || pri == nil {
			return decimal.Decimal{}, false
		}
		quantity, isNumber := decimalOf(qty.at(1, 2))
		price, ok := decimalOf(pri.at(1, 2))
		return quantity.Mul(price).Round(2), isNumber && ok
	}
	amount := func(qualifier string, value decimal.Decimal) segment {
		return segment{tag: "MOA", elements: [][]string{{qualifier, value.StringFixed(2)}}}
	}
	add := func(m *message) {
		total, valued := decimal.Zero, false
		for i := range m.lines {
			l := &m.lines[i]
			if value, ok := value(l); ok {
				at := slices.IndexFunc(l.segments, func(s segment) bool { return slices.Contains([]string{"QVR", "FTX", "PRI"}, s.tag) })
				l.segments = slices.Insert(l.segments, at, amount(p.Line, value))
				total, valued = total.Add(value), true
			}
		}
		at := slices.IndexFunc(m.tail, func(s segment) bool { return s.tag == "UNS" })
		if valued && at >= 0 {
			m.tail = slices.Insert(m.tail, at+1, amount(p.Total, total))
		}
	}
	change := func(t *transmission) {
		for _, m := range t.messages() {
			m.change(func() { add(m) })
		}
	}
	return interchanges.Change(p.Document, p.To, change, func(t *transmission) {
		for _, m := range t.messages() {
			m.change(func() {
				for i := range m.lines {
					m.lines[i].segments = drop(m.lines[i].segments, "MOA", p.Line)
				}
				m.tail = drop(m.tail, "MOA", p.Total)
			})
		}
	})
}

// currency is one in which prices are given.
type currency struct {
	Code   string // of ISO 4217
	Places int32  // decimals of a price
}

// restate writes the prices of messages in one currency in another one. It must have enough
// decimals to keep the prices apart.
func restate(p struct {
	Document, To string
	Own, Other   currency
	Rate         decimal.Decimal // what one of its own is in the other
	Table        string
}) exact.Steps {
	change := func(t *transmission) (vfs.Files, error) {
		rows := [][]string{{"message", "currency", "rate"}}
		for _, m := range t.messages() {
			if cux := m.find("CUX"); cux != nil && cux.at(1, 2) == p.Own.Code {
				rows = append(rows, []string{m.reference(), p.Own.Code, p.Rate.String()})
				cux.set(1, 2, p.Other.Code)
				m.reprice(func(price decimal.Decimal) string { return price.Mul(p.Rate).StringFixed(p.Other.Places) })
			}
		}
		return vfs.Files{p.Table: plain.WriteCSV(rows)}, nil
	}
	restore := func(t *transmission, files vfs.Files) error {
		rows, err := plain.Table(files, p.Table, "message", "currency", "rate")
		for _, m := range t.messages() {
			at := slices.IndexFunc(rows, func(row []string) bool { return row[0] == m.reference() })
			if at < 0 {
				continue
			}
			if cux := m.find("CUX"); cux != nil {
				cux.set(1, 2, rows[at][1])
			}
			if rate, ok := decimalOf(strings.TrimSpace(rows[at][2])); ok && rate.IsPositive() {
				m.reprice(func(price decimal.Decimal) string { return price.DivRound(rate, p.Own.Places).String() })
			}
		}
		return err
	}
	return interchanges.Rewrite(p.Document, p.To, change, restore)
}

// reprice rewrites every price of the line items.
func (m *message) reprice(written func(decimal.Decimal) string) {
	m.each(func(s *segment) {
		if price, ok := decimalOf(s.at(1, 2)); ok && s.tag == "PRI" {
			s.set(1, 2, written(price))
		}
	})
}
