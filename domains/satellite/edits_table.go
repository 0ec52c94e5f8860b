package satellite

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

const (
	tableFile    = "elements.csv"
	commentsFile = "comments.csv"
)

// tableFields are the fields of the table, in the order of its columns; two
// columns with checksums that do not fit stand behind them.
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
	return append(header, "checksum_1", "checksum_2")
}

// toTable makes a row of each element set, sorted by inclination and node.
func toTable(files vfs.Files) (vfs.Files, error) {
	records, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	orbits, err := forAll(records, (*record).orbitalPlane)
	if err != nil {
		return nil, err
	}
	odd, err := forAll(records, (*record).oddChecksums)
	if err != nil {
		return nil, err
	}
	rows, comments := [][]string{tableHeader()}, [][]string{{"above", "comment"}}
	for _, n := range orderOf(len(records), func(a, b int) int {
		return cmp.Or(cmp.Compare(orbits[a].inclination, orbits[b].inclination), cmp.Compare(orbits[a].node, orbits[b].node))
	}) {
		row := []string{strconv.Itoa(n + 1), pytext.Strip(records[n].name)}
		for _, c := range tableFields {
			row = append(row, records[n].fields[c.field])
		}
		rows = append(rows, append(row, odd[n][0], odd[n][1]))
	}
	for n := range records {
		for _, line := range records[n].comments() {
			comments = append(comments, []string{strconv.Itoa(n + 1), line})
		}
	}
	return vfs.Files{tableFile: plain.WriteCSV(rows), commentsFile: plain.WriteCSV(comments)}, nil
}

var errTwoNumbers = errors.New("its lines have different catalog numbers")

// oddChecksums are the checksums of the lines where they do not fit, else empty.
func (r *record) oddChecksums() (odd [2]string, err error) {
	if r.fields[catalog] != r.fields[catalogTwo] {
		return odd, errTwoNumbers
	}
	for k, line := range []string{r.one, r.two} {
		body, _ := cutLine(pytext.Strip(line))
		if is := r.fields[[2]int{checksum, checksumTwo}[k]]; is != string(checksumOf(body)) {
			odd[k] = is
		}
	}
	return odd, nil
}

// fromTable writes the rows out, in the order of their positions.
func fromTable(files vfs.Files) (vfs.Files, error) {
	rows, err := plain.Table(files, tableFile, tableHeader()...)
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("%s has no element set", tableFile)
	}
	comments, err := plain.Table(files, commentsFile, "above", "comment")
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(rows, plain.ByNumber)
	var c catalogue
	at := map[string]int{}
	for n, row := range rows {
		at[strings.TrimSpace(row[0])] = n
		var f fields
		for k, column := range tableFields {
			f[column.field] = pytext.Strip(row[2+k])
		}
		f[checksum], f[checksumTwo] = pytext.Strip(row[len(row)-2]), pytext.Strip(row[len(row)-1])
		e := entry{name: pytext.Strip(row[1])}
		e.one, e.two = f.lines()
		c.entries = append(c.entries, e)
	}
	for _, row := range comments {
		if n, known := at[strings.TrimSpace(row[0])]; known {
			c.entries[n].above = append(c.entries[n].above, row[1])
		}
	}
	return asDocument(c), nil
}

// lines writes both lines, with the catalog number of line 1 in both and the
// checksums that fit where none is given.
func (f *fields) lines() (one, two string) {
	one = fmt.Sprintf("1 %5s%1s %-8s %2s%12s %10s %8s %8s %1s %4s", f[catalog], f[class], f[designator], f[year], f[day],
		f[motionDot], f[motionDotDot], f[bstar], f[ephemeris], f[setNumber])
	two = fmt.Sprintf("2 %5s %8s %8s %7s %8s %8s %11s%5s", f[catalog], f[inclination], f[node], f[eccentricity],
		f[perigee], f[anomaly], f[motion], f[revolution])
	return one + cmp.Or(f[checksum], string(checksumOf(one))), two + cmp.Or(f[checksumTwo], string(checksumOf(two)))
}
