package satellite

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// catalogues says how files of element sets are taken apart and put together.
var catalogues = exact.Format[catalogue, entry]{
	Patterns: []string{"*.tle"},
	Read:     read,
	Print:    func(c catalogue) string { return c.print() },
	Parts:    func(c *catalogue) *[]entry { return &c.entries },
	Join: func(all []catalogue) (joined catalogue) {
		for _, c := range all {
			joined.join(c)
		}
		return joined
	},
	Empty: errors.New("no .tle file with an element set"),
}

func edits() []domains.Edit {
	return []domains.Edit{
		domains.Taking("split_by_regime", splitByRegime),
		domains.Taking("split_by_plane", splitByPlane),
		domains.Taking("split_by_day", splitByDay),
		domains.Taking("sort_by_period", sortByPeriod),
		domains.Taking("names_aside", namesAside),
		domains.Taking("decade_page", decadePage),
		domains.Taking("table", table),
		domains.Taking("json", inJSON),
	}
}

var errBelow = errors.New("there is text below the last element set")

// record is an entry with its fields.
type record struct {
	entry
	reading
}

// steps are those of an edit that changes the records of a document into files, and back.
func steps(document string, forward func([]record) vfs.Files, backward func(vfs.Files) (catalogue, error)) exact.Steps {
	return catalogues.Whole(document, func(c catalogue) (vfs.Files, error) {
		if slices.ContainsFunc(c.below, isText) {
			return nil, errBelow
		}
		return forward(lists.Each(c.entries, func(e *entry) record { return record{*e, e.read()} })), nil
	}, backward)
}

func isText(line string) bool { return kindOf(line) != blankLine }

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
	c, err := catalogues.Named(files, name)
	if err == nil && len(c.entries) == 0 {
		err = fmt.Errorf("%s has no element set", name)
	}
	return c, err
}

func printed(records []record) string {
	var b strings.Builder
	for i := range records {
		records[i].print(&b)
	}
	return b.String()
}

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
