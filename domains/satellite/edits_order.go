package satellite

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

const periodFile = "by_period.tle"

// sortByPeriod puts the shortest period first and notes of each entry, in a
// comment, its place in the list, its period and its altitudes.
func sortByPeriod(files vfs.Files) (vfs.Files, error) {
	records, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	var c catalogue
	for _, n := range orderOf(len(records), func(a, b int) int {
		return cmp.Compare(records[b].number(motion), records[a].number(motion))
	}) {
		e := records[n].entry
		e.above = append(slices.Clone(e.above), fmt.Sprintf("# %d: %s", n+1, records[n].periodNote()))
		c.entries = append(c.entries, e)
	}
	return vfs.Files{periodFile: c.print()}, nil
}

// periodNote is as "92.91 min, 413 x 421 km".
func (f *fields) periodNote() string {
	revolutions, e := f.number(motion), f.eccentric()
	if !(revolutions > 0) || math.IsNaN(e) {
		return "no period"
	}
	const minutes = 1440 // in a day
	low, high := altitudes(revolutions, e)
	return fmt.Sprintf("%.2f min, %d x %d km", minutes/revolutions, low, high)
}

// altitudes are the heights of perigee and apogee in kilometres above the
// equator's radius, by Kepler's third law.
func altitudes(revolutions, eccentricity float64) (low, high int) {
	const (
		gravity = 398_600.4418 // of the earth, km³/s²
		radius  = 6378.137     // at its equator, km
		seconds = 86_400       // in a day
	)
	angular := revolutions * 2 * math.Pi / seconds
	axis := math.Cbrt(gravity / float64(angular*angular))
	return int(math.Round(float64(axis*(1-eccentricity)) - radius)), int(math.Round(float64(axis*(1+eccentricity)) - radius))
}

var periodComment = regexp.MustCompile(`^#\s*(\d+): (no period|.* min, .* km)$`)

// unsortPeriods sorts by the numbers in the comments. Entries without one come
// last.
func unsortPeriods(files vfs.Files) (vfs.Files, error) {
	c, err := readNamed(files, periodFile)
	if err != nil {
		return nil, err
	}
	positions := make([]int, len(c.entries))
	for i := range c.entries {
		e := &c.entries[i]
		positions[i] = math.MaxInt
		e.above = slices.DeleteFunc(e.above, func(line string) bool {
			parts := periodComment.FindStringSubmatch(pytext.Strip(line))
			if parts == nil {
				return false
			}
			if n, err := strconv.Atoi(parts[1]); err == nil {
				positions[i] = n
			}
			return true
		})
	}
	c.sortBy(positions)
	return asDocument(c), nil
}

const (
	bareFile  = "bare.tle"
	namesFile = "names.csv"
)

// takeNames moves the names into a table, sorted by name.
func takeNames(files vfs.Files) (vfs.Files, error) {
	records, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	var rows [][]string
	for i := range records {
		r := &records[i]
		if name := pytext.Strip(r.name); name != "" {
			rows = append(rows, []string{strconv.Itoa(i + 1), r.fields[catalog], name})
		}
		r.name = ""
	}
	slices.SortStableFunc(rows, func(a, b []string) int { return strings.Compare(a[2], b[2]) })
	return vfs.Files{
		bareFile:  printed(records),
		namesFile: plain.WriteCSV(append([][]string{{"position", "norad_id", "name"}}, rows...)),
	}, nil
}

// putNames gives the names back by position.
func putNames(files vfs.Files) (vfs.Files, error) {
	c, err := readNamed(files, bareFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, namesFile, "position", "name")
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		n, err := strconv.Atoi(strings.TrimSpace(row[0]))
		if err == nil && n >= 1 && n <= len(c.entries) {
			c.entries[n-1].name = row[1]
		}
	}
	return asDocument(c), nil
}
