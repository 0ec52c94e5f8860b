package geotrack

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

const walkOrder = "waypoints.csv"

func walkFile(n int) string { return fmt.Sprintf("walk_%d.gpx", n) }

// splitByTrack makes a file of each track and the waypoints next to it. The
// first also gets what belongs to no track.
func splitByTrack(files vfs.Files) (vfs.Files, error) {
	doc, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	waypoints := doc.Root().Remove(xml.Named("wpt"))
	tracks := doc.Root().Remove(xml.Named("trk"))
	parts := []*gpxFile{doc}
	for len(parts) < len(tracks) {
		parts = append(parts, doc.with(func(*xml.Node) bool { return false }))
	}
	order := [][]string{{"position", "name", "file"}}
	for n, w := range waypoints {
		nearest := nearestTrack(w, tracks)
		insert(parts[nearest].Root(), w)
		order = append(order, []string{strconv.Itoa(n + 1), nameOf(w), walkFile(nearest + 1)})
	}
	out := vfs.Files{walkOrder: plain.WriteCSV(order)}
	for n, part := range parts {
		if n < len(tracks) {
			insert(part.Root(), tracks[n])
		}
		out[walkFile(n+1)] = part.print()
	}
	return out, nil
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

func mergeTracks(files vfs.Files) (vfs.Files, error) {
	rows, err := plain.Table(files, walkOrder, "position", "file")
	if err != nil {
		return nil, err
	}
	names := files.Match([]string{"walk_*.gpx"}).Names()
	slices.SortStableFunc(names, func(a, b string) int {
		return byNumber(strings.TrimSuffix(strings.TrimPrefix(a, "walk_"), ".gpx"), strings.TrimSuffix(strings.TrimPrefix(b, "walk_"), ".gpx"))
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
		return nil, errNoGPX
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
	return asDocument(doc), nil
}

const (
	timelineFile = "timeline.gpx"
	tracksFile   = "tracks.gpx"
	sourcesFile  = "sources.csv"
	timelineName = "Timeline"
	// longestGap is the time without a point that ends a segment.
	longestGap = 30 * time.Minute
)

// toTimeline puts the points of all tracks into one, in order of time.
func toTimeline(files vfs.Files) (vfs.Files, error) {
	doc, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	points := doc.takePoints()
	slices.SortStableFunc(points, func(a, b placed) int {
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
	})
	tracks := doc.with(xml.Named("trk"))
	doc = doc.with(func(n *xml.Node) bool { return !n.Is("trk") })
	root := doc.Root()
	name := root.NewChild("name")
	name.SetContent(timelineName)
	line := root.NewChild("trk", name)
	sources := [][]string{{"point", "track", "segment", "place"}}
	for n, p := range points {
		if n == 0 || isGap(points[n-1].Node, p.Node) {
			line.Children = append(line.Children, root.NewChild("trkseg"))
		}
		segment := line.Children[len(line.Children)-1]
		segment.Children = append(segment.Children, p.Node)
		sources = append(sources, []string{
			strconv.Itoa(n + 1), strconv.Itoa(p.track), strconv.Itoa(p.segment), strconv.Itoa(p.place),
		})
	}
	insert(root, line)
	return vfs.Files{timelineFile: doc.print(), tracksFile: tracks.print(), sourcesFile: plain.WriteCSV(sources)}, nil
}

func isGap(before, after *xml.Node) bool {
	a, timedA := instant(before)
	b, timedB := instant(after)
	return timedA && timedB && b.Sub(a) > longestGap
}

func fromTimeline(files vfs.Files) (vfs.Files, error) {
	doc, err := readNamed(files, timelineFile)
	if err != nil {
		return nil, err
	}
	tracks, err := readNamed(files, tracksFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, sourcesFile, "point", "track", "segment", "place")
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(rows, plain.ByNumber)
	points := doc.takePoints()
	doc.Root().Remove(xml.Named("trk"))
	insert(doc.Root(), tracks.Root().Children...)
	fr := newFrame(doc)
	places := map[*xml.Node]string{}
	for n, p := range points {
		if n >= len(rows) { // no source is known: into a track of its own
			rows = append(rows, []string{"", "", "", ""})
		}
		segment := fr.segment(rows[n][1], rows[n][2])
		segment.Children = append(segment.Children, p.Node)
		places[p.Node] = rows[n][3]
	}
	for _, segment := range doc.segments() {
		slices.SortStableFunc(segment.Children, func(a, b *xml.Node) int { return byNumber(places[a], places[b]) })
	}
	return asDocument(doc), nil
}

const (
	visitsFile = "visits.gpx"
	visitTable = "visits.csv"
	visitsName = "Visits"
)

// orderVisits makes a route of the waypoints, in the order in which the tracks
// pass them.
func orderVisits(files vfs.Files) (vfs.Files, error) {
	doc, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	root := doc.Root()
	type visit struct {
		*xml.Node
		number, passed int
		metres         float64
	}
	var visits []visit
	for n, w := range root.Remove(xml.Named("wpt")) {
		v := visit{w, n + 1, math.MaxInt, math.Inf(1)}
		passed := 0
		for _, segment := range doc.segments() {
			for _, p := range segment.All("trkpt") {
				passed++
				if d := distance(w, p); d < v.metres {
					v.passed, v.metres = passed, d
				}
			}
		}
		visits = append(visits, v)
	}
	slices.SortStableFunc(visits, func(a, b visit) int { return a.passed - b.passed })
	name := root.NewChild("name")
	name.SetContent(visitsName)
	route := root.NewChild("rte", name)
	table := [][]string{{"visit", "list_no", "name", "track_point", "metres"}}
	for n, v := range visits {
		v.Rename("rtept")
		route.Children = append(route.Children, v.Node)
		row := []string{strconv.Itoa(n + 1), strconv.Itoa(v.number), nameOf(v.Node), "", ""}
		if !math.IsInf(v.metres, 1) {
			row[3], row[4] = strconv.Itoa(v.passed), strconv.FormatFloat(math.Round(v.metres), 'f', 0, 64)
		}
		table = append(table, row)
	}
	insert(root, route)
	return vfs.Files{visitsFile: doc.print(), visitTable: plain.WriteCSV(table)}, nil
}

func orderWaypoints(files vfs.Files) (vfs.Files, error) {
	doc, err := readNamed(files, visitsFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, visitTable, "visit", "list_no")
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(rows, plain.ByNumber)
	root := doc.Root()
	routes := root.All("rte")
	if len(routes) == 0 {
		return nil, fmt.Errorf("%s has no route %s", visitsFile, visitsName)
	}
	visits := routes[len(routes)-1]
	root.Remove(func(n *xml.Node) bool { return n == visits })
	waypoints := visits.All("rtept")
	number := map[*xml.Node]string{}
	for n, w := range waypoints {
		w.Rename("wpt")
		number[w] = strconv.Itoa(math.MaxInt32)
		if n < len(rows) {
			number[w] = rows[n][1]
		}
	}
	slices.SortStableFunc(waypoints, func(a, b *xml.Node) int { return byNumber(number[a], number[b]) })
	insert(root, waypoints...)
	return asDocument(doc), nil
}
