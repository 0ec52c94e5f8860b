package geotrack

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

// splitByTrack makes a numbered file of each track and the waypoints next to it. The first also
// gets what belongs to no track.
func splitByTrack(p struct{ Document, Begins, Table string }) exact.Steps {
	fileOf := func(n int) string { return fmt.Sprintf("%s%d.gpx", p.Begins, n+1) }
	forward := func(f gpxFile) (vfs.Files, error) {
		waypoints := f.Root().Remove(xml.Named("wpt"))
		tracks := f.Root().Remove(xml.Named("trk"))
		parts := []gpxFile{f}
		for len(parts) < len(tracks) {
			parts = append(parts, f.with(func(*xml.Node) bool { return false }))
		}
		order := [][]string{{"position", "name", "file"}}
		for n, w := range waypoints {
			nearest := nearestTrack(w, tracks)
			insert(parts[nearest].Root(), w)
			order = append(order, []string{strconv.Itoa(n + 1), nameOf(w), fileOf(nearest)})
		}
		made := vfs.Files{p.Table: plain.WriteCSV(order)}
		for n, part := range parts {
			if n < len(tracks) {
				insert(part.Root(), tracks[n])
			}
			made[fileOf(n)] = part.print()
		}
		return made, nil
	}
	return logs.Whole(p.Document, forward, func(files vfs.Files) (gpxFile, error) {
		return mergeTracks(files, p.Begins, p.Table)
	})
}

// nearestTrack returns the index of the track with the point nearest to a
// waypoint, 0 if there is none.
func nearestTrack(waypoint *xml.Node, tracks []*xml.Node) int {
	nearest, least := 0, math.Inf(1)
	for n, track := range tracks {
		for _, segment := range track.All("trkseg") {
			for _, point := range segment.All("trkpt") {
				if d := distance(waypoint, point); d < least {
					nearest, least = n, d
				}
			}
		}
	}
	return nearest
}

// mergeTracks puts together what splitByTrack made.
func mergeTracks(files vfs.Files, begins, table string) (merged gpxFile, err error) {
	rows, err := plain.Table(files, table, "position", "file")
	if err != nil {
		return merged, err
	}
	names := files.Match([]string{begins + "*.gpx"}).Names()
	slices.SortStableFunc(names, func(a, b string) int {
		return byNumber(strings.TrimSuffix(a[len(begins):], ".gpx"), strings.TrimSuffix(b[len(begins):], ".gpx"))
	})
	var doc *gpxFile
	var tracks, others []*xml.Node
	waypoints := map[string][]*xml.Node{}
	for _, name := range names {
		part := read(files[name])
		if part.Root() == nil {
			continue
		}
		waypoints[name] = part.Root().Remove(xml.Named("wpt"))
		tracks = append(tracks, part.Root().Remove(xml.Named("trk"))...)
		if doc == nil {
			doc = &part
		} else {
			others = append(others, part.Root().All("rte")...)
		}
	}
	if doc == nil {
		return merged, logs.Empty
	}
	slices.SortStableFunc(rows, plain.ByNumber)
	root := doc.Root()
	for _, row := range rows {
		if left := waypoints[row[1]]; len(left) > 0 {
			insert(root, left[0])
			waypoints[row[1]] = left[1:]
		}
	}
	for _, name := range names {
		insert(root, waypoints[name]...)
	}
	insert(root, others...)
	insert(root, tracks...)
	return *doc, nil
}

