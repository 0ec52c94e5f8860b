package edit

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// Map says how values are written in another way. Scale, Shift, Decimals and Unit are of numbers, and may be combined;
// Clock and Layout are of dates and times, and may be too. Values of another kind or unit stay as they are.
type Map struct {
	Scale    string `json:"scale,omitempty" yaml:"scale,omitempty"`       // a factor above zero
	Shift    string `json:"shift,omitempty" yaml:"shift,omitempty"`       // what is added, after Scale
	Decimals string `json:"decimals,omitempty" yaml:"decimals,omitempty"` // of the values and of what is made of them: "2 to 4"
	Unit     string `json:"unit,omitempty" yaml:"unit,omitempty"`         // "km to mi"; values of another unit stay
	Clock    string `json:"clock,omitempty" yaml:"clock,omitempty"`       // what is added to a time: -2h, 1h30m, 7d
	Layout   string `json:"layout,omitempty" yaml:"layout,omitempty"`     // "YYYY-MM-DD to DD.MM.YYYY", "hh:mm:ss to seconds"
}

// there and back are the two directions of a map.
type mapping struct {
	there, back func(value string) (string, bool)
}

// pair reads what a map says of both sides.
func pair(key, text string) (from, to string, err error) {
	from, to, ok := strings.Cut(text, " to ")
	if text != "" && (!ok || from == "" || to == "") {
		return "", "", fmt.Errorf("%s must be like %q, not %q", key, "A to B", text)
	}
	return from, to, nil
}

func (v Verb) checkMap() error {
	if len(v.Rewrite) == 0 {
		return nil
	}
	if v.By == nil {
		return errors.New("by must be set, to what is done with the values: scale, shift, decimals, unit, clock or layout")
	}
	_, err := v.By.mapping()
	return err
}

// mapping makes the two directions.
func (m *Map) mapping() (mapping, error) {
	numbers, moments := m.Scale+m.Shift+m.Decimals+m.Unit != "", m.Clock+m.Layout != ""
	switch {
	case numbers == moments:
		return mapping{}, errors.New("by must have some of scale, shift, decimals and unit, or of clock and layout")
	case numbers:
		return m.ofNumbers()
	}
	return m.ofMoments()
}

// ofNumbers multiplies and adds there, and subtracts and divides back.
func (m *Map) ofNumbers() (mapping, error) {
	scale, shift := decimal.New(1, 0), decimal.Zero
	for _, one := range []struct {
		key, text string
		into      *decimal.Decimal
	}{{"scale", m.Scale, &scale}, {"shift", m.Shift, &shift}} {
		if one.text == "" {
			continue
		}
		read, ok := decimalOf(one.text)
		if !ok || one.key == "scale" && !read.IsPositive() {
			return mapping{}, fmt.Errorf("%s %q is no decimal number to use", one.key, one.text)
		}
		*one.into = read
	}
	from, to, err := pair("unit", m.Unit)
	if err != nil {
		return mapping{}, err
	}
	few, many, err := pair("decimals", m.Decimals)
	if err != nil {
		return mapping{}, err
	}
	before, after := int32(-1), int32(-1) // as many as it takes
	if m.Decimals != "" {
		b, errB := strconv.ParseUint(few, 10, 4)
		a, errA := strconv.ParseUint(many, 10, 4)
		if errB != nil || errA != nil {
			return mapping{}, fmt.Errorf("decimals %q must be two numbers of at most 15", m.Decimals)
		}
		before, after = int32(b), int32(a)
	}
	places := max(-scale.Exponent(), -shift.Exponent(), 0)
	there := func(d decimal.Decimal) decimal.Decimal { return fixed(d.Mul(scale).Add(shift), after) }
	back := func(d decimal.Decimal) decimal.Decimal {
		digits := before
		if digits < 0 { // there took no more than these from it
			digits = max(-d.Exponent()+scale.Exponent(), -d.Exponent()-places, 0)
		}
		return fixed(d.Sub(shift).DivRound(scale, digits), digits)
	}
	return mapping{inUnits(from, to, there), inUnits(to, from, back)}, nil
}

// fixed rounds halves away from zero to so many decimals, which are all written; below zero it
// leaves the number as it is.
func fixed(d decimal.Decimal, places int32) decimal.Decimal {
	if places < 0 {
		return d
	}
	d = d.Round(places)
	return d.Add(decimal.New(0, -places)) // has as many decimals
}

