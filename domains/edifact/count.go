package edifact

import (
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"agentd/domains/internal/plain"
)

// What CNT counts, by its qualifier.
const (
	totalQuantity = "1"
	totalLines    = "2"
)

// due is the count that a UNT or CNT of the message should state; false if it
// states something else.
func (m *message) due(s *segment) (count string, ok bool) {
	switch {
	case s.tag == "UNT":
		n := 0
		m.each(func(s *segment) {
			if s.tag != "" {
				n++
			}
		})
		return strconv.Itoa(n), true
	case s.tag == "CNT" && s.at(1, 1) == totalLines:
		return strconv.Itoa(len(m.lines)), true
	case s.tag == "CNT" && s.at(1, 1) == totalQuantity:
		return m.totalQuantity().String(), true
	}
	return "", false
}

func (m *message) totalQuantity() decimal.Decimal {
	total := decimal.Zero
	for i := range m.lines {
		for k := range m.lines[i].segments {
			if s := &m.lines[i].segments[k]; s.tag == "QTY" {
				quantity, _ := decimalOf(s.at(1, 2)) // zero if it is no number
				total = total.Add(quantity)
			}
		}
	}
	return total
}

// count is the place of the count in a UNT or CNT.
func (s *segment) count() (element, component int) {
	if s.tag == "CNT" {
		return 1, 2
	}
	return 1, 1
}

// agrees reports whether a UNT or CNT states the count that is due.
func (m *message) agrees(s *segment) bool {
	due, ok := m.due(s)
	return ok && normalNumber(s.at(s.count())) == due
}

// change calls do to change the message, and then corrects the counts
// that agreed before.
func (m *message) change(do func()) {
	agreed := map[string]bool{} // by tag and qualifier
	label := func(s *segment) string {
		if s.tag == "UNT" {
			return s.tag
		}
		return s.tag + s.at(1, 1)
	}
	for i := range m.tail {
		if s := &m.tail[i]; m.agrees(s) {
			agreed[label(s)] = true
		}
	}
	do()
	for i := range m.tail {
		if s := &m.tail[i]; agreed[label(s)] {
			due, _ := m.due(s)
			element, component := s.count()
			s.set(element, component, due)
		}
	}
}

// without leaves out line items and corrects the counts that agreed.
func without(_, text string, leave func() bool) string {
	t := read(text)
	for _, m := range t.messages() {
		m.change(func() { m.leaveOut(leave) })
	}
	return t.print()
}

// leaveOut leaves out line items. A packing level stays.
func (m *message) leaveOut(leave func() bool) {
	var kept []line
	var above []segment
	for _, l := range m.lines {
		above = append(above, l.above...)
		if !leave() {
			l.above, above = above, nil
			kept = append(kept, l)
		}
	}
	m.lines = kept
	m.tail = slices.Concat(above, m.tail)
}

// place is a component in a segment, both counted from 1.
type place struct{ element, component int }

// numeric are the places of numbers, by tag.
var numeric = map[string][]place{
	"APR": {{2, 1}},
	"CNT": {{1, 2}},
	"CUX": {{3, 1}},
	"MEA": {{3, 2}, {3, 3}, {3, 4}},
	"MOA": {{1, 2}},
	"PCD": {{1, 2}},
	"PRI": {{1, 2}, {1, 5}},
	"QTY": {{1, 2}},
	"QVR": {{1, 1}},
	"RNG": {{2, 2}, {2, 3}},
	"RTE": {{1, 2}, {1, 4}},
	"TAX": {{4, 1}, {5, 4}},
	"UNE": {{1, 1}},
	"UNT": {{1, 1}},
	"UNZ": {{1, 1}},
}

// isNumber reports whether a text is a number, with a point or a comma as decimal sign.
func isNumber(text string) bool {
	digits := strings.TrimPrefix(text, "-")
	if at := strings.IndexAny(digits, ".,"); at >= 0 {
		digits = digits[:at] + digits[at+1:]
	}
	return plain.IsDigits(digits)
}

// normalNumber writes equal numbers alike; text that is no number stays as it
// is.
func normalNumber(text string) string {
	if !isNumber(text) {
		return text
	}
	return plain.Number(strings.Replace(text, ",", ".", 1))
}

// decimalOf reads a number exactly; false if it is none.
func decimalOf(text string) (decimal.Decimal, bool) {
	if !isNumber(text) {
		return decimal.Decimal{}, false
	}
	value, err := decimal.NewFromString(normalNumber(text))
	return value, err == nil
}
