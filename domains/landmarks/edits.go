package landmarks

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

// charts says how maps are read and printed. A forward step reads all KML files as one.
var charts = exact.Single[*xml.Document]{
	Document: func(files vfs.Files) (*xml.Document, error) {
		doc := readAll(files.Match([]string{"*.kml"}))
		if doc.Root() == nil {
			return nil, errors.New("no KML file")
		}
		return doc, nil
	},
	Named: func(files vfs.Files, name string) (*xml.Document, error) {
		text, err := plain.File(files, name)
		if err != nil {
			return nil, err
		}
		doc := readKML(text)
		if doc.Root() == nil {
			return nil, errors.New(name + " has no element")
		}
		return doc, nil
	},
	Print: print,
}

func edits() []domains.Edit {
	return []domains.Edit{
		domains.Taking("split_by_words", splitByWords),
		domains.Taking("sort_by_distance", sortByDistance),
		domains.Taking("nearest_folders", nearestFolders),
		domains.Taking("geojson", asGeoJSON),
		domains.Taking("guide", guide),
		domains.Taking("take_contacts", takeContacts),
		domains.Taking("code_streets", codeStreets),
		domains.Taking("degrees_minutes", degreesMinutes),
	}
}

// folders returns what placemarks can stand in: first what holds those outside
// of all folders, then the folders in order, then any further root or document.
func folders(doc *xml.Document) []*xml.Node {
	main := doc.Root()
	if inner := main.Child("Document"); inner != nil {
		main = inner
	}
	all, others := []*xml.Node{main}, []*xml.Node(nil)
	doc.Top.Walk(func(n *xml.Node) {
		switch {
		case n.Is("Folder"):
			all = append(all, n)
		case n != main && (isRoot(n) || isContainer(n)):
			others = append(others, n)
		}
	})
	return append(all, others...)
}

// spot is a placemark and where it stands: the number of its folder, 0 outside
// of all, and its place in it, from 1, folders and overlays counted.
type spot struct {
	*xml.Node
	folder, place int
}

// spots lists the placemarks in order.
func spots(doc *xml.Document) []spot {
	number := map[*xml.Node]int{}
	for n, folder := range folders(doc) {
		number[folder] = n
	}
	var all []spot
	var visit func(*xml.Node)
	visit = func(n *xml.Node) {
		folder, holds := number[n]
		place := 0
		for _, c := range n.Children {
			if holds && isMember(c) {
				place++
				if c.Is("Placemark") {
					all = append(all, spot{c, folder, place})
				}
			}
			if c.Kind == xml.Element {
				visit(c)
			}
		}
	}
	visit(doc.Top)
	return all
}

// isMember reports whether an element takes a place in a folder.
func isMember(n *xml.Node) bool { return isFeature(n) || isContainer(n) }

// takePlacemarks takes the placemarks out of a document.
func takePlacemarks(doc *xml.Document) []spot {
	all := spots(doc)
	for _, folder := range folders(doc) {
		folder.Remove(xml.Named("Placemark"))
	}
	return all
}

// insertSpots puts placemarks where they stood. The document has the folders of
// that time; what has no place comes to the end.
func insertSpots(doc *xml.Document, all []spot) {
	in := folders(doc)
	slices.SortStableFunc(all, func(a, b spot) int {
		return cmp.Or(cmp.Compare(a.folder, b.folder), cmp.Compare(a.place, b.place))
	})
	for len(all) > 0 {
		folder := all[0].folder
		length := slices.IndexFunc(all, func(s spot) bool { return s.folder != folder })
		if length < 0 {
			length = len(all)
		}
		if folder < 0 || folder >= len(in) {
			folder = 0
		}
		insertInto(in[folder], all[:length])
		all = all[length:]
	}
}

// insertInto puts placemarks, in the order of their places, into a folder.
func insertInto(folder *xml.Node, placemarks []spot) {
	var children []*xml.Node
	place := 1
	take := func(all bool) {
		for len(placemarks) > 0 && (all || placemarks[0].place <= place) {
			children = append(children, placemarks[0].Node)
			placemarks = placemarks[1:]
			place++
		}
	}
	for _, c := range folder.Children {
		if isMember(c) {
			take(false)
			place++
		}
		children = append(children, c)
	}
	take(true)
	folder.Children = children
}

// describe returns what tells a placemark to a reader of a table.
func describe(n *xml.Node) (id, name string) {
	return n.Value("id"), pytext.Strip(n.Child("name").Content())
}

// numbered reads two cells as the folder and the place of a placemark; nothing
// is the end of the document.
func numbered(n *xml.Node, folder, place string) spot {
	s := spot{Node: n, place: math.MaxInt}
	if number, err := strconv.Atoi(strings.TrimSpace(place)); err == nil {
		s.place = number
	}
	s.folder, _ = strconv.Atoi(strings.TrimSpace(folder))
	return s
}

// point returns the coordinates element of a placemark's point, and the text in
// it; nil if there is none of a single position.
func point(n *xml.Node) (coordinates *xml.Node, text string) {
	p := n.Child("Point")
	if p == nil {
		return nil, ""
	}
	coordinates = p.Child("coordinates")
	text = pytext.Strip(coordinates.Content())
	if coordinates == nil || !isSimple(coordinates) || len(pytext.Fields(text)) != 1 {
		return nil, ""
	}
	if _, _, ok := position(text); !ok || strings.Count(text, ",") > 2 {
		return nil, ""
	}
	return coordinates, text
}

// takePoint takes the coordinates out of a placemark, and the point that held
// nothing else.
func takePoint(n, coordinates *xml.Node) {
	p := n.Child("Point")
	p.Drop(coordinates)
	if len(p.Children) == 0 && len(p.Attrs) == 0 {
		n.Drop(p)
	}
}

// setPoint gives a placemark coordinates.
func setPoint(n *xml.Node, text string) {
	p := n.Need("Point")
	p.Append(p.NewChild("coordinates").With(text))
}

// isSimple reports whether an element has nothing in it but one text.
func isSimple(n *xml.Node) bool {
	return len(n.Children) == 0 || len(n.Children) == 1 && n.Children[0].Kind == xml.Text
}

// site is a name and a position.
type site struct {
	Name string
	coordinates
}

type coordinates struct{ Longitude, Latitude float64 }

// metresTo is the haversine distance to a placemark's point, infinite if it has none.
func (p coordinates) metresTo(n *xml.Node) float64 {
	_, text := point(n)
	if text == "" {
		return math.Inf(1)
	}
	lon, lat, _ := position(text)
	if metres := plain.Metres(p.Latitude, p.Longitude, lat, lon); !math.IsNaN(metres) {
		return metres
	}
	return math.Inf(1)
}
