package satellite

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"agentd/domains"
	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/vfs"
)

// divide writes records into files, each in the order that compare gives to its
// places, and a table of where each record went.
func divide(records []record, fileOf []string, compare func(a, b int) int, table string) vfs.Files {
	all := catalogue{entries: lists.Each(records, func(r *record) entry { return r.entry })}
	return catalogues.DivideSorted(all, "", table, fileOf, compare)
}

// gather returns what undoes divide.
func gather(table string) func(vfs.Files) (catalogue, error) {
	return func(files vfs.Files) (catalogue, error) { return catalogues.MergeSorted(files, "", table) }
}

// splitByRegime makes a file of each orbital regime, by catalog number.
func splitByRegime(p struct{ Document, Table string }) exact.Steps {
	return steps(p.Document, func(records []record) vfs.Files {
		fileOf := lists.Each(records, func(r *record) string { return r.regime() + ".tle" })
		return divide(records, fileOf, func(a, b int) int {
			return strings.Compare(records[a].paddedCatalog(), records[b].paddedCatalog())
		}, p.Table)
	}, gather(p.Table))
}

// paddedCatalog is the catalog number with its leading zeros. Letters, which
// stand for 10 and more in the first place, sort after digits.
func (f *fields) paddedCatalog() string {
	const digits = 5
	return strings.Repeat("0", max(0, digits-len(f[catalog]))) + f[catalog]
}

// regime is heo, leo, geo or meo: highly eccentric, low, about geosynchronous,
// or anything else.
func (f *fields) regime() string {
	const highlyEccentric, low, geoFrom, geoTo = 0.25, 11.25, 0.9, 1.1
	revolutions := f.number(motion)
	switch {
	case f.eccentric() >= highlyEccentric:
		return "heo"
	case revolutions >= low:
		return "leo"
	case revolutions >= geoFrom && revolutions <= geoTo:
		return "geo"
	}
	return "meo"
}

// regimeOf is the category of an element.
func regimeOf(e domains.Element) string {
	f := fields{eccentricity: e.Value(columns[eccentricity].name), motion: e.Value(columns[motion].name)}
	return f.regime()
}

// plane is the orbital plane that its first record opened, in ten-thousandths of
// a degree, below 0 where they cannot be read.
type plane struct{ inclination, node, members int }

const (
	angleDecimals = 4
	degree        = 10_000
	circle        = 360 * degree
)

// planes are files by orbital plane.
type planes struct {
	Document          string
	Inclination, Node float64 // degrees that orbits of a plane may be apart
	Begins, Others    string
	Table             string
}

// splitByPlane makes a file of each orbital plane that several objects share, sorted by their
// argument of latitude.
func splitByPlane(p planes) exact.Steps {
	return steps(p.Document, func(records []record) vfs.Files {
		orbits := lists.Each(records, func(r *record) plane { return plane{inclination: r.angle(inclination), node: r.angle(node)} })
		return divide(records, p.files(orbits), func(a, b int) int {
			return cmp.Compare(records[a].argumentOfLatitude(), records[b].argumentOfLatitude())
		}, p.Table)
	}, gather(p.Table))
}

// same reports whether an orbit is near enough to that which opened a plane.
func (p *planes) same(q, orbit plane) bool {
	if min(q.inclination, orbit.inclination, q.node, orbit.node) < 0 {
		return false
	}
	apart := abs(q.node-orbit.node) % circle
	return float64(abs(q.inclination-orbit.inclination)) <= p.Inclination*degree &&
		float64(min(apart, circle-apart)) <= p.Node*degree
}

func abs(n int) int { return max(n, -n) }

// angle reads an angle in ten-thousandths of a degree, -1 if it is none.
func (f *fields) angle(field int) int { return units(f[field], angleDecimals) }

// files names the file of each orbit: each goes to the first plane that has
// it, or opens one. Planes of several orbits are numbered.
func (p *planes) files(orbits []plane) []string {
	var opened []plane
	planeOf := make([]int, len(orbits))
	for n, orbit := range orbits {
		at := slices.IndexFunc(opened, func(q plane) bool { return p.same(q, orbit) })
		if at < 0 {
			at = len(opened)
			opened = append(opened, orbit)
		}
		opened[at].members++
		planeOf[n] = at
	}
	names := make([]string, len(opened))
	shared := 0
	for at, q := range opened {
		names[at] = p.Others
		if q.members > 1 {
			shared++
			names[at] = fmt.Sprintf("%s%d.tle", p.Begins, shared)
		}
	}
	return lists.Map(planeOf, func(at int) string { return names[at] })
}

// argumentOfLatitude is where in its plane an object is: the argument of perigee
// and the mean anomaly together, in ten-thousandths of a degree.
func (f *fields) argumentOfLatitude() int { return (f.angle(perigee) + f.angle(anomaly)) % circle }

// splitByDay makes a file of each day, sorted by epoch.
func splitByDay(p struct{ Document, Begins, Table string }) exact.Steps {
	return steps(p.Document, func(records []record) vfs.Files {
		epochs, fileOf := make([]instant, len(records)), make([]string, len(records))
		for n := range records {
			fileOf[n] = p.Begins + "none.tle"
			if at, ok := records[n].epoch(); ok {
				epochs[n], fileOf[n] = at, p.Begins+at.date.Format(time.DateOnly)+".tle"
			}
		}
		return divide(records, fileOf, func(a, b int) int { return cmp.Compare(epochs[a].fraction, epochs[b].fraction) }, p.Table)
	}, gather(p.Table))
}

// instant is a day and the part of it that has passed, in hundred-millionths.
type instant struct {
	date     time.Time
	fraction int
}

const (
	dayDecimals = 8
	wholeDay    = 100_000_000
)

// epoch reads the year and the day of the year, from 1; false if there is no
// such day.
func (f *fields) epoch() (instant, bool) {
	y, ok := fullYear(f[year])
	days := units(f[day], dayDecimals)
	if !ok || days < wholeDay {
		return instant{}, false
	}
	date := time.Date(y, time.January, days/wholeDay, 0, 0, 0, 0, time.UTC)
	return instant{date, days % wholeDay}, date.Year() == y
}

// fullYear is the year of two digits, 57 to 99 being of the last century.
func fullYear(text string) (int, bool) {
	const first, century = 57, 100
	y, err := strconv.ParseUint(text, 10, 8)
	switch {
	case err != nil || y >= century:
		return 0, false
	case y >= first:
		return 1900 + int(y), true
	}
	return 2000 + int(y), true
}
