package satellite

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// tableFields are the fields of the table, in the order of its columns; two
// columns with checksums that do not fit stand after them.
var tableFields = []struct {
	name  string
	field int
}{
	{"norad_id", catalog}, {"class", class}, {"designator", designator}, {"epoch_year", year}, {"epoch_day", day},
	{"ndot", motionDot}, {"nddot", motionDotDot}, {"bstar", bstar}, {"ephemeris_type", ephemeris}, {"set", setNumber},
	{"inclination", inclination}, {"raan", node}, {"eccentricity", eccentricity}, {"arg_perigee", perigee},
	{"mean_anomaly", anomaly}, {"mean_motion", motion}, {"rev", revolution},
}

// tableHeader are the names of all columns of the table.
func tableHeader() []string {
	header := []string{"position", "name"}
	for _, c := range tableFields {
		header = append(header, c.name)
	}
	return append(header, "norad_id_2", "checksum_1", "checksum_2")
}

// tables are the element sets and their comments.
type tables struct{ Document, Table, Comments string }

// table makes a row of each element set, sorted by inclination and node.
func table(p tables) exact.Steps { return steps(p.Document, p.write, p.read) }

func (p *tables) write(records []record) vfs.Files {
	rows, comments := [][]string{tableHeader()}, [][]string{{"above", "comment"}}
	for _, n := range lists.Order(len(records), func(a, b int) int {
		r, s := &records[a], &records[b]
		return cmp.Or(cmp.Compare(r.angle(inclination), s.angle(inclination)), cmp.Compare(r.angle(node), s.angle(node)))
	}) {
		row := []string{strconv.Itoa(n + 1), pytext.Strip(records[n].name)}
		for _, c := range tableFields {
			row = append(row, records[n].fields[c.field])
		}
		rows = append(rows, append(row, records[n].odd()...))
	}
	for n := range records {
		for _, line := range records[n].comments() {
			comments = append(comments, []string{strconv.Itoa(n + 1), line})
		}
	}
	return vfs.Files{p.Table: plain.WriteCSV(rows), p.Comments: plain.WriteCSV(comments)}
}

// odd are the fields that the others imply, where they are not as implied: the
// catalog number of line 2 and the checksums. Otherwise they are empty.
func (r *reading) odd() []string {
	odd := make([]string, 1+len(checksums))
	if r.fields[catalogTwo] != r.fields[catalog] {
		odd[0] = r.fields[catalogTwo]
	}
	for k, field := range checksums {
		if is := r.fields[field]; is != string(checksumOf(r.bodies[k])) {
			odd[1+k] = is
		}
	}
	return odd
}

// read writes the rows out, in the order of their positions.
func (p *tables) read(files vfs.Files) (c catalogue, err error) {
	rows, err := plain.Table(files, p.Table, tableHeader()...)
	if err != nil {
		return c, err
	}
	if len(rows) == 0 {
		return c, fmt.Errorf("%s has no element set", p.Table)
	}
	comments, err := plain.Table(files, p.Comments, "above", "comment")
	slices.SortStableFunc(rows, plain.ByNumber)
	at := map[string]int{}
	for n, row := range rows {
		at[strings.TrimSpace(row[0])] = n
		var f fields
		for k, column := range tableFields {
			f[column.field] = pytext.Strip(row[2+k])
		}
		for k, field := range []int{catalogTwo, checksum, checksumTwo} {
			f[field] = pytext.Strip(row[2+len(tableFields)+k])
		}
		e := entry{name: pytext.Strip(row[1])}
		e.one, e.two = f.lines()
		c.entries = append(c.entries, e)
	}
	for _, row := range comments {
		if n, known := at[strings.TrimSpace(row[0])]; known {
			c.entries[n].above = append(c.entries[n].above, row[1])
		}
	}
	return c, err
}

// lines writes both lines, with the catalog number of line 1 in both and
// checksums that fit, save where others are given.
func (f *fields) lines() (one, two string) {
	one = fmt.Sprintf("1 %5s%1s %-8s %2s%12s %10s %8s %8s %1s %4s", f[catalog], f[class], f[designator], f[year], f[day],
		f[motionDot], f[motionDotDot], f[bstar], f[ephemeris], f[setNumber])
	two = fmt.Sprintf("2 %5s %8s %8s %7s %8s %8s %11s%5s", cmp.Or(f[catalogTwo], f[catalog]), f[inclination], f[node], f[eccentricity],
		f[perigee], f[anomaly], f[motion], f[revolution])
	return one + cmp.Or(f[checksum], string(checksumOf(one))), two + cmp.Or(f[checksumTwo], string(checksumOf(two)))
}
