package geotrack

import (
	"slices"
	"strings"
	"time"

	"agentd/domains/internal/lists"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

// gpxFile is a file as the format has it, in any state.
type gpxFile struct {
	xml.Document
	start time.Time // of the first point, where there are several files
}

// read takes in any text. It forgives a byte order mark, blank lines before
// the declaration and code fences.
func read(text string) gpxFile {
	f := gpxFile{Document: xml.Read(xml.Unfenced(text))}
	for _, root := range f.Top.Children {
		markForeign(root, root.Space)
	}
	return f
}

// gpxSpaces begins the namespaces of all versions of GPX.
const gpxSpaces = "http://www.topografix.com/GPX/1/"

// markForeign marks the elements that are neither in the root's namespace nor
// in one of GPX. An undeclared prefix is taken for GPX's where the name is.
func markForeign(n *xml.Node, rootSpace string) {
	if n.Kind != xml.Element {
		return
	}
	if n.Unbound {
		n.Foreign = !slices.Contains(recordNames, xml.Local(n.Name))
	} else {
		n.Foreign = n.Space != rootSpace && !strings.HasPrefix(n.Space, gpxSpaces)
	}
	for _, c := range n.Children {
		markForeign(c, rootSpace)
	}
}

// recordNames are those of the elements that make up the document.
var recordNames = []string{"wpt", "rte", "rtept", "trk", "trkseg", "trkpt"}

// isRecord reports whether a node is one of those.
func isRecord(n *xml.Node) bool {
	return n.Kind == xml.Element && !n.Foreign && slices.Contains(recordNames, xml.Local(n.Name))
}

// firstTime is the earliest time of a track point; zero if there is none.
func (f *gpxFile) firstTime() time.Time {
	var first time.Time
	f.Top.Walk(func(n *xml.Node) {
		if at, ok := instant(n); ok && n.Is("trkpt") && (first.IsZero() || at.Before(first)) {
			first = at
		}
	})
	return first
}

// instant is the time of a point.
func instant(n *xml.Node) (time.Time, bool) {
	return readInstant(n.Child("time").Content())
}

// readInstant reads a time in any zone; without one it is UTC, as GPX wants.
func readInstant(text string) (time.Time, bool) {
	text = pytext.Strip(text)
	for _, clock := range []string{"2006-1-2T15:4:5", "2006-1-2 15:4:5"} {
		for _, zone := range []string{"Z07:00", "Z0700", "Z07", ""} {
			if at, err := time.Parse(clock+zone, text); err == nil {
				return at.UTC(), true
			}
		}
	}
	return time.Time{}, false
}

// readAll reads several files that make up a document. Their names say nothing
// about the order of the tracks in them, so it is that of their first points.
func readAll(files vfs.Files) []gpxFile {
	all := lists.Map(files.Names(), func(name string) gpxFile { return read(files[name]) })
	sortByStart(all)
	return all
}

func sortByStart(all []gpxFile) {
	if len(all) > 1 {
		for i := range all {
			all[i].start = all[i].firstTime()
		}
		slices.SortStableFunc(all, func(a, b gpxFile) int { return a.start.Compare(b.start) })
	}
}

// without leaves out track points.
func without(_, text string, leave func() bool) string {
	f := read(text)
	prune := func(n *xml.Node) {
		n.Remove(func(c *xml.Node) bool { return c.Is("trkpt") && leave() })
	}
	prune(f.Top)
	f.Top.Walk(prune)
	return f.print()
}

// print writes a document with the points of tracks and routes on a line of their own.
func (f *gpxFile) print() string {
	return f.Document.Print(func(n *xml.Node) bool { return n.Is("trkpt") || n.Is("rtept") })
}
