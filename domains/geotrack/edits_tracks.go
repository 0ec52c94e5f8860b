package geotrack

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"agentd/domains/internal/plain"
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
	waypoints := doc.root().remove(named("wpt"))
	tracks := doc.root().remove(named("trk"))
	parts := []*gpxFile{doc}
	for len(parts) < len(tracks) {
		parts = append(parts, doc.with(func(*node) bool { return false }))
	}
	order := [][]string{{"position", "name", "file"}}
	for n, w := range waypoints {
		nearest := nearestTrack(w, tracks)
		parts[nearest].root().insert(w)
		order = append(order, []string{strconv.Itoa(n + 1), nameOf(w), walkFile(nearest + 1)})
	}
	out := vfs.Files{walkOrder: plain.WriteCSV(order)}
	for n, part := range parts {
		if n < len(tracks) {
			part.root().insert(tracks[n])
		}
		out[walkFile(n+1)] = part.print()
	}
	return out, nil
}

// nearestTrack returns the index of the track with the point nearest to a
// waypoint, 0 if there is none.
func nearestTrack(waypoint *node, tracks []*node) int {
	nearest, least := 0, math.Inf(1)
	for n, track := range tracks {
		for _, segment := range track.all("trkseg") {
			for _, point := range segment.all("trkpt") {
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
	var tracks, others []*node
	waypoints := map[string][]*node{}
	for _, name := range names {
		part := read(files[name])
		if part.root() == nil {
			continue
		}
		waypoints[name] = part.root().remove(named("wpt"))
		tracks = append(tracks, part.root().remove(named("trk"))...)
		if doc == nil {
			doc = &part
		} else {
			others = append(others, part.root().all("rte")...)
		}
	}
	if doc == nil {
		return nil, errNoGPX
	}
	slices.SortStableFunc(rows, plain.ByNumber)
	root := doc.root()
	for _, row := range rows {
		if left := waypoints[row[1]]; len(left) > 0 {
			root.insert(left[0])
			waypoints[row[1]] = left[1:]
		}
	}
	for _, name := range names {
		root.insert(waypoints[name]...)
	}
	root.insert(others...)
	root.insert(tracks...)
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
		atA, timedA := a.instant()
		atB, timedB := b.instant()
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
	tracks := doc.with(named("trk"))
	doc = doc.with(func(n *node) bool { return !n.is("trk") })
	root := doc.root()
	name := root.newChild("name")
	name.setContent(timelineName)
	line := root.newChild("trk", name)
	sources := [][]string{{"point", "track", "segment", "place"}}
	for n, p := range points {
		if n == 0 || isGap(points[n-1].node, p.node) {
			line.children = append(line.children, root.newChild("trkseg"))
		}
		segment := line.children[len(line.children)-1]
		segment.children = append(segment.children, p.node)
		sources = append(sources, []string{
			strconv.Itoa(n + 1), strconv.Itoa(p.track), strconv.Itoa(p.segment), strconv.Itoa(p.place),
		})
	}
	root.insert(line)
	return vfs.Files{timelineFile: doc.print(), tracksFile: tracks.print(), sourcesFile: plain.WriteCSV(sources)}, nil
}

func isGap(before, after *node) bool {
	a, timedA := before.instant()
	b, timedB := after.instant()
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
	doc.root().remove(named("trk"))
	doc.root().insert(tracks.root().children...)
	fr := newFrame(doc)
	places := map[*node]string{}
	for n, p := range points {
		if n >= len(rows) { // no source is known: into a track of its own
			rows = append(rows, []string{"", "", "", ""})
		}
		segment := fr.segment(rows[n][1], rows[n][2])
		segment.children = append(segment.children, p.node)
		places[p.node] = rows[n][3]
	}
	for _, segment := range doc.segments() {
		slices.SortStableFunc(segment.children, func(a, b *node) int { return byNumber(places[a], places[b]) })
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
	root := doc.root()
	type visit struct {
		*node
		number, passed int
		metres         float64
	}
	var visits []visit
	for n, w := range root.remove(named("wpt")) {
		v := visit{w, n + 1, math.MaxInt, math.Inf(1)}
		passed := 0
		for _, segment := range doc.segments() {
			for _, p := range segment.all("trkpt") {
				passed++
				if d := distance(w, p); d < v.metres {
					v.passed, v.metres = passed, d
				}
			}
		}
		visits = append(visits, v)
	}
	slices.SortStableFunc(visits, func(a, b visit) int { return a.passed - b.passed })
	name := root.newChild("name")
	name.setContent(visitsName)
	route := root.newChild("rte", name)
	table := [][]string{{"visit", "list_no", "name", "track_point", "metres"}}
	for n, v := range visits {
		v.rename("rtept")
		route.children = append(route.children, v.node)
		row := []string{strconv.Itoa(n + 1), strconv.Itoa(v.number), nameOf(v.node), "", ""}
		if !math.IsInf(v.metres, 1) {
			row[3], row[4] = strconv.Itoa(v.passed), strconv.FormatFloat(math.Round(v.metres), 'f', 0, 64)
		}
		table = append(table, row)
	}
	root.insert(route)
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
	root := doc.root()
	routes := root.all("rte")
	if len(routes) == 0 {
		return nil, fmt.Errorf("%s has no route %s", visitsFile, visitsName)
	}
	visits := routes[len(routes)-1]
	root.remove(func(n *node) bool { return n == visits })
	waypoints := visits.all("rtept")
	number := map[*node]string{}
	for n, w := range waypoints {
		w.rename("wpt")
		number[w] = strconv.Itoa(math.MaxInt32)
		if n < len(rows) {
			number[w] = rows[n][1]
		}
	}
	slices.SortStableFunc(waypoints, func(a, b *node) int { return byNumber(number[a], number[b]) })
	root.insert(waypoints...)
	return asDocument(doc), nil
}
