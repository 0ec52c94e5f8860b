package geotrack

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

// table is a CSV file of track points: where each stands, its position, and a
// column for each path that occurs.
type table struct {
	header []string
	rows   [][]string
}

var placeColumns = []string{"track", "segment", "place", "lat", "lon"}

func newTable(points []placed) table {
	t := table{header: slices.Clone(placeColumns)}
	columns := map[string]int{}
	for _, p := range points {
		lat, _ := p.Attribute("lat")
		lon, _ := p.Attribute("lon")
		row := []string{strconv.Itoa(p.track), strconv.Itoa(p.segment), strconv.Itoa(p.place), lat, lon}
		for _, v := range values(p.Node) {
			at, known := columns[v.path]
			if !known {
				at = len(t.header)
				columns[v.path] = at
				t.header = append(t.header, v.path)
			}
			for len(row) <= at {
				row = append(row, "")
			}
			row[at] = v.text
		}
		t.rows = append(t.rows, row)
	}
	return t
}

func (t *table) print() string {
	records := [][]string{t.header}
	for _, row := range t.rows {
		records = append(records, append(row, make([]string, len(t.header)-len(row))...))
	}
	return plain.WriteCSV(records)
}

func readTable(files vfs.Files, name string) (table, error) {
	text, err := plain.File(files, name)
	if err != nil {
		return table{}, err
	}
	records, err := plain.ReadCSV(text)
	if err != nil {
		return table{}, fmt.Errorf("reading %s: %w", name, err)
	}
	if len(records) == 0 {
		return table{}, errors.New(name + " is empty")
	}
	t := table{records[0], records[1:]}
	for i := range t.header {
		t.header[i] = strings.TrimSpace(t.header[i])
	}
	for _, column := range placeColumns {
		if !slices.Contains(t.header, column) {
			return table{}, fmt.Errorf("reading %s: no column %q", name, column)
		}
	}
	return t, nil
}

// cell returns a row's value in a column; empty where it has none.
func (t *table) cell(row []string, column string) string {
	if at := slices.Index(t.header, column); at >= 0 && at < len(row) {
		return row[at]
	}
	return ""
}

// point builds the track point of a row.
func (t *table) point(parent *xml.Node, row []string) *xml.Node {
	var values []value
	for at, text := range row {
		if at < len(t.header) && !slices.Contains(placeColumns, t.header[at]) {
			values = append(values, value{t.header[at], text})
		}
	}
	return newPoint(parent, "trkpt", t.cell(row, "lat"), t.cell(row, "lon"), values)
}

// pointsTable puts the track points in a table. Some columns may be differences to the last
// point of the segment that has a value there.
func pointsTable(p struct {
	Document, To, Table string
	Differences         []string `json:"differences,omitempty"`
}) exact.Steps {
	change := func(f *gpxFile) (vfs.Files, error) {
		t := newTable(f.takePoints())
		t.eachRun(p.Differences, func(last, now string) (cell, next string) {
			if d, ok := difference(last, now); ok {
				return d, now
			}
			return now, now
		})
		return vfs.Files{p.Table: t.print()}, nil
	}
	return logs.Rewrite(p.Document, p.To, change, func(f *gpxFile, files vfs.Files) error {
		t, err := readTable(files, p.Table)
		t.eachRun(p.Differences, func(last, now string) (cell, next string) {
			if sum, ok := sumOf(last, now); ok {
				return sum, sum
			}
			return now, now
		})
		t.fill(f)
		return err
	})
}

// thinOut keeps the first of so many points of each segment.
func thinOut(p struct {
	Document, To string
	Every        int
	Table        string
}) exact.Steps {
	if p.Every < 1 {
		return exact.Refuse("every must be at least 1")
	}
	change := func(f *gpxFile) (vfs.Files, error) {
		var dropped []placed
		for _, point := range f.takePoints() {
			if (point.place-1)%p.Every == 0 {
				point.within.Children = append(point.within.Children, point.Node)
			} else {
				dropped = append(dropped, point)
			}
		}
		t := newTable(dropped)
		return vfs.Files{p.Table: t.print()}, nil
	}
	return logs.Rewrite(p.Document, p.To, change, func(f *gpxFile, files vfs.Files) error {
		t, err := readTable(files, p.Table)
		t.fill(f)
		return err
	})
}

// fill puts the points of a table into the segments, among those that they have.
func (t *table) fill(f *gpxFile) {
	fr := newFrame(f)
	points := map[*xml.Node][]placed{}
	for _, row := range t.rows {
		segment := fr.segment(t.cell(row, "track"), t.cell(row, "segment"))
		points[segment] = append(points[segment], placed{
			Node: t.point(segment, row), place: plain.LineNumber(t.cell(row, "place")),
		})
	}
	for segment, missing := range points {
		kept := segment.Remove(xml.Named("trkpt"))
		all := plain.PutIn(missing, kept, func(p placed) (int, *xml.Node) { return p.place, p.Node }, func(*xml.Node) int { return 1 })
		segment.Children = append(segment.Children, all...)
	}
}

// eachRun goes through columns, segment by segment. code is
// given the value of the last point that had one and the cell; it returns the
// new cell and the value that the next one is given.
func (t *table) eachRun(columns []string, code func(last, now string) (cell, next string)) {
	for _, column := range columns {
		at := slices.Index(t.header, column)
		if at < 0 {
			continue
		}
		last, place := "", ""
		for _, row := range t.rows {
			if here := placeKey(t.cell(row, "track"), t.cell(row, "segment")); here != place {
				last, place = "", here
			}
			if at < len(row) && row[at] != "" {
				row[at], last = code(last, row[at])
			}
		}
	}
}

// difference is the exact one of two numbers, or the seconds between two times
// in UTC.
func difference(last, now string) (string, bool) {
	if a, ok := timeInUTC(last); ok {
		b, ok := timeInUTC(now)
		return decimal.New(b.Sub(a).Nanoseconds(), -9).String(), ok
	}
	a, okA := readDecimal(last)
	b, okB := readDecimal(now)
	return b.Sub(a).String(), okA && okB
}

func sumOf(last, now string) (string, bool) {
	d, ok := readDecimal(now)
	if !ok {
		return "", false
	}
	if a, ok := timeInUTC(last); ok {
		return a.Add(time.Duration(d.Shift(9).IntPart())).Format(utcLayout), true
	}
	a, ok := readDecimal(last)
	return a.Add(d).String(), ok
}

const utcLayout = "2006-01-02T15:04:05.999999999Z"

func timeInUTC(text string) (time.Time, bool) {
	at, err := time.Parse(utcLayout, text)
	return at, err == nil
}
