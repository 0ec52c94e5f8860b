package molecule

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	weightFile  = "by_weight.sdf"
	weightField = "CALC_MW"
	panelFile   = "panel.sdf"
	panelField  = "PANEL"
	flatFile    = "flat.sdf"
	placesFile  = "coordinates.tsv"
)

// atomicWeights are those that the instruction of by_weight gives, and those of
// the other elements that aroma standards have.
var atomicWeights = map[string]string{
	"H": "1.008", "D": "2.014", "C": "12.011", "N": "14.007", "O": "15.999", "F": "18.998", "Na": "22.990",
	"P": "30.974", "S": "32.06", "Cl": "35.45", "K": "39.098", "Br": "79.904", "I": "126.904",
}

var formulaPart = regexp.MustCompile(`([A-Z][a-z]?)([0-9]*)`)

// molarMass adds up a formula such as C5H6OS.
func molarMass(formula string) (decimal.Decimal, error) {
	sum := decimal.Zero
	rest := formula
	for _, part := range formulaPart.FindAllStringSubmatch(formula, -1) {
		weight, known := atomicWeights[part[1]]
		if !known {
			return sum, fmt.Errorf("no atomic weight for %s in the formula %q", part[1], formula)
		}
		times := int64(1)
		if part[2] != "" {
			times = int64(number(part[2]))
		}
		sum = sum.Add(decimal.RequireFromString(weight).Mul(decimal.NewFromInt(times)))
		rest = strings.Replace(rest, part[0], "", 1)
	}
	if formula == "" || rest != "" {
		return sum, fmt.Errorf("the formula %q cannot be read", formula)
	}
	return sum, nil
}

// sortByWeight sorts records by the molar mass of their formula.
func sortByWeight(files vfs.Files) (vfs.Files, error) {
	entries, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	masses := map[*entry]decimal.Decimal{}
	for n, e := range entries {
		formula, _ := e.value("FORMULA")
		mass, err := molarMass(strings.TrimSpace(formula))
		if err != nil {
			return nil, err
		}
		masses[e] = mass
		if err := e.withEntry(n+1, weightField, mass.StringFixed(3)); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(entries, func(a, b *entry) int { return masses[a].Cmp(masses[b]) })
	return vfs.Files{weightFile: printAll(entries)}, nil
}

// criterion is what a standard must fulfil to be smelled by the panel.
type criterion struct {
	name, field string
	least, most string // empty where there is no limit
}

var criteria = []criterion{
	{"index", "LRI_DB5", "600", "1200"},
	{"threshold", "THRESHOLD_UG_L", "", "10"},
	{"purity", "PURITY_PCT", "98.0", ""},
}

func (c criterion) holds(e *entry) bool {
	text, _ := e.value(c.field)
	value, err := decimal.NewFromString(strings.TrimSpace(text))
	if err != nil {
		return false
	}
	return (c.least == "" || value.GreaterThanOrEqual(decimal.RequireFromString(c.least))) &&
		(c.most == "" || value.LessThanOrEqual(decimal.RequireFromString(c.most)))
}

// choosePanel says of each record whether it fulfils all criteria, and puts those
// first that do.
func choosePanel(files vfs.Files) (vfs.Files, error) {
	entries, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	var chosen, others []*entry
	for n, e := range entries {
		var failed []string
		for _, c := range criteria {
			if !c.holds(e) {
				failed = append(failed, c.name)
			}
		}
		verdict := "yes"
		if len(failed) > 0 {
			verdict = "no: " + strings.Join(failed, ", ")
			others = append(others, e)
		} else {
			chosen = append(chosen, e)
		}
		if err := e.withEntry(n+1, panelField, verdict); err != nil {
			return nil, err
		}
	}
	return vfs.Files{panelFile: printAll(append(chosen, others...))}, nil
}

const (
	coordinateColumns = 30
	noPlace           = "    0.0000    0.0000    0.0000"
)

// takeCoordinates moves the coordinates to a table, in picometres.
func takeCoordinates(files vfs.Files) (vfs.Files, error) {
	entries, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	var table strings.Builder
	table.WriteString("record\tatom\tx_pm\ty_pm\tz_pm\n")
	for n, e := range entries {
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
	return vfs.Files{flatFile: printAll(entries), placesFile: table.String()}, nil
}

func giveCoordinates(files vfs.Files) (vfs.Files, error) {
	entries, err := readNamed(files, flatFile)
	if err != nil {
		return nil, err
	}
	text, err := plain.File(files, placesFile)
	if err != nil {
		return nil, err
	}
	for _, line := range plain.Lines(text) {
		cells := strings.Split(line, "\t")
		if len(cells) < 5 {
			continue
		}
		n, i := number(cells[0]), number(cells[1])
		if n < 1 || n > len(entries) || i < 1 || i > len(entries[n-1].atoms) {
			continue
		}
		columns := ""
		for _, cell := range cells[2:5] {
			value, err := decimal.NewFromString(strings.TrimSpace(cell))
			if err != nil {
				return nil, fmt.Errorf("reading %s: %q is no number", placesFile, cell)
			}
			columns += fmt.Sprintf("%10s", value.Shift(-2).StringFixed(4))
		}
		if atom := &entries[n-1].atoms[i-1]; len(*atom) > coordinateColumns {
			*atom = columns + (*atom)[coordinateColumns:]
		}
	}
	return asDocument(entries), nil
}
