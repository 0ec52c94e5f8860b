package accounting

import (
	"iter"
	"strings"

	"github.com/shopspring/decimal"
)

// postings are those of all entries, to change them.
func (j *journal) postings() iter.Seq[*line] {
	return func(yield func(*line) bool) {
		for i := range j.entries {
			for l := range j.entries[i].postings() {
				if !yield(l) {
					return
				}
			}
		}
	}
}

// postings are the entry's, to change them.
func (e *entry) postings() iter.Seq[*line] {
	return func(yield func(*line) bool) {
		for i := range e.lines {
			if e.lines[i].kind == postingLine && !yield(&e.lines[i]) {
				return
			}
		}
	}
}

// comments are the texts of the entry's comments, to change them.
func (e *entry) comments() iter.Seq[*string] {
	return func(yield func(*string) bool) {
		if !yield(&e.comment) {
			return
		}
		for i := range e.lines {
			if e.lines[i].kind != marginLine && !yield(&e.lines[i].text) {
				return
			}
		}
	}
}

// month is the month of the entry's date, as in 2023-01.
func (e *entry) month() string { return normalDate(e.date)[:len("2023-01")] }

// implied returns the one posting without an amount, and the value that makes the entry's sum
// zero. It is false if there is no such posting or an amount cannot be summed.
func (e *entry) implied(symbol string) (posting *line, value decimal.Decimal, ok bool) {
	elided, summed := 0, true
	for l := range e.postings() {
		if l.amount == "" {
			posting = l
			elided++
			continue
		}
		written, ok := quantity(l.amount, symbol)
		value = value.Sub(written)
		summed = summed && ok
	}
	return posting, value, elided == 1 && summed
}

// addTo adds the entry to the balances of its accounts.
func (e *entry) addTo(balances map[string]decimal.Decimal, symbol string) {
	elided, rest, ok := e.implied(symbol)
	for l := range e.postings() {
		value, _ := quantity(l.amount, symbol) // zero if it cannot be read
		if ok && l == elided {
			value = rest
		}
		balances[l.account] = balances[l.account].Add(value)
	}
}

// quantity reads an amount of a commodity; false if it is of anything else.
func quantity(text, commodity string) (decimal.Decimal, bool) {
	a, ok := readAmount(text)
	if !ok || a.commodity != commodity {
		return decimal.Decimal{}, false
	}
	value, err := decimal.NewFromString(a.number)
	return value, err == nil
}

// money writes an amount as books do: $-1,234.50.
func money(symbol string, value decimal.Decimal, places int32) string {
	whole, fraction, _ := strings.Cut(value.Abs().StringFixed(places), ".")
	if value.Round(places).IsNegative() {
		symbol += "-"
	}
	for at := len(whole) - 3; at > 0; at -= 3 {
		whole = whole[:at] + "," + whole[at:]
	}
	return symbol + whole + "." + fraction
}
