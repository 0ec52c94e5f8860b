package geotrack

import (
	"slices"

	"agentd/domains/internal/xml"
)

// schemaOrder is the order of the children of gpx, of trk and rte, and of
// points, in which GPX 1.1 wants them. What it does not list comes last.
var schemaOrder = []string{
	"metadata", "wpt", "rte", "trk",
	"ele", "time", "magvar", "geoidheight", "name", "cmt", "desc", "src", "link", "sym", "number", "type",
	"fix", "sat", "hdop", "vdop", "pdop", "ageofdgpsdata", "dgpsid", "extensions", "rtept", "trkseg",
}

func rank(n *xml.Node) int {
	if at := slices.Index(schemaOrder, xml.Local(n.Name)); at >= 0 && !n.Foreign {
		return at
	}
	return len(schemaOrder)
}

// insert takes elements in after the children that the schema wants before
// them.
func insert(into *xml.Node, elements ...*xml.Node) {
	for _, e := range elements {
		at := len(into.Children)
		for at > 0 && (into.Children[at-1].Kind != xml.Element || rank(into.Children[at-1]) > rank(e)) {
			at--
		}
		if at == 0 { // nothing comes before it: stay after comments
			for at < len(into.Children) && into.Children[at].Kind != xml.Element {
				at++
			}
		}
		into.Children = slices.Insert(into.Children, at, e)
	}
}
