package geotrack

import "agentd/domains/internal/xml"

// print writes a document with points on a line of their own.
func (f *gpxFile) print() string {
	return f.Document.Print(isPathPoint)
}

// isPathPoint reports whether the node is a point of a track or route.
func isPathPoint(n *xml.Node) bool { return n.Is("trkpt") || n.Is("rtept") }
