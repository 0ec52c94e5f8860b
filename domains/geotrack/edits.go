package geotrack

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/xml"
)

// logs says how GPX files are read, joined and printed. Their parts are the root element and
// what stands next to it.
var logs = exact.Format[gpxFile, *xml.Node]{
	Patterns: []string{"*.gpx"},
	Read:     read,
	Print:    func(f gpxFile) string { return f.print() },
	Parts:    func(f *gpxFile) *[]*xml.Node { return &f.Top.Children },
	Join: func(all []gpxFile) gpxFile {
		if len(all) == 0 {
			return read("")
		}
		sortByStart(all)
		for _, f := range all[1:] {
			records := f.Root().Remove(isRecord)
			insert(all[0].Root(), records...)
		}
		return all[0]
	},
	Empty: errors.New("no GPX file"),
	Fault: func(f *gpxFile) error {
		if f.Root() == nil {
			return errors.New("no element")
		}
		return nil
	},
}

func edits() []domains.Edit {
	return []domains.Edit{
		domains.Taking("split_by_track", splitByTrack),
		domains.Taking("points_table", pointsTable),
		domains.Taking("timeline", timeline),
		domains.Taking("imperial", imperial),
		domains.Taking("move_zone", moveZone),
		domains.Taking("thin_out", thinOut),
		domains.Taking("route_by_passing", routeByPassing),
		domains.Taking("sheet", sheet),
	}
}

// segments returns the track segments of a document in order.
func (f *gpxFile) segments() []*xml.Node {
	return slices.Concat(lists.Map(f.Root().All("trk"), func(t *xml.Node) []*xml.Node { return t.All("trkseg") })...)
}

// with returns a file whose root has only the children that keep accepts.
func (f *gpxFile) with(keep func(*xml.Node) bool) gpxFile {
	root := *f.Root()
	root.Remove(func(c *xml.Node) bool { return !keep(c) })
	return gpxFile{Document: xml.NewDocument(&root)}
}

// frame is a document whose track points are kept next to it.
type frame struct {
	*gpxFile
	places map[string]*xml.Node // segments by "track,segment", from 1
}

func newFrame(f *gpxFile) frame {
	fr := frame{f, map[string]*xml.Node{}}
	for t, trk := range f.Root().All("trk") {
		for s, segment := range trk.All("trkseg") {
			fr.places[placeKey(strconv.Itoa(t+1), strconv.Itoa(s+1))] = segment
		}
	}
	return fr
}

func placeKey(track, segment string) string {
	return strings.TrimSpace(track) + "," + strings.TrimSpace(segment)
}

// segment returns the segment of two numbers, at the document's end a new one
// if it has none of them.
func (f *frame) segment(track, segment string) *xml.Node {
	key := placeKey(track, segment)
	if f.places[key] == nil {
		root := f.Root()
		added := root.NewChild("trkseg")
		insert(root, root.NewChild("trk", added))
		f.places[key] = added
	}
	return f.places[key]
}

// placed is a track point and where it stands, from 1.
type placed struct {
	*xml.Node
	track, segment, place int
	within                *xml.Node // the segment
}

// takePoints takes all track points out of a document.
func (f *gpxFile) takePoints() []placed {
	var all []placed
	for t, trk := range f.Root().All("trk") {
		for s, segment := range trk.All("trkseg") {
			for p, point := range segment.Remove(xml.Named("trkpt")) {
				all = append(all, placed{point, t + 1, s + 1, p + 1, segment})
			}
		}
	}
	return all
}

// distance is that of two points in metres, infinite if one has no position.
func distance(a, b *xml.Node) float64 {
	latA, lonA, okA := position(a)
	latB, lonB, okB := position(b)
	if !okA || !okB {
		return math.Inf(1)
	}
	return plain.Metres(latA, lonA, latB, lonB)
}

func position(n *xml.Node) (lat, lon float64, ok bool) {
	lat, errLat := strconv.ParseFloat(strings.TrimSpace(n.Value("lat")), 64)
	lon, errLon := strconv.ParseFloat(strings.TrimSpace(n.Value("lon")), 64)
	return lat, lon, errLat == nil && errLon == nil
}

// byNumber compares the numbers that two cells hold.
func byNumber(a, b string) int {
	return plain.ByNumber([]string{a}, []string{b})
}
