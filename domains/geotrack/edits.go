package geotrack

import (
	"cmp"
	"errors"
	"math"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

// documentFile is the file that every backward step leaves.
const documentFile = "lairig_ghru.gpx"

func edits() []domains.Edit {
	return []domains.Edit{
		{Name: "split_by_track", Forward: splitByTrack, Backward: mergeTracks},
		{Name: "points_table", Forward: toTable, Backward: fromTable},
		{Name: "timeline", Forward: toTimeline, Backward: fromTimeline},
		{Name: "imperial_units", Forward: toImperial, Backward: toMetric},
		{Name: "summer_time", Forward: toSummerTime, Backward: toUTC},
		{Name: "thin_out", Forward: thinOut, Backward: fillIn},
		{Name: "delta_coding", Forward: toDeltas, Backward: fromDeltas},
		{Name: "visit_order", Forward: orderVisits, Backward: orderWaypoints},
		{Name: "survey_sheet", Forward: toSheet, Backward: fromSheet},
	}
}

var errNoGPX = errors.New("no GPX file")

// readDocument reads the GPX files that a forward step is given, as one.
func readDocument(files vfs.Files) (*gpxFile, error) {
	var doc *gpxFile
	for _, f := range readAll(files.Match([]string{"*.gpx"})) {
		switch root := f.Root(); {
		case root == nil:
		case doc == nil:
			doc = &f
		default:
			insert(doc.Root(), root.Remove(func(n *xml.Node) bool { return !n.Foreign && isRecord(xml.Local(n.Name)) })...)
		}
	}
	if doc == nil {
		return nil, errNoGPX
	}
	return doc, nil
}

// readNamed reads the GPX file that a backward step needs.
func readNamed(files vfs.Files, name string) (*gpxFile, error) {
	text, err := plain.File(files, name)
	if err != nil {
		return nil, err
	}
	f := read(text)
	if f.Root() == nil {
		return nil, errors.New(name + " has no element")
	}
	return &f, nil
}

func asDocument(f *gpxFile) vfs.Files { return vfs.Files{documentFile: f.print()} }

// segments returns the track segments of a document in order.
func (f *gpxFile) segments() []*xml.Node {
	var all []*xml.Node
	for _, t := range f.Root().All("trk") {
		all = append(all, t.All("trkseg")...)
	}
	return all
}

// with returns a file whose root has only the children that keep accepts.
func (f *gpxFile) with(keep func(*xml.Node) bool) *gpxFile {
	root := *f.Root()
	root.Children = nil
	for _, c := range f.Root().Children {
		if keep(c) {
			root.Children = append(root.Children, c)
		}
	}
	return &gpxFile{Document: xml.Document{Top: &xml.Node{Children: []*xml.Node{&root}}}}
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
}

// takePoints takes all track points out of a document.
func (f *gpxFile) takePoints() []placed {
	var all []placed
	for t, trk := range f.Root().All("trk") {
		for s, segment := range trk.All("trkseg") {
			for p, point := range segment.Remove(xml.Named("trkpt")) {
				all = append(all, placed{point, t + 1, s + 1, p + 1})
			}
		}
	}
	return all
}

// earth is the radius of the earth in metres.
const earth = 6_371_000

// distance is the haversine distance of two points in metres, infinite if one
// has no position.
func distance(a, b *xml.Node) float64 {
	latA, lonA, okA := radians(a)
	latB, lonB, okB := radians(b)
	if !okA || !okB {
		return math.Inf(1)
	}
	north, east := math.Sin((latB-latA)/2), math.Sin((lonB-lonA)/2)
	h := float64(north*north) + float64(math.Cos(latA)*math.Cos(latB)*float64(east*east))
	return 2 * earth * math.Asin(math.Sqrt(min(h, 1)))
}

func radians(n *xml.Node) (lat, lon float64, ok bool) {
	latText, _ := n.Attribute("lat")
	lonText, _ := n.Attribute("lon")
	lat, errLat := strconv.ParseFloat(strings.TrimSpace(latText), 64)
	lon, errLon := strconv.ParseFloat(strings.TrimSpace(lonText), 64)
	return lat * math.Pi / 180, lon * math.Pi / 180, errLat == nil && errLon == nil
}

// byNumber compares the numbers that two cells hold.
func byNumber(a, b string) int {
	m, _ := strconv.Atoi(strings.TrimSpace(a))
	n, _ := strconv.Atoi(strings.TrimSpace(b))
	return cmp.Compare(m, n)
}
