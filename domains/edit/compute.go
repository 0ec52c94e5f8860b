package edit

import (
	"regexp"

	"github.com/shopspring/decimal"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// plainNumber is a decimal number as this package computes with it: without a plus sign,
// leading zeros, thousands separators or an exponent, and not a negative zero. Other numbers stay as they are.
var plainNumber = regexp.MustCompile(`^-?(0|[1-9]\d{0,17})(\.\d{1,18})?$`)

// decimalOf reads a decimal number; false if it is not one in plain form.
func decimalOf(text string) (decimal.Decimal, bool) {
	if !plainNumber.MatchString(text) {
		return decimal.Decimal{}, false
	}
	d, err := decimal.NewFromString(text)
	return d, err == nil && !(d.IsZero() && text[0] == '-')
}

// shift adds an amount to a number, which keeps its decimals unless the amount has more of them.
func shift(text string, amount decimal.Decimal) string {
	d, ok := decimalOf(text)
	if !ok {
		return text
	}
	return d.Add(amount).StringFixed(max(-d.Exponent(), -amount.Exponent(), 0))
}

// add adds the amount to every value, and writes it down.
func (s *step) add() (vfs.Files, error) {
	amount, _ := decimalOf(s.verb.Amount) // Check has read it
	s.shift(amount)
	table := plain.WriteCSV([][]string{{"value", "added"}, {s.by.Name, s.verb.Amount}})
	return s.document.with(vfs.Files{s.name: s.Text(), s.verb.Table: table}), nil
}

// subtract takes away what the file says was added.
func (p *Program) subtract(files vfs.Files) (vfs.Files, error) {
	rows, err := p.table(files, "value", "added")
	if err != nil {
		return nil, err
	}
	amount, err := decimal.NewFromString(rows[0][1])
	if err != nil {
		return nil, err
	}
	s, err := p.on(files)
	if err != nil {
		return nil, err
	}
	s.shift(amount.Neg())
	return s.document.with(vfs.Files{s.name: s.Text()}), nil
}

// shift adds an amount to every value.
func (s *step) shift(amount decimal.Decimal) {
	for i := range s.Parts {
		s.Parts[i] = s.by.replace(s.Parts[i], func(value string) string { return shift(value, amount) })
	}
}
