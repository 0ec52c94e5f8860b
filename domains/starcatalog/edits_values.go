package starcatalog

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

// decimals are numbers as catalogues write them.
var decimals = regexp.MustCompile(`^[+-]?[0-9]{1,7}(\.[0-9]{1,9})?$`)

// angle is a column of angles in its two forms. Hours have no sign, degrees have one.
type angle struct {
	Sexagesimal, Decimal string // names of the field
	Hours                bool   `json:",omitempty"` // and not degrees
}

// scale is that of the sexagesimal column.
func (a *angle) scale() (unit string, secondsPerDegree, most int64) {
	if a.Hours {
		return `"h:m:s"`, 240, 23
	}
	return `"d:m:s"`, 3600, 90
}

var (
	sexagesimal = regexp.MustCompile(`^([+-]?)([0-9]{2}) ([0-5][0-9]) ([0-5][0-9](?:\.([0-9]{1,6}))?)$`)
	degrees     = regexp.MustCompile(`^([+-]?)([0-9]{1,3}\.([0-9]{5,11}))$`)
)

// minute and hour are in seconds.
const minute, hour = 60, 3600

// moreDigits is how many decimals more degrees have than seconds, so that no
// second is lost.
const moreDigits = 5

// decimalDegrees writes angles in hours or degrees, minutes and seconds in degrees with decimals.
func decimalDegrees(p struct {
	Document, To string
	Columns      []angle
}) exact.Steps {
	return catalogs.Rewrite(p.Document, p.To, func(doc *catalog) (vfs.Files, error) {
		found := false
		for t, g := range doc.grids() {
			for _, a := range p.Columns {
				has, err := a.toDecimals(g, t+1)
				if err != nil {
					return nil, err
				}
				found = found || has
			}
		}
		if !found {
			return nil, errors.New("no column of sexagesimal angles")
		}
		return nil, nil
	}, func(doc *catalog, _ vfs.Files) error {
		for _, g := range doc.grids() {
			for _, a := range p.Columns {
				at := g.field(a.Decimal)
				if at < 0 {
					continue
				}
				a.toSexagesimalField(g.fields()[at])
				for _, r := range g.rows() {
					if converted, ok := a.toSexagesimal(cell(r, at)); ok {
						r.All("TD")[at].SetContent(converted)
					}
				}
			}
		}
		return nil
	})
}

// toDecimals converts the column in a table, if there is one.
func (a *angle) toDecimals(g grid, table int) (found bool, err error) {
	column := g.field(a.Sexagesimal)
	if column < 0 {
		return false, nil
	}
	if g.field(a.Decimal) >= 0 {
		return true, fmt.Errorf("table %d has %s already", table, a.Decimal)
	}
	if err := a.toDecimalField(g.fields()[column]); err != nil {
		return true, fmt.Errorf("table %d: %w", table, err)
	}
	for n, r := range g.rows() {
		text := cell(r, column)
		if text == "" {
			continue
		}
		converted, ok := a.toDecimal(text)
		if !ok {
			return true, fmt.Errorf("table %d, row %d: %s is %q", table, n+1, a.Sexagesimal, text)
		}
		r.All("TD")[column].SetContent(converted)
	}
	return true, nil
}

// toDecimalField describes the column in degrees. What a text's length was is
// then the width of a number.
func (a *angle) toDecimalField(f *xml.Node) error {
	_, hasWidth := f.Attribute("width")
	_, hasSize := f.Attribute("arraysize")
	unit, _, _ := a.scale()
	if f.Value("datatype") != "char" || f.Value("unit") != unit || hasWidth || !hasSize {
		return fmt.Errorf("%s is no text in %s", a.Sexagesimal, unit)
	}
	change(f, "name", "name", a.Decimal)
	change(f, "datatype", "datatype", "double")
	change(f, "unit", "unit", "deg")
	change(f, "arraysize", "width", f.Value("arraysize"))
	return nil
}

func (a *angle) toSexagesimalField(f *xml.Node) {
	unit, _, _ := a.scale()
	change(f, "name", "name", a.Sexagesimal)
	change(f, "datatype", "datatype", "char")
	change(f, "unit", "unit", unit)
	change(f, "width", "arraysize", f.Value("width"))
}

// change gives an attribute another name and value, if there is one.
func change(n *xml.Node, name, newName, value string) {
	for i := range n.Attrs {
		if n.Attrs[i].Name == name {
			n.Attrs[i] = xml.Attr{Name: newName, Value: value}
			return
		}
	}
}

func (a *angle) toDecimal(text string) (string, bool) {
	m := sexagesimal.FindStringSubmatch(text)
	if m == nil || (m[1] == "") != a.Hours {
		return "", false
	}
	_, perDegree, most := a.scale()
	first, _ := strconv.ParseInt(m[2], 10, 64)
	minutes, _ := strconv.ParseInt(m[3], 10, 64)
	if first > most {
		return "", false
	}
	seconds := decimal.RequireFromString(m[4]).Add(decimal.NewFromInt(first*hour + minutes*minute))
	digits := int32(len(m[5]) + moreDigits)
	return m[1] + seconds.DivRound(decimal.NewFromInt(perDegree), digits).StringFixed(digits), true
}