// inUnits computes with numbers of one unit and writes them in another; with those of any unit if none is given.
func inUnits(from, to string, compute func(decimal.Decimal) decimal.Decimal) func(string) (string, bool) {
	return func(value string) (string, bool) {
		n, ok := ReadNumber(value)
		if !ok || from != "" && n.Unit() != from {
			return value, false
		}
		n = n.With(compute(n.Value))
		if from != "" {
			n = n.in(to)
		}
		return n.String(), true
	}
}

// ofMoments adds a length of time, and writes in another layout.
func (m *Map) ofMoments() (mapping, error) {
	var length int64
	var err error
	if m.Clock != "" {
		if length, err = readLength(m.Clock); err != nil {
			return mapping{}, err
		}
	}
	from, to, err := pair("layout", m.Layout)
	if err != nil {
		return mapping{}, err
	}
	if m.Layout == "" {
		return mapping{shiftMoment(length), shiftMoment(-length)}, nil
	}
	was, err := newLayout(from)
	if err != nil {
		return mapping{}, err
	}
	is, err := newLayout(to)
	if err != nil {
		return mapping{}, err
	}
	relaid := func(from, to *layout, length int64) func(string) (string, bool) {
		return func(value string) (string, bool) {
			at, ok := from.read(value)
			if !ok {
				return value, false
			}
			return to.write(at + length)
		}
	}
	return mapping{relaid(was, is, length), relaid(is, was, -length)}, nil
}

// shiftMoment adds a length of time to a value in its own layout. One without a time of day takes whole days only.
func shiftMoment(length int64) func(string) (string, bool) {
	return func(value string) (string, bool) {
		at, in, ok := readMoment(value)
		if !ok || !strings.Contains(in.text, "hh") && length%perDay != 0 || !strings.Contains(in.text, "DD") && in.dated {
			return value, false
		}
		return in.write(at + length)
	}
}

// rewrite writes the values in the other way. The table lists each that its inverse would write
// otherwise; without a table there must be none.
func (s *step) rewrite() (vfs.Files, error) {
	m, err := s.verb.By.mapping()
	if err != nil {
		return nil, err
	}
	table := [][]string{{"position", "attribute", "place", "text"}}
	if err := s.eachValue(func(position int, name string, place int, value string) string {
		written, ok := m.there(value)
		if !ok {
			written = value
		}
		if back, ok := m.back(written); ok && back != value || !ok && written != value {
			table = append(table, []string{strconv.Itoa(position), name, strconv.Itoa(place), value})
		}
		return written
	}); err != nil {
		return nil, err
	}
	files := vfs.Files{s.name: s.Text()}
	switch {
	case s.verb.Table != "":
		files[s.verb.Table] = plain.WriteCSV(table)
	case len(table) > 1:
		return nil, fmt.Errorf("%w: of %d values, such as %q; a table would list them", ErrInexact, len(table)-1, table[1][3])
	}
	return s.document.with(files), nil
}

// eachValue puts another value in place of each one. Positions and places are from 1.
func (s *step) eachValue(with func(position int, name string, place int, value string) string) error {
	for _, name := range s.verb.Rewrite {
		a, err := s.format.attribute(name)
		if err != nil {
			return err
		}
		for i := range s.Parts {
			place := 0
			s.Parts[i] = a.replace(s.Parts[i], func(value string) string {
				place++
				return with(i+1, name, place, value)
			})
		}
	}
	return nil
}

// rewriteAgain writes the values by the inverse, and those of the table as it has them.
func (p *Program) rewriteAgain(files vfs.Files) (vfs.Files, error) {
	listed := make(map[[3]string]string)
	if p.verb.Table != "" {
		rows, err := plain.Table(files, p.verb.Table, "position", "attribute", "place", "text")
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			listed[[3]string(row[:3])] = row[3]
		}
	}
	s, err := p.on(files)
	if err != nil {
		return nil, err
	}
	m, err := p.verb.By.mapping()
	if err != nil {
		return nil, err
	}
	if err := s.eachValue(func(position int, name string, place int, value string) string {
		if text, ok := listed[[3]string{strconv.Itoa(position), name, strconv.Itoa(place)}]; ok {
			return text
		}
		if back, ok := m.back(value); ok {
			return back
		}
		return value
	}); err != nil {
		return nil, err
	}
	return s.document.with(vfs.Files{s.name: s.Text()}), nil
}

// shift adds an amount to a number, which keeps its decimals unless the amount has more of them.
// A number that would be written otherwise, such as one with leading zeros, stays as it is.
func shift(text string, amount decimal.Decimal) string {
	n, ok := ReadNumber(text)
	if !ok || n.String() != text {
		return text
	}
	return n.With(n.Value.Add(amount)).String()
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
