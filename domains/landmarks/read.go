package landmarks

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/xml"
	published "agentd/domains/published/landmarks"
	"agentd/vfs"
)

// readAll reads all files as one document, in any state.
func readAll(files vfs.Files) *xml.Document {
	whole := xml.NewDocument()
	m := merger{}
	for _, name := range files.Names() {
		part, belongs := read(name, files[name])
		switch {
		case !belongs:
		case len(files) == 1:
			return part
		default:
			m.merge(whole.Top, part.Top)
			whole.Faults = append(whole.Faults, part.Faults...)
		}
	}
	return &whole
}

// read takes in a file of any name: KML, GeoJSON, or other text. JSON without features is no part of a document.
func read(name, text string) (doc *xml.Document, belongs bool) {
	if !isJSON(name, text) {
		return readKML(text), true
	}
	if doc, found := readGeoJSON(text); found {
		return doc, true
	}
	if path.Ext(name) == ".json" || json.Valid([]byte(text)) {
		return nil, false
	}
	return readKML(text), true
}

func isJSON(name, text string) bool {
	ext := strings.ToLower(path.Ext(name))
	return ext == ".json" || ext == ".geojson" || strings.HasPrefix(strings.TrimLeft(text, "\ufeff \t\r\n"), "{")
}

// leavesNoDoubt reports whether a fault of XML is a bare ampersand or an entity of HTML, which are taken as they stand.
func leavesNoDoubt(fault string) bool {
	return fault == "a bare &" || strings.HasSuffix(fault, "; stands for nothing")
}

// readKML reads any text. It forgives a byte order mark, code fences, text
// around the root element, bare ampersands, and what the published reader mends.
func readKML(text string) *xml.Document {
	text = xml.Unfenced(text)
	if before, _, found := strings.Cut(text, "<?xml"); found && !strings.Contains(before, "<") {
		text = text[len(before):]
	}
	doc := xml.Read(text)
	if len(doc.Faults) > 0 {
		if repaired := published.RepairTags(text); repaired != text {
			if again := xml.Read(repaired); len(again.Faults) < len(doc.Faults) {
				doc = again
			}
		}
	}
	doc.Faults = slices.DeleteFunc(doc.Faults, leavesNoDoubt)
	for _, n := range doc.Top.Elements() {
		markForeign(n, n)
	}
	if doc.Root() != nil {
		doc.Top.Children = slices.DeleteFunc(doc.Top.Children, func(n *xml.Node) bool { return n.Kind == xml.Text })
	}
	return &doc
}

// markForeign marks the elements that are neither in the root's namespace nor in one of KML.
func markForeign(n, root *xml.Node) {
	if n.Unbound {
		n.Foreign = xml.Prefix(n.Name) != xml.Prefix(root.Name)
	} else {
		n.Foreign = n.Space != root.Space && !isKMLSpace(n.Space)
	}
	for _, c := range n.Children {
		if c.Kind == xml.Element {
			markForeign(c, root)
		}
	}
}

// isKMLSpace reports whether a namespace is one of the versions of KML.
func isKMLSpace(space string) bool {
	return space == "" || strings.HasPrefix(space, "http://www.opengis.net/kml/") ||
		strings.HasPrefix(space, "http://earth.google.com/kml/")
}

// merger makes one document of the files that it is divided over. It knows the children of elements
// by what identifies them.
type merger map[*xml.Node]map[string]*xml.Node

// merge takes the children of an element into another: folders into those of
// the same name, and what describes a document only where it is new.
func (m merger) merge(into, from *xml.Node) {
	known := m[into]
	if known == nil {
		known = map[string]*xml.Node{}
		m[into] = known
		for _, c := range into.Children {
			if id := identity(c); id != "" && known[id] == nil {
				known[id] = c
			}
		}
	}
	for _, c := range from.Children {
		id := identity(c)
		same := known[id]
		switch {
		case id == "" || same == nil:
			into.Children = plain.Append(into.Children, c)
			if id != "" {
				known[id] = c
			}
		case isContainer(c) || isRoot(c):
			m.merge(same, c)
		}
	}
}

// identity tells a part of a file from others; it is empty of those that stand for themselves.
func identity(n *xml.Node) string {
	id := n.Value("id")
	switch {
	case n.Kind == xml.Text || isFeature(n):
		return ""
	case n.Is("Folder"):
		return "Folder " + id + " " + nameOf(n)
	case n.Is("Document"):
		return "Document " + id
	case isRoot(n):
		return n.Name
	}
	return n.InOne()
}

func isRoot(n *xml.Node) bool      { return n.Is("kml") || n.Is(collectionName) }
func isContainer(n *xml.Node) bool { return n.Is("Document") || n.Is("Folder") }

// isFeature reports whether an element is a placemark, or takes its place.
func isFeature(n *xml.Node) bool {
	if n.Kind != xml.Element || n.Foreign {
		return false
	}
	switch xml.Local(n.Name) {
	case "Placemark", "NetworkLink", "GroundOverlay", "PhotoOverlay", "ScreenOverlay", "Tour":
		return true
	}
	return false
}

func nameOf(n *xml.Node) string { return published.Straight(n.Child("name").Content()) }

// without leaves out placemarks.
func without(name, text string, leave func() bool) string {
	doc, belongs := read(name, text)
	if !belongs {
		return text
	}
	var dropped []int
	var out []*xml.Node
	n := 0
	eachPlacemark(doc.Top, func(placemark *xml.Node) bool {
		gone := leave()
		if gone {
			dropped, out = append(dropped, n), append(out, placemark)
		}
		n++
		return gone
	})
	if root := doc.Root(); root != nil && root.Is(collectionName) {
		return withoutFeatures(text, dropped)
	}
	return doc.Without(out)
}

// eachPlacemark asks of every placemark, in order, whether to pass over what stands in it.
func eachPlacemark(n *xml.Node, pass func(*xml.Node) bool) {
	for _, c := range n.Elements() {
		if !c.Is("Placemark") || !pass(c) {
			eachPlacemark(c, pass)
		}
	}
}
