package satellite

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// sortByPeriod puts the shortest period first and notes of each entry, in a comment, its place
// in the list, its period and its altitudes.
func sortByPeriod(p struct{ Document, To string }) exact.Steps {
	return steps(p.Document, func(records []record) vfs.Files {
		var c catalogue
		for _, n := range lists.Order(len(records), func(a, b int) int {
			return cmp.Compare(records[b].number(motion), records[a].number(motion))
		}) {
			e := records[n].entry
			e.above = append(slices.Clone(e.above), fmt.Sprintf("# %d: %s", n+1, records[n].periodNote()))
			c.entries = append(c.entries, e)
		}
		return vfs.Files{p.To: c.print()}
	}, func(files vfs.Files) (catalogue, error) {
		c, err := readNamed(files, p.To)
		catalogues.SortByNumber(&c, (*entry).takePosition)
		return c, err
	})
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

// takePosition takes the comment of sortByPeriod away.
func (e *entry) takePosition() (position int, ok bool) {
	e.above = slices.DeleteFunc(e.above, func(line string) bool {
		parts := periodComment.FindStringSubmatch(pytext.Strip(line))
		if parts == nil {
			return false
		}
		if n, err := strconv.Atoi(parts[1]); err == nil {
			position, ok = n, true
		}
		return true
	})
	return position, ok
}

// namesAside moves the names into a table, sorted by name.
func namesAside(p struct{ Document, To, Table string }) exact.Steps {
	return steps(p.Document, func(records []record) vfs.Files {
		var rows [][]string
		for i := range records {
			r := &records[i]
			if name := pytext.Strip(r.name); name != "" {
				rows = append(rows, []string{strconv.Itoa(i + 1), r.fields[catalog], name})
			}
			r.name = ""
		}
		slices.SortStableFunc(rows, func(a, b []string) int { return strings.Compare(a[2], b[2]) })
		rows = slices.Insert(rows, 0, []string{"position", "norad_id", "name"})
		return vfs.Files{p.To: printed(records), p.Table: plain.WriteCSV(rows)}
	}, func(files vfs.Files) (catalogue, error) {
		c, err := readNamed(files, p.To)
		if err != nil {
			return c, err
		}
		rows, err := plain.Table(files, p.Table, "position", "name")
		for _, row := range rows {
			if n := plain.LineNumber(row[0]); n >= 1 && n <= len(c.entries) {
				c.entries[n-1].name = row[1]
			}
		}
		return c, err
	})
}
