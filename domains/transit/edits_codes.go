package transit

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	codesFile = "stop_codes.csv"
	// noZone stands in the codes of stops without a zone.
	noZone = "X"
)

// stopReferences are the tables that name stops, with the columns that do, and
// their files with new codes.
var stopReferences = [...]struct {
	file, recoded string
	columns       []string
}{
	{stopsFile, "stops_recoded.txt", []string{"stop_id", "parent_station"}},
	{stopTimesFile, "stop_times_recoded.txt", []string{"stop_id"}},
	{transfersFile, "transfers_recoded.txt", []string{"from_stop_id", "to_stop_id"}},
}

// toCodes replaces the identifiers of stops by codes of their zone and of their
// rank in it from north to south.
func toCodes(files vfs.Files) (vfs.Files, error) {
	stops, err := gridOf(files, stopsFile, "stop_id", "stop_lat", "zone_id")
	if err != nil {
		return nil, err
	}
	codes, err := stops.codes()
	if err != nil {
		return nil, err
	}
	if len(codes) == 0 {
		return nil, fmt.Errorf("%s has no rows", stopsFile)
	}
	list := grid{header: []string{"code", "stop_id"}}
	codeOf, stopOf := map[string]string{}, map[string]string{}
	for _, c := range codes {
		list.add(c.code, c.stop)
		codeOf[c.stop], stopOf[c.code] = c.code, c.stop
	}
	if err := checkCodes(files, codeOf, stopOf); err != nil {
		return nil, err
	}
	recoded, gone, err := translated(files, codeOf, true)
	if err != nil {
		return nil, err
	}
	recoded[codesFile] = list.text()
	return replaced(files, gone, recoded), nil
}

// stopCode is the code of a stop.
type stopCode struct {
	code, stop string
	latitude   float64
}

// codes returns the codes of the stops in the order of stops.txt.
func (g grid) codes() ([]stopCode, error) {
	id, latitude, zone := g.column("stop_id"), g.column("stop_lat"), g.column("zone_id")
	var codes []stopCode
	var zones []string
	known, inZone := map[string]bool{}, map[string][]int{}
	for _, row := range g.rows {
		if known[row[id]] {
			continue
		}
		known[row[id]] = true
		lat, err := strconv.ParseFloat(row[latitude], 64)
		if err != nil || row[id] == "" {
			return nil, fmt.Errorf("the stop %q has the latitude %q", row[id], row[latitude])
		}
		z := cmp.Or(row[zone], noZone)
		if inZone[z] == nil {
			zones = append(zones, z)
		}
		inZone[z] = append(inZone[z], len(codes))
		codes = append(codes, stopCode{stop: row[id], latitude: lat})
	}
	for _, z := range zones {
		slices.SortStableFunc(inZone[z], func(a, b int) int { return cmp.Compare(codes[b].latitude, codes[a].latitude) })
		for rank, at := range inZone[z] {
			codes[at].code = fmt.Sprintf("%s-%02d", z, rank+1)
		}
	}
	return codes, nil
}

// checkCodes is an error if a stop that has no code is named like one.
func checkCodes(files vfs.Files, codeOf, stopOf map[string]string) error {
	for _, t := range stopReferences {
		if _, ok := files[t.file]; !ok {
			continue
		}
		g, err := gridOf(files, t.file)
		if err != nil {
			return err
		}
		for _, column := range t.columns {
			k := g.column(column)
			for _, row := range g.rows {
				if id := cell(row, k); codeOf[id] == "" && stopOf[id] != "" {
					return fmt.Errorf("%s names %q, which is the code of %s", t.file, id, stopOf[id])
				}
			}
		}
	}
	return nil
}

// translated are the tables that name stops with other names for them, and the
// files that they replace.
func translated(files vfs.Files, names map[string]string, forward bool) (with vfs.Files, gone []string, err error) {
	with = vfs.Files{}
	for _, t := range stopReferences {
		from, to := t.recoded, t.file
		if forward {
			from, to = t.file, t.recoded
		}
		if _, ok := files[from]; !ok && t.file == transfersFile {
			continue // a feed may lack transfers
		}
		g, err := gridOf(files, from)
		if err != nil {
			return nil, nil, err
		}
		for _, column := range t.columns {
			k := g.column(column)
			for _, row := range g.rows {
				if name, ok := names[cell(row, k)]; ok {
					row[k] = name
				}
			}
		}
		with[to] = g.text()
		gone = append(gone, from)
	}
	return with, gone, nil
}

func fromCodes(files vfs.Files) (vfs.Files, error) {
	list, err := plain.Table(files, codesFile, "code", "stop_id")
	if err != nil {
		return nil, err
	}
	stopOf := make(map[string]string, len(list))
	for _, cells := range list {
		if cells[0] != "" {
			stopOf[cells[0]] = cells[1]
		}
	}
	stops, recoded, err := translated(files, stopOf, false)
	if err != nil {
		return nil, err
	}
	return replaced(files, append(recoded, codesFile), stops), nil
}
