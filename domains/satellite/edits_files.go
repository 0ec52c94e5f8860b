package satellite

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// place says where a record is: in which file, and the how many-th there.
type place struct {
	file   string
	number int
}

// divide writes records into files, each in the order that compare gives to its
// places, and a table of where each record went.
func divide(records []record, fileOf []string, compare func(a, b int) int, table string) vfs.Files {
	parts := map[string][]record{}
	places := make([]place, len(records))
	for _, n := range orderOf(len(records), compare) {
		name := fileOf[n]
		parts[name] = append(parts[name], records[n])
		places[n] = place{name, len(parts[name])}
	}
	rows := [][]string{{"position", "file", "place"}}
	for n, p := range places {
		rows = append(rows, []string{strconv.Itoa(n + 1), p.file, strconv.Itoa(p.number)})
	}
	files := vfs.Files{table: plain.WriteCSV(rows)}
	for name, part := range parts {
		files[name] = printed(part)
	}
	return files
}

// gather undoes divide. Entries that the table does not have come last.
func gather(files vfs.Files, table string) (vfs.Files, error) {
	rows, err := plain.Table(files, table, "position", "file", "place")
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(rows, plain.ByNumber)
	at := make(map[place]int, len(rows))
	for n, row := range rows {
		number, _ := strconv.Atoi(strings.TrimSpace(row[2]))
		at[place{strings.TrimSpace(row[1]), number}] = n
	}
	var all catalogue
	var positions []int
	files = files.Match([]string{"*.tle"})
	for _, name := range files.Names() {
		c := read(files[name])
		for k := range c.entries {
			position, known := at[place{name, k + 1}]
			if !known {
				position = len(rows)
			}
			positions = append(positions, position)
		}
		all.entries = append(all.entries, c.entries...)
		all.below = append(all.below, c.below...)
	}
	if len(all.entries) == 0 {
		return nil, errNoSet
	}
	all.sortBy(positions)
	return asDocument(all), nil
}

// sortBy puts the entries in the order of their positions.
func (c *catalogue) sortBy(positions []int) {
	entries := make([]entry, 0, len(c.entries))
	for _, n := range orderOf(len(positions), func(a, b int) int { return cmp.Compare(positions[a], positions[b]) }) {
		entries = append(entries, c.entries[n])
	}
	c.entries = entries
}

const regimeOrderFile = "regime_order.csv"

// splitByRegime makes a file of each orbital regime, by catalog number.
func splitByRegime(files vfs.Files) (vfs.Files, error) {
	records, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	fileOf := make([]string, len(records))
	for n := range records {
		fileOf[n] = records[n].regime() + ".tle"
	}
	return divide(records, fileOf, func(a, b int) int {
		return strings.Compare(records[a].paddedCatalog(), records[b].paddedCatalog())
	}, regimeOrderFile), nil
}

func mergeRegimes(files vfs.Files) (vfs.Files, error) { return gather(files, regimeOrderFile) }

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

const planeOrderFile = "plane_order.csv"

// plane is the orbital plane that its first record opened, in ten-thousandths of
// a degree, below 0 where they cannot be read.
type plane struct{ inclination, node, members int }

const (
	angleDecimals = 4
	degree        = 10_000
	circle        = 360 * degree
)

// has reports whether an orbit is at most 1 degree of inclination and 10 degrees
// of node from the plane.
func (p *plane) has(q plane) bool {
	const inclinations, nodes = 1 * degree, 10 * degree
	if min(p.inclination, q.inclination, p.node, q.node) < 0 {
		return false
	}
	apart := abs(p.node-q.node) % circle
	return abs(p.inclination-q.inclination) <= inclinations && min(apart, circle-apart) <= nodes
}

func abs(n int) int { return max(n, -n) }

// groupByPlane makes a file of each orbital plane that several objects share,
// sorted by their argument of latitude.
func groupByPlane(files vfs.Files) (vfs.Files, error) {
	records, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	orbits := make([]plane, len(records))
	for n := range records {
		orbits[n] = plane{inclination: records[n].angle(inclination), node: records[n].angle(node)}
	}
	return divide(records, planeFiles(orbits), func(a, b int) int {
		return cmp.Compare(records[a].argumentOfLatitude(), records[b].argumentOfLatitude())
	}, planeOrderFile), nil
}

// angle reads an angle in ten-thousandths of a degree, -1 if it is none.
func (f *fields) angle(field int) int { return units(f[field], angleDecimals) }

func mergePlanes(files vfs.Files) (vfs.Files, error) { return gather(files, planeOrderFile) }

// planeFiles names the file of each orbit: each goes to the first plane that has
// it, or opens one. Planes of several orbits are numbered.
func planeFiles(orbits []plane) []string {
	var planes []plane
	planeOf := make([]int, len(orbits))
	for n, orbit := range orbits {
		at := slices.IndexFunc(planes, func(p plane) bool { return p.has(orbit) })
		if at < 0 {
			at = len(planes)
			planes = append(planes, orbit)
		}
		planes[at].members++
		planeOf[n] = at
	}
	names := make([]string, len(planes))
	shared := 0
	for at, p := range planes {
		names[at] = "alone.tle"
		if p.members > 1 {
			shared++
			names[at] = fmt.Sprintf("plane_%d.tle", shared)
		}
	}
	fileOf := make([]string, len(orbits))
	for n, at := range planeOf {
		fileOf[n] = names[at]
	}
	return fileOf
}

// argumentOfLatitude is where in its plane an object is: the argument of perigee
// and the mean anomaly together, in ten-thousandths of a degree.
func (f *fields) argumentOfLatitude() int { return (f.angle(perigee) + f.angle(anomaly)) % circle }

const epochOrderFile = "epoch_order.csv"

// splitByEpoch makes a file of each day, sorted by epoch.
func splitByEpoch(files vfs.Files) (vfs.Files, error) {
	records, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	epochs := make([]instant, len(records))
	fileOf := make([]string, len(records))
	for n := range records {
		fileOf[n] = "epoch_none.tle"
		if at, ok := records[n].epoch(); ok {
			epochs[n], fileOf[n] = at, "epoch_"+at.date.Format(time.DateOnly)+".tle"
		}
	}
	return divide(records, fileOf, func(a, b int) int { return cmp.Compare(epochs[a].fraction, epochs[b].fraction) }, epochOrderFile), nil
}

func mergeEpochs(files vfs.Files) (vfs.Files, error) { return gather(files, epochOrderFile) }

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
