package geotrack

import (
	"slices"
	"strconv"
	"time"

	"github.com/shopspring/decimal"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

// placeColumns say where a point stands, and its position. The table of points has a column more for
// each path that occurs.
var placeColumns = []string{"track", "segment", "place", "lat", "lon"}

func newTable(points []placed) *plain.Sparse {
	t := plain.Sparse{Header: slices.Clone(placeColumns)}
	for _, p := range points {
		t.Add(strconv.Itoa(p.track), strconv.Itoa(p.segment), strconv.Itoa(p.place), p.Value("lat"), p.Value("lon"))
		for _, v := range values(p.Node) {
			t.Set(v.Path, v.Text)
		}
	}
	return &t
}

// pointOf builds the track point of a row.
func pointOf(t *plain.Sparse, row []string, parent *xml.Node) *xml.Node {
	var values []xml.Value
	for at, text := range row {
		if at < len(t.Header) && !slices.Contains(placeColumns, t.Header[at]) {
			values = append(values, xml.Value{Path: t.Header[at], Text: text})
		}
	}
	return newPoint(parent, "trkpt", t.Cell(row, "lat"), t.Cell(row, "lon"), values)
}

// pointsTable puts the track points in a table. Some columns may be differences to the last
// point of the segment that has a value there.
func pointsTable(p struct {
	Document, To, Table string
	Differences         []string `json:"differences,omitempty"`
}) exact.Steps {
	change := func(f *gpxFile) (vfs.Files, error) {
		t := newTable(f.takePoints())
		eachRun(t, p.Differences, func(last, now string) (cell, next string) {
			if d, ok := difference(last, now); ok {
				return d, now
			}
			return now, now
		})
		return vfs.Files{p.Table: t.CSV()}, nil
	}
	return logs.Rewrite(p.Document, p.To, change, func(f *gpxFile, files vfs.Files) error {
		t, err := plain.ReadSparse(files, p.Table, placeColumns...)
		eachRun(&t, p.Differences, func(last, now string) (cell, next string) {
			if sum, ok := sumOf(last, now); ok {
				return sum, sum
			}
			return now, now
		})
		fill(f, &t)
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
		return vfs.Files{p.Table: t.CSV()}, nil
	}
	return logs.Rewrite(p.Document, p.To, change, func(f *gpxFile, files vfs.Files) error {
		t, err := plain.ReadSparse(files, p.Table, placeColumns...)
		fill(f, &t)
		return err
	})
}

// fill puts the points of a table into the segments, among those that they have.
func fill(f *gpxFile, t *plain.Sparse) {
	fr := newFrame(f)
	points := map[*xml.Node][]placed{}
	for _, row := range t.Rows {
		segment := fr.segment(t.Cell(row, "track"), t.Cell(row, "segment"))
		points[segment] = append(points[segment], placed{
			Node: pointOf(t, row, segment), place: plain.LineNumber(t.Cell(row, "place")),
		})
	}
	for segment, missing := range points {
		kept := segment.Remove(xml.Named("trkpt"))
		place := func(p placed) (int, *xml.Node) { return p.place, p.Node }
		segment.Children = append(segment.Children, plain.PutIn(missing, kept, place, nil)...)
	}
}

// eachRun goes through columns, segment by segment. code is
// given the value of the last point that had one and the cell; it returns the
// new cell and the value that the next one is given.
func eachRun(t *plain.Sparse, columns []string, code func(last, now string) (cell, next string)) {
	for _, column := range columns {
		at := slices.Index(t.Header, column)
		if at < 0 {
			continue
		}
		last, place := "", ""
		for _, row := range t.Rows {
			if here := placeKey(t.Cell(row, "track"), t.Cell(row, "segment")); here != place {
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
