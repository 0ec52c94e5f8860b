package satellite

import (
	"errors"
	"fmt"
	"math"
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
	errNoSet = errors.New("no .tle file with an element set")
	errBelow = errors.New("there is text below the last element set")
)

// record is an entry with its fields.
type record struct {
	entry
	reading
}

// readDocument reads the catalogues that a forward step is given, as one.
func readDocument(files vfs.Files) ([]record, error) {
	c := readAll(files)
	if len(c.entries) == 0 {
		return nil, errNoSet
	}
	if slices.ContainsFunc(c.below, isText) {
		return nil, errBelow
	}
	records := make([]record, len(c.entries))
	for i := range c.entries {
		records[i] = record{c.entries[i], c.entries[i].read()}
	}
	return records, nil
}

func isText(line string) bool { return kindOf(line) != blankLine }

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

func printed(records []record) string {
	var b strings.Builder
	for i := range records {
		records[i].print(&b)
	}
	return b.String()
}

func asDocument(c catalogue) vfs.Files { return vfs.Files{document: c.print()} }

// comments are the lines above an entry that are not blank.
func (e *entry) comments() []string {
	var lines []string
	for _, line := range e.above {
		if isText(line) {
			lines = append(lines, pytext.Strip(line))
		}
	}
	return lines
}

// number reads a field that an edit computes with, NaN if it is none.
func (f *fields) number(field int) float64 { return numberOf(f[field]) }

// eccentric is the eccentricity, the decimal point of which is assumed.
func (f *fields) eccentric() float64 { return numberOf("0." + f[eccentricity]) }

func numberOf(text string) float64 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

// units reads a decimal number as a number of units of its last decimal: "45.5"
// with two decimals is 4550. It is -1 if the text is no such number.
func units(text string, decimals int) int {
	whole, fraction, _ := strings.Cut(text, ".")
	n, err := strconv.ParseUint(whole+fraction+strings.Repeat("0", max(0, decimals-len(fraction))), 10, 62)
	if err != nil || len(fraction) > decimals {
		return -1
	}
	return int(n)
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
