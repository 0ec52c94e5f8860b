package transit

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
)

// stopReferences are the tables that name stops, with the columns that do.
var stopReferences = [...]struct {
	file    string
	columns []string
}{
	{stopsFile, []string{"stop_id", "parent_station"}},
	{stopTimesFile, []string{"stop_id"}},
	{transfersFile, []string{"from_stop_id", "to_stop_id"}},
}

// codeStops replaces the identifiers of stops by codes of their zone and of their rank in it
// from north to south.
func codeStops(p struct {
	Suffix string // of the names of the tables with codes
	NoZone string `json:"no_zone"` // stands in the codes of stops without a zone
	List   string
}) exact.Steps {
	return steps(func(c *change) error {
		stops := c.look(stopsFile, "stop_id", "stop_lat", "zone_id")
		if c.err != nil {
			return c.err
		}
		codes, err := stops.codes(p.NoZone)
		if err != nil {
			return err
		}
		if len(codes) == 0 {
			return fmt.Errorf("%s has no rows", stopsFile)
		}
		list := grid{header: []string{"code", "stop_id"}}
		codeOf, stopOf := map[string]string{}, map[string]string{}
		for _, code := range codes {
			list.add(code.code, code.stop)
			codeOf[code.stop], stopOf[code.code] = code.code, code.stop
		}
		if err := c.checkCodes(codeOf, stopOf); err != nil {
			return err
		}
		c.renameStops(codeOf, "", p.Suffix)
		c.put(p.List, list)
		return nil
	}, func(c *change) error {
		stopOf := map[string]string{}
		for _, row := range c.takeRows(p.List, "code", "stop_id") {
			if row[0] != "" {
				stopOf[row[0]] = row[1]
			}
		}
		c.renameStops(stopOf, p.Suffix, "")
		return nil
	})
}

// stopCode is the code of a stop.
type stopCode struct {
	code, stop string
	latitude   float64
}

// codes returns the codes of the stops in the order of stops.txt.
func (g grid) codes(noZone string) ([]stopCode, error) {
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
func (c *change) checkCodes(codeOf, stopOf map[string]string) error {
	for _, t := range stopReferences {
		if _, ok := c.files[t.file]; !ok {
			continue
		}
		g := c.look(t.file)
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

// renameStops gives stops other names in the tables that name them. The names of the files end
// in one suffix and get another.
func (c *change) renameStops(names map[string]string, was, is string) {
	for _, t := range stopReferences {
		extension := path.Ext(t.file)
		name := strings.TrimSuffix(t.file, extension)
		from, to := name+was+extension, name+is+extension
		if _, ok := c.files[from]; !ok && t.file == transfersFile {
			continue // a feed may lack transfers
		}
		g := c.take(from)
		for _, column := range t.columns {
			k := g.column(column)
			for _, row := range g.rows {
				if name, ok := names[cell(row, k)]; ok {
					row[k] = name
				}
			}
		}
		c.put(to, g)
	}
}
