package hamradio

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

const bandOrderFile = "band_order.csv"

// splitByBand makes a file of each band.
func splitByBand(files vfs.Files) (vfs.Files, error) {
	log, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	order := [][]string{{"position", "file"}}
	out := vfs.Files{}
	for name, p := range split(log, func(r *record) string {
		name := fileWord(strings.ToLower(r.value("BAND"))) + ".adi"
		order = append(order, []string{strconv.Itoa(len(order)), name})
		return name
	}) {
		out[name] = p.print()
	}
	out[bandOrderFile] = plain.WriteCSV(order)
	return out, nil
}

func mergeBands(files vfs.Files) (vfs.Files, error) {
	rows, err := plain.Table(files, bandOrderFile, "position", "file")
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(rows, byPosition)
	taken := map[string]int{}
	order := make([]place, len(rows))
	for n, row := range rows {
		taken[row[1]]++
		order[n] = place{row[1], taken[row[1]]}
	}
	return mergeInOrder(files, order)
}

// byPosition orders rows by the number in their first cell.
func byPosition(a, b []string) int { return cmp.Compare(count(a[0]), count(b[0])) }

// fileWord is a value as part of a file name; what has none is "none".
func fileWord(value string) string {
	fits := func(r rune) bool { return r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r == '.' }
	if value == "" || strings.HasPrefix(value, ".") || prefixOf(value, fits) < len(value) {
		return "none"
	}
	return value
}

const zoneOrderFile = "zone_order.csv"

// splitByZone makes a file of each CQ zone, with its contacts sorted by
// frequency.
func splitByZone(files vfs.Files) (vfs.Files, error) {
	log, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	positions := map[string][]int{} // of each file's contacts
	position := 0
	parts := split(log, func(r *record) string {
		position++
		name := "cqzone_" + fileWord(normalNumber(r.value("CQZ"))) + ".adi"
		positions[name] = append(positions[name], position)
		return name
	})
	places := make([]place, len(log.records))
	out := vfs.Files{}
	for name, p := range parts {
		byFrequency := make([]int, len(p.records))
		for k := range byFrequency {
			byFrequency[k] = k
		}
		slices.SortStableFunc(byFrequency, func(a, b int) int {
			return cmp.Compare(p.records[a].frequency(), p.records[b].frequency())
		})
		file := adif{header: p.header}
		for number, k := range byFrequency {
			file.records = append(file.records, p.records[k])
			places[positions[name][k]-1] = place{name, number + 1}
		}
		out[name] = file.print()
	}
	table := [][]string{{"position", "file", "place"}}
	for n, p := range places {
		table = append(table, []string{strconv.Itoa(n + 1), p.file, strconv.Itoa(p.number)})
	}
	out[zoneOrderFile] = plain.WriteCSV(table)
	return out, nil
}

// frequency is in MHz; contacts without one come last.
func (r *record) frequency() float64 {
	mhz, ok := pytext.Float(normalNumber(r.value("FREQ")))
	if !ok || math.IsNaN(mhz) {
		return math.Inf(1)
	}
	return mhz
}

func mergeZones(files vfs.Files) (vfs.Files, error) {
	rows, err := plain.Table(files, zoneOrderFile, "position", "file", "place")
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(rows, byPosition)
	order := make([]place, len(rows))
	for n, row := range rows {
		order[n] = place{row[1], count(row[2])}
	}
	return mergeInOrder(files, order)
}

const (
	tableFile  = "contacts.csv"
	headerFile = "header.txt"
)

// toTable makes a row of each contact, sorted by call.
func toTable(files vfs.Files) (vfs.Files, error) {
	log, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	columns := []string{"position"}
	known := map[string]bool{}
	for i := range log.records {
		for k := range log.records[i].fields {
			if name := strings.ToUpper(log.records[i].fields[k].name); !known[name] {
				known[name] = true
				columns = append(columns, name)
			}
		}
	}
	var rows [][]string
	for i := range log.records {
		row := []string{strconv.Itoa(i + 1)}
		for _, name := range columns[1:] {
			row = append(row, log.records[i].value(name))
		}
		rows = append(rows, row)
	}
	call := slices.Index(columns, "CALL")
	if call > 0 {
		slices.SortStableFunc(rows, func(a, b []string) int { return strings.Compare(a[call], b[call]) })
	}
	header := strings.TrimRight(log.header.print(), "\n")
	if header != "" {
		header += "\n"
	}
	return vfs.Files{
		tableFile:  plain.WriteCSV(append([][]string{columns}, rows...)),
		headerFile: header,
	}, nil
}

func fromTable(files vfs.Files) (vfs.Files, error) {
	text, err := plain.File(files, tableFile)
	if err != nil {
		return nil, err
	}
	header, err := plain.File(files, headerFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.ReadCSV(text)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", tableFile, err)
	}
	if len(rows) < 2 {
		return nil, fmt.Errorf("%s has no contact", tableFile)
	}
	columns := rows[0]
	rows = rows[1:]
	slices.SortStableFunc(rows, byPosition)
	var b strings.Builder
	b.WriteString(header)
	for _, row := range rows {
		var r record
		for k, value := range row {
			if k > 0 && k < len(columns) && strings.TrimSpace(value) != "" {
				r.fields = append(r.fields, field{name: strings.TrimSpace(columns[k]), value: strings.TrimSpace(value)})
			}
		}
		r.end, r.after = endOfRecord, "\n"
		r.print(&b)
	}
	return vfs.Files{document: b.String()}, nil
}
