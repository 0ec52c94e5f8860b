package edit

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"github.com/shopspring/decimal"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// sort puts the parts in the order of an attribute, and lists the position that each had.
func (s *step) sort() (vfs.Files, error) {
	table := [][]string{{"line", "position"}}
	var parts []string
	for n, at := range s.by.sorted(s.Parts) {
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

// codePrefix is what codes may begin with.
var codePrefix = regexp.MustCompile(`^[A-Z]{1,8}$`)

// codes matches the codes of a prefix.
func codes(prefix string) *regexp.Regexp { return regexp.MustCompile(`\b` + prefix + `\d+\b`) }

// encode puts codes in place of values, and lists them: one for each value of Register, one
// for each place of Aside.
func (s *step) encode() (vfs.Files, error) {
	if found := codes(s.verb.Code).FindString(s.Text()); found != "" {
		return nil, fmt.Errorf("%s has %s already, so that codes cannot begin with %s", s.name, found, s.verb.Code)
	}
	table := [][]string{{"code", "text"}}
	given := make(map[string]string)
	for i := range s.Parts {
		s.Parts[i] = s.by.replace(s.Parts[i], func(value string) string {
			if code, known := given[value]; known && s.verb.Register != "" {
				return code
			}
			code := s.verb.Code + strconv.Itoa(len(table))
			given[value] = code
			table = append(table, []string{code, value})
			return code
		})
	}
	return s.document.with(vfs.Files{s.name: s.Text(), s.verb.Table: plain.WriteCSV(table)}), nil
}

// decode puts the values of the list in place of codes. A code that is not listed stays.
func (p *Program) decode(files vfs.Files) (vfs.Files, error) {
	rows, err := plain.Table(files, p.verb.Table, "code", "text")
	if err != nil {
		return nil, err
	}
	d, err := p.read(files)
	if err != nil {
		return nil, err
	}
	listed := make(map[string]string, len(rows))
	for _, row := range rows {
		listed[row[0]] = row[1]
	}
	text := codes(p.verb.Code).ReplaceAllStringFunc(d.Text(), func(code string) string {
		if value, known := listed[code]; known {
			return value
		}
		return code
	})
	return d.with(vfs.Files{d.name: text}), nil
}

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
