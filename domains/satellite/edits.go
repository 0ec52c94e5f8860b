package satellite

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// document is the file that every backward step leaves.
const document = "watchlist.tle"

func edits() []domains.Edit {
	return []domains.Edit{
		{Name: "regime_split", Forward: splitByRegime, Backward: mergeRegimes},
		{Name: "orbital_planes", Forward: groupByPlane, Backward: mergePlanes},
		{Name: "epoch_days", Forward: splitByEpoch, Backward: mergeEpochs},
		{Name: "period_sort", Forward: sortByPeriod, Backward: unsortPeriods},
		{Name: "bare_elements", Forward: takeNames, Backward: putNames},
		{Name: "launch_decades", Forward: toDecades, Backward: fromDecades},
		{Name: "element_table", Forward: toTable, Backward: fromTable},
		{Name: "orbit_messages", Forward: toMessages, Backward: fromMessages},
	}
}

var (
	errNoSet   = errors.New("no .tle file with an element set")
	errForeign = errors.New("text that is no part of the format")
)

// record is an entry with its fields.
type record struct {
	entry
	fields
}

// readDocument reads the catalogues that a forward step is given, as one. All
// must be well-formed.
func readDocument(files vfs.Files) ([]record, error) {
	c := readAll(files)
	if len(c.entries) == 0 {
		return nil, errNoSet
	}
	records := make([]record, len(c.entries))
	for i, e := range c.entries {
		if err := e.check(); err != nil {
			return nil, fmt.Errorf("element set %d, %s: %w", i+1, strings.TrimSpace(e.name), err)
		}
		records[i] = record{e, readFields(pytext.Strip(e.one), pytext.Strip(e.two))}
	}
	for _, line := range c.below {
		if kindOf(line) != blankLine {
			return nil, fmt.Errorf("below the last element set: %w", errForeign)
		}
	}
	return records, nil
}

// readAll joins the catalogues in name order.
func readAll(files vfs.Files) catalogue {
	var all catalogue
	files = files.Match([]string{"*.tle"})
	for _, name := range files.Names() {
		all.join(read(files[name]))
	}
	return all
}

func (c *catalogue) join(next catalogue) {
	if len(next.entries) == 0 {
		c.below = append(c.below, next.below...)
		return
	}
	first := &next.entries[0]
	first.above = append(c.below, first.above...)
	c.entries = append(c.entries, next.entries...)
	c.below = next.below
}

// readNamed reads the catalogue that a backward step needs.
func readNamed(files vfs.Files, name string) (catalogue, error) {
	text, err := plain.File(files, name)
	if err != nil {
		return catalogue{}, err
	}
	c := read(text)
	if len(c.entries) == 0 {
		return catalogue{}, fmt.Errorf("%s has no element set", name)
	}
	return c, nil
}

func (e *entry) check() error {
	for number, line := range []string{1: e.one, 2: e.two} {
		line = pytext.Strip(line)
		switch {
		case number == 0:
		case line == "":
			return fmt.Errorf("line %d is missing", number)
		case len(line) != width || !separated(line, number):
			return fmt.Errorf("line %d does not keep its columns", number)
		}
	}
	for _, line := range e.above {
		if kind := kindOf(line); kind != blankLine && kind != commentLine {
			return fmt.Errorf("above it: %w", errForeign)
		}
	}
	return nil
}

func printed(records []record) string {
	var b strings.Builder
	for i := range records {
		records[i].print(&b)
	}
	return b.String()
}

func asDocument(c catalogue) vfs.Files { return vfs.Files{document: c.print()} }

// comments are the comment lines above an entry.
func (e *entry) comments() []string {
	var lines []string
	for _, line := range e.above {
		if kindOf(line) == commentLine {
			lines = append(lines, pytext.Strip(line))
		}
	}
	return lines
}

// wholeNumber reads the digits of a decimal number with up to a number of
// decimals as a number of its last unit: "45.5" with two is 4550.
func wholeNumber(text string, decimals int) (int, error) {
	whole, fraction, _ := strings.Cut(text, ".")
	if len(fraction) > decimals {
		return 0, fmt.Errorf("%q has more than %d decimals", text, decimals)
	}
	n, err := strconv.Atoi(strings.TrimSpace(whole) + fraction + strings.Repeat("0", decimals-len(fraction)))
	if err != nil {
		return 0, fmt.Errorf("%q is no number", text)
	}
	return n, nil
}

// number reads a field that an edit computes with.
func (f *fields) number(field int) (float64, error) {
	v, err := strconv.ParseFloat(f[field], 64)
	if err != nil {
		return 0, fmt.Errorf("the %s %q is no number", columns[field].name, f[field])
	}
	return v, nil
}

// eccentric is the eccentricity, the decimal point of which is assumed.
func (f *fields) eccentric() (float64, error) {
	v, err := strconv.ParseFloat("0."+f[eccentricity], 64)
	if err != nil {
		return 0, fmt.Errorf("the eccentricity %q is no number", f[eccentricity])
	}
	return v, nil
}

// forAll makes a value of each record.
func forAll[T any](records []record, value func(*record) (T, error)) ([]T, error) {
	values := make([]T, len(records))
	for i := range records {
		v, err := value(&records[i])
		if err != nil {
			return nil, fmt.Errorf("element set %d, %s: %w", i+1, strings.TrimSpace(records[i].name), err)
		}
		values[i] = v
	}
	return values, nil
}

// orderOf returns the places of n things in another order, equal ones as they
// were.
func orderOf(n int, compare func(a, b int) int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, compare)
	return order
}