func (a *angle) toSexagesimal(text string) (string, bool) {
	m := degrees.FindStringSubmatch(text)
	if m == nil {
		return "", false
	}
	digits := int32(len(m[3]) - moreDigits)
	_, perDegree, _ := a.scale()
	seconds := decimal.RequireFromString(m[2]).Mul(decimal.NewFromInt(perDegree)).Round(digits)
	minutes, rest := seconds.QuoRem(decimal.NewFromInt(minute), 0)
	sign := m[1]
	if !a.Hours && sign == "" {
		sign = "+"
	}
	written := rest.StringFixed(digits)
	if rest.LessThan(decimal.NewFromInt(10)) {
		written = "0" + written
	}
	return fmt.Sprintf("%s%02d %02d %s", sign, minutes.IntPart()/minute, minutes.IntPart()%minute, written), true
}

// The UCDs with which those of apparent and absolute magnitudes begin.
const (
	apparentUCD = "phot.mag"
	absoluteUCD = "phys.magAbs"
)

// absoluteMagnitude turns apparent magnitudes into absolute ones, by the parallaxes. A magnitude
// for which there is none goes to the table.
func absoluteMagnitude(p struct {
	Document, To                  string
	Magnitude, Parallax, Absolute string // columns
	Table                         string
}) exact.Steps {
	return catalogs.Rewrite(p.Document, p.To, func(doc *catalog) (vfs.Files, error) {
		found := false
		unplaced := [][]string{{"table", "row", "id", p.Magnitude}}
		for t, g := range doc.grids() {
			at, plx := g.field(p.Magnitude), g.field(p.Parallax)
			if at < 0 || plx < 0 {
				continue
			}
			found = true
			if g.field(p.Absolute) >= 0 {
				return nil, fmt.Errorf("table %d has %s already", t+1, p.Absolute)
			}
			setMagnitudeField(g.fields()[at], p.Absolute, apparentUCD, absoluteUCD, moreDecimals)
			for n, r := range g.rows() {
				text := cell(r, at)
				if text == "" {
					continue
				}
				td := r.All("TD")[at]
				if converted, ok := toAbsoluteMagnitude(r, text, plx); ok {
					td.SetContent(converted)
				} else {
					unplaced = append(unplaced, []string{strconv.Itoa(t + 1), strconv.Itoa(n + 1), g.identify(r), text})
					td.Children = nil
				}
			}
		}
		if !found {
			return nil, fmt.Errorf("no table with %s and %s", p.Magnitude, p.Parallax)
		}
		return vfs.Files{p.Table: plain.WriteCSV(unplaced)}, nil
	}, func(doc *catalog, files vfs.Files) error {
		unplaced, err := plain.Table(files, p.Table, "table", "row", p.Magnitude)
		grids := doc.grids()
		for _, g := range grids {
			at, plx := g.field(p.Absolute), g.field(p.Parallax)
			if at < 0 || plx < 0 {
				continue
			}
			setMagnitudeField(g.fields()[at], p.Magnitude, absoluteUCD, apparentUCD, -moreDecimals)
			for _, r := range g.rows() {
				text := cell(r, at)
				if modulus, ok := distanceModulus(r, plx); ok && decimals.MatchString(text) {
					r.All("TD")[at].SetContent(shifted(text, modulus, -moreDecimals))
				}
			}
		}
		for _, row := range unplaced {
			putCell(grids, plain.LineNumber(row[0])-1, plain.LineNumber(row[1])-1, p.Magnitude, row[2])
		}
		return err
	})
}

// putCell gives a cell a text, if the tables have it.
func putCell(grids []grid, table, row int, column, text string) {
	if table < 0 || table >= len(grids) {
		return
	}
	if rows, at := grids[table].rows(), grids[table].field(column); row >= 0 && row < len(rows) && at >= 0 {
		rows[row].All("TD")[at].SetContent(text)
	}
}

// toAbsoluteMagnitude converts a magnitude; false if there is no way back.
func toAbsoluteMagnitude(row *xml.Node, text string, plx int) (string, bool) {
	modulus, ok := distanceModulus(row, plx)
	if !ok || !decimals.MatchString(text) {
		return "", false
	}
	converted := shifted(text, -modulus, moreDecimals)
	return converted, decimals.MatchString(converted)
}

// moreDecimals is how many decimals more an absolute magnitude has than the
// apparent one, so that none is lost.
const moreDecimals = 2

// setMagnitudeField describes a column of the other kind of magnitudes.
func setMagnitudeField(f *xml.Node, name, ucd, newUCD string, more int) {
	change(f, "name", "name", name)
	if rest, ok := strings.CutPrefix(f.Value("ucd"), ucd); ok {
		change(f, "ucd", "ucd", newUCD+rest)
	}
	for _, size := range []string{"width", "precision"} {
		if n, err := strconv.Atoi(f.Value(size)); err == nil {
			change(f, size, size, strconv.Itoa(n+more))
		}
	}
}

// distanceModulus is m - M of a star by its parallax in milliarcseconds.
func distanceModulus(row *xml.Node, column int) (float64, bool) {
	plx, ok := numberIn(row, column)
	if !ok || plx <= 0 {
		return 0, false
	}
	const perArcsecond = 1000
	return float64(-5*math.Log10(plx/perArcsecond)) - 5, true
}

// shifted adds to a number, and writes it with more decimals than it had.
func shifted(text string, by float64, more int) string {
	value, _ := strconv.ParseFloat(text, 64)
	_, fraction, _ := strings.Cut(text, ".")
	text = strconv.FormatFloat(value+by, 'f', max(len(fraction)+more, 0), 64)
	if strings.Trim(text, "-0.") == "" {
		return strings.TrimPrefix(text, "-")
	}
	return text
}