// timeline puts the points of all tracks into one, in order of time. A gap ends a segment.
func timeline(p struct {
	Document, To, Tracks, Name string
	Gap                        int // in minutes
	Table                      string
}) exact.Steps {
	isGap := func(before, after *xml.Node) bool {
		a, timedA := instant(before)
		b, timedB := instant(after)
		return timedA && timedB && b.Sub(a) > time.Duration(p.Gap)*time.Minute
	}
	change := func(f *gpxFile) (vfs.Files, error) {
		points := f.takePoints()
		slices.SortStableFunc(points, byTime)
		tracks := f.with(xml.Named("trk"))
		*f = f.with(func(n *xml.Node) bool { return !n.Is("trk") })
		root := f.Root()
		line := root.NewChild("trk", root.NewChild("name").With(p.Name))
		sources := [][]string{{"point", "track", "segment", "place"}}
		for n, point := range points {
			if n == 0 || isGap(points[n-1].Node, point.Node) {
				line.Append(root.NewChild("trkseg"))
			}
			line.Children[len(line.Children)-1].Append(point.Node)
			sources = append(sources, []string{
				strconv.Itoa(n + 1), strconv.Itoa(point.track), strconv.Itoa(point.segment), strconv.Itoa(point.place),
			})
		}
		insert(root, line)
		return vfs.Files{p.Tracks: tracks.print(), p.Table: plain.WriteCSV(sources)}, nil
	}
	return logs.Rewrite(p.Document, p.To, change, func(f *gpxFile, files vfs.Files) error {
		tracks, err := logs.Named(files, p.Tracks)
		if err != nil {
			return err
		}
		rows, err := plain.Table(files, p.Table, "point", "track", "segment", "place")
		slices.SortStableFunc(rows, plain.ByNumber)
		points := f.takePoints()
		f.Root().Remove(xml.Named("trk"))
		insert(f.Root(), tracks.Root().Children...)
		fr := newFrame(f)
		places := map[*xml.Node]string{}
		for n, point := range points {
			if n >= len(rows) { // no source is known: into a track of its own
				rows = append(rows, []string{"", "", "", ""})
			}
			fr.segment(rows[n][1], rows[n][2]).Append(point.Node)
			places[point.Node] = rows[n][3]
		}
		for _, segment := range f.segments() {
			slices.SortStableFunc(segment.Children, func(a, b *xml.Node) int { return byNumber(places[a], places[b]) })
		}
		return err
	})
}

// byTime compares the times of points; those without one come last.
func byTime(a, b placed) int {
	atA, timedA := instant(a.Node)
	atB, timedB := instant(b.Node)
	switch {
	case timedA && timedB:
		return atA.Compare(atB)
	case timedA:
		return -1
	case timedB:
		return 1
	}
	return 0
}

// routeByPassing makes a route of the waypoints, in the order in which the tracks pass them.
func routeByPassing(p struct{ Document, To, Name, Table string }) exact.Steps {
	change := func(f *gpxFile) (vfs.Files, error) {
		root := f.Root()
		number := 0
		visits := lists.Map(root.Remove(xml.Named("wpt")), func(w *xml.Node) visit {
			number++
			return f.visit(w, number)
		})
		slices.SortStableFunc(visits, func(a, b visit) int { return a.passed - b.passed })
		route := root.NewChild("rte", root.NewChild("name").With(p.Name))
		table := [][]string{{"visit", "list_no", "name", "track_point", "metres"}}
		for n, v := range visits {
			v.Rename("rtept")
			route.Append(v.Node)
			row := []string{strconv.Itoa(n + 1), strconv.Itoa(v.number), nameOf(v.Node), "", ""}
			if !math.IsInf(v.metres, 1) {
				row[3], row[4] = strconv.Itoa(v.passed), strconv.FormatFloat(math.Round(v.metres), 'f', 0, 64)
			}
			table = append(table, row)
		}
		insert(root, route)
		return vfs.Files{p.Table: plain.WriteCSV(table)}, nil
	}
	return logs.Rewrite(p.Document, p.To, change, func(f *gpxFile, files vfs.Files) error {
		rows, err := plain.Table(files, p.Table, "visit", "list_no")
		if err != nil {
			return err
		}
		slices.SortStableFunc(rows, plain.ByNumber)
		root := f.Root()
		routes := root.All("rte")
		if len(routes) == 0 {
			return fmt.Errorf("%s has no route %s", p.To, p.Name)
		}
		visits := routes[len(routes)-1]
		root.Drop(visits)
		waypoints := visits.All("rtept")
		for _, w := range waypoints {
			w.Rename("wpt")
		}
		lists.Arrange(waypoints, lists.Map(rows, func(row []string) int { return plain.LineNumber(row[1]) }))
		insert(root, waypoints...)
		return nil
	})
}

// visit is a waypoint with its number, and the number and distance of the track point that is
// nearest to it.
type visit struct {
	*xml.Node
	number, passed int
	metres         float64
}

func (f *gpxFile) visit(waypoint *xml.Node, number int) visit {
	v := visit{waypoint, number, math.MaxInt, math.Inf(1)}
	passed := 0
	for _, segment := range f.segments() {
		for _, point := range segment.All("trkpt") {
			passed++
			if d := distance(waypoint, point); d < v.metres {
				v.passed, v.metres = passed, d
			}
		}
	}
	return v
}
