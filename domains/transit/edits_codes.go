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
		codeOf, err := stops.codes(p.NoZone)
		if err != nil {
			return err
		}
		if len(codeOf) == 0 {
			return fmt.Errorf("%s has no rows", stopsFile)
		}
		list := grid{Header: []string{"code", "stop_id"}}
		stopOf := map[string]string{}
		names, _ := stops.by("stop_id")
		for _, stop := range names {
			list.add(codeOf[stop], stop)
			stopOf[codeOf[stop]] = stop
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

// codes are the codes of the stops, of which the first row of each counts.
func (g grid) codes(noZone string) (codeOf map[string]string, err error) {
	latitude, zone := g.column("stop_lat"), g.column("zone_id")
	names, rows := g.by("stop_id")
	latitudes := map[string]float64{}
	for _, name := range names {
		latitudes[name], err = strconv.ParseFloat(rows[name][0][latitude], 64)
		if err != nil || name == "" {
			return nil, fmt.Errorf("the stop %q has the latitude %q", name, rows[name][0][latitude])
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(latitudes[b], latitudes[a]) })
	codeOf, ranks := map[string]string{}, map[string]int{}
	for _, name := range names {
		z := cmp.Or(rows[name][0][zone], noZone)
		ranks[z]++
		codeOf[name] = fmt.Sprintf("%s-%02d", z, ranks[z])
	}
	return codeOf, nil
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
			for _, row := range g.Rows {
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
			for _, row := range g.Rows {
				if name, ok := names[cell(row, k)]; ok {
					row[k] = name
				}
			}
		}
		c.put(to, g)
	}
}
