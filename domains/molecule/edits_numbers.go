package molecule

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

var formulaPart = regexp.MustCompile(`([A-Z][a-z]?)([0-9]*)`)

// molarMass adds up the atomic weights of a formula such as C5H6OS.
func molarMass(formula string, weights map[string]decimal.Decimal) (decimal.Decimal, error) {
	sum := decimal.Zero
	rest := formula
	for _, part := range formulaPart.FindAllStringSubmatch(formula, -1) {
		weight, known := weights[part[1]]
		if !known {
			return sum, fmt.Errorf("no atomic weight for %s in the formula %q", part[1], formula)
		}
		times := int64(1)
		if part[2] != "" {
			times = int64(number(part[2]))
		}
		sum = sum.Add(weight.Mul(decimal.NewFromInt(times)))
		rest = strings.Replace(rest, part[0], "", 1)
	}
	if formula == "" || rest != "" {
		return sum, fmt.Errorf("the formula %q cannot be read", formula)
	}
	return sum, nil
}

// sortNoted sorts records, after it has given each a field with what note says of it, and one
// with its number.
func sortNoted(document, to, field, position string, note func(*entry) (string, error), compare func(a, b *entry) int) exact.Steps {
	change := func(entries *[]entry) (vfs.Files, error) {
		for i := range *entries {
			e := &(*entries)[i]
			said, err := note(e)
			if err != nil {
				return nil, err
			}
			for _, name := range []string{field, position} {
				if _, has := e.value(name); has {
					return nil, fmt.Errorf("the record %q has a field %s already", e.title(), name)
				}
			}
			e.add(field, said)
			e.add(position, strconv.Itoa(i+1))
		}
		libraries.Sort(entries, compare)
		return nil, nil
	}
	return libraries.Rewrite(document, to, change, func(entries *[]entry, _ vfs.Files) error {
		libraries.SortByNumber(entries, func(e *entry) (int, bool) {
			n := number(e.text(position))
			e.data = slices.DeleteFunc(e.data, func(d datum) bool { return d.name() == field || d.name() == position })
			return n, n > 0
		})
		return nil
	})
}

// sortByMass sorts records by the molar mass of their formula, which they get as a field.
func sortByMass(p struct {
	Document, To, Formula string
	Weights               map[string]decimal.Decimal // of the elements
	Field, Position       string
}) exact.Steps {
	note := func(e *entry) (string, error) {
		mass, err := molarMass(e.text(p.Formula), p.Weights)
		return mass.StringFixed(3), err
	}
	return sortNoted(p.Document, p.To, p.Field, p.Position, note, func(a, b *entry) int {
		x, _ := molarMass(a.text(p.Formula), p.Weights)
		y, _ := molarMass(b.text(p.Formula), p.Weights)
		return x.Cmp(y)
	})
}

// limit is one that the number in a field must keep.
type limit struct {
	Name, Field string
	Least       *decimal.Decimal `json:",omitempty"` // nil for none
	Most        *decimal.Decimal `json:",omitempty"` // nil for none
}

func (l *limit) holds(e *entry) bool {
	value, err := decimal.NewFromString(e.text(l.Field))
	return err == nil && (l.Least == nil || value.GreaterThanOrEqual(*l.Least)) && (l.Most == nil || value.LessThanOrEqual(*l.Most))
}

// sortByLimits says of each record whether it keeps all limits, and puts those first that do.
func sortByLimits(p struct {
	Document, To    string
	Limits          []limit
	Field, Position string
}) exact.Steps {
	note := func(e *entry) (string, error) {
		var failed []string
		for _, l := range p.Limits {
			if !l.holds(e) {
				failed = append(failed, l.Name)
			}
		}
		if len(failed) > 0 {
			return "no: " + strings.Join(failed, ", "), nil
		}
		return "yes", nil
	}
	rank := func(e *entry) int {
		if e.text(p.Field) == "yes" {
			return 0
		}
		return 1
	}
	return sortNoted(p.Document, p.To, p.Field, p.Position, note, func(a, b *entry) int { return rank(a) - rank(b) })
}

const (
	coordinateColumns = 30
	noPlace           = "    0.0000    0.0000    0.0000"
)

// picometres moves the coordinates to a table, in picometres.
func picometres(p struct{ Document, To, Table string }) exact.Steps {
	change := func(entries *[]entry) (vfs.Files, error) {
		var table strings.Builder
		table.WriteString("record\tatom\tx_pm\ty_pm\tz_pm\n")
		for n := range *entries {
			e := &(*entries)[n]
			if err := e.columnsInPlace(); err != nil {
				return nil, err
			}
			for i, line := range e.atoms {
				row := []string{strconv.Itoa(n + 1), strconv.Itoa(i + 1)}
				for axis := range 3 {
					value, err := decimal.NewFromString(part(line, 10*axis, 10*axis+10))
					if err != nil || !value.Equal(value.Round(4)) {
						return nil, fmt.Errorf("the coordinates of %q have more than four decimals", line)
					}
					row = append(row, value.Shift(2).StringFixed(2))
				}
				table.WriteString(strings.Join(row, "\t") + "\n")
				e.atoms[i] = noPlace + line[coordinateColumns:]
			}
		}
		return vfs.Files{p.Table: table.String()}, nil
	}
	return libraries.Rewrite(p.Document, p.To, change, func(entries *[]entry, files vfs.Files) error {
		text, err := plain.File(files, p.Table)
		for _, line := range plain.Lines(text) {
			cells := strings.Split(line, "\t")
			if len(cells) < 5 {
				continue
			}
			n, i := number(cells[0]), number(cells[1])
			if n < 1 || n > len(*entries) || i < 1 || i > len((*entries)[n-1].atoms) {
				continue
			}
			columns := ""
			for _, cell := range cells[2:5] {
				value, err := decimal.NewFromString(strings.TrimSpace(cell))
				if err != nil {
					return fmt.Errorf("reading %s: %q is no number", p.Table, cell)
				}
				columns += fmt.Sprintf("%10s", value.Shift(-2).StringFixed(4))
			}
			if atom := &(*entries)[n-1].atoms[i-1]; len(*atom) > coordinateColumns {
				*atom = columns + (*atom)[coordinateColumns:]
			}
		}
		return err
	})
}
