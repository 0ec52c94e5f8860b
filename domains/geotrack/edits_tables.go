package geotrack

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

const (
	pointsFile  = "points.csv"
	frameFile   = "frame.gpx"
	deltasFile  = "deltas.csv"
	thinnedFile = "thinned.gpx"
	droppedFile = "dropped.csv"
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

// toTable puts the track points in a table.
func toTable(files vfs.Files) (vfs.Files, error) {
	doc, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	t := newTable(doc.takePoints())
	return vfs.Files{pointsFile: t.print(), frameFile: doc.print()}, nil
}

func fromTable(files vfs.Files) (vfs.Files, error) {
	t, err := readTable(files, pointsFile)
	if err != nil {
		return nil, err
	}
	return t.fill(files)
}

// fill puts the points of a table into the segments of the frame.
func (t *table) fill(files vfs.Files) (vfs.Files, error) {
	doc, err := readNamed(files, frameFile)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(t.rows, func(a, b []string) int { return byNumber(t.cell(a, "place"), t.cell(b, "place")) })
	fr := newFrame(doc)
	for _, row := range t.rows {
		segment := fr.segment(t.cell(row, "track"), t.cell(row, "segment"))
		segment.Children = append(segment.Children, t.point(segment, row))
	}
	return asDocument(doc), nil
}

// every is how many points one that is kept stands for.
const every = 3

// thinOut keeps every third point of each segment.
func thinOut(files vfs.Files) (vfs.Files, error) {
	doc, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	var dropped []placed
	for t, trk := range doc.Root().All("trk") {
		for s, segment := range trk.All("trkseg") {
			place := 0
			segment.Remove(func(n *xml.Node) bool {
				if !n.Is("trkpt") {
					return false
				}
				place++
				if place%every == 1 {
					return false
				}
				dropped = append(dropped, placed{n, t + 1, s + 1, place})
				return true
			})
		}
	}
	t := newTable(dropped)
	return vfs.Files{thinnedFile: doc.print(), droppedFile: t.print()}, nil
}

func fillIn(files vfs.Files) (vfs.Files, error) {
	t, err := readTable(files, droppedFile)
	if err != nil {
		return nil, err
	}
	doc, err := readNamed(files, thinnedFile)
	if err != nil {
		return nil, err
	}
	fr := newFrame(doc)
	rows := map[*xml.Node][][]string{}
	for _, row := range t.rows {
		segment := fr.segment(t.cell(row, "track"), t.cell(row, "segment"))
		rows[segment] = append(rows[segment], row)
	}
	for segment, missing := range rows {
		slices.SortStableFunc(missing, func(a, b []string) int { return byNumber(t.cell(a, "place"), t.cell(b, "place")) })
		kept := segment.Remove(xml.Named("trkpt"))
		for place := 1; len(kept)+len(missing) > 0; place++ {
			if len(missing) > 0 && (len(kept) == 0 || byNumber(t.cell(missing[0], "place"), strconv.Itoa(place)) <= 0) {
				segment.Children = append(segment.Children, t.point(segment, missing[0]))
				missing = missing[1:]
			} else {
				segment.Children = append(segment.Children, kept[0])
				kept = kept[1:]
			}
		}
	}
	return asDocument(doc), nil
}

// toDeltas puts the track points in a table in which position, height and time
// are differences to the last point of the segment that has them.
func toDeltas(files vfs.Files) (vfs.Files, error) {
	doc, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	t := newTable(doc.takePoints())
	t.eachRun(func(last, now string) (cell, next string) {
		if d, ok := difference(last, now); ok {
			return d, now
		}
		return now, now
	})
	return vfs.Files{deltasFile: t.print(), frameFile: doc.print()}, nil
}

func fromDeltas(files vfs.Files) (vfs.Files, error) {
	t, err := readTable(files, deltasFile)
	if err != nil {
		return nil, err
	}
	t.eachRun(func(last, now string) (cell, next string) {
		if sum, ok := sumOf(last, now); ok {
			return sum, sum
		}
		return now, now
	})
	return t.fill(files)
}

// eachRun goes through the columns that are coded, segment by segment. code is
// given the value of the last point that had one and the cell; it returns the
// new cell and the value that the next one is given.
func (t *table) eachRun(code func(last, now string) (cell, next string)) {
	for _, column := range []string{"lat", "lon", "ele", "time"} {
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
