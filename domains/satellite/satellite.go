// Package satellite is the domain of satellite catalogues in the two-line element format of NORAD: for each object an
// optional name, line 1 with its identity, epoch and drag, and line 2 with its orbit, both in fixed columns. The
// element set is what is counted.
//
// The published score pairs element sets by catalog number and name and compares numbers by their relative difference,
// so that an inclination that is off by a degree hardly shows; it does not see checksums, the order of the list, or
// what was added, but for a little. Strict compares every column, tells whether checksums fit, and sees the order,
// comments and lines that are no part of the format. It reads what stands between the columns' blanks where a line lost
// its alignment, and says so. Indentation, blank lines, the case of names, the "0 " of the three-line form, and padding
// with zeros or blanks mean nothing to it.
package satellite

import (
	"agentd/domains"
	published "agentd/domains/published/satellite"
)

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[published.Listing]{
		Info: domains.Info{
			Name:     "satellite",
			Title:    "Satellite catalogue",
			Category: "Science & Engineering",
			Patterns: []string{"*.tle"},
			Element:  counted,
			Example: "DEMOSAT\n" +
				"1 90001U 25001A   25165.50000000  .00001000  00000+0  10000-3 0  9998\n" +
				"2 90001  51.6000 120.0000 0001000  90.0000 270.0000 15.50000000    12",
			Components: []string{"fields", "coverage", "sequence"},
		},
		Parse:      published.Parse,
		Score:      published.Score,
		Stats:      published.Stats,
		Form:       wellFormed,
		Elements:   elements,
		Comments:   []string{"#"},
		Evidence:   domains.Prevailing(counted),
		Forgives:   forgives,
		Without:    format.Without,
		Sampling:   domains.Sampling{Category: regimeOf},
		Vocabulary: vocabulary,
	})
}
