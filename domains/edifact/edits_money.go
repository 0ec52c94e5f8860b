package edifact

import (
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	valuedFile = "valued.edi"
	// Qualifiers of MOA, QTY and PRI.
	lineAmount, totalAmount = "203", "79"
	toBeDelivered           = "113"
	netPrice                = "AAA"
)

// addValues adds the amount of each line item that has a quantity to be
// delivered and a net price, and the total of these amounts after UNS.
func addValues(files vfs.Files) (vfs.Files, error) {
	t, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	for _, m := range t.messages() {
		m.change(m.addAmounts)
	}
	return vfs.Files{valuedFile: t.print()}, nil
}

func (m *message) addAmounts() {
	total, valued := decimal.Zero, false
	for i := range m.lines {
		l := &m.lines[i]
		if amount, ok := l.amount(); ok {
			at := slices.IndexFunc(l.segments, func(s segment) bool {
				return s.tag == "QVR" || s.tag == "FTX" || s.tag == "PRI"
			})
			l.segments = slices.Insert(l.segments, at, amountSegment(lineAmount, amount))
			total, valued = total.Add(amount), true
		}
	}
	at := slices.IndexFunc(m.tail, func(s segment) bool { return s.tag == "UNS" })
	if valued && at >= 0 {
		m.tail = slices.Insert(m.tail, at+1, amountSegment(totalAmount, total))
	}
}

// amount is quantity times price, rounded to cents.
func (l *line) amount() (decimal.Decimal, bool) {
	qty, pri := l.find("QTY", toBeDelivered), l.find("PRI", netPrice)
	if qty == nil || pri == nil {
		return decimal.Decimal{}, false
	}
	quantity, isNumber := decimalOf(qty.at(1, 2))
	price, ok := decimalOf(pri.at(1, 2))
	return quantity.Mul(price).Round(2), isNumber && ok
}

func amountSegment(qualifier string, amount decimal.Decimal) segment {
	return segment{tag: "MOA", elements: [][]string{{qualifier, amount.StringFixed(2)}}}
}

func removeValues(files vfs.Files) (vfs.Files, error) {
	t, err := readNamed(files, valuedFile)
	if err != nil {
		return nil, err
	}
	for _, m := range t.messages() {
		m.change(func() {
			for i := range m.lines {
				m.lines[i].segments = drop(m.lines[i].segments, "MOA", lineAmount)
			}
			m.tail = drop(m.tail, "MOA", totalAmount)
		})
	}
	return asDocument(t), nil
}

const (
	euroFile  = "euro_prices.edi"
	ratesFile = "rates.csv"
)

// euroRate is the euros that a pound is converted at.
var euroRate = decimal.RequireFromString("1.1694")

// toEuros converts the prices of messages in sterling. Four decimals keep the
// pence apart.
func toEuros(files vfs.Files) (vfs.Files, error) {
	t, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	rows := [][]string{{"message", "currency", "rate"}}
	for _, m := range t.messages() {
		if cux := m.find("CUX"); cux != nil && cux.at(1, 2) == "GBP" {
			rows = append(rows, []string{m.reference(), "GBP", euroRate.String()})
			cux.set(1, 2, "EUR")
			m.reprice(func(price decimal.Decimal) string { return price.Mul(euroRate).StringFixed(4) })
		}
	}
	return vfs.Files{euroFile: t.print(), ratesFile: plain.WriteCSV(rows)}, nil
}

func toSterling(files vfs.Files) (vfs.Files, error) {
	t, err := readNamed(files, euroFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, ratesFile, "message", "currency", "rate")
	if err != nil {
		return nil, err
	}
	for _, m := range t.messages() {
		at := slices.IndexFunc(rows, func(row []string) bool { return row[0] == m.reference() })
		if at < 0 {
			continue
		}
		if cux := m.find("CUX"); cux != nil {
			cux.set(1, 2, rows[at][1])
		}
		if rate, ok := decimalOf(strings.TrimSpace(rows[at][2])); ok && rate.IsPositive() {
			m.reprice(func(price decimal.Decimal) string { return price.DivRound(rate, 2).String() })
		}
	}
	return asDocument(t), nil
}

// reprice rewrites every price of the line items.
func (m *message) reprice(written func(decimal.Decimal) string) {
	m.each(func(s *segment) {
		if price, ok := decimalOf(s.at(1, 2)); ok && s.tag == "PRI" {
			s.set(1, 2, written(price))
		}
	})
}
